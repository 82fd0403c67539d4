// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/streamed/streamed_clustering.hpp"

#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace lloyd {
namespace {

const Variant& labeller(const Plan& plan) { return plan.fused ? *plan.fused : *plan.classify; }

/// Stages run one after another, and each leaves clear what it met clear.
WorkBytes workOf(const Plan& plan, const Problem& batch) {
  WorkBytes most;
  for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused}) {
    const Variant* variant = plan.of(stage);
    if (!variant || !variant->info.workBytes) continue;
    const WorkBytes bytes = variant->info.workBytes(batch, variant->complete(plan.tuningOf(stage)));
    most = {std::max(most.cleared, bytes.cleared), std::max(most.scratch, bytes.scratch)};
  }
  return most;
}

bool wantsRecords(const Plan& plan) {
  for (const Variant* variant : {plan.classify, plan.reduce, plan.fused})
    if (variant && variant->info.layout == Layout::aos) return true;
  return false;
}

/// Whether the device's memory is the host's, so that what is pinned counts as its own.
bool isHost(const Device& device) { return device.backend() != Backend::cuda; }

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
  shape_.gathers =
      plan.tileSize(problem) != 0 && options.pinned.value_or(!isHost(device)) && source.inMemory();
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
  const std::size_t resident = shape_.gathers ? KeptTiles::bytes(problem_.n, shape_) : 0;
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
            .records = wantsRecords(plan_),
            .gathers = shape_.gathers};
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
  try {
    if (tiled()) {
      keptTiles_ =
          std::make_unique<KeptTiles>(device_, problem_, source_, shape_, fixed_, slots_.front(), cancel_);
    } else {
      keptRows_ = HostBuffer<float>(device_, facts_.batches * shape_.rawValues());
      for (std::size_t batch = 0; batch < facts_.batches; ++batch) {
        throwIfCancelled();
        keepRows(batch);
      }
    }
  } catch (const DeviceError& error) {
    if (error.severity() != Severity::retrySmaller) throw;
    keptRows_ = {};
    return; // the host cannot pin so much: batches are copied to pinned memory one by one
  }
  facts_.kept = PointsKept::pinned;
  facts_.onlyShared = tiled();
}

void StreamedClustering::keepRows(std::size_t batch) {
  float* const to = keptRows_.data() + batch * shape_.rawValues();
  source_.read(first(batch), countOf(batch), to, shape_.stride());
  device_.hostTouches(to, shape_.rawValues() * sizeof(float), HostAccess::write, CallSite::current());
}

// One batch of a pass.

/// Into the slot's pinned memory.
void StreamedClustering::stage(BatchSlot& slot, std::size_t batch) {
  source_.read(first(batch), countOf(batch), slot.staging.write().data(), shape_.stride());
}

/// To the device, as rows; the work behind waits for it.
void StreamedClustering::bring(BatchSlot& slot, std::size_t batch) {
  slot.first = first(batch);
  slot.count = countOf(batch);
  const float* from = slot.staging.data();
  if (keptRows_.size() > 0)
    from = keptRows_.data() + batch * shape_.rawValues();
  else
    stage(slot, batch);
  for (std::size_t j = 0; j < shape_.dimensions(); ++j)
    copies_->upload(slot.points.data() + j * shape_.stride(), from + j * shape_.stride(),
                    slot.count * sizeof(float));
  facts_.bytesUp += slot.count * shape_.dimensions() * sizeof(float);
  copies_->record(*slot.up);
  work_->wait(*slot.up);
}

/// The same of some tiles, which are in order, with what is known of them.
void StreamedClustering::bringShared(BatchSlot& slot, std::span<const std::uint32_t> tiles) {
  slot.count = 0;
  for (const std::uint32_t tile : tiles)
    slot.count += keptTiles_->pointsOf(tile);
  keptTiles_->gather(tiles, slot);
  const std::size_t numbers = tiles.size() * shape_.dimensions();
  const auto up = [&](auto& to, const auto& from, std::size_t count) {
    copies_->upload(to.data(), from.data(), count * sizeof(*from.data()));
    facts_.bytesUp += count * sizeof(*from.data());
  };
  up(slot.ordered, slot.staging, numbers * shape_.tile);
  up(slot.tiles.low, slot.staged.low, numbers);
  up(slot.tiles.high, slot.staged.high, numbers);
  up(slot.tiles.sums, slot.staged.sums, numbers);
  if (problem_.d == 1) up(slot.tiles.prefix, slot.staged.prefix, tiles.size() + 1);
  copies_->record(*slot.up);
  work_->wait(*slot.up);
}

