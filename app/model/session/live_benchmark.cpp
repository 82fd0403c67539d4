// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/live_benchmark.hpp"

#include "app/model/compute/settings.hpp"
#include "app/model/session/variant_list_model.hpp"

namespace lloyd {

namespace {

// Two of them are warm-up. An iteration on the simulator takes a good part of a second, and its times only
// say which variants are much work.
constexpr int iterationsEach = 8;
constexpr int iterationsOnSimulator = 4;
constexpr int patienceMs = 4000; ///< for one variant

} // namespace

LiveBenchmark::LiveBenchmark(Session& session, DeviceLease& lease, QObject* parent)
    : QObject(parent), session_(session), lease_(lease) {
  patience_.setSingleShot(true);
  connect(&patience_, &QTimer::timeout, this, &LiveBenchmark::next);
  connect(&session_, &Session::iterated, this, &LiveBenchmark::iterated);
  connect(&session_, &Session::settingsChanged, this, &LiveBenchmark::settingsChanged);
  connect(&session_, &Session::dataChanged, this, [this] {
    if (running_) finish(true, false);
  });
  connect(&lease_, &DeviceLease::changed, this, [this] {
    if (running_ && hold_ && !lease_.has(hold_)) finish(true, false);
  });
}

/// Every row of the ladder that can run; the update has one variant and is timed anyway.
void LiveBenchmark::plan() {
  stops_.clear();
  at_ = 0;
  const SharedPointSet data = session_.data();
  VariantListModel ladder;
  ladder.setProblem({data->n, data->d, session_.settings().k}, session_.device(), {});
  for (const LadderRow& row : ladder.rows()) {
    if (row.whyNot.isEmpty() && row.stage != Stage::update) stops_.push_back({row.stage, row.variant});
  }
}

void LiveBenchmark::start() {
  if (running_ || lease_.held() || !session_.data() || session_.device().name.empty()) return;
  plan();
  if (stops_.empty()) return;
  before_ = session_.settings().selection;
  wasPlaying_ = session_.playing();
  running_ = true;
  hold_ = lease_.takeUntilWanted();
  if (!wasPlaying_) session_.play();
  at_ = static_cast<std::size_t>(-1);
  next();
}

void LiveBenchmark::next() {
  if (!running_) return;
  ++at_;
  seen_ = 0;
  if (at_ >= stops_.size()) return finish(true, true);
  const Stop& stop = stops_[at_];
  Settings settings = session_.settings();
  settings.selection = withVariant(settings.selection, session_.plan(), stop.stage, *stop.variant);
  Q_EMIT progressed(static_cast<int>(at_) + 1, static_cast<int>(stops_.size()),
                    QString::fromStdString(stop.variant->id()));
  tried_ = settings.selection;
  changing_ = true;
  session_.setSettings(settings);
  changing_ = false;
  patience_.start(patienceMs);
}

void LiveBenchmark::iterated() {
  if (!running_ || at_ >= stops_.size()) return;
  // Still data converge in the middle of it; the same run again gives the rest of the samples.
  if (session_.converged())
    QMetaObject::invokeMethod(
        this,
        [this] {
          if (running_) session_.play();
        },
        Qt::QueuedConnection);
  if (session_.plan().of(stops_[at_].stage) != stops_[at_].variant) return;
  // Others hear of this iteration still: the session is not changed before they have.
  if (++seen_ >= (session_.simulated() ? iterationsOnSimulator : iterationsEach)) patience_.start(0);
}

void LiveBenchmark::settingsChanged() {
  if (!running_ || changing_) return;
  if (session_.settings().selection != tried_) return finish(false, false);
  // A session is not changed inside its own signal.
  patience_.stop();
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (running_) finish(true, false);
      },
      Qt::QueuedConnection);
}

void LiveBenchmark::finish(bool goBack, bool complete) {
  running_ = false;
  patience_.stop();
  if (goBack) {
    Settings settings = session_.settings();
    settings.selection = before_;
    changing_ = true;
    session_.setSettings(settings);
    changing_ = false;
  }
  if (!wasPlaying_) session_.pause();
  hold_.reset();
  Q_EMIT ended(complete);
}

} // namespace lloyd
