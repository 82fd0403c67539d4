// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/kernel_trouble.hpp"

#include "gpu/core/contract/error.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <exception>
#include <utility>

namespace lloyd {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(KernelTrouble)
};

/// In one order.
KernelTrouble troubleIn(const simt::Trace& trace, KernelTrouble trouble) {
  const auto race = std::ranges::find(trace.examples, false, &simt::Race::sameValue);
  if (race != trace.examples.end()) {
    trouble.kind = KernelTrouble::Kind::race;
    trouble.block = race->block;
  } else if (!trace.faults.empty()) {
    trouble.kind = KernelTrouble::Kind::fault;
    trouble.block = trace.faultBlock;
  }
  return trouble;
}

KernelTrouble search(const Variant& variant, Stage stage, const std::atomic<bool>* cancel) {
  KernelTrouble trouble;
  trouble.tuning = variant.complete({});
  auto at = trialProblem(variant, stage, trouble.tuning, cancel);
  if (!at) {
    trouble.why = Words::tr("%1 takes none of the problems that a trial traces")
                      .arg(QString::fromStdString(variant.id()));
    return trouble;
  }
  trouble.at = *std::move(at);
  KernelTrouble first = trouble;
  for (const simt::Schedule& schedule : trialOrders) {
    trouble.schedule = schedule;
    const simt::StageTrace traced = simt::traceStage({.variant = &variant,
                                                      .stage = stage,
                                                      .problem = trouble.at.problem,
                                                      .points = trouble.at.points->values,
                                                      .centroids = trouble.at.centroids,
                                                      .oldLabels = {},
                                                      .tuning = trouble.tuning,
                                                      .schedule = schedule,
                                                      .cancel = cancel});
    KernelTrouble found = troubleIn(traced.trace, trouble);
    if (found.kind == KernelTrouble::Kind::race) return found;
    if (first.kind == KernelTrouble::Kind::none && found.kind == KernelTrouble::Kind::fault)
      first = std::move(found);
  }
  return first;
}

QString orderText(const simt::Schedule& schedule) {
  using Order = simt::Schedule::Order;
  return schedule.order == Order::reverse  ? Words::tr(", with blocks and lanes in reverse order")
         : schedule.order == Order::seeded ? Words::tr(", with blocks and lanes in an order drawn by lot")
                                           : QString();
}

} // namespace

KernelTrouble findTrouble(const Variant& variant, Stage stage, const std::atomic<bool>* cancel) {
  try {
    return search(variant, stage, cancel);
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    KernelTrouble unknown;
    unknown.why = QString::fromUtf8(error.what());
    return unknown;
  }
}

QString troubleText(const KernelTrouble& trouble) {
  if (!trouble.why.isEmpty()) return trouble.why;
  switch (trouble.kind) {
  case KernelTrouble::Kind::race:
    return Words::tr("Block %1 has a race%2").arg(trouble.block).arg(orderText(trouble.schedule));
  case KernelTrouble::Kind::fault:
    return Words::tr("A fault ends block %1%2").arg(trouble.block).arg(orderText(trouble.schedule));
  default:
    return Words::tr("These points meet no race and no fault; the verdict may be of others. Go through the "
                     "steps for what is wrong");
  }
}

} // namespace lloyd
