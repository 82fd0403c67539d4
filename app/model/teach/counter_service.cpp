// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/counter_service.hpp"

#include "app/model/compute/initial_centroids.hpp"
#include "app/model/compute/settings.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/reference/reference.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t usedKept = 8; ///< iterations whose centroids are remembered for the labels before

/// The points and centroids with which cards are measured: uniform points and the first centroids of a run,
/// seed 1, as "trace" makes them when nothing is said. Throws RequestError, Cancelled.
CountInput referenceInput(const TeachSubject& subject, const Problem& problem,
                          const std::atomic<bool>* cancel) {
  DataRequest request;
  request.generator = "uniform:n=" + std::to_string(problem.n) + ",d=" + std::to_string(problem.d);
  const auto loaded = loadPoints(request, {}, cancel);
  if (!loaded) throw RequestError(loaded.error());
  return {subject, problem, (*loaded)->values, startingCentroids(**loaded, problem, Init{}, 1, cancel), {}};
}

/// The first n points as [d][n]: where the frame has them, or at rest.
std::vector<float> firstPoints(const PointSet& data, const Frame& frame, std::size_t n) {
  std::vector<float> points;
  for (int j = 0; j < data.d; ++j) {
    const float* row = hasMoved(data, frame)
                           ? frame.positions->data() + static_cast<std::size_t>(j) * frame.stride
                           : data.row(j);
    points.insert(points.end(), row, row + n);
  }
  return points;
}

} // namespace

CountInput countInput(const Session& session, const TeachSubject& subject, const IterationResult& state,
                      std::vector<float> used) {
  const SharedPointSet data = session.data();
  const Problem problem{std::min(data->n, mostCounted), data->d,
                        static_cast<int>(state.centroids.size() / static_cast<std::size_t>(data->d))};
  return {subject, problem, firstPoints(*data, session.frame(), problem.n), state.centroids, std::move(used)};
}

std::vector<Label> labelsBefore(const CountInput& input) {
  const Stage stage = input.subject.stage;
  if (input.used.empty() || (stage != Stage::classify && stage != Stage::fused)) return {};
  return reference::classify(input.problem, input.points, reference::asDoubles(input.used));
}

QString describeError(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const Cancelled&) {
    throw;
  } catch (const DeviceError& error) {
    return QString::fromStdString(error.meaning());
  } catch (const std::exception& error) {
    return QString::fromUtf8(error.what());
  }
}

/// Of one that is not code of a GPU.
QString whyNotCounted(const Variant& variant, Stage stage) {
  const auto tr = [](const char* text) { return QCoreApplication::translate("CountStage", text); };
  if (stage != Stage::sets)
    return tr("it runs on processors, and the simulator counts what kernels ask of a GPU's memory");
  const QString what =
      tr("a schedule is the host's order of work, and the simulator counts what kernels ask of a "
         "GPU's memory. ");
  return what + (isOwn(variant)
                     ? tr("Its launches, copies and waits were counted in its trial, and stand with the "
                          "verdict")
                     : tr("Launches, copies and waits are counted when a copy of its file is tried"));
}

StageCount countStage(const CountInput& input, const std::vector<Label>& oldLabels, const Variant* variant,
                      const std::atomic<bool>* cancel, const Tuning* tuning) {
  StageCount count;
  count.variant = variant;
  if (!variant) return count;
  if (!isCounted(*variant, input.subject.stage)) {
    count.why = whyNotCounted(*variant, input.subject.stage);
    return count;
  }
  count.why = describeError([&] {
    count.trace =
        simt::traceStage({.variant = variant,
                          .stage = input.subject.stage,
                          .problem = input.problem,
                          .points = input.points,
                          .centroids = input.centroids,
                          .oldLabels = oldLabels,
                          .tuning = tuning ? *tuning : tuningParametersFor(*variant, input.subject.tuning),
                          .schedule = input.schedule,
                          .cancel = cancel})
            .trace;
  });
  return count;
}

CounterService::CounterService(Session& session, const DeviceLease& lease, QObject* parent)
    : QObject(parent), session_(session), lease_(lease), fresh_(session.last() != nullptr) {
  connect(&lease_, &DeviceLease::changed, this, &CounterService::leaseChanged);
  connect(&session_, &Session::iterated, this, &CounterService::iterated);
  connect(&session_, &Session::seeded, this, [this] { used_.clear(); });
  connect(&session_, &Session::dataChanged, this, [this] {
    counts_.reset();
    owners_.reset();
    fresh_ = false;
    renew();
  });
  connect(&session_, &Session::stateChanged, this, [this] {
    if (!session_.playing() && session_.last() != counted_) countSession();
    takeUp();
  });
}

