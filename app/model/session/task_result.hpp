// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"

namespace lloyd {

/// What one task of the compute thread brought back.
struct Session::Outcome {
  enum class Kind {
    prepared,
    attached,
    previewed,
    iterated,
    takenBack,
    joined,
    labelled
  } kind = Kind::iterated;
  std::exception_ptr error;
  IterationResult result;
  std::optional<Half> half;              ///< iterated: only this half of it was done
  std::shared_ptr<const RunState> state; ///< joined: the one that was asked for
  bool canStepBack = false;
  double moment = 0;
  bool wrote = false; ///< there are new labels (and positions) to be seen: the other side becomes the front
  Frame frame;        ///< of a copying path, when wrote
  std::vector<Label> labels;
  Plan plan;
  Settings settings; ///< the last good ones
  DeviceInfo device;
  std::string whyDevice;
  Sharing sharing = Sharing::none;
  std::string whySharing;
  bool newRun = true; ///< attached: nothing of an earlier run is left
  double uploadUs = 0;
  double computeUs = 0;
};

[[nodiscard]] inline double microseconds(std::chrono::steady_clock::duration span) {
  return std::chrono::duration<double, std::micro>(span).count();
}

} // namespace lloyd
