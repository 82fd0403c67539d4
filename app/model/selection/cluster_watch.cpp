// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/cluster_watch.hpp"

#include "gpu/core/contract/error.hpp"

#include <new>
#include <utility>

namespace lloyd {

ClusterWatch::ClusterWatch(Session& session, DeviceLease& lease, QObject* parent)
    : QObject(parent), session_(session), lease_(lease) {
  pause_.setSingleShot(true);
  pause_.setInterval(pauseMs);
  connect(&pause_, &QTimer::timeout, this, &ClusterWatch::find);
  connect(&session_, &Session::iterated, this, &ClusterWatch::note);
  connect(&session_, &Session::stateChanged, this, [this] {
    if (due_) note(); // it may have come to rest
  });
  connect(&session_, &Session::dataChanged, this, &ClusterWatch::forget);
  for (const auto signal : {&Session::dataChanged, &Session::settingsChanged})
    connect(&session_, signal, this, &ClusterWatch::forgetNames);
  connect(
      &lease_, &DeviceLease::changed, this,
      [this] {
        if (due_) note();
      },
      Qt::QueuedConnection);
}

ClusterWatch::~ClusterWatch() {
  if (cancel_) *cancel_ = true;
}

void ClusterWatch::setWatched(bool watched) {
  if (std::exchange(watched_, watched) == watched || !watched) return;
  if (due_) find();
}

void ClusterWatch::note() {
  due_ = true;
  if (!watched_ || pause_.isActive()) return;
  // While it plays, numbers of every state would never be read; at rest they come at once.
  if (session_.playing() && !session_.converged())
    pause_.start();
  else
    find();
}

void ClusterWatch::forget() {
  if (cancel_) *cancel_ = true;
  cancel_.reset();
  due_ = true;
  points_.reset();
  if (std::exchange(numbers_, nullptr)) Q_EMIT changed();
}

void ClusterWatch::find() {
  const SharedPointSet points = session_.data();
  const IterationPtr last = session_.last();
  if (!watched_ || cancel_ || lease_.held() || !points || !last) return;
  if (static_cast<std::size_t>(session_.settings().k) * static_cast<std::size_t>(points->d) !=
      last->centroids.size())
    return; // the state of other settings, which are about to be taken up
  const ShownLabels labels = session_.labels();
  if (labels.labels.size() != points->n) return; // they are lent, or there are none yet
  due_ = false;
  const Frame frame = session_.frame();
  cancel_ = std::make_shared<std::atomic<bool>>(false);
  worker_.post([this, points, last, labels, frame, cancel = cancel_] {
    ClusterNumbersPtr found;
    try {
      const PointRows rows = points->drift && frame.positions
                                 ? PointRows{frame.positions->data(), frame.stride}
                                 : PointRows::of(*points);
      found = std::make_shared<const ClusterNumbers>(clusterNumbersOf(
          *points, rows, labels.labels, last->centroids, {.progress = {}, .cancel = cancel.get()}));
    } catch (const Cancelled&) {
    } catch (const std::bad_alloc&) { // the numbers before stay
    }
    toGui_.post([this, points, found, cancel] {
      if (cancel != cancel_) return;
      cancel_.reset();
      if (found) {
        numbers_ = found;
        points_ = points;
        Q_EMIT changed();
      }
      if (due_) note();
    });
  });
}

QString ClusterWatch::name(std::size_t cluster) const {
  return cluster < names_.size() ? names_[cluster] : QString();
}

void ClusterWatch::setName(std::size_t cluster, const QString& name) {
  const QString given = name.simplified();
  if (this->name(cluster) == given) return;
  Q_EMIT naming(static_cast<int>(cluster));
  if (names_.size() <= cluster) names_.resize(cluster + 1);
  names_[cluster] = given;
  while (!names_.empty() && names_.back().isEmpty())
    names_.pop_back();
  forgottenNames_.clear();
  namedFor_ = session_.settings();
  namedPoints_ = session_.data();
  Q_EMIT named();
}

void ClusterWatch::renumber(const std::vector<int>& before, const Settings& settings) {
  comingNames_.clear();
  for (const int number : before)
    comingNames_.push_back(number < 0 ? QString() : name(static_cast<std::size_t>(number)));
  comingFor_ = settings;
}

void ClusterWatch::setNames(std::vector<QString> names) {
  if (names == names_) return;
  names_ = std::move(names);
  forgottenNames_.clear();
  namedFor_ = session_.settings();
  namedPoints_ = session_.data();
  Q_EMIT named();
}

QString ClusterWatch::title(std::size_t cluster) const {
  const QString given = name(cluster);
  return given.isEmpty() ? tr("cluster %1").arg(cluster) : tr("cluster %1, %2").arg(cluster).arg(given);
}

void ClusterWatch::forgetNames() {
  const Settings& now = session_.settings();
  std::vector<QString> coming = std::exchange(comingNames_, {});
  const bool same = now.k == namedFor_.k && now.seed == namedFor_.seed && now.init == namedFor_.init &&
                    namedPoints_.lock() == session_.data();
  if (names_.empty()) {
    // The session may have taken back what it could not meet.
    if (!same || forgottenNames_.empty()) return;
    names_ = std::exchange(forgottenNames_, {});
    return Q_EMIT named();
  }
  if (!coming.empty() && now == comingFor_ && namedPoints_.lock() == session_.data()) {
    names_ = std::move(coming);
    namedFor_ = now;
    return Q_EMIT named();
  }
  if (same) return;
  forgottenNames_ = std::exchange(names_, {});
  Q_EMIT named();
}

} // namespace lloyd
