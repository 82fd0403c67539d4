// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/clustering.hpp"
#include "gpu/engine/plan.hpp"
#include "gpu/interop/shared_points.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace lloyd {

/// What the compute thread can do. All but the first two need a device that has the points.
enum class RunWork { prepare, attach, preview, labels, iteration, half, back, adopt };

/// One finished iteration as the window shows it. Immutable, shared.
using IterationPtr = std::shared_ptr<const IterationResult>;

struct RunState;

/// What the run has come to, as published: all of it belongs to one result.
struct RunSnapshot {
  IterationPtr last; ///< null until a run has a result
  Plan plan;
  bool converged = false;
  bool canStepBack = false;
  double driftTime = 0;                   ///< steps that moving points have taken at last
  std::shared_ptr<const RunState> beside; ///< what is needed beside last to go on from it; may be null

  /// The state is classified and not updated.
  [[nodiscard]] bool halfway() const { return last && last->halfway; }
};

/// How far the way to a computing device is.
enum class Readiness : std::uint8_t {
  noData,
  noDevice,    ///< there are points, and a device must be chosen for them
  notAttached, ///< the points must be brought to where the device can use them
  detached,    ///< they are on their way there, or could not be brought
  ready
};

/// How a person wants the run to go on; the latest counts. Labels, another state and a new start are wanted
/// beside it, and RunController::next() has their order.
enum class RunRequest : std::uint8_t {
  none,
  play,
  playAgain, ///< play from the start, because what is shown has converged
  step,
  halfStep,
  stepBack
};

/// Why nothing is begun.
enum class NothingToDo : std::uint8_t {
  nothing, ///< nothing is wanted, or nothing can be done
  busy,
  forFrame,  ///< the last result is not on the screen yet
  forPace,   ///< iterations start a given time apart
  forBarrier ///< the other side of a comparison is not there yet
};

using RunAction = std::variant<NothingToDo, RunWork>;

/// What decides beside the controller, and is known by whoever asks it.
struct RunConditions {
  bool barrierOpen = true;   ///< an iteration may begin for the other side of a comparison
  bool paceOpen = true;      ///< and for the time since the last
  bool labelsWanted = false; ///< somebody asked for the labels
  bool resultHeld = false;   ///< a finished result waits for the frame before it
};

/// Decides what a session does next, from what is wanted, what is there and what is under way. It computes
/// nothing and knows no thread, clock or window, so that every case of it can be listed.
class RunController {
public:
  struct InFlight {
    RunWork work = RunWork::preview;
    bool lent = false; ///< the window's buffers are mapped for it
  };

  // Wants. Those that answer a bool answer whether what is under way must be interrupted.
  void play() { request_ = shown_->converged ? RunRequest::playAgain : RunRequest::play; }
  void pause() {
    if (playing()) request_ = RunRequest::none;
  }
  void step() { request_ = RunRequest::step; }
  void halfStep() { request_ = RunRequest::halfStep; }
  /// What is on its way has not been seen, so it is no step to be taken back: it does not happen.
  [[nodiscard]] bool stepBack() {
    request_ = RunRequest::stepBack;
    return inFlight_ && (inFlight_->work == RunWork::iteration || inFlight_->work == RunWork::half);
  }
  void restart() {
    forgetStep();
    adoption_.reset();
    reseed_ = true;
  }
  void adopt(std::shared_ptr<const RunState> state) {
    forgetStep();
    forgetStart();
    adoption_ = std::move(state);
  }
  void dropAdoption() { adoption_.reset(); }
  void moveCentroid() {
    if (shown_->converged) {
      RunSnapshot moved = *shown_;
      moved.converged = false;
      publish(std::move(moved));
    }
    preview_ = preview_ || !playing();
  }
  struct Change {
    bool backend = false;
    bool sharing = false;
    bool selection = false;
    bool seeds = false; ///< k, seed or initialisation
  };
  void change(const Change& change);

  // What is there.
  void pointsArrived() {
    if (readiness_ == Readiness::noData) readiness_ = Readiness::noDevice;
  }
  void pointsFitted(); ///< the points for the present device are others than before
  void noPoints() { readiness_ = Readiness::noData; }
  void surfaceChanged(); ///< nothing waits for a frame of it any more
  void allowSharing() { shareRefused_ = false; }

  [[nodiscard]] RunAction next(const RunConditions& now);
  /// Answers whether the run is seeded again first.
  bool begin(RunWork work, bool lent = false);
  /// Answers what was under way.
  std::optional<InFlight> end() { return std::exchange(inFlight_, std::nullopt); }
  /// Answers whether the window's buffers were lent.
  bool returnMemory() { return inFlight_ && std::exchange(inFlight_->lent, false); }

