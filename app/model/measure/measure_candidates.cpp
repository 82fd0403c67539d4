// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/measure_candidates.hpp"

#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

namespace lloyd {
namespace {

constexpr std::size_t warmUps = 3;
constexpr std::size_t mostLaunches = 2000; ///< in one sample
/// More than any processor keeps near a core and most keep at all.
constexpr std::size_t processorCaches = std::size_t{64} << 20;
/// A fill of this size takes a fast card as long as the host takes for five launches.
constexpr std::size_t holdBytes = std::size_t{1} << 26;
constexpr std::size_t launchesHeld = 5;
/// A copy has to take this many times as long as the smallest one, or its time is mostly that of its launch.
constexpr double timesTheLeastCopy = 2;
/// A launch that takes longer finds caches and clock as the last one left them: none is made beforehand.
constexpr double longLaunchUs = 100e3;

/// Rows with what is known before the race: what can run, whether it is right, and what it asks of the card.
class Field {
public:
  Field(StageHarness& bench, std::span<const Candidate> candidates, KernelTimer& sampler,
        const std::function<void(const RaceProgress&)>& progress) {
    for (const Candidate& candidate : candidates) {
      if (progress) progress({.checked = rows_.size(), .toCheck = candidates.size()});
      Measurement& row = rows_.emplace_back();
      row.candidate = candidate;
      row.problem = bench.problem();
      if (const auto reason = bench.whyNot(candidate)) {
        row.skipped = *reason;
        row.bytes = leastBytes(candidate, bench.problem());
        continue;
      }
      row.bytes = bench.bytes(candidate);
      const auto difference = bench.check(candidate);
      row.note = bench.noteOn(candidate);
      row.rechecked = bench.recheckedOn(candidate);
      row.verified = !difference;
      row.difference = difference.value_or("");
      row.resources = bench.resources(candidate);
      sampler.add({.prepare = [&bench, candidate] { bench.prepare(candidate); },
                   .launch = [&bench, candidate] { bench.launch(candidate); },
                   .parts = static_cast<double>(bench.iterationsOf(candidate))});
      row.launches = sampler.launches(owners_.size());
      owners_.push_back(rows_.size() - 1);
      groups_.push_back(static_cast<int>(candidate.stage));
    }
    // Copies are timed beside the samples, in as many places: one from before would be of another clock.
    sampler.setPlacing([this, &bench, &sampler] {
      copyRates_.push_back(sampler.copyRate(2 * bench.problem().pointValues() * sizeof(float), 1));
      return bench.placeAnew();
    });
    const double leastUs = sampler.copyUs(1);
    for (const std::size_t owner : owners_) {
      const std::size_t bytes = rows_[owner].bytes;
      if (rates_.contains(bytes)) continue;
      const double us = sampler.copyUs(bytes);
      rates_[bytes] = us > 0 && us >= timesTheLeastCopy * leastUs ? static_cast<double>(bytes) / us : 0;
    }
    peakOperations_ = bench.device().info().peakFlops * 1e-6;
  }

  [[nodiscard]] std::span<const int> groups() const { return groups_; }
  /// Bytes a microsecond that a copy of the points moved during the race; 0 before it.
  [[nodiscard]] double copyRate() const { return copyRates_.empty() ? 0 : summarise(copyRates_).median; }

  /// The rows with the race's samples, limits and ranks.
  [[nodiscard]] std::vector<Measurement> with(const RaceSamples& samples) const {
    std::vector<Measurement> rows = rows_;
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      Measurement& row = rows[owners_[i]];
      row.us = samples.series[i];
      std::vector<double> kept;
      std::copy_if(row.us.begin(), row.us.end(), std::back_inserter(kept),
                   [](double us) { return std::isfinite(us); });
      row.times = summarise(kept);
    }
    setLimits(rows);
    rankRows(rows, samples.conditions);
    return rows;
  }

private:
  /// The bytes that must move at the copy rate of that footprint, or the arithmetic at its peak. A candidate
  /// that beats the copy shows that the memory can do more than a copy asks of it, and sets the rate. Only
  /// candidates that have the same to move say that of one another. Where the copy's time is mostly that of
  /// its launch there is no limit: it would be the fastest candidate's own time.
  void setLimits(std::vector<Measurement>& rows) const {
    std::map<std::size_t, double> rates = rates_;
    std::map<std::pair<Stage, std::size_t>, double> fastest;
    for (const Measurement& row : rows) {
      if (!row.ran() || !(row.times.median > 0)) continue;
      double& rate = rates[row.bytes];
      if (rate > 0) rate = std::max(rate, static_cast<double>(row.bytes) / row.times.median);
      const auto [best, isNew] = fastest.emplace(std::pair(row.candidate.stage, row.bytes), row.times.median);
      if (!isNew) best->second = std::min(best->second, row.times.median);
    }
    for (Measurement& row : rows) {
      if (!row.ran() || !(row.times.median > 0) || !(rates[row.bytes] > 0)) continue;
      row.limitUs = static_cast<double>(row.bytes) / rates[row.bytes];
      if (peakOperations_ > 0)
        row.limitUs = std::max(row.limitUs, leastOperations(row.candidate, row.problem) / peakOperations_);
      row.limitUs = std::min(row.limitUs, fastest[{row.candidate.stage, row.bytes}]);
    }
  }

  std::vector<Measurement> rows_;
  std::vector<std::size_t> owners_;     ///< the row of each operation
  std::vector<int> groups_;             ///< the stage of each operation
  std::map<std::size_t, double> rates_; ///< by footprint; 0 where a copy tells none
  std::vector<double> copyRates_;       ///< one a placement of memory
  double peakOperations_ = 0;           ///< a microsecond; 0 when unknown
};

} // namespace

