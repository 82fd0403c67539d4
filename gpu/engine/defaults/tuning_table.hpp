// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// What a device is known by in a table of measurements.
struct MeasuredDevice {
  Backend backend = Backend::cpu;
  std::string name;   ///< DeviceInfo::name
  std::string target; ///< the SIMD target of a CPU, the compute capability of a GPU
  int cores = 0;      ///< of a CPU; multiprocessors of a GPU
  bool operator==(const MeasuredDevice&) const = default;
};
[[nodiscard]] MeasuredDevice measuredDevice(const DeviceInfo& device);

/// The fastest variant of a stage, or of one form of it.
struct MeasuredVariant {
  std::string id; ///< empty where no variant of the stage could run
  Tuning tuning;  ///< the tuning parameters for which another value than the variant's own was fastest
  double us = 0;  ///< median of one launch
  bool operator==(const MeasuredVariant&) const = default;
};

/// Iterations that share what putting the points in order costs. It happens once a fit, so a fit of a few
/// iterations does not earn it back; those of points without clear clusters take a hundred and more.
inline constexpr double iterationsOfAFit = 100;

/// What was fastest for one problem on one device: an iteration is fused and update, or classify, reduce and
/// update; where points stand still it may be tiled and update.
struct TuningEntry {
  MeasuredDevice device;
  Problem problem;
  bool fuses = false; ///< the iteration with the fused variant is the faster one
  MeasuredVariant fused;
  /// The fastest fused variant that works on tiles, for points that stand still; empty where it is not the
  /// faster one. us is one launch and its share of putting the points in order, by iterationsOfAFit.
  MeasuredVariant tiled;
  MeasuredVariant classify;
  MeasuredVariant reduce;
  MeasuredVariant update;
  std::string date; ///< of the measurement, "2026-05-31"

  [[nodiscard]] const MeasuredVariant& of(Stage stage) const;
  bool operator==(const TuningEntry&) const = default;
};

/// Where a default comes from.
enum class TuningOrigin {
  asked,   ///< from a person: nothing was left to the program
  here,    ///< measured on this device by its user
  shipped, ///< measured on a device of this kind, and shipped
  similar, ///< measured on another device of the backend
  order    ///< the fixed order of preference: nobody measured anything that can run
};

/// Measurements to choose defaults from: the shipped ones and the user's own.
class TuningTable {
public:
  enum class Owner { shipped, user };
  struct Ranked {
    const TuningEntry* entry = nullptr;
    TuningOrigin origin = TuningOrigin::here;
  };

  void add(std::vector<TuningEntry> entries, Owner owner);
  /// What serves the problem on the device, the most fitting first: the same device before a similar one (the
  /// same target, then the nearest number of cores), the same d before the nearest, which may be twice or
  /// half of it and no farther, then what is nearest in log n and log k; the user's before the shipped where
  /// both are as near. Pointers live as long as the table is not changed. The simulator has none: its times
  /// say nothing.
  [[nodiscard]] std::vector<Ranked> ranked(const Problem& problem, const DeviceInfo& device) const;

  /// The shipped tables (resources/tuning). Throws RequestError where one of them cannot be read.
  [[nodiscard]] static TuningTable shipped();
  /// What makePlan() asks: the shipped tables, and whatever the program has added. To be changed only before
  /// other threads make plans.
  [[nodiscard]] static TuningTable& present();

private:
  struct Owned {
    TuningEntry entry;
    Owner owner;
  };
  std::vector<Owned> entries_;
};

/// The text of each file of resources/tuning, with its name.
struct ShippedTable {
  std::string_view name;
  std::string_view text;
};
[[nodiscard]] std::vector<ShippedTable> shippedTables();

/// Measured entries as text: comma-separated values under a line of names, one problem of one device a line.
/// Times are microseconds; "iteration" says which of the two is the faster, fused or apart; "tiled" is empty
/// where it is not faster still, and a table may lack it and its time. A variant is followed by its tuning
/// parameters, as in "classify.v7 block=512 items=4"; what starts with # is a remark. A variant that this
/// build does not have is no mistake. Throws RequestError, one sentence with name, line and what was
/// expected; nothing of a damaged table is used.
[[nodiscard]] std::vector<TuningEntry> readTuning(std::string_view text, std::string_view name);

/// The same text back, by device, d, n and k.
[[nodiscard]] std::string writeTuning(std::vector<TuningEntry> entries);

/// kept, with newer added and put in place of what is known of the same problem on the same device.
[[nodiscard]] std::vector<TuningEntry> mergedTuning(std::vector<TuningEntry> kept,
                                                    const std::vector<TuningEntry>& newer);

/// "classify.v7 block=512 items=4"; of no variant an empty text.
[[nodiscard]] std::string describe(const MeasuredVariant& variant);

} // namespace lloyd
