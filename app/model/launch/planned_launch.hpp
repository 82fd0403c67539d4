// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/candidate.hpp"
#include "gpu/core/contract/device.hpp"
#include "gpu/core/occupancy/occupancy.hpp"

#include <QString>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lloyd {

/// What one launch of a variant's kernel asks of a multiprocessor. Of a variant with several kernels, the one
/// that leaves the fewest warps room.
struct PlannedLaunch {
  Candidate candidate; ///< without a variant: any kernel that needs this
  Problem problem;     ///< of which d and k count
  LaunchNeeds needs;
  std::size_t localBytes = 0;       ///< a thread: what did not fit into registers, or is indexed
  std::optional<double> driverSays; ///< occupancy, 0 to 1, where a driver was asked
};

/// A candidate that is not planned, and why.
struct Unplanned {
  std::string variant;
  std::string reason;
};

struct LaunchPlans {
  std::vector<PlannedLaunch> launches;
  std::vector<Unplanned> unplanned; ///< each reason once
  QString source;                   ///< who told of registers: a card and its driver
};

/// Why a candidate has no kernel for such points on any device that runs its source, in the kernel's own
/// sentence; nothing where it has one.
[[nodiscard]] std::optional<std::string> whyNoKernel(const Candidate& candidate, const Problem& problem);

/// The limits of a CUDA device's card; nothing where its compute capability is not known.
[[nodiscard]] std::optional<CardLimits> cardOf(const DeviceInfo& device);

/// Asks the driver of a CUDA device, which launches nothing, for every number of dimensions and of clusters.
/// Throws RequestError, DeviceError and Cancelled.
[[nodiscard]] LaunchPlans plansOnDevice(Device& device, const std::vector<Candidate>& candidates,
                                        const std::vector<int>& dimensions, const std::vector<int>& clusters);

/// Kernels as a driver told of them, in the form of planCsv() (app/model/report/plan_report.hpp).
class KernelTable {
public:
  /// Rows whose numbers are none are left out.
  [[nodiscard]] static KernelTable read(const QString& csv);
  /// That in the program. Read once, then immutable.
  [[nodiscard]] static const KernelTable& shipped();

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const QString& source() const { return source_; }
  [[nodiscard]] std::optional<PlannedLaunch> find(const Candidate& candidate, const Problem& problem) const;
  /// The same for several. What the table lacks is left out, and said.
  [[nodiscard]] LaunchPlans plans(const std::vector<Candidate>& candidates,
                                  const std::vector<int>& dimensions, const std::vector<int>& clusters) const;

private:
  [[nodiscard]] std::string whyUnknown(const Candidate& candidate, const Problem& problem) const;
  struct Row {
    LaunchNeeds needs;
    std::size_t localBytes = 0;
  };
  std::map<QString, Row> rows_; ///< by what candidate and problem are called in it
  QString source_;
  std::set<int> dimensions_;
  std::set<int> clusters_;
};

} // namespace lloyd
