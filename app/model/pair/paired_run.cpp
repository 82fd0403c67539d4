// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/pair/paired_run.hpp"

#include "app/text/numbers.hpp"

#include <QMetaObject>

#include <cstring>
#include <utility>

namespace lloyd {

PairPhase after(PairPhase phase, PairEvent event) {
  if (event == PairEvent::wanted) return PairPhase::due;
  if (event == PairEvent::dropped) return PairPhase::off;
  if (!follows(phase)) return phase;
  switch (event) {
  case PairEvent::failed:
    return PairPhase::failed;
  case PairEvent::outdated:
    return PairPhase::due;
  case PairEvent::seedAsked:
    return PairPhase::seeding;
  case PairEvent::stateGiven:
    return PairPhase::adopting;
  case PairEvent::restartOfA:
    return PairPhase::resting; // A's new run is what makes B due
  case PairEvent::interrupted:
  case PairEvent::resultOfB:
    return phase == PairPhase::stepping ? PairPhase::resting : phase;
  case PairEvent::stepAsked:
  case PairEvent::moved:
    return phase == PairPhase::resting ? PairPhase::stepping : phase;
  case PairEvent::joinedByB:
    return phase == PairPhase::adopting ? PairPhase::stepping : phase;
  case PairEvent::seededByB:
    if (phase == PairPhase::seeding) return PairPhase::stepping;
    // A state that is on its way overrides the new run. Without one, another device has lost what B had.
    return phase == PairPhase::adopting ? phase : PairPhase::due;
  case PairEvent::wanted:
  case PairEvent::dropped:
    break;
  }
  return phase;
}

PairMove moveTowards(int here, int there, bool canStepBack) {
  if (here == there) return PairMove::none;
  if (here > there) return canStepBack ? PairMove::stepBack : PairMove::adopt;
  const bool halfway = there % 2 != 0;
  return there - here == 1 && halfway ? PairMove::halfStep : PairMove::step;
}

PairedRun::PairedRun(Session& a, QObject* parent, KMeansRunner::DeviceFactory factory)
    : QObject(parent), a_(&a), factory_(std::move(factory)), run_(RunOfA{a.last(), {}}) {
  connect(&a, &Session::dataChanged, this, &PairedRun::dataChangedAtA);
  connect(&a, &Session::seeded, this, &PairedRun::seededAtA);
  // What has another number of clusters is no state that steps of B lead to.
  connect(&a, &Session::stateAdopted, this, [this] {
    if (b_ && b_->settings().k != a_->settings().k) seededAtA();
  });
  connect(&a, &Session::iterated, this, &PairedRun::iteratedAtA);
  connect(&a, &Session::stateChanged, this, [this] {
    if (b_ && rests() && !upToDate()) compare(true);
  });
  connect(&a, &Session::settingsChanged, this, [this] {
    if (!following()) return;
    // What begins a new run comes over with that run.
    Settings settings = b_->settings();
    settings.interop = settingsOfB().interop;
    settings.tolerance = a_->settings().tolerance;
    b_->setSettings(settings);
  });
}

PairedRun::~PairedRun() {
  disconnect();
  end();
}

void PairedRun::setSide(const SideChoice& side) {
  const bool again = phase_ == PairPhase::failed;
  if (side == side_ && !again) return;
  const bool seededApart = side.seed != side_.seed;
  side_ = side;
  if (!active()) return;
  if (again && b_) { // it goes first, from the event loop
    QMetaObject::invokeMethod(
        this,
        [this] {
          if (phase_ == PairPhase::failed) begin();
        },
        Qt::QueuedConnection);
    return;
  }
  if (!b_) return begin();
  forgetDifference();
  take(seededApart ? PairEvent::outdated : PairEvent::interrupted);
  b_->setSettings(settingsOfB());
  follow();
}

void PairedRun::begin() {
  take(PairEvent::wanted);
  if (!a_) return;
  b_ = std::make_unique<Session>(nullptr, factory_);
  Session* b = b_.get();
  connect(b, &Session::seeded, this, [this] { take(PairEvent::seededByB); });
  connect(b, &Session::stateAdopted, this, [this] { take(PairEvent::joinedByB); });
  connect(b, &Session::iterated, this, [this] {
    take(PairEvent::resultOfB);
    follow();
    if (a_) a_->barrierMoved();
  });
  connect(b, &Session::message, this, [this](const QString& text, bool error) {
    error ? fail(text) : message(tr("Side B: %1").arg(text), false);
  });
  a_->setIterationBarrier([this] { return !following() || inStep(); });
  b->setSettings(settingsOfB());
  if (a_->data()) b->adopt(a_->data(), a_->request());
  Q_EMIT otherChanged();
  follow();
}

void PairedRun::end() {
  const std::unique_ptr<Session> gone = std::move(b_);
  if (gone) disconnect(gone.get(), nullptr, this, nullptr);
  if (a_) a_->setIterationBarrier(nullptr);
  if (!gone) return;
  // Whoever shows B lets go of its frames first, which keep its device alive.
  Q_EMIT otherChanged();
  forgetDifference();
}

/// Queued: it is said from inside B, which must not end there.
void PairedRun::fail(const QString& reason) {
  if (!following()) return;
  take(PairEvent::failed);
  why_ = tr("Side B stopped: %1").arg(reason);
  if (!why_.endsWith(QLatin1Char('.'))) why_ += QLatin1Char('.');
  disconnect(b_.get(), nullptr, this, nullptr);
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (phase_ != PairPhase::failed) return; // there has been another try
        end();
        message(tr("%1 Side A goes on alone.").arg(why_), true);
      },
      Qt::QueuedConnection);
}

