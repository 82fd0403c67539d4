// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/tuning/tuner.hpp"

#include "app/data/generate/generators.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/cpu/cpu_device.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <new>
#include <utility>

namespace lloyd {
namespace {

/// Point-centroid coordinate pairs that double precision gets through on one core in about half a second.
constexpr double checkedInDouble = 1 << 28;
/// Launches of the chosen variants that measuring a problem takes, in all, where they are slow ones.
constexpr double launchesOfAProblem = 60;
/// What a problem takes however small it is, and for every value of its points; at the first guess.
constexpr double fixedSeconds = 0.5;
constexpr double secondsOfAValue = 1e-7;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Tuner {
public:
  Tuner(Device& device, const TuneOptions& options, const std::atomic<bool>* cancel, TuneResult& result,
        const std::function<void(const TuneProgress&)>& progress)
      : device_(device), options_(options), cancel_(cancel), result_(result), progress_(progress),
        began_(now()), candidates_(tuningCandidates(device.info(), options.wanted)) {
    auto counts = options.n;
    std::sort(counts.begin(), counts.end());
    for (const std::uint64_t n : counts)
      for (const int d : options.d)
        for (const int k : options.k)
          problems_.push_back({static_cast<std::size_t>(n), d, k});
    result_ = {};
    result_.problems = problems_.size();
  }

  void run() {
    for (; at_ < problems_.size(); ++at_) {
      const Problem& problem = problems_[at_];
      tick();
      if (std::string why = whyNot(problem); !why.empty()) {
        result_.leftOut.push_back({problem, std::move(why)});
        continue;
      }
      measureOne(problem);
    }
    result_.finished = true;
  }

private:
  void tick() {
    if (cancel_ && *cancel_) throw Cancelled();
    if (!progress_) return;
    double left = 0;
    for (std::size_t i = at_; i < problems_.size(); ++i)
      left += guessSeconds(problems_[i]);
    progress_({.done = at_,
               .problems = problems_.size(),
               .problem = problems_[std::min(at_, problems_.size() - 1)],
               .secondsLeft = std::clamp(left - (now() - problemBegan_), 0.0, std::max(0.0, budgetLeft()))});
  }

  [[nodiscard]] double budgetLeft() const { return options_.budgetSeconds - (now() - began_); }

  /// The same on fewer points, the most there are.
  [[nodiscard]] const TuningEntry* smaller(const Problem& problem) const {
    const TuningEntry* found = nullptr;
    for (const TuningEntry& entry : result_.entries)
      if (entry.problem.d == problem.d && entry.problem.k == problem.k && entry.problem.n < problem.n &&
          (!found || entry.problem.n > found->problem.n))
        found = &entry;
    return found;
  }

  [[nodiscard]] double guessSeconds(const Problem& problem) const {
    double seconds = fixedSeconds + secondsOfAValue * static_cast<double>(problem.pointValues());
    if (const TuningEntry* known = smaller(problem)) {
      const double more = static_cast<double>(problem.n) / static_cast<double>(known->problem.n);
      const double us = known->fused.us + known->tiled.us + known->classify.us + known->reduce.us;
      seconds += launchesOfAProblem * more * 1e-6 * us;
    }
    return seconds;
  }

  [[nodiscard]] std::string whyNot(const Problem& problem) const {
    if (static_cast<std::size_t>(problem.k) > problem.n) return "there are fewer points than clusters";
    if (budgetLeft() <= 0) return "the time for tuning was over";
    if (smaller(problem) && guessSeconds(problem) > budgetLeft())
      return "it would take longer than what was left of the time for tuning";
    // Points on the host and on the device, labels before and after, and what checking needs for a point.
    const std::size_t values = problem.pointValues() * sizeof(float);
    const std::size_t labels = problem.n * sizeof(Label);
    const bool onHost = device_.backend() == Backend::cpu;
    const std::size_t hostBytes = values + 8 * labels + (onHost ? values + 4 * labels : 0);
    if (hostBytes > hostMemory() / 10 * 8 || values + 4 * labels > device_.freeMemory() / 10 * 8)
      return "there is not enough memory for this size";
    return {};
  }

  [[nodiscard]] static std::size_t hostMemory() { return createCpuDevice()->freeMemory(); }

  const PointSet& pointsFor(const Problem& problem) {
    if (points_ && points_->n == problem.n && points_->d == problem.d) return *points_;
    points_.reset(); // one set at a time
    auto made = generatePoints("uniform:n=" + std::to_string(problem.n) + ",d=" + std::to_string(problem.d) +
                                   ",seed=" + std::to_string(options_.seed),
                               {}, {.progress = {}, .cancel = cancel_});
    if (!made) {
      if (made.error().cancelled) throw Cancelled();
      throw RequestError(made.error().sentence());
    }
    points_ = std::make_unique<const PointSet>(std::move(*made));
    return *points_;
  }

  void measureOne(const Problem& problem) {
    problemBegan_ = now();
    try {
      const PointSet& points = pointsFor(problem);
      const double pairs = static_cast<double>(problem.pointValues()) * problem.k;
      StageHarness bench(device_, points, problem.k, {.kind = InitKind::random, .given = {}, .path = {}},
                         options_.seed, pairs <= checkedInDouble ? Truth::doublePrecision : Truth::device);
      std::vector<Candidate>& behind = behind_[{problem.d, problem.k}];
      std::vector<Candidate> candidates = candidates_;
      std::erase_if(candidates, [&](const Candidate& candidate) {
        return std::any_of(behind.begin(), behind.end(),
                           [&](const Candidate& one) { return sameCandidate(one, candidate); });
      });
      auto tuned = tuneProblem(bench, candidates, TuningTable::present(), raceSeconds(), [this] { tick(); });
      if (!tuned) {
        result_.leftOut.push_back({problem, "no variant that is right can run it"});
        return;
      }
      behind.insert(behind.end(), tuned->behind.begin(), tuned->behind.end());
      tuned->entry.date = options_.date;
      result_.entries.push_back(std::move(tuned->entry));
      for (std::string& text : tuned->wrong)
        result_.wrong.push_back({problem, std::move(text)});
    } catch (const std::bad_alloc&) {
      points_.reset();
      result_.leftOut.push_back({problem, "there is not enough memory for this size"});
    } catch (const RequestError& error) {
      result_.leftOut.push_back({problem, error.what()});
    } catch (const DeviceError& error) {
      if (error.severity() == Severity::lost || error.severity() == Severity::absent) throw;
      result_.leftOut.push_back({problem, error.meaning()});
    }
  }

  /// An even share of what is left, within reason.
  [[nodiscard]] double raceSeconds() const {
    return std::clamp(budgetLeft() / static_cast<double>(problems_.size() - at_), 0.05, 5.0);
  }

  Device& device_;
  const TuneOptions& options_;
  const std::atomic<bool>* cancel_;
  TuneResult& result_;
  const std::function<void(const TuneProgress&)>& progress_;
  double began_;
  double problemBegan_ = now();
  std::vector<Candidate> candidates_;
  std::map<std::pair<int, int>, std::vector<Candidate>> behind_; ///< by d and k, on fewer points
  std::vector<Problem> problems_;
  std::size_t at_ = 0;
  std::unique_ptr<const PointSet> points_;
};

} // namespace

void tune(Device& device, const TuneOptions& options, const std::atomic<bool>* cancel, TuneResult& result,
          const std::function<void(const TuneProgress&)>& progress) {
  Tuner(device, options, cancel, result, progress).run();
}

} // namespace lloyd
