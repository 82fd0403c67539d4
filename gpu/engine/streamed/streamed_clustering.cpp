// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/streamed/streamed_clustering.hpp"

#include "gpu/core/contract/error.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

namespace lloyd {
namespace {

WorkBytes workOf(const Plan& plan, const Problem& batch) {
  if (!plan.fused || !plan.fused->info.workBytes) return {};
  return plan.fused->info.workBytes(batch, plan.fused->complete(plan.tuningOf(Stage::fused)));
}

bool wantsRecords(const Plan& plan) {
  for (const Variant* variant : {plan.classify, plan.reduce, plan.fused})
    if (variant && variant->info.layout == Layout::aos) return true;
  return false;
}

/// Whether the device's memory is the host's, so that what is pinned counts as its own.
bool isHost(const Device& device) { return device.backend() != Backend::cuda; }

const Variant& labeller(const Plan& plan) { return plan.fused ? *plan.fused : *plan.classify; }

} // namespace

StreamedClustering::StreamedClustering(Device& device, const Problem& problem, const PointSource& source,
                                       const Plan& plan, const StreamOptions& options,
                                       const std::atomic<bool>* cancel)
    : device_(device), problem_(problem), source_(source), plan_(plan), rule_(batchRuleOf(plan, problem)),
      cancel_(cancel), front_(device, problem.centroidValues()), used_(device, problem.centroidValues()),
      back_(device, problem.centroidValues()), totals_(device, problem), others_(device, problem) {
  if (!rule_.possible) throw std::invalid_argument("the plan's variants cannot take batches");
  facts_.exact = rule_.exact;
  facts_.kept = source.inMemory() ? PointsKept::ordinary : PointsKept::file;
  if (problem.n > 0) fixed_ = fixedPointOf(source.box(), problem.n, std::min(problem.d, 3));
  decideShape(options);
  const WorkBytes work = workOf(plan_, {shape_.points, problem.d, problem.k});
  cleared_ = Buffer<std::byte>(device, work.cleared);
  othersCleared_ = Buffer<std::byte>(device, work.cleared);
  scratch_ = Buffer<std::byte>(device, work.scratch);
  begun_ = device.createEvent();
  const std::size_t slots = options.atOnce > 0 ? options.atOnce : isHost(device) ? 2 : 3;
  for (std::size_t s = 0; s < std::min(slots, facts_.batches); ++s)
    slots_.emplace_back(device, shape_);
  if (options.pinned.value_or(!isHost(device)) && source.inMemory() && facts_.batches > 0) keepPinned();
  copies_ = device.createQueue();
  work_ = device.createQueue();
}

StreamedClustering::~StreamedClustering() = default;

void StreamedClustering::throwIfCancelled() const {
  if (cancel_ && cancel_->load(std::memory_order_relaxed)) throw Cancelled();
}

// How large batches are.

/// Points of a batch for which there is memory, beside what has a size of its own.
std::size_t StreamedClustering::affordablePoints() const {
  const std::size_t slots = isHost(device_) ? 2 : 3;
  BatchShape many = shape_;
  many.points = std::size_t{1} << 16; // so many that what is rounded up does not count
  const std::size_t sorting = tiled() && !isHost(device_) ? tiledBytes(1, 1, shape_.tile).ordering : 0;
  const WorkBytes work = workOf(plan_, {many.points, problem_.d, problem_.k});
  const std::size_t perMany = slots * BatchSlot::bytes(many, isHost(device_)) + work.scratch;
  std::size_t room = device_.freeMemory() / 10 * 9;
  const std::size_t resident =
      tiled() && !isHost(device_) ? BatchTiles::bytes(problem_.n / shape_.tile + 1, shape_.dimensions()) : 0;
  const std::size_t fixed = 2 * work.cleared + sorting + resident;
  room = room > fixed ? room - fixed : 0;
  const std::size_t sortingOfMany = tiled() && !isHost(device_) ? many.points * 25 : 0;
  return static_cast<std::size_t>(static_cast<double>(room) / static_cast<double>(perMany + sortingOfMany) *
                                  static_cast<double>(many.points));
}

void StreamedClustering::decideShape(const StreamOptions& options) {
  shape_ = {.d = problem_.d,
            .k = problem_.k,
            .points = 0,
            .tile = plan_.tileSize(problem_),
            .records = wantsRecords(plan_)};
  /// A batch takes the bus a few milliseconds at most, so that cancelling does not wait long.
  constexpr std::size_t mostBytes = std::size_t{64} << 20;
  std::size_t points = options.batchPoints;
  if (points == 0) points = std::min(affordablePoints(), mostBytes / (sizeof(float) * shape_.dimensions()));
  points = std::min(points, problem_.n);
  const std::size_t unit = rule_.unit;
  const bool asked = options.batchPoints > 0;
  shape_.points = std::max<std::size_t>((asked ? points + unit - 1 : points) / unit, 1) * unit;
  facts_.batchPoints = shape_.points;
  facts_.batches = (problem_.n + shape_.points - 1) / shape_.points;
}

// Points that are kept as they go up.

void StreamedClustering::keepPinned() {
  const std::size_t values = tiled() ? shape_.orderedValues() : shape_.rawValues();
  try {
    kept_ = HostBuffer<float>(device_, facts_.batches * values);
  } catch (const DeviceError& error) {
    if (error.severity() != Severity::retrySmaller) throw;
    return; // the host cannot pin so much: batches are copied to pinned memory one by one
  }
  for (std::size_t batch = 0; batch < facts_.batches; ++batch) {
    throwIfCancelled();
    tiled() ? keepTiles(batch) : keepRows(batch);
  }
  facts_.kept = PointsKept::pinned;
}

void StreamedClustering::keepRows(std::size_t batch) {
  float* const to = kept_.data() + batch * shape_.rawValues();
  source_.read(first(batch), countOf(batch), to, shape_.stride());
  device_.hostTouches(to, shape_.rawValues() * sizeof(float), HostAccess::write, CallSite::current());
}

/// In order: what is kept are the ordered points, and their tiles on the device.
void StreamedClustering::keepTiles(std::size_t batch) {
  BatchSlot& slot = slots_.front();
  const std::size_t count = countOf(batch);
  const std::size_t tiles = shape_.tilesOf(count);
  BatchTiles& kept = keptTiles_.emplace_back(device_, tiles, shape_.dimensions());
  stage(slot, batch);
  for (std::size_t j = 0; j < shape_.dimensions(); ++j)
    device_.upload(slot.points.data() + j * shape_.stride(), slot.staging.data() + j * shape_.stride(),
                   count * sizeof(float));
  device_.orderTiles(orderArgs(slot, kept, count));
  device_.download(kept_.data() + batch * shape_.orderedValues(), slot.ordered.data(),
                   tiles * shape_.tile * shape_.dimensions() * sizeof(float));
}

OrderTilesArgs StreamedClustering::orderArgs(BatchSlot& slot, BatchTiles& tiles, std::size_t count) {
  return {.n = count,
          .d = problem_.d,
          .points = slot.points.data(),
          .stride = shape_.stride(),
          .box = source_.box(),
          .fixed = fixed_,
          .count = shape_.tilesOf(count),
          .size = shape_.tile,
          .ordered = slot.ordered.data(),
          .place = slot.place.data(),
          .low = tiles.low.data(),
          .high = tiles.high.data(),
          .sums = tiles.sums.data(),
          .prefix = tiles.prefix.data()};
}

// One batch of a pass.

/// Into the slot's pinned memory.
void StreamedClustering::stage(BatchSlot& slot, std::size_t batch) {
  source_.read(first(batch), countOf(batch), slot.staging.write().data(), shape_.stride());
}

/// To the device; the work behind waits for it. raw: as rows, whatever is kept.
void StreamedClustering::bring(BatchSlot& slot, std::size_t batch, bool raw) {
  const std::size_t count = countOf(batch);
  const bool kept = kept_.size() > 0;
  if (!raw) {
    const std::size_t bytes = shape_.tilesOf(count) * shape_.tile * shape_.dimensions() * sizeof(float);
    copies_->upload(slot.ordered.data(), kept_.data() + batch * shape_.orderedValues(), bytes);
    facts_.bytesUp += bytes;
  } else {
    const float* from = slot.staging.data();
    if (kept && !tiled())
      from = kept_.data() + batch * shape_.rawValues();
    else
      stage(slot, batch);
    for (std::size_t j = 0; j < shape_.dimensions(); ++j)
      copies_->upload(slot.points.data() + j * shape_.stride(), from + j * shape_.stride(),
                      count * sizeof(float));
    facts_.bytesUp += count * shape_.dimensions() * sizeof(float);
  }
  copies_->record(*slot.up);
  work_->wait(*slot.up);
}

void StreamedClustering::computeRows(BatchSlot& slot, const Pass& pass) {
  const Problem problem{countOf(slot.batch), problem_.d, problem_.k};
  const PointView rows{slot.points.data(), shape_.stride(), source_.box()};
  if (shape_.records) {
    const InterleaveArgs args{.n = problem.n, .d = problem.d, .points = rows, .records = slot.records.data()};
    const auto interleave = device_.operations().interleave;
    work_->launch("interleaving", [args, interleave](LaunchContext& context) { interleave(args, context); });
  }
  const auto viewFor = [&](const Variant& variant) {
    return variant.info.layout == Layout::aos ? PointView{slot.records.data(), rows.stride, rows.box} : rows;
  };
  const auto label = [&](const float* centroids, const Label* old, Label* labels, Accumulators& totals) {
    if (plan_.fused) {
      FusedArgs args;
      args.problem = problem;
      args.points = viewFor(*plan_.fused);
      args.centroids = centroids;
      args.oldLabels = LabelView(old);
      args.labels = LabelSpan(labels);
      args.changed = totals.changed();
      args.sums = totals.sums();
      args.counts = totals.counts();
      args.tuning = plan_.tuningOf(Stage::fused);
      args.work = {.cleared = cleared_.data(), .scratch = scratch_.data()};
      return lloyd::run(*work_, device_.backend(), *plan_.fused, args);
    }
    ClassifyArgs args;
    args.problem = problem;
    args.points = viewFor(*plan_.classify);
    args.centroids = centroids;
    args.oldLabels = old;
    args.labels = labels;
    args.changed = totals.changed();
    args.tuning = plan_.tuningOf(Stage::classify);
    lloyd::run(*work_, device_.backend(), *plan_.classify, args);
  };
  if (pass.before)
    label(pass.before, slot.labels.data(), slot.old.data(), others_);
  else
    work_->fill(slot.old.data(), 0xff, slot.old.bytes());
  label(pass.centroids, slot.old.data(), slot.labels.data(), totals_);
  if (!plan_.fused) {
    ReduceArgs args;
    args.problem = problem;
    args.points = viewFor(*plan_.reduce);
    args.labels = slot.labels.data();
    args.pivots = pass.centroids;
    args.sums = totals_.sums();
    args.counts = totals_.counts();
    args.tuning = plan_.tuningOf(Stage::reduce);
    lloyd::run(*work_, device_.backend(), *plan_.reduce, args);
  }
  if (pass.inertia) {
    const InertiaArgs args{.problem = problem,
                           .points = rows,
                           .centroids = pass.centroids,
                           .labels = LabelView(slot.labels.data()),
                           .inertia = totals_.inertia()};
    const auto inertia = device_.operations().inertia;
    work_->launch("inertia", [args, inertia](LaunchContext& context) { inertia(args, context); });
  }
  if (!pass.writes) return;
  work_->download(slot.down.data(), slot.labels.data(), problem.n * sizeof(Label));
  facts_.bytesDown += problem.n * sizeof(Label);
}

/// Labels stay in the slot, where those before are found first. Totals of all batches are handed over with
/// the last one; those before never are.
void StreamedClustering::computeTiles(BatchSlot& slot, const Pass& pass, bool raw) {
  const Problem problem{countOf(slot.batch), problem_.d, problem_.k};
  BatchTiles& tiles = raw ? slot.tiles : keptTiles_[slot.batch];
  if (raw) {
    const OrderTilesArgs args = orderArgs(slot, tiles, problem.n);
    const auto order = device_.operations().orderTiles;
    work_->launch("ordering points", [args, order](LaunchContext& context) { order(args, context); });
  }
  const TileView view{.count = shape_.tilesOf(problem.n),
                      .size = shape_.tile,
                      .points = slot.ordered.data(),
                      .low = tiles.low.data(),
                      .high = tiles.high.data(),
                      .sums = tiles.sums.data(),
                      .prefix = tiles.prefix.data(),
                      .fixed = fixed_};
  const TileLabelSpan labels{slot.tileLabels.data(), slot.pointLabels.data()};
  const Variant& variant = *plan_.fused;
  const auto launchPass = [&](const float* centroids, Accumulators& totals, Buffer<std::byte>& cleared,
                              bool handsOver) {
    FusedArgs args;
    args.problem = problem;
    args.centroids = centroids;
    args.changed = totals.changed();
    args.sums = handsOver ? totals.sums() : nullptr;
    args.counts = totals.counts();
    args.tuning = variant.complete(plan_.tuningOf(Stage::fused));
    args.tiles = {.view = view, .oldLabels = labels, .labels = labels};
    args.work = {.cleared = cleared.data(), .scratch = scratch_.data()};
    const auto launch = variant.on(device_.backend()).fused;
    work_->launch(variant.id(), [args, launch](LaunchContext& context) { launch(args, context); });
  };
  work_->fill(slot.tileLabels.data(), unknownTile & 0xff, slot.tileLabels.bytes());
  if (pass.before) launchPass(pass.before, others_, othersCleared_, false);
  launchPass(pass.centroids, totals_, cleared_, slot.batch + 1 == facts_.batches);
  if (pass.inertia) {
    const TileInertiaArgs args{.problem = problem,
                               .view = view,
                               .labels = labels,
                               .centroids = pass.centroids,
                               .inertia = totals_.inertia()};
    const auto inertia = device_.operations().tileInertia;
    work_->launch("inertia", [args, inertia](LaunchContext& context) { inertia(args, context); });
  }
  if (!pass.writes) return;
  const WriteTileLabelsArgs args{.n = problem.n,
                                 .size = shape_.tile,
                                 .place = slot.place.data(),
                                 .from = labels,
                                 .to = slot.written.data()};
  const auto write = device_.operations().writeTileLabels;
  work_->launch("writing labels", [args, write](LaunchContext& context) { write(args, context); });
  work_->download(slot.down.data(), slot.written.data(), problem.n);
  facts_.bytesDown += problem.n;
}

/// The slot's batch is done, and its labels are the host's.
void StreamedClustering::release(BatchSlot& slot, const Pass& pass) {
  if (!slot.busy) return;
  device_.waitFor(*slot.done);
  slot.busy = false;
  if (!pass.writes) return;
  const std::size_t count = countOf(slot.batch);
  const LabelWidth width = tiled() ? LabelWidth::one : LabelWidth::four;
  widen({slot.down.read(0, count * bytesOf(width)).data(), width},
        pass.labels.subspan(first(slot.batch), count));
}

/// Waits for what a pass has left in queues when it could not go on.
void StreamedClustering::settle() {
  if (!unfinished_) return;
  copies_->synchronize();
  work_->synchronize();
  for (BatchSlot& slot : slots_)
    slot.busy = false;
  unfinished_ = false;
}

/// All batches. The host is never farther ahead of the device than there are slots, so that it ends soon when
/// it is told to.
void StreamedClustering::run(const Pass& pass) {
  unfinished_ = true;
  totals_.clear();
  others_.clear();
  cleared_.fill(0);
  othersCleared_.fill(0);
  device_.record(*begun_);
  work_->wait(*begun_);
  copies_->wait(*begun_);
  const bool raw = !tiled() || kept_.size() == 0 || pass.writes;
  for (std::size_t batch = 0; batch < facts_.batches; ++batch) {
    throwIfCancelled();
    BatchSlot& slot = slots_[batch % slots_.size()];
    release(slot, pass);
    slot.batch = batch;
    bring(slot, batch, raw);
    tiled() ? computeTiles(slot, pass, raw) : computeRows(slot, pass);
    work_->record(*slot.done);
    slot.busy = true;
    if (progress_) progress_(batch + 1, facts_.batches);
  }
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    throwIfCancelled();
    release(slots_[(facts_.batches + s) % slots_.size()], pass);
  }
  work_->synchronize();
  copies_->synchronize();
  unfinished_ = false;
}