void StreamedClustering::computeRows(BatchSlot& slot, const Pass& pass) {
  const Problem problem{slot.count, problem_.d, problem_.k};
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
    args.work = {.cleared = cleared_.data(), .scratch = scratch_.data()};
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
    args.work = {.cleared = cleared_.data(), .scratch = scratch_.data()};
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

void StreamedClustering::order(BatchSlot& slot) {
  const OrderTilesArgs args{.n = slot.count,
                            .d = problem_.d,
                            .points = slot.points.data(),
                            .stride = shape_.stride(),
                            .box = source_.box(),
                            .fixed = fixed_,
                            .count = shape_.tilesOf(slot.count),
                            .size = shape_.tile,
                            .ordered = slot.ordered.data(),
                            .place = slot.place.data(),
                            .low = slot.tiles.low.data(),
                            .high = slot.tiles.high.data(),
                            .sums = slot.tiles.sums.data(),
                            .prefix = slot.tiles.prefix.data()};
  const auto order = device_.operations().orderTiles;
  work_->launch("ordering points", [args, order](LaunchContext& context) { order(args, context); });
}

/// One launch of the fused variant. Without points it looks at tiles only; without handing over it leaves its
/// totals to the next.
void StreamedClustering::passTiles(const Problem& problem, const TileView& view, const TileLabelView& old,
                                   const TileLabelSpan& labels, const float* centroids, Accumulators& totals,
                                   Buffer<std::byte>& cleared, bool handsOver) {
  const Variant& variant = *plan_.fused;
  FusedArgs args;
  args.problem = problem;
  args.centroids = centroids;
  args.changed = totals.changed();
  args.sums = handsOver ? totals.sums() : nullptr;
  args.counts = totals.counts();
  args.tuning = variant.complete(plan_.tuningOf(Stage::fused));
  args.tiles = {.view = view, .oldLabels = old, .labels = labels};
  args.work = {.cleared = cleared.data(), .scratch = scratch_.data()};
  const auto launch = variant.on(device_.backend()).fused;
  work_->launch(variant.id(), [args, launch](LaunchContext& context) { launch(args, context); });
}

/// All tiles that are kept: those with one label, now and before, are added.
void StreamedClustering::look(const float* centroids, Accumulators& totals, Buffer<std::byte>& cleared,
                              const std::uint16_t* old, std::uint16_t* labels) {
  passTiles(problem_, keptTiles_->view(), {.tiles = old}, {.tiles = labels}, centroids, totals, cleared,
            false);
}

/// Labels stay in the slot, where those before are found first, whose totals nobody gets.
void StreamedClustering::computeTiles(BatchSlot& slot, const Pass& pass, bool handsOver) {
  const Problem problem{slot.count, problem_.d, problem_.k};
  const TileView view{.count = shape_.tilesOf(problem.n),
                      .size = shape_.tile,
                      .points = slot.ordered.data(),
                      .low = slot.tiles.low.data(),
                      .high = slot.tiles.high.data(),
                      .sums = slot.tiles.sums.data(),
                      .prefix = slot.tiles.prefix.data(),
                      .fixed = fixed_};
  const TileLabelSpan labels{slot.tileLabels.data(), slot.pointLabels.data()};
  work_->fill(slot.tileLabels.data(), unknownTile & 0xff, slot.tileLabels.bytes());
  if (pass.before) passTiles(problem, view, labels, labels, pass.before, others_, othersCleared_, false);
  passTiles(problem, view, labels, labels, pass.centroids, totals_, cleared_, handsOver);
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
  const LabelWidth width = tiled() ? LabelWidth::one : LabelWidth::four;
  widen({slot.down.read(0, slot.count * bytesOf(width)).data(), width},
        pass.labels.subspan(slot.first, slot.count));
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

/// The host is never farther ahead of the device than there are slots, so that it ends soon when it is told
/// to.
void StreamedClustering::run(const Pass& pass) {
  unfinished_ = true;
  totals_.clear();
  others_.clear();
  cleared_.fill(0);
  othersCleared_.fill(0);
  device_.record(*begun_);
  work_->wait(*begun_);
  copies_->wait(*begun_);
  inertiaOfWhole_ = 0;
  keptTiles_ && !pass.writes ? runShared(pass) : runAll(pass);
  for (BatchSlot& slot : slots_) {
    throwIfCancelled();
    release(slot, pass);
  }
  work_->synchronize();
  copies_->synchronize();
  unfinished_ = false;
}

/// All of the slot's work was given.
void StreamedClustering::given(BatchSlot& slot, std::size_t batch, std::size_t batches) {
  work_->record(*slot.done);
  slot.busy = true;
  if (progress_) progress_(batch + 1, batches);
}

void StreamedClustering::runAll(const Pass& pass) {
  for (std::size_t batch = 0; batch < facts_.batches; ++batch) {
    throwIfCancelled();
    BatchSlot& slot = slots_[batch % slots_.size()];
    release(slot, pass);
    bring(slot, batch);
    if (tiled()) {
      order(slot);
      computeTiles(slot, pass, batch + 1 == facts_.batches);
    } else {
      computeRows(slot, pass);
    }
    given(slot, batch, facts_.batches);
  }
}

/// Only tiles that several clusters share, now or before; of the others all is known that is needed.
void StreamedClustering::runShared(const Pass& pass) {
  KeptTiles& kept = *keptTiles_;
  if (!pass.before || kept.labelledBy != state_.used) {
    kept.labelledBy.clear();
    work_->fill(kept.old.data(), unknownTile & 0xff, kept.old.bytes());
    if (pass.before) look(pass.before, others_, othersCleared_, kept.old.data(), kept.old.data());
  }
  work_->fill(kept.now.data(), unknownTile & 0xff, kept.now.bytes());
  look(pass.centroids, totals_, cleared_, kept.old.data(), kept.now.data());
  work_->download(kept.oldDown.data(), kept.old.data(), kept.old.bytes());
  work_->download(kept.nowDown.data(), kept.now.data(), kept.now.bytes());
  work_->synchronize();
  const auto old = kept.oldDown.read();
  const auto now = kept.nowDown.read();
  std::vector<std::uint32_t> shared;
  for (std::size_t tile = 0; tile < kept.count(); ++tile)
    if (old[tile] == mixedTile || now[tile] == mixedTile) shared.push_back(static_cast<std::uint32_t>(tile));
  if (pass.inertia) inertiaOfWhole_ = kept.inertiaOfWhole(old, now, state_.centroids);

  const std::size_t inBatch = kept.inBatch();
  const std::size_t batches = (shared.size() + inBatch - 1) / inBatch;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    throwIfCancelled();
    BatchSlot& slot = slots_[batch % slots_.size()];
    release(slot, pass);
    const auto tiles = std::span(shared).subspan(batch * inBatch);
    bringShared(slot, tiles.first(std::min(tiles.size(), inBatch)));
    computeTiles(slot, pass, false);
    given(slot, batch, batches);
  }
  // No tiles at all, after which the totals of all are handed over.
  BatchSlot& any = slots_.front();
  const TileLabelSpan none{any.tileLabels.data(), any.pointLabels.data()};
  TileView nothing = kept.view();
  nothing.count = 0;
  nothing.points = any.ordered.data();
  nothing.prefix = any.tiles.prefix.data();
  passTiles({0, problem_.d, problem_.k}, nothing, none, none, pass.centroids, totals_, cleared_, true);
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
  if (inertia) result.inertia = found.inertia + inertiaOfWhole_;
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
  if (keptTiles_) { // the labels of tiles are those before the next pass
    std::swap(keptTiles_->old, keptTiles_->now);
    keptTiles_->labelledBy = result.usedCentroids;
  }
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
  result.inertia = found.inertia + inertiaOfWhole_;
  result.iteration = state_.iterations;
  result.centroids = result.usedCentroids = state_.centroids;
  return result;
}

} // namespace lloyd
