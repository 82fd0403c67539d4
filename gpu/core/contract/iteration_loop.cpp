// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/iteration_loop.hpp"

#include <cstring>
#include <stdexcept>

namespace lloyd {
namespace {

/// Where things lie in a loop's block, each on a 256-byte line of its own: what must be zero, then what the
/// host writes, then what it reads. Centroids are both.
struct LoopLayout {
  explicit LoopLayout(const Problem& problem) {
    const auto k = static_cast<std::size_t>(problem.k);
    const auto take = [&](std::size_t size) {
      const std::size_t at = bytes;
      bytes += (size + 255) / 256 * 256;
      return at;
    };
    changed = take(sizeof(std::uint32_t));
    done = take(sizeof(std::uint32_t));
    counts = take(k * sizeof(std::uint32_t));
    sums = take(problem.centroidValues() * sizeof(double));
    cleared = bytes;
    params = take(sizeof(LoopParams));
    centroids = take(problem.centroidValues() * sizeof(float));
    used = take(problem.centroidValues() * sizeof(float));
    sizes = take(k * sizeof(std::uint32_t));
    outcome = take(sizeof(LoopOutcome));
  }
  std::size_t changed = 0, done = 0, counts = 0, sums = 0;
  std::size_t cleared = 0; ///< bytes from the beginning
  std::size_t params = 0, centroids = 0, used = 0, sizes = 0, outcome = 0;
  std::size_t bytes = 0;
};

template <class T>
std::vector<T> valuesAt(const std::vector<std::byte>& bytes, std::size_t offset, std::size_t count) {
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data() + offset, count * sizeof(T));
  return values;
}

} // namespace

IterationLoop::IterationLoop(Device& device, const LoopSubject& subject)
    : device_(device), subject_(subject), block_(device, LoopLayout(subject.problem).bytes) {
  const LoopLayout layout(subject.problem);
  block_.fill(0); // what lies between its parts is read with them
  const auto place = [&]<class T>(T*& pointer, std::size_t offset) {
    pointer = reinterpret_cast<T*>(block_.data() + offset);
  };
  FusedArgs& pass = args_.pass;
  pass.problem = subject.problem;
  pass.points = subject.points;
  pass.oldLabels = pass.labels = subject.labels;
  pass.tuning = subject.fused->complete(subject.tuning);
  place(pass.changed, layout.changed);
  place(pass.counts, layout.counts);
  place(pass.sums, layout.sums);
  place(args_.done, layout.done);
  place(args_.centroids, layout.centroids);
  place(args_.used, layout.used);
  place(args_.sizes, layout.sizes);
  place(args_.outcome, layout.outcome);
  args_.orders = reinterpret_cast<const LoopParams*>(block_.data() + layout.params);
  args_.fused = subject.fused;
  pass.centroids = args_.centroids;
  requireFusedArgs(*subject.fused, pass);
  if (subject.fused->info.tileSize) {
    const unsigned size = subject.fused->info.tileSize(subject.problem, pass.tuning);
    if (!subject.tiled)
      ownTiles_.emplace(device, subject.problem.n, subject.problem.d, size).order(subject.points);
    tiled_ = subject.tiled ? subject.tiled : &*ownTiles_;
    pass.tiles = tiled_->argsInPlace();
  }
  if (subject.fused->info.workBytes) {
    const WorkBytes bytes = subject.fused->info.workBytes(subject.problem, pass.tuning);
    workCleared_ = Buffer<std::byte>(device, bytes.cleared);
    workScratch_ = Buffer<std::byte>(device, bytes.scratch);
    pass.work = {workCleared_.data(), workScratch_.data()};
  }
}

bool IterationLoop::isFor(const LoopSubject& subject) const {
  // A single pass leaves the labels of tiles elsewhere.
  return subject_ == subject &&
         (!tiled_ || args_.pass.tiles.labels.tiles == tiled_->argsInPlace().labels.tiles);
}

void IterationLoop::launch(LaunchContext& context) const {
  subject_.schedule->on(device_.backend()).iterate(args_, context);
}

void IterationLoop::start(std::span<const float> centroids, const LoopParams& params) {
  const LoopLayout layout(subject_.problem);
  if (centroids.size() != subject_.problem.centroidValues())
    throw std::invalid_argument("centroids are not k x d values");
  std::vector<std::byte> bytes(layout.centroids - layout.params + centroids.size_bytes());
  std::memcpy(bytes.data(), &params, sizeof(params));
  std::memcpy(bytes.data() + (layout.centroids - layout.params), centroids.data(), centroids.size_bytes());
  device_.upload(block_.data() + layout.params, bytes.data(), bytes.size());
  if (!tiled_) return;
  if (params.fresh != 0)
    tiled_->forgetLabels();
  else
    tiled_->takeLabels(subject_.labels);
}

void IterationLoop::setParams(const LoopParams& params) {
  device_.upload(block_.data() + LoopLayout(subject_.problem).params, &params, sizeof(params));
}

/// After a replay that was cut short, some of it is not zero.
void IterationLoop::clear() {
  device_.fill(block_.data(), 0, LoopLayout(subject_.problem).cleared);
  workCleared_.fill(0);
}

void IterationLoop::replay() {
  if (!loop_)
    loop_ = device_.recordLoop(subject_.schedule->id(), [this](LaunchContext& context) { launch(context); });
  if (!isClear_) clear();
  isClear_ = false;
  loop_->replay();
  isClear_ = true;
}

void IterationLoop::launchOnce() {
  clear();
  isClear_ = false; // the count of iterations may stand anywhere
  device_.launch(subject_.schedule->id(), [this](LaunchContext& context) { launch(context); });
}

LoopState IterationLoop::read() const {
  const LoopLayout layout(subject_.problem);
  if (tiled_) tiled_->writeLabels(subject_.labels);
  std::vector<std::byte> bytes(layout.bytes - layout.centroids);
  device_.download(bytes.data(), block_.data() + layout.centroids, bytes.size());
  const std::size_t values = subject_.problem.centroidValues();
  return {.outcome = valuesAt<LoopOutcome>(bytes, layout.outcome - layout.centroids, 1).front(),
          .centroids = valuesAt<float>(bytes, 0, values),
          .used = valuesAt<float>(bytes, layout.used - layout.centroids, values),
          .sizes = valuesAt<std::uint32_t>(bytes, layout.sizes - layout.centroids,
                                           static_cast<std::size_t>(subject_.problem.k))};
}

} // namespace lloyd
