// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/pair/paired_run.hpp"

#include "app/model/pair/pair_position.hpp"
#include "app/text/numbers.hpp"

#include <QMetaObject>

#include <cstring>
#include <utility>

// How B is kept in step with A. What they disagree in is in paired_run_compare.cpp.

namespace lloyd {

PairedRun::PairedRun(Session& a, QObject* parent, KMeansRunner::DeviceFactory factory)
    : QObject(parent), a_(&a), factory_(std::move(factory)), known_(a.last()) {
  connect(&a, &Session::dataChanged, this, &PairedRun::dataChangedAtA);
  connect(&a, &Session::seeded, this, &PairedRun::seededAtA);
  connect(&a, &Session::iterated, this, &PairedRun::iteratedAtA);
  connect(&a, &Session::stateChanged, this, [this] {
    if (b_ && !a_->playing() && !upToDate()) compare(true);
  });
  connect(&a, &Session::settingsChanged, this, [this] {
    if (!b_ || !why_.isEmpty()) return;
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

void PairedRun::setActive(bool active) {
  if (active_ == active) return;
  active_ = active;
  why_.clear();
  active ? begin() : end();
}

void PairedRun::setSide(const SideChoice& side) {
  if (side == side_ && why_.isEmpty()) return;
  const bool seededApart = side.seed != side_.seed;
  side_ = side;
  if (!active_) return;
  why_.clear();
  if (!b_) return begin();
  forgetDifference();
  leadDue_ = leadDue_ || seededApart;
  asked_ = false; // a step that is under way ends with the change
  b_->setSettings(settingsOfB());
  follow();
}

void PairedRun::begin() {
  if (!a_) return;
  b_ = std::make_unique<Session>(nullptr, factory_);
  Session* b = b_.get();
  connect(b, &Session::seeded, this, &PairedRun::seededAtB);
  connect(b, &Session::joined, this, [this] { joining_ = false; });
  connect(b, &Session::iterated, this, [this] {
    asked_ = false;
    follow();
    if (a_) a_->gateMoved();
  });
  connect(b, &Session::message, this, [this](const QString& text, bool error) {
    error ? fail(text) : message(tr("Side B: %1").arg(text), false);
  });
  joining_ = seeding_ = asked_ = false;
  leadDue_ = true;
  a_->setIterationBarrier([this] { return !b_ || !why_.isEmpty() || inStep(); });
  b->setSettings(settingsOfB());
  if (a_->data() && !stale_) b->adopt(a_->data(), a_->request());
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
  if (!why_.isEmpty()) return;
  why_ = tr("Side B stopped: %1").arg(reason);
  if (!why_.endsWith(QLatin1Char('.'))) why_ += QLatin1Char('.');
  disconnect(b_.get(), nullptr, this, nullptr);
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (why_.isEmpty()) return; // there has been another try
        end();
        message(tr("%1 Side A goes on alone.").arg(why_), true);
      },
      Qt::QueuedConnection);
}

Settings PairedRun::settingsOfB() const {
  Settings settings = a_->settings();
  if (known_ && a_->data())
    settings.k = static_cast<int>(known_->centroids.size() / static_cast<std::size_t>(a_->data()->d));
  settings.backend = side_.backend;
  settings.selection = side_.selection;
  // A buffer that A must share may be one that B cannot.
  if (settings.interop == InteropRequest::shared) settings.interop = InteropRequest::automatic;
  if (side_.seed) settings.seed = *side_.seed;
  return settings;
}

bool PairedRun::sharesPoints() const {
  const bool part = side_.backend == BackendRequest::simt && a_->data()->n > Session::executorPoints;
  return !part;
}

bool PairedRun::inStep() const {
  if (!a_ || !b_ || !known_ || stale_ || leadDue_ || joining_ || seeding_ || asked_) return false;
  return a_->last() == known_ && b_->last() && positionOf(*known_) == positionOf(*b_->last());
}

void PairedRun::dataChangedAtA() {
  stale_ = true;
  fresh_ = false;
  known_.reset();
  forgetDifference();
  if (!b_ || !why_.isEmpty()) return;
  leadDue_ = true;
  joining_ = seeding_ = asked_ = false;
  b_->adopt(a_->data(), a_->request());
}

void PairedRun::seededAtA() {
  stale_ = false;
  fresh_ = true;
  leadDue_ = true;
  known_.reset();
  forgetDifference();
}

void PairedRun::iteratedAtA(const IterationPtr& result) {
  if (stale_) return;
  const IterationPtr before = std::exchange(known_, result);
  if (before && !before->halfway && result->iteration == before->iteration + 1)
    usedBefore_ = before->iteration > 0 ? before->usedCentroids : std::vector<float>();
  if (!b_ || !why_.isEmpty()) {
    fresh_ = false;
    return;
  }
  if (before && !leadDue_) carryMoves(*before, *result);
  follow();
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
    asked_ = true; // the look at its labels
    const auto first = begin.begin() + static_cast<std::ptrdiff_t>(c * d);
    b_->moveCentroid(static_cast<int>(c), std::vector<float>(first, first + static_cast<std::ptrdiff_t>(d)));
  }
}

void PairedRun::seededAtB() {
  if (std::exchange(seeding_, false) || joining_) return;
  leadDue_ = true; // another device: what it had is gone
  asked_ = false;
}

/// Brings B nearer to what A shows. Compares where both are, so that it may be called at any time.
void PairedRun::follow() {
  if (!b_ || !a_ || !known_ || stale_ || !why_.isEmpty()) return;
  if (leadDue_) return lead();
  if (joining_ || seeding_ || asked_ || !b_->last()) return;
  const int there = positionOf(*known_);
  const int here = positionOf(*b_->last());
  if (here == there) return arrived();
  if (here > there && !b_->canStepBack()) return lead();
  asked_ = true;
  if (here > there)
    b_->stepBack();
  else
    there - here == 1 && known_->halfway ? b_->halfStep() : b_->step();
}

/// Gives B the state that A shows or, when that is the first of a run, the one that the run began with.
void PairedRun::lead() {
  leadDue_ = asked_ = false;
  const bool fresh = std::exchange(fresh_, false);
  const bool middle = !fresh && positionOf(*known_) > 0;
  if (middle && (side_.seed || !sharesPoints())) {
    message(tr("Both sides begin again: side B cannot take up this run in its middle"), false);
    return a_->restart();
  }
  if (side_.seed) {
    seeding_ = true;
    b_->setSettings(settingsOfB());
    if (b_ && seeding_) b_->restart();
    return;
  }
  RunState state{*known_, {}, a_->moment()};
  if (fresh && positionOf(*known_) > 0) {
    state.moment -= 1;
    state.result = {};
    state.result.usedCentroids = state.result.centroids = known_->usedCentroids;
  } else if (known_->halfway) {
    state.usedBefore = usedBefore_;
  }
  if (!a_->data()->drift) state.moment = 0;
  state.result.times = {};
  joining_ = true;
  b_->setSettings(settingsOfB());
  if (why_.isEmpty()) b_->join(state);
}

void PairedRun::arrived() {
  compare(!a_->playing());
  Q_EMIT caughtUp();
}

// What the two sides disagree in, found beside the runs.

namespace {

constexpr qint64 leastMs = 100; ///< between two comparisons of a run that plays

/// Labels with what keeps them.
struct Held {
  std::shared_ptr<const void> owner;
  std::span<const Label> labels;
};

Held labelsOf(const Session& session, const PairedRun::LabelReader& reader) {
  if (session.sharing() != Sharing::shared) {
    const auto labels = session.frame().labels;
    return labels ? Held{labels, {labels->data(), labels->size()}} : Held{};
  }
  if (!reader) return {};
  const auto read = std::make_shared<const std::vector<Label>>(reader());
  return {read, {read->data(), read->size()}};
}

} // namespace

void PairedRun::wantDifferences(bool wanted) {
  wanted_ = wanted;
  if (wanted) compare(true);
}

void PairedRun::setLabelReaders(LabelReader a, LabelReader b) {
  readA_ = std::move(a);
  readB_ = std::move(b);
}

QString PairedRun::whyNotCompared() const {
  if (!b_) return why_;
  if (!a_ || !a_->data() || !b_->data()) return tr("There is nothing to compare yet.");
  if (a_->data() == b_->data()) return {};
  return tr("Labels are not compared: side A has %1 points and side B %2, as many as the SIMT simulator is "
            "given.")
      .arg(countText(a_->data()->n), countText(b_->data()->n));
}

/// What is being found is of points, a run or a side that are gone.
void PairedRun::forgetDifference() {
  ++epoch_;
  comparedAt_.reset();
  if (!std::exchange(difference_, nullptr)) return;
  Q_EMIT compared();
}

/// now: however recent the last comparison is. Skipped ones are made up for when the run pauses.
void PairedRun::compare(bool now) {
  if (!wanted_ || !inStep()) return;
  if (comparing_) {
    compareDue_ = true;
    return;
  }
  if (!now && sinceCompared_.isValid() && sinceCompared_.elapsed() < leastMs) return;
  if (!whyNotCompared().isEmpty()) {
    if (difference_) forgetDifference();
    return;
  }
  const Held a = labelsOf(*a_, readA_);
  const Held b = labelsOf(*b_, readB_);
  const std::size_t n = a_->data()->n;
  if (a.labels.size() != n || b.labels.size() != n) return;
  comparing_ = true;
  compareDue_ = false;
  sinceCompared_.start();
  worker_.post([this, a, b, resultA = a_->last(), resultB = b_->last(), d = a_->data()->d,
                matched = side_.seed.has_value(), epoch = epoch_] {
    const PairDifferencePtr found = differenceOf({*resultA, *resultB, a.labels, b.labels, d}, matched);
    QMetaObject::invokeMethod(this, [this, found, resultA, epoch] {
      comparing_ = false;
      if (epoch == epoch_) {
        difference_ = found;
        comparedAt_ = resultA;
        Q_EMIT compared();
      }
      if (std::exchange(compareDue_, false)) compare(a_ && !a_->playing());
    });
  });
}

} // namespace lloyd
