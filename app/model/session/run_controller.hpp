// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/task_result.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

namespace lloyd {

/// One finished iteration as the window shows it. Immutable, shared.
using IterationPtr = std::shared_ptr<const IterationResult>;

/// What the run has come to, as published: all of it belongs to one result.
struct RunSnapshot {
  IterationPtr last; ///< null until a run has a result
  Plan plan;
  bool converged = false;
  bool canStepBack = false;
  double driftTime = 0; ///< steps that moving points have taken at last

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

/// What a person wants of the run: one at a time, so that none contradicts another.
enum class RunRequest : std::uint8_t { none, play, step, halfStep, stepBack };

/// Why nothing is begun.
enum class NothingToDo : std::uint8_t {
  nothing, ///< nothing is wanted, or nothing can be done
  busy,
  forFrame,  ///< the last result is not on the screen yet
  forPace,   ///< iterations start a given time apart
  forBarrier ///< the other side of a comparison is not there yet
};

using RunAction = std::variant<NothingToDo, RunWork>;

/// Decides what a session does next, from what is wanted, what is there and what is under way. It computes
/// nothing and knows no thread, clock or window, so that every case of it can be listed.
class RunController {
public:
  struct InFlight {
    RunWork work = RunWork::preview;
    bool lent = false; ///< the window's buffers are mapped for it
  };

  // Wants. Those that answer a bool answer whether what is under way must be interrupted.
  void play();
  void pause();
  void step() { request_ = RunRequest::step; }
  void halfStep() { request_ = RunRequest::halfStep; }
  /// What is on its way has not been seen, so it is no step to be taken back: it does not happen.
  [[nodiscard]] bool stepBack();
  void restart();
  void adopt(std::shared_ptr<const RunState> state);
  void dropAdoption() { adoption_.reset(); }
  void wantLabels() { labels_ = true; }
  void moveCentroid();
  struct Change {
    bool backend = false;
    bool sharing = false;
    bool selection = false;
    bool seeds = false; ///< k, seed or initialisation
  };
  void change(const Change& change);

  // What is there.
  void pointsArrived();
  void pointsFitted(); ///< the points for the present device are others than before
  void noPoints() { readiness_ = Readiness::noData; }
  void surfaceChanged(); ///< nothing waits for a frame of it any more
  void allowSharing() { shareRefused_ = false; }

  /// barrierOpen and paceOpen say whether an iteration may begin for all that lies outside.
  [[nodiscard]] RunAction next(bool barrierOpen, bool paceOpen);
  /// Answers whether the run is seeded again first.
  bool begin(RunWork work, bool lent = false);
  /// Answers what was under way.
  std::optional<InFlight> end() { return std::exchange(inFlight_, std::nullopt); }
  /// Answers whether the window's buffers were lent.
  bool returnMemory();

  // What a finished work leads to.
  void attached(bool shared);
  void adopted(const std::shared_ptr<const RunState>& state);
  void labelsHandedOver() { labels_ = false; }
  /// A result that finished while the frame before it is still being drawn waits for the screen.
  [[nodiscard]] bool resultWaits(bool surface) const;
  void holdResult() { resultHeld_ = true; }
  void resultReleased() { resultHeld_ = false; }
  void frameGiven() { frameDue_ = true; }
  bool frameShown() { return std::exchange(frameDue_, false); }
  void publish(RunSnapshot snapshot) { shown_ = std::make_shared<const RunSnapshot>(std::move(snapshot)); }
  void startRun();

  // What a failed one leads to.
  void cancelled(bool hasDevice);
  void requestRefused(bool otherSettings, bool hasDevice, std::optional<RunWork> work);
  void sharingRefused();
  void deviceLost();
  void stopped(bool hasDevice);

  [[nodiscard]] bool playing() const { return request_ == RunRequest::play; }
  [[nodiscard]] RunRequest request() const { return request_; }
  [[nodiscard]] Readiness readiness() const { return readiness_; }
  [[nodiscard]] const std::optional<InFlight>& inFlight() const { return inFlight_; }
  [[nodiscard]] bool lostDevice() const { return deviceLost_; }
  [[nodiscard]] bool refusesSharing() const { return shareRefused_; }
  [[nodiscard]] bool frameDue() const { return frameDue_; }
  [[nodiscard]] const std::shared_ptr<const RunState>& adoption() const { return adoption_; }
  [[nodiscard]] const RunSnapshot& shown() const { return *shown_; }

private:
  void forgetStep();
  void attachAgain();
  [[nodiscard]] RunAction iterationOr(NothingToDo otherwise, bool barrierOpen, bool paceOpen) const;

  RunRequest request_ = RunRequest::none;
  Readiness readiness_ = Readiness::noData;
  std::optional<InFlight> inFlight_;
  std::shared_ptr<const RunState> adoption_; ///< another session's state, to go on from
  std::shared_ptr<const RunSnapshot> shown_ = std::make_shared<const RunSnapshot>();
  bool reseed_ = false;       ///< the next work begins a run anew
  bool preview_ = false;      ///< show the labels of the present centroids without iterating
  bool labels_ = false;       ///< somebody asked for the labels
  bool shared_ = false;       ///< works are lent the window's buffers
  bool shareRefused_ = false; ///< lending failed on this path: do not try again until asked to
  bool deviceLost_ = false;   ///< compute on the CPU from then on
  bool frameDue_ = false;     ///< a result was given to the surface and is not on the screen yet
  bool resultHeld_ = false;   ///< a result waits for that
};

} // namespace lloyd
