// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/queue/queues.hpp"

#include <algorithm>
#include <utility>

namespace lloyd::simt {

/// One queue as a program has it.
class Queues::Handle final : public Queue {
public:
  Handle(Queues& queues, Line& line) : queues_(queues), line_(line) {}
  ~Handle() override { queues_.end(line_); }

  void submit(QueuedOperation operation) override { queues_.submit(line_, std::move(operation)); }
  void finish(const CallSite&) override { queues_.finish(line_); }

private:
  Queues& queues_;
  Line& line_;
};

std::unique_ptr<Queue> Queues::create() {
  auto line = std::make_unique<Line>();
  line->actor = checker_.addQueue();
  lines_.push_back(std::move(line));
  return std::make_unique<Handle>(*this, *lines_.back());
}

/// A card copies other memory while the host waits, or not at all.
void Queues::requireHostMemory(const QueuedOperation& operation) const {
  using Kind = QueuedOperation::Kind;
  if (operation.kind != Kind::upload && operation.kind != Kind::download) return;
  const void* memory = operation.kind == Kind::upload ? operation.from : operation.to;
  if (checker_.memory().knows({memory, operation.bytes})) return;
  throw DeviceError(0, Severity::badRequest, nameOf(operation),
                    nameOf(operation) + " of a queue at " + describe(operation.where) +
                        " names host memory that allocateHost() has not given",
                    operation.where);
}

void Queues::submit(Line& line, QueuedOperation operation) {
  requireHostMemory(operation);
  Kept kept;
  kept.number = ++given_;
  if (operation.kind == QueuedOperation::Kind::wait) {
    kept.moment = momentOf(*operation.awaited);
    kept.step = checker_.beginWait(line.actor, operation.awaited, kept.moment ? &kept.moment->step : nullptr,
                                   operation.where);
  } else {
    kept.step = checker_.begin(line.actor, nameOf(operation), operation.where);
  }
  if (operation.kind == QueuedOperation::Kind::record) {
    kept.moment = std::make_shared<Moment>();
    kept.moment->step = kept.step;
    dynamic_cast<SimtEvent&>(*operation.recorded).moment = kept.moment;
    checker_.recorded(operation.recorded, kept.step);
  }
  operation.recorded = nullptr; // events may end before their turn comes
  operation.awaited = nullptr;
  kept.operation = std::move(operation);
  line.kept.push_back(std::move(kept));
}

void Queues::recordNow(Event& event) {
  auto moment = std::make_shared<Moment>();
  moment->step = checker_.begin(ownOrder, "the record", {});
  moment->reached = true;
  moment->when = std::chrono::steady_clock::now();
  checker_.recorded(&event, moment->step);
  dynamic_cast<SimtEvent&>(event).moment = std::move(moment);
}

/// One operation that nothing holds back takes place. What a wait needs was given before the wait, so that
/// there always is one.
void Queues::takeTurn() {
  std::vector<Ready> ready;
  for (std::size_t queue = 0; queue < lines_.size(); ++queue) {
    const std::deque<Kept>& kept = lines_[queue]->kept;
    if (kept.empty()) continue;
    const bool waits = kept.front().operation.kind == QueuedOperation::Kind::wait;
    if (!waits || !kept.front().moment || kept.front().moment->reached)
      ready.push_back({queue, kept.front().number});
  }
  Line& line = *lines_[ready[turns_.next(ready)].queue];
  const Kept kept = std::move(line.kept.front());
  line.kept.pop_front();
  switch (kept.operation.kind) {
  case QueuedOperation::Kind::record:
    kept.moment->reached = true;
    kept.moment->when = std::chrono::steady_clock::now();
    return;
  case QueuedOperation::Kind::wait:
    return;
  default:
    return perform_(kept.operation, kept.step);
  }
}

/// Nothing is under way any more, and nothing is ordered behind what never took place.
void Queues::drop() {
  for (const auto& line : lines_) {
    for (const Kept& kept : line->kept)
      if (kept.moment) kept.moment->reached = true;
    line->kept.clear();
  }
  checker_.hostWaitedForAll();
}

void Queues::runUntil(const std::function<bool()>& done) {
  try {
    while (!done())
      takeTurn();
  } catch (...) {
    drop();
    // A report says more than the failure that may have come of it.
    if (const auto report = checker_.takeReport()) throw DeviceError(0, Severity::badRequest, {}, *report);
    throw;
  }
}

void Queues::throwReports() {
  const auto report = checker_.takeReport();
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  if (!report && !failure) return;
  drop();
  if (report) throw DeviceError(0, Severity::badRequest, {}, *report);
  std::rethrow_exception(failure);
}

void Queues::waitFor(const Event& event, const CallSite& where) {
  const std::shared_ptr<Moment> moment = momentOf(event);
  checker_.beginWait(host, &event, moment ? &moment->step : nullptr, where);
  if (moment) {
    runUntil([&] { return moment->reached; });
    checker_.hostWaited(moment->step);
  }
  throwReports();
}

void Queues::finish(const Line& line) {
  runUntil([&] { return line.kept.empty(); });
  checker_.hostWaitedFor(line.actor);
  throwReports();
}

void Queues::waitForAll() {
  runUntil([&] {
    return std::all_of(lines_.begin(), lines_.end(), [](const auto& line) { return line->kept.empty(); });
  });
  checker_.hostWaitedForAll();
  throwReports();
}

void Queues::settle() noexcept {
  try {
    while (std::any_of(lines_.begin(), lines_.end(), [](const auto& line) { return !line->kept.empty(); }))
      takeTurn();
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
    drop();
  }
}

void Queues::end(const Line& line) noexcept {
  try {
    while (!line.kept.empty())
      takeTurn();
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
    drop();
  }
  checker_.removeQueue(line.actor);
  std::erase_if(lines_, [&](const auto& held) { return held.get() == &line; });
}

} // namespace lloyd::simt
