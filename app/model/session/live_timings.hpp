// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/run_history.hpp"
#include "app/model/session/timing_series.hpp"
#include "gpu/engine/clustering.hpp"
#include "gpu/engine/plan.hpp"

#include <chrono>
#include <optional>

namespace lloyd {

[[nodiscard]] inline double microseconds(std::chrono::steady_clock::duration span) {
  return std::chrono::duration<double, std::micro>(span).count();
}

/// Keeps the books of a playing session, so that the rows of the timing table add up. On the shared path
/// iteration and frame follow each other, and all rows are parts of the frame. On the copying paths the
/// worker is one iteration ahead of the window, so there are two sums: the iteration's and the frame's. GUI
/// thread.
class LiveTimings {
public:
  [[nodiscard]] const TimingSeries& timings() const { return timings_; }
  [[nodiscard]] const FrameLog& record() const { return record_; }
  /// Forgets everything; what loading and the first upload took stands in the table from then on.
  void restart(double loadUs, double uploadUs) {
    clear();
    loadUs_ = loadUs;
    uploadUs_ = uploadUs;
    shownAt_ = {};
    timings_.addOnce(Stage::load, loadUs);
    timings_.addOnce(Stage::upload, uploadUs);
  }
  void clear() {
    timings_.clear();
    record_.clear();
    collected_ = {};
  }
  /// Times of another problem are forgotten: the books hold those of one.
  void setProblem(const Problem& problem) {
    if (!(problem == problem_)) restart(loadUs_, uploadUs_);
    problem_ = problem;
  }

  void mapped(double us) { mapUs_ = us; }
  void unmapped(double us) { unmapUs_ = us; }
  /// The iteration was given to the worker, and is back on the GUI thread.
  void started() { startedAt_ = Clock::now(); }
  void returned() { returnedAt_ = Clock::now(); }
  [[nodiscard]] double usSinceStart() const { return microseconds(Clock::now() - startedAt_); }

  /// computeUs: the whole task as the worker saw it; what the stages do not explain of it is rest.
  void iterationDone(const StageTimes& times, const Plan& plan, double computeUs, bool shared);
  /// The same for one half: its stages are added, and with the second the sum of the whole iteration.
  void halfDone(Half half, const StageTimes& times, const Plan& plan, double computeUs, bool shared);
  /// What a filter of scores left to distances in that iteration or half, of so many points.
  void rechecked(const Plan& plan, std::uint64_t points, std::uint64_t of);
  /// The first half of an iteration was taken back, or the second: when that is done again, what the first
  /// took is unknown, and there is no sum.
  void halfTakenBack() { firstHalf_ = {}; }
  /// The run has ended or waits for a person: the time until the next frame is nobody's.
  void stopped() { shownAt_ = {}; }
  /// A frame is on the screen; counted when it shows a new iteration of a run that plays.
  void frameShown(double paintUs, double uploadUs, bool counted, bool shared);

private:
  using Clock = std::chrono::steady_clock;

  void addStages(const StageTimes& times, const Plan& plan, bool shared);
  void addSums(double computeUs, double unaccountedUs, double mapUs, double unmapUs, bool shared);

  TimingSeries timings_;
  FrameLog record_;
  Problem problem_;
  double loadUs_ = 0;
  double uploadUs_ = 0;
  StageTimes collected_; ///< of the iteration under way, and of the frame that shows it
  double mapUs_ = 0;
  double unmapUs_ = 0;
  double explainedUs_ = 0; ///< the stages of the last iteration
  /// What the first half took, until the second completes the iteration.
  struct FirstHalf {
    double computeUs = 0;
    double unaccountedUs = 0;
    double mapUs = 0;
    double unmapUs = 0;
  };
  std::optional<FirstHalf> firstHalf_;
  Clock::time_point startedAt_{};
  Clock::time_point returnedAt_{};
  Clock::time_point shownAt_{};
};

} // namespace lloyd
