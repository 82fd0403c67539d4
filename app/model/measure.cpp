// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure.hpp"

#include "gpu/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace lloyd {
namespace {

constexpr std::size_t warmUps = 3;
constexpr std::size_t mostLaunches = 2000; ///< in one sample

/// Something that is timed: a candidate's kernel, or a copy.
struct Runner {
  std::function<void()> prepare; ///< before a sample, not timed
  std::function<void()> launch;
  std::size_t launches = 1; ///< in one sample
  std::vector<double> us;
};

class Sampler {
public:
  Sampler(Device& device, const MeasureOptions& options)
      : device_(device), options_(options), from_(device.createEvent()), to_(device.createEvent()) {}

  /// Runs cold code and caches warm, and finds how many launches fill a sample.
  void warmUp(Runner& runner) {
    for (std::size_t i = 0; i < warmUps; ++i) {
      const double us = sample(runner);
      const double wanted = us > 0 ? std::ceil(options_.sampleUs / us) : static_cast<double>(mostLaunches);
      runner.launches = static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(mostLaunches)));
    }
  }

  /// Microseconds of one launch.
  double sample(Runner& runner) {
    runner.prepare();
    holdQueue(runner.launches);
    runner.launch(); // caches hold what they hold in a run
    device_.record(*from_);
    for (std::size_t i = 0; i < runner.launches; ++i)
      runner.launch();
    device_.record(*to_);
    return device_.elapsedUs(*from_, *to_) / static_cast<double>(runner.launches);
  }

private:
  /// Queueing a launch costs the host some microseconds. Where kernels are shorter than that the device would
  /// wait for the host and the wait would be timed, so it is kept busy until the queue is full: a fill of
  /// this size takes a fast card as long as the host takes for five launches.
  void holdQueue(std::size_t launches) {
    if (device_.backend() != Backend::cuda || launches < 2) return;
    constexpr std::size_t bytes = std::size_t{1} << 26;
    if (scratch_.size() == 0) scratch_ = Buffer<std::byte>(device_, bytes);
    for (std::size_t i = 0; i < launches / 5 + 1; ++i)
      scratch_.fill(0);
  }

  Device& device_;
  const MeasureOptions& options_;
  std::unique_ptr<Event> from_;
  std::unique_ptr<Event> to_;
  Buffer<std::byte> scratch_;
};

/// Bytes a microsecond that a copy moves (reads and writes counted) when both ends together are this many
/// bytes.
double copyRate(Device& device, Sampler& sampler, std::size_t footprint, std::size_t samples) {
  const std::size_t half = std::max<std::size_t>(footprint / 2, 1);
  Buffer<std::byte> from(device, half);
  Buffer<std::byte> to(device, half);
  from.fill(1);
  Runner runner{[] {}, [&] { device.copy(to.data(), from.data(), half); }, 1, {}};
  sampler.warmUp(runner);
  for (std::size_t i = 0; i < samples; ++i)
    runner.us.push_back(sampler.sample(runner));
  const double us = summarise(runner.us).median;
  return us > 0 ? 2 * static_cast<double>(half) / us : 0;
}

/// 0 .. count-1 in an order that depends on the round.
std::vector<std::size_t> turnOrder(std::size_t count, std::uint64_t seed, std::size_t round) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[randomBits(seed, round, i) % i]);
  return order;
}

/// The limit of each candidate: the bytes that must move at the copy rate of that footprint, or the
/// arithmetic at its peak. A candidate that beats the copy shows that the memory can do more than a copy asks
/// of it, and sets the rate.
void setLimits(std::vector<Measurement>& measurements, Device& device, Sampler& sampler,
               std::size_t samples) {
  std::map<std::size_t, double> rates;
  std::map<Stage, double> fastest;
  for (const Measurement& m : measurements) {
    if (m.times.samples == 0) continue;
    if (!rates.contains(m.bytes)) rates[m.bytes] = copyRate(device, sampler, m.bytes, samples);
    rates[m.bytes] = std::max(rates[m.bytes], static_cast<double>(m.bytes) / m.times.median);
    const auto [best, isNew] = fastest.emplace(m.candidate.stage, m.times.median);
    if (!isNew) best->second = std::min(best->second, m.times.median);
  }
  const double peak = device.info().peakFlops * 1e-6; // operations a microsecond
  for (Measurement& m : measurements) {
    if (m.times.samples == 0) continue;
    m.limitUs = static_cast<double>(m.bytes) / rates[m.bytes];
    if (peak > 0) m.limitUs = std::max(m.limitUs, leastOperations(m.candidate.stage, m.problem) / peak);
    m.limitUs = std::min(m.limitUs, fastest[m.candidate.stage]);
  }
}

} // namespace

double Measurement::gigabytesPerSecond() const {
  return times.median > 0 ? static_cast<double>(bytes) / times.median * 1e-3 : 0;
}

double Measurement::ofLimit() const { return times.median > 0 ? std::min(1.0, limitUs / times.median) : 0; }

std::vector<Measurement> measure(StageBench& bench, std::span<const Candidate> candidates,
                                 const MeasureOptions& options,
                                 const std::function<void(std::size_t, std::size_t)>& progress) {
  Sampler sampler(bench.device(), options);
  std::vector<Measurement> measurements;
  std::vector<Runner> runners;
  std::vector<std::size_t> owners; ///< the measurement of each runner
  for (const Candidate& candidate : candidates) {
    Measurement& m = measurements.emplace_back();
    m.candidate = candidate;
    m.problem = bench.problem();
    m.bytes = leastBytes(candidate.stage, bench.problem());
    if (const auto reason = bench.whyNot(candidate)) {
      m.skipped = *reason;
      continue;
    }
    const auto difference = bench.check(candidate);
    m.verified = !difference;
    m.difference = difference.value_or("");
    m.resources = bench.resources(candidate);
    runners.push_back({[&bench] { bench.clear(); }, [&bench, candidate] { bench.launch(candidate); }, 1, {}});
    owners.push_back(measurements.size() - 1);
    sampler.warmUp(runners.back());
  }
  for (std::size_t round = 0; round < options.samples && !runners.empty(); ++round) {
    for (const std::size_t turn : turnOrder(runners.size(), options.seed, round))
      runners[turn].us.push_back(sampler.sample(runners[turn]));
    if (progress) progress(round + 1, options.samples);
  }
  for (std::size_t i = 0; i < runners.size(); ++i)
    measurements[owners[i]].times = summarise(runners[i].us);
  setLimits(measurements, bench.device(), sampler, options.samples);
  return measurements;
}

} // namespace lloyd
