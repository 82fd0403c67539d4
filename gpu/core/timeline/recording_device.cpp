// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/timeline/recording_device.hpp"

#include "gpu/core/contract/sequence.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t hostRow = 0;
constexpr std::size_t firstQueueRow = 1;

std::string queueName(std::size_t queue) { return "queue " + std::to_string(queue + 1); }

/// What an operation is on the card; nothing for records and waits, which take no time there.
std::optional<TimelineBar::Kind> kindOf(QueuedOperation::Kind kind) {
  using Queued = QueuedOperation::Kind;
  switch (kind) {
  case Queued::upload:
    return TimelineBar::Kind::upload;
  case Queued::download:
    return TimelineBar::Kind::download;
  case Queued::copy:
    return TimelineBar::Kind::copy;
  case Queued::fill:
    return TimelineBar::Kind::fill;
  case Queued::launch:
    return TimelineBar::Kind::kernel;
  default:
    return std::nullopt;
  }
}

TimelineClock clockOf(Backend backend) {
  return backend == Backend::cuda  ? TimelineClock::events
         : backend == Backend::cpu ? TimelineClock::host
                                   : TimelineClock::steps;
}

/// Moments become their places in the order of all.
void countSteps(std::vector<TimelineBar>& bars) {
  std::vector<double*> moments;
  moments.reserve(2 * bars.size());
  for (TimelineBar& bar : bars) {
    moments.push_back(&bar.begin);
    moments.push_back(&bar.end);
  }
  std::ranges::stable_sort(moments, {}, [](const double* moment) { return *moment; });
  double step = 0;
  for (double* moment : moments)
    *moment = step++;
}

/// Of operations that were given at once, a card may say that one ended after the next one began, which
/// waited for it: by up to 7 us on an H200 where several queues are busy.
void endBeforeTheNext(std::vector<TimelineBar>& bars) {
  std::map<std::size_t, TimelineBar*> before; // by row
  for (TimelineBar& bar : bars) {
    TimelineBar*& last = before[bar.row];
    if (last) last->end = std::clamp(bar.begin, last->begin, last->end);
    last = &bar;
  }
}

} // namespace

class RecordingDevice::RecordingQueue final : public Queue {
public:
  RecordingQueue(RecordingDevice& device, std::size_t number, std::unique_ptr<Queue> inner)
      : device_(device), number_(number), inner_(std::move(inner)) {}

  void submit(QueuedOperation operation) override {
    device_.submit(number_, *inner_, set_, std::move(operation));
  }
  void finish(const CallSite& where) override {
    device_.byHost({.kind = TimelineBar::Kind::wait, .what = "wait for " + queueName(number_)},
                   [&] { inner_->synchronize(where); });
  }
  void concerns(std::optional<std::size_t> set) override { set_ = set; }
  [[nodiscard]] bool prepare(Sequence& sequence) override {
    // Without the device's record each operation needs events of its own.
    return (!device_.recording_ || device_.activity_) && inner_->prepare(sequence);
  }
  void submitPrepared(Sequence& sequence) override {
    device_.submitPrepared(number_, *inner_, set_, sequence);
  }

private:
  RecordingDevice& device_;
  std::size_t number_;
  std::unique_ptr<Queue> inner_;
  std::optional<std::size_t> set_;
};

void RecordingDevice::start() {
  recording_ = false;
  inner().synchronize();
  operations_.clear();
  calls_.clear();
  used_ = missing_ = 0;
  if (!first_) {
    first_ = inner().createEvent();
    activity_ = inner().createActivityRecorder();
    if (activity_) unasked_ = Buffer<unsigned>(inner(), 1);
  }
  if (activity_) {
    activity_->start();
    // The first that is recorded waits some hundred microseconds for the record's memory.
    unasked_.fill(0);
    inner().synchronize();
  }
  const auto before = Clock::now();
  inner().record(*first_);
  zero_ = before + (Clock::now() - before) / 2;
  inner().waitFor(*first_);
  recording_ = true;
}

Timeline RecordingDevice::stop() {
  recording_ = false;
  inner().synchronize();
  std::vector<TimelineRow> rows{{TimelineRow::Kind::host, "host"}};
  for (std::size_t queue = 0; queue < queues_; ++queue)
    rows.push_back({TimelineRow::Kind::queue, queueName(queue)});
  std::vector<TimelineBar> bars = std::move(calls_);
  std::ranges::move(activity_ ? barsByActivity() : barsByEvents(), std::back_inserter(bars));
  operations_.clear();
  calls_.clear();
  const TimelineClock clock = activity_ ? TimelineClock::card : clockOf(inner().backend());
  if (clock == TimelineClock::steps) countSteps(bars);
  return Timeline(std::move(rows), std::move(bars), clock, missing_);
}