CounterService::~CounterService() {
  for (const Cancel& job : {countJob_, ownersJob_})
    if (job) *job = true;
}

void CounterService::wantOwners(bool wanted) {
  ownersWanted_ = wanted;
  const bool have = owners_ && owners_->subject == subject_ && owners_->points == session_.data();
  ownersDue_ = wanted && !have && !ownersJob_;
  takeUp();
}

void CounterService::iterated(const IterationPtr& result) {
  fresh_ = true;
  // A look at the labels of centroids that have not been used yet is no iteration.
  const bool preview = !result->halfway && result->usedCentroids == result->centroids;
  if (!preview) {
    std::erase_if(used_, [&](const auto& one) { return one.first >= result->iteration; });
    used_.emplace_back(result->iteration, result->usedCentroids);
    if (used_.size() > usedKept) used_.pop_front();
  }
  if (counted_ && counted_->centroids.size() != result->centroids.size()) renew();
  // A run that has come to its end rests as a paused one does.
  if (!session_.playing() || session_.converged()) countSession();
  takeUp();
}

/// The centroids that the labels before the counted classification were found with. While an iteration is
/// half done, what is counted is the classification just made; else the next.
std::vector<float> CounterService::usedBefore(const IterationResult& result) const {
  const int wanted = result.halfway ? result.iteration - 1 : result.iteration;
  for (const auto& [iteration, used] : used_)
    if (iteration == wanted) return used;
  return wanted == 0 || result.halfway ? std::vector<float>{} : result.usedCentroids;
}

/// The simulator keeps the processor busy that is measured, or that feeds the GPU that is.
void CounterService::leaseChanged() {
  if (!lease_.held()) return takeUp();
  if (const Cancel job = std::exchange(countJob_, nullptr)) {
    *job = true;
    countDue_ = true;
  }
  if (const Cancel job = std::exchange(ownersJob_, nullptr)) {
    *job = true;
    ownersDue_ = ownersWanted_;
  }
}

/// One that belongs to its present points and k.
bool CounterService::hasSessionState() const {
  const SharedPointSet data = session_.data();
  if (!fresh_ || !data || !session_.last()) return false;
  const auto values = static_cast<std::size_t>(session_.settings().k) * static_cast<std::size_t>(data->d);
  return session_.last()->centroids.size() == values; // else the next result has this k
}

void CounterService::takeUp() {
  if (!active_ || lease_.held() || !subject_.variant) return;
  if (!ownInput_ && !hasSessionState()) return;
  if (countDue_) startCount();
  if (ownersDue_) startOwners();
}

std::shared_ptr<TeachCounts> CounterService::countsOfSession() {
  counted_ = session_.last();
  const SharedPointSet data = session_.data();
  CountInput made = countInput(session_, subject_, *counted_, usedBefore(*counted_));
  auto counts = std::make_shared<TeachCounts>();
  counts->shapes = launchShapes(subject_, made.problem);
  // Whoever looks closer at what was counted launches it the same way.
  made.subject.tuning = counts->shapes.now;
  counts->points = data->n;
  counts->iteration = counted_->iteration;
  counts->atRest = data->drift && !hasMoved(*data, session_.frame());
  counts->input = std::make_shared<const CountInput>(std::move(made));
  return counts;
}

std::shared_ptr<TeachCounts> CounterService::countsOfOwnInput() {
  auto counts = std::make_shared<TeachCounts>();
  counts->shapes = launchShapes(subject_, ownInput_->problem);
  counts->shapes.now = ownInput_->subject.tuning; // what happened there may not happen in another shape
  counts->points = ownInput_->problem.n;
  counts->ownInput = true;
  counts->input = ownInput_;
  return counts;
}

