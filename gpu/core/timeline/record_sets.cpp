// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/timeline/record_sets.hpp"

#include "gpu/core/timeline/recording_device.hpp"

namespace lloyd {

Timeline recordSets(const Variant& schedule, Device& device, const SetStages& stages,
                    std::span<ClusteringSet> sets, const SetParams& params) {
  RecordingDevice recorder(device);
  const auto run = prepareSets(schedule, recorder, stages, sets, params);
  // Those before make what the last one uses again: events, or sequences of iterations.
  for (int before = 0; before < 2; ++before) {
    recorder.start();
    run->run();
  }
  recorder.start();
  run->run();
  return recorder.stop();
}

} // namespace lloyd
