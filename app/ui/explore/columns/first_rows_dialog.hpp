// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"

#include <QDialog>

namespace lloyd {

/// The first rows of the data in a table that scrolls both ways. GUI thread.
class FirstRowsDialog : public QDialog {
  Q_OBJECT
public:
  explicit FirstRowsDialog(const SharedPointSet& points, QWidget* parent = nullptr);
};

} // namespace lloyd
