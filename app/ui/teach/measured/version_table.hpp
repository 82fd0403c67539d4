// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractItemModel>
#include <QColor>
#include <QTableView>

#include <functional>
#include <optional>

namespace lloyd {

/// The colour of a row in the bars above its table; none for a row that no bar has.
using RowColour = std::function<std::optional<QColor>(const QModelIndex& index)>;

/// Makes a quiet table of a version and the one before: it shows the model whole, and the pane around it
/// scrolls. The model must outlive it. colour: where the first column is the legend of bars.
void makeVersionTable(QTableView& table, QAbstractItemModel& model, RowColour colour = {});
/// As wide as its texts in the present font and as high as its rows. In less room, in logical pixels, names
/// in the first column take more lines, and no number is cut. Returns the width that everything needs.
/// rowSpace: of a row beside its text, in logical pixels.
int fitVersionTable(QTableView& table, int room = QWIDGETSIZE_MAX, int rowSpace = 5);

/// The width that everything needs, in the present font.
int versionTableWidth(const QTableView& table);

} // namespace lloyd
