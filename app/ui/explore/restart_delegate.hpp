// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/restarts/restarts_runner.hpp"
#include "app/render/points/colour.hpp"

#include <QHash>
#include <QPixmap>
#include <QStyledItemDelegate>

#include <functional>
#include <vector>

namespace lloyd {

/// Paints a run as a small picture of its points, and beneath it its inertia and what that is against the
/// best. Pictures are kept until forget().
class RestartDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  /// The colour of each cluster of a run.
  using Colours = std::function<std::vector<Rgb>(const RestartRun& run)>;

  RestartDelegate(Colours colours, QObject* parent);

  /// Colours are others, or the runs are.
  void forget() { pictures_.clear(); }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
  [[nodiscard]] const QPixmap& pictureOf(const RestartRun& run, double scale) const;

  Colours colours_;
  mutable QHash<const RestartRun*, QPixmap> pictures_;
};

} // namespace lloyd
