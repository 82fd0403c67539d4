// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/apart/step_apart.hpp"
#include "app/model/measure/measuring_task.hpp"
#include "app/model/measure/race_protocol.hpp"

#include <optional>

namespace lloyd {

/// Races every combination of a step's switches on the session's data and shares the gain out. A race that is
/// cancelled leaves what was there before.
class ApartRunner : public MeasuringTask {
  Q_OBJECT
public:
  ApartRunner(Session& session, DeviceLease& lease, QObject* parent = nullptr,
              KMeansRunner::DeviceFactory factory = chooseDevice);

  /// Why this step cannot be raced now; empty when it can.
  [[nodiscard]] QString whyNot(const VersionStep& step) const;
  /// Refused with a message when whyNot() has a reason.
  void start(const VersionStep& step, const RaceOptions& options = {});
  /// The newest result, of the step that it names; nothing before the first.
  [[nodiscard]] const std::optional<StepApart>& last() const { return last_; }

Q_SIGNALS:
  void progressed(const lloyd::RaceProgress& progress); ///< at most ten times a second
  void updated();                                       ///< last() is another

protected:
  QString close(const JobPtr& job, bool failed) override;

private:
  std::optional<StepApart> last_;
  JobPtr lastJob_; ///< the one that last_ is of
};

} // namespace lloyd