  // What a finished work leads to.
  void attached(Sharing sharing) {
    if (readiness_ == Readiness::detached) readiness_ = Readiness::ready;
    sharing_ = sharing;
  }
  void adopted(const std::shared_ptr<const RunState>& state) {
    if (adoption_ == state) adoption_.reset();
  }
  /// A result that finished while the frame before it is still being drawn by copies waits for the screen.
  [[nodiscard]] bool resultWaits() const { return frameDue_ && sharing_ != Sharing::shared && playing(); }
  void frameGiven() { frameDue_ = true; }
  bool frameShown() { return std::exchange(frameDue_, false); }
  void publish(RunSnapshot snapshot) { shown_ = std::make_shared<const RunSnapshot>(std::move(snapshot)); }
  void startRun() {
    RunSnapshot fresh;
    fresh.plan = shown_->plan;
    fresh.driftTime = shown_->driftTime;
    publish(std::move(fresh));
    if (request_ == RunRequest::stepBack) request_ = RunRequest::none;
    if (request_ == RunRequest::playAgain) request_ = RunRequest::play;
  }

  // What a failed one leads to.
  void cancelled(bool hasDevice) {
    if (!hasDevice)
      readiness_ = Readiness::noDevice;
    else if (readiness_ == Readiness::detached)
      readiness_ = Readiness::notAttached;
  }
  void requestRefused(bool otherSettings, bool hasDevice, std::optional<RunWork> work);
  void sharingRefused() {
    shareRefused_ = true;
    attachAgain();
  }
  void deviceLost() {
    deviceLost_ = true;
    readiness_ = Readiness::noDevice;
  }
  void stopped(bool hasDevice) {
    // A device that could not be had is not tried again before something changes.
    if (!hasDevice && readiness_ == Readiness::notAttached) readiness_ = Readiness::detached;
    request_ = RunRequest::none;
    adoption_.reset();
    reseed_ = preview_ = false;
  }

  [[nodiscard]] bool playing() const {
    return request_ == RunRequest::play || request_ == RunRequest::playAgain;
  }
  /// A device is being chosen or points are on their way to it.
  [[nodiscard]] bool preparing() const {
    return readiness_ == Readiness::noDevice || readiness_ == Readiness::notAttached ||
           (readiness_ == Readiness::detached && inFlight_);
  }
  [[nodiscard]] RunRequest request() const { return request_; }
  [[nodiscard]] Readiness readiness() const { return readiness_; }
  [[nodiscard]] const std::optional<InFlight>& inFlight() const { return inFlight_; }
  /// How the points reach the device that was attached last; none until then, and while another is chosen.
  [[nodiscard]] Sharing sharing() const { return sharing_; }
  [[nodiscard]] bool lostDevice() const { return deviceLost_; }
  [[nodiscard]] bool refusesSharing() const { return shareRefused_; }
  [[nodiscard]] bool frameDue() const { return frameDue_; }
  [[nodiscard]] const std::shared_ptr<const RunState>& adoption() const { return adoption_; }
  [[nodiscard]] const RunSnapshot& shown() const { return *shown_; }

private:
  /// Whoever plays goes on playing.
  void forgetStep() {
    if (!playing()) request_ = RunRequest::none;
  }
  /// The run is not seeded again.
  void forgetStart() {
    reseed_ = false;
    if (request_ == RunRequest::playAgain) request_ = RunRequest::play;
  }
  /// The next work begins a run anew.
  [[nodiscard]] bool startsAnew() const { return reseed_ || request_ == RunRequest::playAgain; }
  void attachAgain() {
    if (readiness_ == Readiness::ready || readiness_ == Readiness::detached)
      readiness_ = Readiness::notAttached;
  }
  [[nodiscard]] RunAction iterationOrNothing(const RunConditions& now) const;

  RunRequest request_ = RunRequest::none;
  Readiness readiness_ = Readiness::noData;
  Sharing sharing_ = Sharing::none;
  std::optional<InFlight> inFlight_;
  std::shared_ptr<const RunState> adoption_; ///< another session's state, to go on from
  std::shared_ptr<const RunSnapshot> shown_ = std::make_shared<const RunSnapshot>();
  bool reseed_ = false;       ///< the next work begins a run anew, whatever is wanted then
  bool preview_ = false;      ///< show the labels of the present centroids without iterating
  bool shareRefused_ = false; ///< lending failed on this path: do not try again until asked to
  bool deviceLost_ = false;   ///< compute on the CPU from then on
  bool frameDue_ = false;     ///< a result was given to the surface and is not on the screen yet
};

} // namespace lloyd