Settings PairedRun::settingsOfB() const {
  Settings settings = a_->settings();
  if (const IterationPtr state = known(); state && a_->data())
    settings.k = static_cast<int>(state->centroids.size() / static_cast<std::size_t>(a_->data()->d));
  settings.backend = side_.backend;
  settings.selection = side_.selection;
  // A buffer that A must share may be one that B cannot.
  if (settings.interop == InteropRequest::shared) settings.interop = InteropRequest::automatic;
  if (side_.seed) settings.seed = *side_.seed;
  return settings;
}

bool PairedRun::inStep() const {
  const IterationPtr state = known();
  if (!a_ || !b_ || !state || phase_ != PairPhase::resting) return false;
  return a_->last() == state && b_->last() && positionOf(*state) == positionOf(*b_->last());
}

void PairedRun::dataChangedAtA() {
  run_.reset();
  take(PairEvent::outdated);
  forgetDifference();
  if (following()) b_->adopt(a_->data(), a_->request());
}

void PairedRun::iteratedAtA(const IterationPtr& result) {
  if (!run_) return;
  const IterationPtr before = std::exchange(run_->last, result);
  if (before && !before->halfway && result->iteration == before->iteration + 1)
    run_->usedBefore = before->iteration > 0 ? before->usedCentroids : std::vector<float>();
  if (!following()) return;
  if (before && phase_ != PairPhase::due) carryMoves(*before, *result);
  follow(!before);
}

/// Centroids that a person moved at A move at B too. They are where a state begins otherwise than the one
/// before it ended.
void PairedRun::carryMoves(const IterationResult& before, const IterationResult& now) {
  const int step = positionOf(now) - positionOf(before);
  const bool wentBack = step < -1 || (step == -1 && now.halfway);
  if (wentBack || side_.seed || now.centroids.size() != before.centroids.size()) return;
  const std::vector<float>& begin = step > 0 ? now.usedCentroids : now.centroids;
  const auto d = static_cast<std::size_t>(a_->data()->d);
  if (begin.size() != before.centroids.size()) return;
  for (std::size_t c = 0; c < begin.size() / d; ++c) {
    if (std::memcmp(begin.data() + c * d, before.centroids.data() + c * d, d * sizeof(float)) == 0) continue;
    take(PairEvent::moved);
    const auto first = begin.begin() + static_cast<std::ptrdiff_t>(c * d);
    b_->moveCentroid(static_cast<int>(c), std::vector<float>(first, first + static_cast<std::ptrdiff_t>(d)));
  }
}

