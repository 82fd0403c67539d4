// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

class QAbstractItemModel;
class QTableView;

namespace lloyd {

/// What a table shows, headings first, parted by tabs, as spreadsheets take it.
[[nodiscard]] QString tableText(const QAbstractItemModel& model);

/// Copies the table with Ctrl+C while it has the keys, and from its context menu, which has any other action
/// of the table as well.
void offerCopy(QTableView& table);

} // namespace lloyd
