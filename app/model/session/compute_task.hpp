// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/session/run_controller.hpp"
#include "gpu/core/contract/device.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lloyd {

/// What one task of the compute thread brought back.
struct TaskResult {
  RunWork work = RunWork::preview;
  std::exception_ptr error;
  IterationResult result;
  std::optional<Half> half;              ///< iteration, half: only this half of it was done
  std::shared_ptr<const RunState> state; ///< adopt: the one that was asked for
  bool canStepBack = false;
  double driftTime = 0;
  RunState beside;    ///< what another session needs beside the result, to go on from it
  bool wrote = false; ///< there are new labels (and positions) to be seen: the other side becomes the front
  Frame frame;        ///< of a copying path, when wrote
  std::vector<Label> labels;
  Plan plan;
  Settings settings; ///< the last good ones
  DeviceInfo device;
  std::string whyDevice;
  Sharing sharing = Sharing::none;
  std::string whySharing;
  bool newRun = true; ///< attach: nothing of an earlier run is left
  double uploadUs = 0;
  double computeUs = 0;
};

/// One work of a run and everything that it needs, so that it touches nothing of the thread that posts it.
struct ComputeTask {
  RunWork work = RunWork::preview;
  Settings settings;
  std::vector<std::pair<int, std::vector<float>>> moves; ///< of centroids, by hand, made first
  std::optional<PointMemory> lent;                       ///< the window's buffers, for as long as it runs
  bool restart = false;                                  ///< seed again first
  bool copies = false;                                   ///< bring a frame back where labels were written
  std::shared_ptr<const RunState> state;                 ///< RunWork::adopt: the state to go on from

  /// On the compute thread. Where it throws, out has the settings that were last met.
  void perform(KMeansRunner& runner, TaskResult& out) const;
};

} // namespace lloyd
