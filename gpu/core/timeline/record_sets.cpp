// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/timeline/record_sets.hpp"

#include "gpu/core/timeline/recording_device.hpp"

namespace lloyd {

Timeline recordSets(const Variant& schedule, Device& device, const SetStages& stages,
                    std::span<ClusteringSet> sets, const SetParams& params) {
  RecordingDevice recorder(device);
  const auto run = prepareSets(schedule, recorder, stages, sets, params);
  // The first record makes the events that the second uses again.
  recorder.start();
  run->run();
  recorder.start();
  run->run();
  return recorder.stop();
}

} // namespace lloyd
