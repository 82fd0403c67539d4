// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/device.hpp"

#include "gpu/core/contract/tiled_points.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace lloyd {
namespace {

template <class Args>
void runStage(Device& device, const Variant& variant, Launch<Args> launch, Args args) {
  args.tuning = variant.complete(args.tuning);
  device.launch(variant.id(), [&](LaunchContext& context) { launch(args, context); });
}

template <class Args>
void runWithWork(Device& device, const Variant& variant, Launch<Args> launch, const Args& args) {
  if (!variant.info.workBytes) return runStage(device, variant, launch, args);
  device.lendWorkMemory(variant.info.workBytes(args.problem, variant.complete(args.tuning)),
                        [&](const WorkMemory& work) {
                          Args lent = args;
                          lent.work = work;
                          runStage(device, variant, launch, lent);
                        });
}

void runInOwnTiles(Device& device, const Variant& variant, const FusedArgs& args) {
  const Problem& problem = args.problem;
  TiledPoints tiled(device, problem.n, problem.d,
                    variant.info.tileSize(problem, variant.complete(args.tuning)));
  tiled.order(args.points);
  tiled.takeLabels(args.oldLabels);
  FusedArgs own = args;
  own.tiled = &tiled;
  run(device, variant, own);
  tiled.keepPass();
  tiled.writeLabels(args.labels);
}

} // namespace

std::optional<std::size_t> memoryLimit() {
  const char* text = std::getenv("LLOYD_MEMORY_LIMIT"); // NOLINT(concurrency-mt-unsafe)
  if (!text) return std::nullopt;
  const std::string_view digits(text);
  std::size_t bytes = 0;
  const auto [stop, error] = std::from_chars(digits.begin(), digits.end(), bytes);
  if (error != std::errc() || stop != digits.end()) return std::nullopt;
  return bytes;
}

void Device::lendWorkMemory(const WorkBytes& bytes, const std::function<void(const WorkMemory&)>& work) {
  const auto grow = [&](std::byte*& memory, std::size_t& held, std::size_t wanted) {
    if (wanted <= held) return false;
    release(std::exchange(memory, nullptr));
    held = 0;
    memory = static_cast<std::byte*>(allocate(wanted));
    held = wanted;
    return true;
  };
  if (grow(work_.cleared, workBytes_.cleared, bytes.cleared)) workIsClear_ = false;
  grow(work_.scratch, workBytes_.scratch, bytes.scratch);
  if (!workIsClear_ && workBytes_.cleared > 0) fill(work_.cleared, 0, workBytes_.cleared);
  workIsClear_ = false;
  work(work_);
  workIsClear_ = true;
}

void Device::releaseWorkMemory() noexcept {
  release(std::exchange(work_.cleared, nullptr));
  release(std::exchange(work_.scratch, nullptr));
  workBytes_ = {};
}

void Device::rest(double seconds) const {
  using Clock = std::chrono::steady_clock;
  constexpr auto atMost = std::chrono::milliseconds(10); // until a person's wish is met
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  for (auto now = Clock::now(); now < end; now = Clock::now()) {
    if (cancel_ && cancel_->load(std::memory_order_relaxed)) throw Cancelled();
    std::this_thread::sleep_until(std::min(end, now + Clock::duration(atMost)));
  }
}

void downloadLabels(Device& device, const LabelView& from, std::span<Label> to) {
  requireInputOrder(from.layout());
  if (from.width == LabelWidth::four) return device.download(to.data(), from.data, to.size_bytes());
  std::vector<std::byte> stored(to.size() * bytesOf(from.width));
  device.download(stored.data(), from.data, stored.size());
  widen({stored.data(), from.width}, to);
}

void run(Device& device, const Variant& variant, const ClassifyArgs& args) {
  runWithWork(device, variant, variant.on(device.backend()).classify, args);
}
void run(Device& device, const Variant& variant, const ReduceArgs& args) {
  runWithWork(device, variant, variant.on(device.backend()).reduce, args);
}
void requireFusedArgs(const Variant& variant, const FusedArgs& args) {
  const LabelWidth width = variant.labelWidth(args.problem.k);
  if (args.labels.width != width || args.oldLabels.width != width)
    throw std::invalid_argument(variant.id() + " stores labels of " + std::to_string(bytesOf(width)) +
                                " bytes, and was given others");
  if (!args.tiled) {
    requireInputOrder(args.labels.layout());
    requireInputOrder(args.oldLabels.layout());
  }
  if (variant.info.narrowLabels && args.problem.n > 0 && !args.points.box.known())
    throw std::invalid_argument(variant.id() + " needs the points' box");
}
void run(Device& device, const Variant& variant, const FusedArgs& args) {
  requireFusedArgs(variant, args);
  if (variant.info.tileSize && !args.tiled) return runInOwnTiles(device, variant, args);
  const Launch<FusedArgs> launch = variant.on(device.backend()).fused;
  if (variant.info.tileSize) {
    FusedArgs tiled = args;
    tiled.tiles = args.tiled->args(args.oldLabels, args.labels);
    return runWithWork(device, variant, launch, tiled);
  }
  runWithWork(device, variant, launch, args);
}
void run(Device& device, const Variant& variant, const UpdateArgs& args) {
  const Launch<UpdateArgs> launch = variant.on(device.backend()).update;
  device.launch(variant.id(), [&](LaunchContext& context) { launch(args, context); });
}
void run(Device& device, const Variant& variant, const LayoutArgs& args) {
  runStage(device, variant, variant.on(device.backend()).layout, args);
}

} // namespace lloyd
