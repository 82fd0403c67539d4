// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/launch/planned_launch.hpp"
#include "app/model/session/worker_thread.hpp"
#include "gpu/engine/device_choice.hpp"

#include <QObject>

#include <functional>
#include <memory>

namespace lloyd {

/// Plans launches for the window: on a machine with a GPU by its driver, which a thread of its own asks over
/// a device of its own, and elsewhere from what is shipped. GUI thread.
class LaunchPlanner : public QObject {
  Q_OBJECT
public:
  using DeviceFactory = std::function<ChosenDevice(BackendRequest)>;
  explicit LaunchPlanner(QObject* parent = nullptr, DeviceFactory factory = chooseDevice);
  ~LaunchPlanner() override;

  /// driver: ask the GPU's. Without one the shipped table tells, of d and k that it knows. The answer comes
  /// by planned(), at once or later; an answer to an earlier question is dropped.
  void ask(const std::vector<Candidate>& candidates, const Problem& problem, bool driver);

Q_SIGNALS:
  void planned(const lloyd::LaunchPlans& plans);
  /// The driver could not be asked, in a sentence.
  void failed(const QString& why);

private:
  DeviceFactory factory_;
  std::shared_ptr<ChosenDevice> driver_; ///< of the thread; chosen when first asked
  unsigned asked_ = 0;
  HandOver answers_;
  WorkerThread worker_; // last: its tasks use all of the above
};

} // namespace lloyd
