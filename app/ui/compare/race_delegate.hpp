// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QStyledItemDelegate>

namespace lloyd {

/// Text colours of what is faster and slower than the baseline, in the present theme. Never the only sign.
[[nodiscard]] QColor fasterColour();
[[nodiscard]] QColor slowerColour();

/// Paints the race's table: headings with the axis of their bars, bars with whiskers and the baseline's line,
/// the letters of the compared pair, folded lines.
class RaceDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
  static void paintHeading(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index);
  static void paintReason(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index);
  static void paintBar(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index);
  static void paintVariant(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index);
};

} // namespace lloyd
