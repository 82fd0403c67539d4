// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/schedule/device_set.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace lloyd::schedule {
namespace {

constexpr std::size_t line = 256; ///< every part of the totals has lines of its own
constexpr std::size_t mostSlots = 8;
constexpr std::size_t mostTotals = std::size_t{1} << 16; ///< bytes, where there is more than one slot

std::size_t wholeLines(std::size_t bytes) { return (bytes + line - 1) / line * line; }

bool wantsRecords(const SetStages& stages) {
  return stages.labeller().info.layout == Layout::aos ||
         (stages.reduce && stages.reduce->info.layout == Layout::aos);
}

WorkBytes workOf(const Variant* variant, const Tuning& tuning, const Problem& problem) {
  if (!variant || !variant->info.workBytes) return {};
  return variant->info.workBytes(problem, variant->complete(tuning));
}

/// The bytes of an iteration's sums, counts and flag, in this order.
struct TotalsShape {
  explicit TotalsShape(const Problem& problem)
      : sums(wholeLines(problem.centroidValues() * sizeof(double))),
        counts(wholeLines(static_cast<std::size_t>(problem.k) * sizeof(std::uint32_t))) {}
  [[nodiscard]] std::size_t bytes() const { return sums + counts + line; }

  std::size_t sums;
  std::size_t counts;
};

/// Stages run one after another, and each leaves clear what it met clear.
WorkBytes workOf(const SetStages& stages, const Problem& problem) {
  const WorkBytes labels =
      workOf(&stages.labeller(), stages.fused ? stages.fusedTuning : stages.classifyTuning, problem);
  const WorkBytes sums = workOf(stages.reduce, stages.reduceTuning, problem);
  return {std::max(labels.cleared, sums.cleared), std::max(labels.scratch, sums.scratch)};
}

} // namespace

DeviceSet::DeviceSet(Device& device, const SetStages& stages, ClusteringSet& set, const SetParams& params,
                     std::size_t number)
    : device_(device), stages_(stages), set_(set), params_(params), number_(number),
      points_(device, set.points->size()),
      records_(device, wantsRecords(stages) ? set.problem().pointValues() : 0),
      front_(device, set.problem().centroidValues()), back_(device, set.problem().centroidValues()),
      oldLabels_(device, set.problem().n), labels_(device, set.problem().n), outcome_(device, 1),
      cleared_(device, workOf(stages, set.problem()).cleared),
      scratch_(device, workOf(stages, set.problem()).scratch),
      flags_(device, std::bit_ceil(static_cast<std::size_t>(params.late) + 1)),
      copied_(device.createEvent()) {
  const std::size_t slot = TotalsShape(set.problem()).bytes();
  // Powers of two, as the rings of flags and of two label arrays are: so that few iterations differ.
  slots_ = std::bit_floor(std::clamp<std::size_t>(mostTotals / slot, 1, mostSlots));
  totals_ = Buffer<std::byte>(device, slots_ * slot);
  while (looked_.size() < flags_.size()) {
    looked_.push_back(device.createEvent());
    told_.push_back(looked_.back().get());
  }
  set.width = stages.labeller().labelWidth(set.problem().k);
}

void DeviceSet::copyUp(Queue& queue, CallSite where) {
  queue.concerns(number_);
  if (given_ % 2 == 1) { // so that a run's first iteration works in the memory that it had in the run before
    std::swap(front_, back_);
    std::swap(oldLabels_, labels_);
  }
  given_ = 0;
  set_.iterations = set_.needed = 0;
  // The points come last, so that nothing but them stands between copied() and the next set's copy.
  queue.fill(oldLabels_.data(), 0xff, oldLabels_.bytes(), where);
  queue.fill(cleared_.data(), 0, cleared_.bytes(), where);
  queue.upload(front_.data(), set_.start.data(), front_.bytes(), where);
  queue.upload(points_.data(), set_.points->data(), points_.bytes(), where);
  if (records_.size() > 0) {
    const InterleaveArgs args{.n = set_.problem().n,
                              .d = set_.problem().d,
                              .points = {points_.data(), set_.stride(), set_.box()},
                              .records = records_.data()};
    const auto interleave = device_.operations().interleave;
    queue.launch(
        "interleaving", [args, interleave](LaunchContext& context) { interleave(args, context); }, where);
  }
}

PointView DeviceSet::pointsFor(const Variant& variant) const {
  if (variant.info.layout == Layout::aos) return {records_.data(), set_.stride(), set_.box()};
  return {points_.data(), set_.stride(), set_.box()};
}

DeviceSet::Totals DeviceSet::totalsOf(int iteration) {
  const TotalsShape shape(set_.problem());
  std::byte* const slot = totals_.data() + static_cast<std::size_t>(iteration) % slots_ * shape.bytes();
  return {reinterpret_cast<double*>(slot), reinterpret_cast<std::uint32_t*>(slot + shape.sums),
          reinterpret_cast<std::uint32_t*>(slot + shape.sums + shape.counts)};
}

