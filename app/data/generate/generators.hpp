// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// How many points a generator makes when neither its text nor an option gives a number, by what they are
/// for.
namespace default_counts {

inline constexpr std::size_t clustered = 1'000'000;            ///< without a window
inline constexpr std::size_t raced = std::size_t{1} << 20;     ///< by bench
inline constexpr std::size_t simulated = std::size_t{1} << 16; ///< a second a variant, and every warp is full
// As many as move fluidly: on a GPU with OpenGL beside it, and on a CPU that draws as well.
inline constexpr std::size_t drawnByGpu = std::size_t{1} << 20;
inline constexpr std::size_t drawnByCpu = std::size_t{1} << 16;
inline constexpr int clusters = 16; ///< of every run, too, that is told no other

} // namespace default_counts

/// What a generator uses where its specification is silent.
struct GeneratorDefaults {
  std::size_t n = default_counts::clustered;
  int k = default_counts::clusters;
  std::uint64_t seed = 1;
};

/// One key of a generator, as "list generators" shows it.
struct GeneratorKey {
  std::string_view name;
  std::string_view fallback; ///< the value when none is given; "given" for what the caller's defaults decide
  double least = 0;
  double most = 0; ///< inclusive limits of a number; both 0 for words
  std::string_view meaning;
};

struct GeneratorSpec;
struct Sampler;

struct Generator {
  Sampler (*sampler)(const GeneratorSpec& spec);
  std::string_view name;
  std::string_view idea;
  std::vector<GeneratorKey> keys;
};

/// All generators, in the order in which they are listed.
[[nodiscard]] std::span<const Generator> generators();

/// A specification with every value settled.
struct GeneratorSpec {
  const Generator* generator = nullptr;
  std::size_t n = 0;
  int d = 2;
  int k = 1;
  std::uint64_t seed = 1;
  /// The share of the points that lie anywhere: 1 is shuffled. The others lie in order of clusters, or of the
  /// first coordinate where there are no clusters; 0 is sorted.
  double mixed = 1;
  double spread = 0;
  double noise = 0;
  double reach = 0;
  double skew = 0; ///< cluster c has (c + 1)^-skew times the first one's points: 0 is equal sizes

  /// The value of a key of the generator as text() has it.
  [[nodiscard]] std::string value(std::string_view key) const;
  /// "blobs:n=1000000,d=2,..." with every key, but for a skew of 0: the same points again, whatever the
  /// defaults.
  [[nodiscard]] std::string text() const;
};

/// Reads "name:key=value,key=value". Counts may be written 1e6 or 2^20. The error is a clause that says what
/// there is.
[[nodiscard]] tl::expected<GeneratorSpec, std::string> parseGenerator(std::string_view text,
                                                                      const GeneratorDefaults& defaults);

/// Makes points from "name:key=value,..." (see generators()). The same text gives the same bytes on every
/// machine and with any number of threads, and every order holds the same points.
[[nodiscard]] tl::expected<PointSet, ReadError> generatePoints(const std::string& text,
                                                               const GeneratorDefaults& defaults = {},
                                                               const ReadControl& control = {});

} // namespace lloyd