/// A bar is from the first to the last that its operation did. One that the device knows nothing of is
/// missing. The device's clock is not the host's, and they are not compared better than to some hundred
/// microseconds: the operation that began soonest after it was given is taken to have begun at once.
std::vector<TimelineBar> RecordingDevice::barsByActivity() {
  std::vector<Activity> activities = activity_->stop();
  std::ranges::sort(activities, {}, [](const Activity& a) { return std::pair(a.operation, a.begin); });
  std::vector<std::size_t> met(operations_.size(), 0);
  std::size_t at = 0; // the operation that the next activity is of
  for (std::size_t a = 0; a < activities.size(); ++a) {
    const Activity& activity = activities[a];
    if (a == 0 || activity.operation != activities[a - 1].operation) at = activity.operation;
    while (operations_[at].activities && met[at] == *operations_[at].activities &&
           at + 1 < operations_.size())
      ++at;
    TimelineBar& bar = operations_[at].bar;
    bar.begin = met[at] == 0 ? activity.begin : std::min(bar.begin, activity.begin);
    bar.end = met[at] == 0 ? activity.end : std::max(bar.end, activity.end);
    ++met[at];
  }
  std::vector<TimelineBar> bars;
  double lag = std::numeric_limits<double>::infinity();
  for (std::size_t o = 0; o < operations_.size(); ++o) {
    if (met[o] == 0) {
      ++missing_;
      continue;
    }
    lag = std::min(lag, operations_[o].bar.begin - operations_[o].given);
    bars.push_back(std::move(operations_[o].bar));
  }
  for (TimelineBar& bar : bars) {
    bar.begin -= lag;
    bar.end -= lag;
  }
  endBeforeTheNext(bars);
  return bars;
}

std::vector<TimelineBar> RecordingDevice::barsByEvents() {
  std::vector<TimelineBar> bars;
  for (Operation& operation : operations_) {
    TimelineBar& bar = bars.emplace_back(std::move(operation.bar));
    bar.begin = inner().elapsedUs(*first_, *operation.before);
    bar.end = std::max(bar.begin, inner().elapsedUs(*first_, *operation.after));
  }
  return bars;
}

void RecordingDevice::synchronize() {
  byHost({.kind = TimelineBar::Kind::wait, .what = "wait for all"}, [&] { inner().synchronize(); });
}

std::unique_ptr<Queue> RecordingDevice::createQueue() {
  auto queue = inner().createQueue();
  return std::make_unique<RecordingQueue>(*this, queues_++, std::move(queue));
}

void RecordingDevice::waitForEvent(const Event& event, const CallSite& where) {
  byHost({.kind = TimelineBar::Kind::wait, .what = "wait for an event"},
         [&] { inner().waitFor(event, where); });
}

void RecordingDevice::byHost(TimelineBar bar, const std::function<void()>& work) {
  if (!recording_ || full()) return work();
  bar.row = hostRow;
  bar.begin = usSince(Clock::now());
  work();
  bar.end = usSince(Clock::now());
  calls_.push_back(std::move(bar));
}

TimelineBar RecordingDevice::barOf(const QueuedOperation& operation, TimelineBar::Kind kind,
                                   std::size_t queue, const std::optional<std::size_t>& set) {
  return {.row = firstQueueRow + queue,
          .kind = kind,
          .what = operation.what.empty() ? std::string(name(kind)) : operation.what,
          .bytes = operation.bytes,
          .set = set};
}

void RecordingDevice::submit(std::size_t queue, Queue& to, const std::optional<std::size_t>& set,
                             QueuedOperation operation) {
  const auto kind = recording_ ? kindOf(operation.kind) : std::nullopt;
  if (!kind) return to.submit(std::move(operation));
  if (full()) {
    ++missing_;
    return to.submit(std::move(operation));
  }
  const CallSite where = operation.where;
  TimelineBar bar = barOf(operation, *kind, queue, set);
  byHost({.kind = TimelineBar::Kind::give, .what = "give " + bar.what, .set = set}, [&] {
    if (activity_) {
      const double given = usSince(Clock::now());
      operations_.push_back({.bar = std::move(bar), .given = given}); // first: what throws may have begun
      activity_->give(operations_.size() - 1, [&] { to.submit(std::move(operation)); });
      return;
    }
    Event& before = nextEvent();
    Event& after = nextEvent();
    to.record(before, where);
    to.submit(std::move(operation));
    to.record(after, where);
    operations_.push_back({.bar = std::move(bar), .before = &before, .after = &after});
  });
}

/// The device records whose work it is by the call that gave it, which is one for all operations: they are
/// told apart by their order.
void RecordingDevice::submitPrepared(std::size_t queue, Queue& to, const std::optional<std::size_t>& set,
                                     Sequence& sequence) {
  if (!recording_) return to.submitPrepared(sequence);
  const auto& all = sequence.operations();
  if (full()) {
    missing_ += static_cast<std::size_t>(
        std::ranges::count_if(all, [](const auto& operation) { return kindOf(operation.kind).has_value(); }));
    return to.submitPrepared(sequence);
  }
  byHost({.kind = TimelineBar::Kind::give, .what = "give " + sequence.name() + " at once", .set = set}, [&] {
    const double given = usSince(Clock::now());
    const std::size_t first = operations_.size();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (const auto kind = kindOf(all[i].kind))
        operations_.push_back({.bar = barOf(all[i], *kind, queue, set),
                               .given = given,
                               .activities = sequence.prepared()->activities()[i]});
    activity_->give(first, [&] { to.submitPrepared(sequence); });
  });
}

Event& RecordingDevice::nextEvent() {
  if (used_ == events_.size()) events_.push_back(inner().createEvent());
  return *events_[used_++];
}

} // namespace lloyd