void DeviceSet::classify(Queue& queue, const CallSite& where) {
  const Backend backend = device_.backend();
  const Totals totals = totalsOf(given_);
  if (stages_.fused) {
    FusedArgs args;
    args.problem = set_.problem();
    args.points = pointsFor(*stages_.fused);
    args.centroids = front_.data();
    args.oldLabels = LabelView(oldLabels_.data(), set_.width);
    args.labels = LabelSpan(labels_.data(), set_.width);
    args.changed = totals.changed;
    args.sums = totals.sums;
    args.counts = totals.counts;
    args.tuning = stages_.fusedTuning;
    args.work = {.cleared = cleared_.data(), .scratch = scratch_.data()};
    return run(queue, backend, *stages_.fused, args, where);
  }
  ClassifyArgs args;
  args.problem = set_.problem();
  args.points = pointsFor(*stages_.classify);
  args.centroids = front_.data();
  args.oldLabels = oldLabels_.data();
  args.labels = labels_.data();
  args.changed = totals.changed;
  args.tuning = stages_.classifyTuning;
  args.work = {.cleared = cleared_.data(), .scratch = scratch_.data()};
  run(queue, backend, *stages_.classify, args, where);
}

void DeviceSet::reduce(Queue& queue, const CallSite& where) {
  if (stages_.fused) return;
  const Totals totals = totalsOf(given_);
  ReduceArgs args;
  args.problem = set_.problem();
  args.points = pointsFor(*stages_.reduce);
  args.labels = labels_.data();
  args.pivots = front_.data();
  args.sums = totals.sums;
  args.counts = totals.counts;
  args.tuning = stages_.reduceTuning;
  args.work = {.cleared = cleared_.data(), .scratch = scratch_.data()};
  run(queue, device_.backend(), *stages_.reduce, args, where);
}

void DeviceSet::giveIteration(Queue& queue, const Between& between, const std::function<void()>& behindFlag,
                              const CallSite& where) {
  const auto step = [&] {
    if (between) between();
  };
  // Giving a fill takes the host as long as giving a kernel.
  if (static_cast<std::size_t>(given_) % slots_ == 0) queue.fill(totals_.data(), 0, totals_.bytes(), where);
  const Totals totals = totalsOf(given_);
  classify(queue, where);
  step();
  queue.download(flags_.data() + slotOf(given_), totals.changed, sizeof(std::uint32_t), where);
  if (behindFlag) behindFlag();
  reduce(queue, where);
  step();
  UpdateArgs args;
  args.problem = set_.problem();
  args.sums = totals.sums;
  args.counts = totals.counts;
  args.oldCentroids = front_.data();
  args.centroids = back_.data();
  args.outcome = outcome_.data();
  run(queue, device_.backend(), *stages_.update, args, where);
  step();
}

void DeviceSet::giveIterations(Queue& queue, int count, const CallSite& where) {
  for (int i = 0; i < count; ++i) {
    giveIteration(queue, {}, {}, where);
    turn();
  }
}

/// As powers of two that begin at multiples of themselves there are few of them to be repeated. The newest
/// flag that is asked about must be of an iteration that was given.
int DeviceSet::countAtOnce(const CallSite& where) {
  int count = 1;
  while (2 * count <= std::min(mostAtOnce, params_.late + 1) && given_ % (2 * count) == 0 &&
         given_ + 2 * count <= params_.most) {
    for (int i = given_ + count; i < given_ + 2 * count; ++i) {
      const int asked = i - 1 - params_.late;
      if (!isKnown(asked) || !changed(asked, where)) return count;
    }
    count *= 2;
  }
  return count;
}

void DeviceSet::giveWithEarlyFlag(Queue& queue, const Between& between, const CallSite& where) {
  giveIteration(
      queue, between, [&] { queue.record(tells(given_, given_), where); }, where);
  turn();
}

Event& DeviceSet::tells(int first, int last) {
  Event& event = *looked_[slotOf(last)];
  for (int i = first; i <= last; ++i)
    told_[slotOf(i)] = &event;
  return event;
}

bool DeviceSet::iterate(Queue& queue, const Between& between, CallSite where) {
  queue.concerns(number_);
  giveWithEarlyFlag(queue, between, where);
  return goesOn(where);
}

bool DeviceSet::advance(Queue& queue, CallSite where) {
  if (given_ > 0 && !goesOn(where)) return false;
  queue.concerns(number_);
  if (params_.late == 0) {
    giveWithEarlyFlag(queue, {}, where);
    return true;
  }
  const int first = given_;
  const int count = countAtOnce(where);
  Repeated& repeated = repeated_[{static_cast<std::size_t>(first) % ring(), count}];
  if (repeated.sequence) {
    for (int i = 0; i < count; ++i)
      turn();
  } else if (repeated.wasGiven) {
    repeated.sequence = std::make_unique<Sequence>(
        "iterations", [&](Queue& gathers) { giveIterations(gathers, count, where); });
  } else {
    giveIterations(queue, count, where);
    repeated.wasGiven = true;
  }
  if (repeated.sequence) queue.repeat(*repeated.sequence);
  queue.record(tells(first, given_ - 1), where);
  return true;
}

