// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/kernel_timer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace lloyd {
namespace {

constexpr std::size_t warmUps = 3;
constexpr std::size_t mostLaunches = 2000; ///< in one sample
/// More than any processor keeps near a core and most keep at all.
constexpr std::size_t processorCaches = std::size_t{64} << 20;
/// A fill of this size takes a fast card as long as the host takes for five launches.
constexpr std::size_t holdBytes = std::size_t{1} << 26;
constexpr std::size_t launchesHeld = 5;

} // namespace

KernelTimer::KernelTimer(Device& device, double sampleUs, CacheState cache)
    : device_(device), sampleUs_(sampleUs), cache_(cache), from_(device.createEvent()),
      to_(device.createEvent()) {}

std::size_t KernelTimer::add(TimedOperation contestant) {
  std::size_t launches = 1;
  for (std::size_t i = 0; i < warmUps; ++i) {
    const double us = time(contestant, launches) * contestant.parts;
    if (cache_ == CacheState::cold) continue;
    const double wanted = us > 0 ? std::ceil(sampleUs_ / us) : static_cast<double>(mostLaunches);
    launches = static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(mostLaunches)));
  }
  contestants_.push_back(std::move(contestant));
  launches_.push_back(launches);
  return launches_.size() - 1;
}

double KernelTimer::sample(std::size_t contestant) {
  return time(contestants_[contestant], launches_[contestant]);
}

double KernelTimer::time(const TimedOperation& contestant, std::size_t launches) {
  contestant.prepare();
  if (cache_ == CacheState::hot) {
    holdQueue(launches);
    contestant.launch(); // caches hold what they hold in a run
  } else {
    emptyCaches();
  }
  device_.record(*from_);
  for (std::size_t i = 0; i < launches; ++i)
    contestant.launch();
  device_.record(*to_);
  return device_.elapsedUs(*from_, *to_) / (static_cast<double>(launches) * contestant.parts);
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

void KernelTimer::pause(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

double KernelTimer::copyRate(std::size_t footprint, std::size_t samples) {
  const std::size_t half = std::max<std::size_t>(footprint / 2, 1);
  Buffer<std::byte> from(device_, half);
  Buffer<std::byte> to(device_, half);
  from.fill(1);
  const std::size_t copy =
      add({.prepare = [] {}, .launch = [&] { device_.copy(to.data(), from.data(), half); }});
  std::vector<double> us;
  for (std::size_t i = 0; i < samples; ++i)
    us.push_back(sample(copy));
  contestants_.pop_back(); // its memory goes
  launches_.pop_back();
  const double median = summarise(us).median;
  return median > 0 ? 2 * static_cast<double>(half) / median : 0;
}

} // namespace lloyd