// Iterations.

void StreamedClustering::restore(Clustering::State state) {
  if (state.centroids.size() != problem_.centroidValues() || state.phase != Clustering::Phase::whole)
    throw std::invalid_argument("centroids are not k x d values, or those of half an iteration");
  state_ = std::move(state);
  facts_.bytesUp = facts_.bytesDown = 0;
}

IterationResult StreamedClustering::advance(bool inertia) {
  const auto start = std::chrono::steady_clock::now();
  const bool isFirst = state_.iterations == 0;
  settle(); // before anything changes that it may still read
  front_.upload(state_.centroids);
  if (!state_.used.empty()) used_.upload(state_.used);
  run({.centroids = front_.data(),
       .before = state_.used.empty() ? nullptr : used_.data(),
       .inertia = inertia});
  lloyd::run(device_, *plan_.update,
             UpdateArgs{.problem = problem_,
                        .sums = totals_.sums(),
                        .counts = totals_.counts(),
                        .oldCentroids = front_.data(),
                        .centroids = back_.data(),
                        .outcome = totals_.outcome()});
  IterationResult result;
  const Accumulators::Values found = totals_.read();
  result.sizes = found.counts;
  if (inertia) result.inertia = found.inertia;
  result.iteration = state_.iterations + 1;
  result.anyChanged = isFirst || found.changed != 0;
  if (labeller(plan_).info.changed == Changed::points) result.changed = isFirst ? problem_.n : found.changed;
  result.usedCentroids = state_.centroids;
  result.centroids = back_.download();
  result.shift = static_cast<double>(found.outcome.shift);
  result.emptyClusters = found.outcome.emptyClusters;
  result.times.set(
      Stage::iterate,
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  state_ = Clustering::State::after(result, {});
  return result;
}

IterationResult StreamedClustering::finish(std::span<Label> labels) {
  if (!labels.empty() && labels.size() != problem_.n) throw std::invalid_argument("labels are not n");
  settle();
  front_.upload(state_.centroids);
  run({.centroids = front_.data(), .inertia = true, .writes = !labels.empty(), .labels = labels});
  const Accumulators::Values found = totals_.read();
  IterationResult result;
  result.sizes = found.counts;
  result.emptyClusters = static_cast<std::uint32_t>(std::count(found.counts.begin(), found.counts.end(), 0u));
  result.inertia = found.inertia;
  result.iteration = state_.iterations;
  result.centroids = result.usedCentroids = state_.centroids;
  return result;
}

} // namespace lloyd
