// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// How V1 to V6 of the articles square a difference: as a product; by pow(x, 2), which g++ hosts evaluate in
/// double; or by powf(x, 2), in single precision, with a rounding of its own.
enum class Arithmetic { multiply = 0, pow = 1, powf = 2 };

/// One tuning parameter of a variant. Values are a list, because a launch shape is compiled or tested for
/// some, not for all.
struct Parameter {
  std::string_view name; ///< one of tuningParameters
  std::vector<int> values;
  int fallback = 0; ///< the value used when none is asked for; one of values

  /// "32, 64, ..., 1024"
  [[nodiscard]] std::string range() const;
  [[nodiscard]] bool allows(int value) const;
};

/// Values for the tuning parameters. 0 (or none) means: the variant's own.
struct Tuning {
  int block = 0;  ///< threads in a block
  int items = 0;  ///< points a thread
  int vector = 0; ///< floats a load
  int unroll = 0; ///< clusters that one turn of an unrolled loop takes
  Arithmetic arithmetic = Arithmetic::multiply;

  [[nodiscard]] int value(std::string_view parameter) const;
  void set(std::string_view parameter, int value);
  bool operator==(const Tuning&) const = default;
};

/// The names of all tuning parameters, in the order in which lists and tables show them.
inline constexpr std::array<std::string_view, 5> tuningParameters{"block", "items", "vector", "unroll",
                                                                  "arithmetic"};

[[nodiscard]] std::string_view name(Arithmetic arithmetic);

} // namespace lloyd
