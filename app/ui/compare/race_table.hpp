// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/race/race_table_model.hpp"

#include <QColor>
#include <QStyledItemDelegate>
#include <QTableView>

namespace lloyd {

/// The race as a table. As many columns are shown as fit, the most telling first; what is left out is in each
/// row's tooltip and in the copied text, and all columns can be asked for. Space ticks, Enter opens a folded
/// line or uses the variant, Ctrl+C copies.
class RaceTable : public QTableView {
  Q_OBJECT
public:
  explicit RaceTable(RaceTableModel& model, QWidget* parent = nullptr);

  /// The variant under the keyboard; null on a heading or a folded line.
  [[nodiscard]] const RaceEntry* currentEntry() const;
  /// Makes a variant's row the current one, when it is there.
  void showVariant(Stage stage, const Variant* variant);
  /// Whether the columns of gains on a baseline say more than those on the family's first.
  void setBaselineApart(bool apart);
  [[nodiscard]] bool showsAll() const { return showsAll_; }
  void setShowsAll(bool all);
  /// Chooses columns and their widths again.
  void arrange();
  [[nodiscard]] QSize sizeHint() const override { return {900, 260}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {300, 90}; }

Q_SIGNALS:
  void used();                  ///< the current variant is to be used in the run
  void compareAs(QChar letter); ///< the current variant is to be A or B
  void pinned();
  void copyWanted();

protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  [[nodiscard]] int widthOf(RaceColumn column) const;
  [[nodiscard]] bool useful(RaceColumn column) const;
  void span();
  void rememberCurrent();
  void restoreCurrent();

  RaceTableModel& model_;
  bool baselineApart_ = false;
  bool showsAll_ = false;
  Stage stage_ = Stage::classify; ///< of the current variant
  const Variant* variant_ = nullptr;
};

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
