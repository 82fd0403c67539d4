// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/launch/launch_planner.hpp"

#include "gpu/core/contract/error.hpp"

#include <exception>
#include <utility>

namespace lloyd {

LaunchPlanner::LaunchPlanner(QObject* parent, DeviceFactory factory)
    : QObject(parent), factory_(std::move(factory)), driver_(std::make_shared<ChosenDevice>()) {}

LaunchPlanner::~LaunchPlanner() {
  // The device is the thread's, and ends there.
  worker_.post([driver = std::move(driver_)] { driver->device.reset(); });
  worker_.waitUntilIdle();
}

void LaunchPlanner::ask(const std::vector<Candidate>& candidates, const Problem& problem, bool driver) {
  const unsigned number = ++asked_;
  if (!driver) {
    Q_EMIT planned(KernelTable::shipped().plans(candidates, {problem.d}, {problem.k}));
    return;
  }
  worker_.post([this, held = driver_, candidates, problem, number] {
    LaunchPlans plans;
    QString why;
    try {
      if (!held->device) *held = factory_(BackendRequest::cuda);
      plans = plansOnDevice(*held->device, candidates, {problem.d}, {problem.k});
    } catch (const std::exception& error) {
      *held = {};
      why = QString::fromUtf8(error.what());
    }
    answers_.post([this, plans = std::move(plans), why, number] {
      if (number != asked_) return;
      if (!why.isEmpty()) return Q_EMIT failed(why);
      Q_EMIT planned(plans);
    });
  });
}

} // namespace lloyd
