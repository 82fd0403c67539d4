// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/pair/pair_counters.hpp"

#include "app/model/teach/counter_service.hpp"
#include "gpu/core/contract/error.hpp"

#include <QStringList>

#include <utility>

namespace lloyd {

namespace {

/// The stages in which the sides differ most: update handles clusters, not points.
constexpr Stage countedStages[] = {Stage::classify, Stage::reduce, Stage::fused};

bool known(const Plan& plan) { return plan.fused || (plan.classify && plan.reduce); }

PairCounted::Side countSide(const CountInput& input, const Plan& plan, const std::atomic<bool>* cancel) {
  PairCounted::Side side;
  QStringList names;
  simt::Counters sum;
  for (const Stage stage : countedStages) {
    const Variant* variant = plan.of(stage);
    if (!variant) continue;
    names << QString::fromStdString(variant->id());
    CountInput one = input;
    one.subject = {stage, variant, nullptr, plan.tuningOf(stage)};
    const StageCount count = countStage(one, labelsBefore(one), variant, cancel);
    if (count.trace)
      sum += count.trace->counters;
    else if (side.why.isEmpty())
      side.why = count.why;
  }
  names.removeDuplicates();
  side.variants = names.join(QStringLiteral(" + "));
  if (side.why.isEmpty()) side.counters = sum;
  return side;
}

} // namespace

PairCounters::PairCounters(const Session& a, QObject* parent) : QObject(parent), a_(a) {
  connect(&a_, &Session::dataChanged, this, [this] { stale_ = true; });
  connect(&a_, &Session::iterated, this, [this](const IterationPtr& result) {
    stale_ = false;
    const bool otherSize = !of_ || of_->centroids.size() != result->centroids.size();
    due_ = due_ || otherSize || !a_.playing();
    takeUp();
  });
  connect(&a_, &Session::stateChanged, this, [this] {
    due_ = due_ || (!a_.playing() && a_.last() != of_);
    takeUp();
  });
}

PairCounters::~PairCounters() {
  if (job_) *job_ = true;
}

void PairCounters::setActive(bool active) {
  active_ = active;
  if (!active && job_) {
    *job_ = true;
    job_.reset();
    due_ = true;
  }
  takeUp();
}

void PairCounters::setPlans(const Plan& a, const Plan& b) {
  if (planA_ == a && planB_ == b) return;
  planA_ = a;
  planB_ = b;
  due_ = true;
  counted_.reset();
  takeUp();
}

void PairCounters::takeUp() {
  const SharedPointSet data = a_.data();
  if (!active_ || !due_ || stale_ || !data || !a_.last() || !known(planA_) || !known(planB_)) return;
  start();
}

void PairCounters::start() {
  if (job_) *job_ = true;
  due_ = false;
  const auto cancel = std::make_shared<std::atomic<bool>>(false);
  job_ = cancel;
  of_ = a_.last();
  CountInput input = countInput(a_, {}, *of_, of_->usedCentroids);
  thread_.post([this, cancel, input = std::move(input), planA = planA_, planB = planB_] {
    auto counted = std::make_shared<PairCounted>();
    counted->problem = input.problem;
    try {
      counted->a = countSide(input, planA, cancel.get());
      counted->b = countSide(input, planB, cancel.get());
    } catch (const Cancelled&) {
      return;
    }
    toGui_.post([this, cancel, counted] {
      if (*cancel) return;
      job_.reset();
      counted_ = counted;
      Q_EMIT changed();
    });
  });
}

} // namespace lloyd