/// Brings B nearer to what A shows. Compares where both are, so that it may be called at any time.
void PairedRun::follow(bool firstOfRun) {
  const IterationPtr state = known();
  if (!following() || !a_ || !state) return;
  if (phase_ == PairPhase::due) return lead(firstOfRun);
  if (phase_ != PairPhase::resting || !b_->last()) return;
  const PairMove move = moveTowards(positionOf(*b_->last()), positionOf(*state), b_->canStepBack());
  if (move == PairMove::none) return arrived();
  if (move == PairMove::adopt) return lead(firstOfRun);
  take(PairEvent::stepAsked);
  if (move == PairMove::stepBack)
    b_->stepBack();
  else
    move == PairMove::halfStep ? b_->halfStep() : b_->step();
}

/// Gives B the state that A shows or, when that is the first of a run, the one that the run began with.
void PairedRun::lead(bool firstOfRun) {
  const IterationPtr shown = known();
  const bool begun = positionOf(*shown) > 0;
  // A run that A took over begins later than with its first iteration, or with centroids set by hand, which
  // no iteration has moved.
  const bool unmoved = !shown->halfway && shown->usedCentroids == shown->centroids;
  const bool fromStart = firstOfRun && positionOf(*shown) <= 2 && !unmoved;
  if (begun && !fromStart && ((side_.seed && !firstOfRun) || (!side_.seed && !sharesPoints()))) {
    take(PairEvent::restartOfA);
    message(tr("Both sides begin again: side B cannot take up this run in its middle"), false);
    return a_->restart();
  }
  if (side_.seed) {
    take(PairEvent::seedAsked);
    b_->setSettings(settingsOfB()); // which begins the run where the seed is another
    if (phase_ == PairPhase::seeding) b_->restart();
    return;
  }
  RunState state{*shown, {}, a_->driftTime()};
  if (begun && fromStart) {
    state.driftTime -= 1;
    state.result = {};
    state.result.usedCentroids = state.result.centroids = shown->usedCentroids;
  } else if (shown->halfway) {
    state.usedBefore = run_->usedBefore;
  }
  if (!a_->data()->drift) state.driftTime = 0;
  state.result.times = {};
  take(PairEvent::stateGiven);
  b_->setSettings(settingsOfB());
  if (following()) b_->adoptState(state);
}

// What the two sides disagree in, found beside the runs.

namespace {

constexpr qint64 leastMs = 100; ///< between two comparisons of a run that plays

} // namespace

QString PairedRun::whyNotCompared() const {
  if (!b_) return why();
  if (!a_ || !a_->data() || !b_->data()) return tr("There is nothing to compare yet.");
  if (a_->data() == b_->data()) return {};
  return tr("Labels are not compared: side A has %1 points and side B %2, as many as the SIMT simulator is "
            "given.")
      .arg(countText(a_->data()->n), countText(b_->data()->n));
}

/// What is being found is of points, a run or a side that are gone.
void PairedRun::forgetDifference() {
  ++epoch_;
  if (!std::exchange(found_, {}).difference) return;
  Q_EMIT compared();
}

/// now: however recent the last comparison is. Skipped ones are made up for when the run pauses.
void PairedRun::compare(bool now) {
  if (!wanted_ || !inStep()) return;
  if (comparison_ != Comparison::idle) {
    comparison_ = Comparison::runningAndDue;
    return;
  }
  if (!now && sinceCompared_.isValid() && sinceCompared_.elapsed() < leastMs) return;
  if (!whyNotCompared().isEmpty()) {
    return forgetDifference();
  }
  const ShownLabels a = a_->labels();
  const ShownLabels b = b_->labels();
  const std::size_t n = a_->data()->n;
  if (a.labels.size() != n || b.labels.size() != n) return;
  comparison_ = Comparison::running;
  sinceCompared_.start();
  worker_.post([this, a, b, resultA = a_->last(), resultB = b_->last(), d = a_->data()->d,
                matched = side_.seed.has_value(), epoch = epoch_] {
    const PairDifferencePtr found = differenceOf({*resultA, *resultB, a.labels, b.labels, d}, matched);
    toGui_.post([this, found, resultA, epoch] {
      const bool due = std::exchange(comparison_, Comparison::idle) == Comparison::runningAndDue;
      if (epoch == epoch_) {
        found_ = {found, resultA};
        Q_EMIT compared();
      }
      if (due) compare(a_ && rests());
    });
  });
}

} // namespace lloyd
