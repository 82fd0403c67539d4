// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/restarts/restart_list_model.hpp"
#include "app/model/restarts/restarts_runner.hpp"
#include "app/ui/view/cluster_colours.hpp"

#include <QListView>
#include <QWidget>

#include <cstddef>
#include <vector>

class QPushButton;
class QSpinBox;

namespace lloyd {

class ElidedLabel;
class RestartDelegate;

/// Runs from other first centroids as a strip of small pictures beneath the points: what each came to, and
/// which is the best. A click takes one over. Clusters have the colours of those on the screen that they lie
/// nearest to, so that what differs between runs is seen.
class RestartsStrip : public QWidget {
  Q_OBJECT
public:
  /// colours: those of the points on the screen; must outlive the strip.
  RestartsStrip(Session& session, DeviceLease& lease, const ClusterColours& colours,
                QWidget* parent = nullptr);

  [[nodiscard]] RestartsRunner& runner() { return runner_; }
  [[nodiscard]] QListView& list() { return *list_; }
  [[nodiscard]] QString sentence() const;
  /// How many runs to begin: junk becomes the nearest number that is allowed.
  void setCount(int count);
  [[nodiscard]] int count() const;
  /// Begins as many runs as the field says; while they go on, ends them.
  void startOrStop();
  /// The theme changed, or what colours stand for.
  void renewColours();

Q_SIGNALS:
  /// The session is about to go on from a run: the palette's colours that its picture has.
  void taking(const std::vector<std::size_t>& colours);
  void message(const QString& text, bool error);

protected:
  void showEvent(QShowEvent* event) override;

private:
  void showState();
  void takeOver(const QModelIndex& index);
  [[nodiscard]] std::vector<std::size_t> assignmentOf(const RestartRun& run) const;

  Session& session_;
  const ClusterColours& colours_;
  RestartsRunner runner_;
  RestartListModel model_;
  QSpinBox* count_;
  QPushButton* go_;
  ElidedLabel* words_;
  QListView* list_;
  RestartDelegate* delegate_;
  // The clusters on the screen when the runs were begun.
  std::vector<float> reference_; ///< [k][d] centroids
  std::vector<std::size_t> assignment_;
};

} // namespace lloyd