bool DeviceSet::goesOn(const CallSite& where) {
  if (!changed(given_ - 1 - params_.late, where)) {
    if (set_.needed == 0) set_.needed = given_ - params_.late;
    if (!params_.all) return false;
  }
  return given_ < params_.most;
}

bool DeviceSet::changed(int iteration, const CallSite& where) {
  if (iteration < 0) return true;
  const std::size_t slot = slotOf(iteration);
  device_.waitFor(*told_[slot], where);
  const std::uint32_t flag = flags_.read(slot, 1, where)[0];
  return flag != 0 || iteration == 0; // the first compares with labels that are no iteration's
}

/// Of a set that was given as many iterations as it may have, whose last flags nobody has looked at.
void DeviceSet::lookAtTheRest(const CallSite& where) {
  for (int i = std::max(0, given_ - params_.late); i < given_ && set_.needed == 0; ++i)
    if (!changed(i, where)) set_.needed = i + 1;
}

void DeviceSet::bringDown(Queue& queue, CallSite where) {
  queue.concerns(number_);
  queue.download(set_.foundCentroids.data(), front_.data(), front_.bytes(), where);
  queue.download(set_.foundSizes.data(), totalsOf(given_ - 1).counts, set_.foundSizes.bytes(), where);
  queue.download(set_.foundLabels.data(), oldLabels_.data(), set_.problem().n * bytesOf(set_.width), where);
  lookAtTheRest(where);
  set_.iterations = given_;
}

namespace {

Parameter upTo(std::string_view name, int least, int most, int fallback) {
  Parameter parameter{.name = name, .values = {}, .fallback = fallback};
  for (int value = least; value <= most; ++value)
    parameter.values.push_back(value);
  return parameter;
}

} // namespace

Parameter streams() { return upTo("streams", 1, SetParams::mostStreams, 4); }
Parameter late() { return upTo("late", 0, SetParams::mostLate, 0); }

Prepared::Prepared(Device& device, const SetStages& stages, std::span<ClusteringSet> all,
                   const SetParams& params, bool withCopies) {
  sets.reserve(all.size());
  for (ClusteringSet& set : all)
    sets.emplace_back(device, stages, set, params, sets.size());
  queues.resize(std::clamp<std::size_t>(all.size(), 1, static_cast<std::size_t>(params.streams)));
  for (auto& queue : queues)
    queue = device.createQueue();
  if (withCopies) copies = device.createQueue();
}

void Prepared::settle() {
  for (const auto& queue : queues)
    queue->synchronize();
  if (copies) copies->synchronize();
}

void iterateInTurn(Prepared& prepared, const Begins& begins, Pace pace, CallSite where) {
  auto& sets = prepared.sets;
  auto& queues = prepared.queues;
  std::vector<std::size_t> present(queues.size());
  const auto isOpen = [&](std::size_t queue) { return present[queue] < sets.size(); };
  const auto canAdvance = [&](std::size_t queue) {
    return isOpen(queue) && sets[present[queue]].canAdvance();
  };
  const auto begin = [&](std::size_t queue) {
    if (isOpen(queue)) begins(present[queue], *queues[queue]);
  };
  const auto advance = [&](std::size_t queue) {
    DeviceSet& set = sets[present[queue]];
    if (set.advance(*queues[queue], where)) return;
    set.bringDown(*queues[queue], where);
    present[queue] += queues.size();
    begin(queue);
  };
  std::size_t begun = 0;
  // Of the queues that have begun the first of that kind; how many there are: none.
  const auto firstThat = [&](const auto& is) {
    std::size_t queue = 0;
    while (queue < begun && !is(queue))
      ++queue;
    return queue;
  };
  // Whether there was a set that can go on, which was given more then.
  const auto advanceOne = [&] {
    const std::size_t queue = firstThat(canAdvance);
    const bool found = queue < begun;
    if (found) advance(queue);
    return found;
  };
  while (begun < queues.size()) {
    const std::size_t q = begun++;
    present[q] = q;
    begin(q);
    // Twice takes the host about as long as the bus takes for a million coordinates. More would keep it
    // waiting.
    for (int times = 0; times < 2 && isOpen(q) && sets[q].needsNoFlag(); ++times)
      advance(q);
    while (pace == Pace::bus && begun < queues.size() && !sets[q].isThere())
      if (!advanceOne()) sets[q].waitForCopies(where);
  }
  for (std::size_t open = firstThat(isOpen); open < begun; open = firstThat(isOpen))
    if (!advanceOne()) advance(open);
  for (const auto& queue : queues)
    queue->synchronize(where);
}

} // namespace lloyd::schedule