void CounterService::startCount() {
  if (countJob_) *countJob_ = true;
  countDue_ = false;
  const auto cancel = std::make_shared<std::atomic<bool>>(false);
  countJob_ = cancel;
  const std::shared_ptr<TeachCounts> counts = ownInput_ ? countsOfOwnInput() : countsOfSession();
  const std::shared_ptr<const CountInput> input = counts->input;
  counts->subject = subject_;
  counts->problem = input->problem;
  Q_EMIT counting();
  thread_.post([this, cancel, counts, input] {
    try {
      const std::vector<Label> oldLabels = labelsBefore(*input);
      counts->now = countStage(*input, oldLabels, input->subject.variant, cancel.get());
      counts->before =
          countStage(*input, oldLabels, input->subject.before, cancel.get(), &counts->shapes.before);
      counts->card = cardCountersOf(QString::fromStdString(input->subject.variant->id()));
    } catch (const Cancelled&) {
      return;
    }
    toGui_.post([this, cancel, counts] {
      if (*cancel) return;
      counts_ = counts;
      countReference(counts, cancel);
    });
  });
}

/// The card's problem is always the same, so it is counted once for each variant.
void CounterService::countReference(const std::shared_ptr<const TeachCounts>& counts, const Cancel& cancel) {
  if (!counts->card) {
    countJob_.reset();
    Q_EMIT counted();
    return;
  }
  const CardCounters card = *counts->card;
  const auto finish = [this, counts](const simt::Counters& asked) {
    auto whole = std::make_shared<TeachCounts>(*counts);
    whole->askedOnCard = asked;
    counts_ = std::move(whole);
    countJob_.reset();
    Q_EMIT counted();
  };
  const std::pair key(counts->subject.variant->id(), card.block);
  if (const auto known = askedOnCard_.find(key); known != askedOnCard_.end()) return finish(known->second);
  Q_EMIT counted(); // what is known so far
  thread_.post([this, cancel, counts, card, key, finish] {
    std::optional<simt::Trace> trace;
    try {
      (void)describeError([&] {
        TeachSubject subject = counts->subject;
        subject.tuning = {};
        subject.tuning.block = card.block;
        const CountInput input = referenceInput(subject, card.problem, cancel.get());
        trace = countStage(input, {}, subject.variant, cancel.get()).trace;
      });
    } catch (const Cancelled&) {
      return;
    }
    toGui_.post([this, cancel, trace, key, finish] {
      if (trace) askedOnCard_[key] = trace->counters;
      if (*cancel) return;
      if (trace) return finish(trace->counters);
      countJob_.reset();
      Q_EMIT counted();
    });
  });
}

void CounterService::startOwners() {
  if (ownersJob_) *ownersJob_ = true;
  ownersDue_ = false;
  if (ownInput_) {
    ownersJob_.reset();
    owners_ = std::make_shared<const TeachOwners>(
        TeachOwners{subject_,
                    session_.data(),
                    {},
                    tr("This version is wrong, and runs on the few points of its trial alone: these points "
                       "have no threads there")});
    return Q_EMIT owned();
  }
  const auto cancel = std::make_shared<std::atomic<bool>>(false);
  ownersJob_ = cancel;
  const SharedPointSet data = session_.data();
  const Problem problem{data->n, data->d, session_.settings().k};
  thread_.post([this, cancel, data, problem, subject = subject_, centroids = session_.last()->centroids] {
    auto owners = std::make_shared<TeachOwners>();
    owners->subject = subject;
    owners->points = data;
    try {
      if (subject.stage == Stage::update) {
        owners->why = tr("Update handles clusters, not points: no thread has a point of its own");
      } else if (subject.stage == Stage::sets) {
        owners->why =
            tr("A schedule is the host's order of copies, kernels and waits, and has no threads of its own");
      } else if (!isCounted(*subject.variant, subject.stage)) {
        owners->why = tr("It runs on processors, whose cores take whole pieces of the points");
      } else if (problem.n > mostOwned) {
        owners->why = tr("Threads are found out for up to %1 points, and here are %2")
                          .arg(countText(mostOwned), countText(problem.n));
      } else {
        owners->why = describeError([&] {
          owners->owners = simt::traceStage({.variant = subject.variant,
                                             .stage = subject.stage,
                                             .problem = problem,
                                             .points = data->values,
                                             .centroids = centroids,
                                             .oldLabels = {},
                                             .tuning = tuningParametersFor(*subject.variant, subject.tuning),
                                             .schedule = {},
                                             .record = false,
                                             .owners = true,
                                             .cancel = cancel.get()})
                               .owners;
        });
      }
    } catch (const Cancelled&) {
      return;
    }
    toGui_.post([this, cancel, owners] {
      if (*cancel) return;
      ownersJob_.reset();
      owners_ = owners;
      Q_EMIT owned();
    });
  });
}

} // namespace lloyd
