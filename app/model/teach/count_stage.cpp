// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/count_stage.hpp"

#include "app/model/compute/selection.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/reference/reference.hpp"

#include <QCoreApplication>

namespace lloyd {

std::vector<Label> labelsBefore(const CountInput& input) {
  const Stage stage = input.subject.stage;
  if (input.used.empty() || (stage != Stage::classify && stage != Stage::fused)) return {};
  return reference::classify(input.problem, input.points, reference::asDoubles(input.used));
}

QString describeError(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const Cancelled&) {
    throw;
  } catch (const DeviceError& error) {
    return QString::fromStdString(error.meaning());
  } catch (const std::exception& error) {
    return QString::fromUtf8(error.what());
  }
}

StageCount countStage(const CountInput& input, const std::vector<Label>& oldLabels, const Variant* variant,
                      const std::atomic<bool>* cancel) {
  StageCount count;
  count.variant = variant;
  if (!variant) return count;
  if (!isCounted(*variant, input.subject.stage)) {
    count.why = QCoreApplication::translate(
        "CountStage", "it runs on processors, and the simulator counts what kernels ask of a GPU's memory");
    return count;
  }
  count.why = describeError([&] {
    count.trace = simt::traceStage({.variant = variant,
                                    .stage = input.subject.stage,
                                    .problem = input.problem,
                                    .points = input.points,
                                    .centroids = input.centroids,
                                    .oldLabels = oldLabels,
                                    .tuning = tuningParametersFor(*variant, input.subject.tuning),
                                    .schedule = {},
                                    .cancel = cancel})
                      .trace;
  });
  return count;
}

} // namespace lloyd