namespace {

/// A run of every schedule of sets that ran, outside of all times. A run that cannot be recorded ends
/// nothing: what was measured stands.
void recordRuns(StageHarness& bench, RaceResult& result) {
  for (const Measurement& row : result.rows) {
    if (row.candidate.stage != Stage::sets || !row.ran()) continue;
    RecordedRun& run = result.recorded.emplace_back();
    run.candidate = row.candidate;
    try {
      run.timeline = std::make_shared<const Timeline>(bench.record(row.candidate));
    } catch (const DeviceError& error) {
      run.why = error.meaning();
    }
  }
}

} // namespace

KernelTimer::KernelTimer(Device& device, double sampleUs, CacheState cache)
    : device_(device), sampleUs_(sampleUs), cache_(cache), from_(device.createEvent()),
      to_(device.createEvent()) {}

std::size_t KernelTimer::add(TimedOperation operation) {
  std::size_t launches = 1;
  double us = 0;
  for (std::size_t i = 0; i < warmUps && us < longLaunchUs; ++i) {
    us = time(operation, launches, true) * operation.parts;
    if (cache_ == CacheState::cold) continue;
    const double wanted = us > 0 ? std::ceil(sampleUs_ / us) : static_cast<double>(mostLaunches);
    launches = static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(mostLaunches)));
  }
  operations_.push_back(std::move(operation));
  launches_.push_back(launches);
  warmed_.push_back(us < longLaunchUs);
  return launches_.size() - 1;
}

double KernelTimer::sample(std::size_t operation) {
  return time(operations_[operation], launches_[operation], warmed_[operation]);
}

double KernelTimer::time(const TimedOperation& operation, std::size_t launches, bool warmed) {
  operation.prepare();
  if (cache_ == CacheState::hot) {
    holdQueue(launches);
    if (warmed) operation.launch(); // caches hold what they hold in a run
  } else {
    emptyCaches();
  }
  device_.record(*from_);
  for (std::size_t i = 0; i < launches; ++i)
    operation.launch();
  device_.record(*to_);
  return device_.elapsedUs(*from_, *to_) / (static_cast<double>(launches) * operation.parts);
}

/// Queueing a launch costs the host some microseconds. Where kernels are shorter than that the device would
/// wait for the host and the wait would be timed, so it is kept busy until the queue is full.
void KernelTimer::holdQueue(std::size_t launches) {
  if (device_.backend() != Backend::cuda || launches < 2) return;
  std::byte* memory = scratch(holdBytes);
  for (std::size_t i = 0; i < launches / launchesHeld + 1; ++i)
    device_.fill(memory, 0, holdBytes);
}

/// A copy, because on a processor all cores take part in it and each has caches of its own. It also keeps the
/// device busy while the one launch that follows is queued.
void KernelTimer::emptyCaches() {
  const std::size_t caches = device_.backend() == Backend::cuda ? device_.info().l2Bytes : processorCaches;
  const std::size_t half = std::max(caches, holdBytes);
  std::byte* memory = scratch(2 * half);
  device_.copy(memory + half, memory, half);
}

std::byte* KernelTimer::scratch(std::size_t bytes) {
  if (scratch_.size() < bytes) scratch_ = Buffer<std::byte>(device_, bytes);
  return scratch_.data();
}

double KernelTimer::seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void KernelTimer::pause(double seconds) { device_.rest(seconds); }

double KernelTimer::copyUs(std::size_t footprint, std::size_t samples) {
  const std::size_t half = std::max<std::size_t>(footprint / 2, 1);
  Buffer<std::byte> from(device_, half);
  Buffer<std::byte> to(device_, half);
  from.fill(1);
  const std::size_t copy =
      add({.prepare = [] {}, .launch = [&] { device_.copy(to.data(), from.data(), half); }});
  std::vector<double> us;
  for (std::size_t i = 0; i < samples; ++i)
    us.push_back(sample(copy));
  operations_.pop_back(); // its memory goes
  launches_.pop_back();
  return summarise(us).median;
}

double KernelTimer::copyRate(std::size_t footprint, std::size_t samples) {
  const double us = copyUs(footprint, samples);
  return us > 0 ? static_cast<double>(footprint) / us : 0;
}

RaceResult measure(StageHarness& bench, std::span<const Candidate> candidates, const RaceOptions& options,
                   const std::function<void(const RaceProgress&)>& progress,
                   const std::function<void(RaceResultPtr)>& analysed) {
  KernelTimer sampler(bench.device(), options.sampleUs, options.cache);
  Field field(bench, candidates, sampler, progress);
  const MachineWatch watch;
  CardWatch card(bench.device().info().busId);
  const auto resultOf = [&](const RaceSamples& samples) {
    RaceResult result{.rows = field.with(samples),
                      .conditions = samples.conditions,
                      .device = bench.device().info(),
                      .source = {},
                      .when = std::chrono::system_clock::now(),
                      .finished = samples.finished};
    result.conditions.load = watch.load();
    card.look();
    result.conditions.card = card.load();
    result.conditions.copyRate = field.copyRate();
    return result;
  };
  RaceResult result =
      resultOf(race(sampler, field.groups(), options, progress, [&](const RaceSamples& samples) {
        if (analysed) analysed(std::make_shared<const RaceResult>(resultOf(samples)));
      }));
  try {
    if (options.record && result.finished) recordRuns(bench, result);
  } catch (const Cancelled&) {
    result.recorded.clear(); // the race itself was over
  }
  return result;
}

} // namespace lloyd
