// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/variant_list_model.hpp"

#include <QListView>
#include <QStyledItemDelegate>

namespace lloyd {

/// Paints a row: stage and version, name, a bar on the axis that all share, and the median in microseconds.
class LadderRowDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// The ladder of bars. A click or Enter on a row asks for its variant.
class VariantListView : public QListView {
  Q_OBJECT
public:
  explicit VariantListView(VariantListModel& model, QWidget* parent = nullptr);
  /// The stage of the current row, on which Page Up and Page Down work; none before one was touched.
  [[nodiscard]] std::optional<Stage> focusedStage() const;

Q_SIGNALS:
  void chosen(lloyd::Stage stage, const lloyd::Variant* variant);

private:
  void choose(const QModelIndex& index);
};

} // namespace lloyd
