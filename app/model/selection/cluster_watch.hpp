// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/quality/cluster_numbers.hpp"
#include "app/model/session/device_lease.hpp"
#include "app/model/session/session.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <atomic>
#include <memory>
#include <vector>

namespace lloyd {

using ClusterNumbersPtr = std::shared_ptr<const ClusterNumbers>;

/// The numbers of a session's clusters, found on a thread of its own while somebody looks, a few times a
/// second at most while it plays, and the names that a person gives to clusters. Nothing is computed while
/// the machine is measured. Both must outlive it. GUI thread.
class ClusterWatch : public QObject {
  Q_OBJECT
public:
  ClusterWatch(Session& session, DeviceLease& lease, QObject* parent = nullptr);
  ~ClusterWatch() override;

  /// Whether somebody looks; false at first.
  void setWatched(bool watched);
  /// Null before the first; those of a state that was shown lately.
  [[nodiscard]] const ClusterNumbersPtr& numbers() const { return numbers_; }
  /// The points that numbers() are of.
  [[nodiscard]] const SharedPointSet& points() const { return points_; }
  /// Whether there are newer clusters than numbers() tells of.
  [[nodiscard]] bool behind() const { return due_ || cancel_ != nullptr; }

  /// What a person calls a cluster; empty: nothing. Names end with the run: with other points, another k,
  /// another seed or other first centroids. They are back once the session is at those of before without
  /// others given meanwhile.
  [[nodiscard]] QString name(std::size_t cluster) const;
  void setName(std::size_t cluster, const QString& name);
  /// "cluster 2", or "cluster 2, setosa".
  [[nodiscard]] QString title(std::size_t cluster) const;
  /// Names go on with clusters that get other numbers once the session has these settings. before: which each
  /// was; -1: none.
  void renumber(const std::vector<int>& before, const Settings& settings);
  /// By cluster; there may be fewer than clusters.
  [[nodiscard]] const std::vector<QString>& names() const { return names_; }
  /// Those of the session's present run.
  void setNames(std::vector<QString> names);

Q_SIGNALS:
  void changed();           ///< numbers() are others
  void named();             ///< a name is another
  void naming(int cluster); ///< a person gives one next

private:
  void note();
  void find();
  void forget();
  void forgetNames();

  static constexpr int pauseMs = 300;

  Session& session_;
  DeviceLease& lease_;
  bool watched_ = false;
  bool due_ = true;
  ClusterNumbersPtr numbers_;
  SharedPointSet points_;
  std::vector<QString> names_;
  Settings namedFor_; ///< where there are no names, what forgottenNames_ were for
  std::vector<QString> forgottenNames_;
  std::vector<QString> comingNames_; ///< with settings that the session is about to have
  Settings comingFor_;
  std::weak_ptr<const PointSet> namedPoints_;
  QTimer pause_;
  std::shared_ptr<std::atomic<bool>> cancel_; ///< of what is being found
  HandOver toGui_;
  WorkerThread worker_; // last: joined before what its tasks use is gone
};

} // namespace lloyd
