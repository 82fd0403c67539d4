// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/workshop/broken_kernels.hpp"

#include <QDialog>

class QTreeWidget;

namespace lloyd {

/// Asks which of the kernels with a bug a person wants to look for: what goes wrong, and what it is that
/// does, a kernel of which stage or a schedule. GUI thread.
class BugDialog : public QDialog {
  Q_OBJECT
public:
  explicit BugDialog(QWidget* parent);
  [[nodiscard]] const BrokenKernel& chosen() const;
  [[nodiscard]] int number() const; ///< of it in the list, from 1

private:
  std::vector<BrokenKernel> kernels_; ///< kernels, then schedules
  QTreeWidget* list_;                 ///< a row for each of them
};

} // namespace lloyd
