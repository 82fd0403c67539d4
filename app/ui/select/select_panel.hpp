// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/selection/point_selection.hpp"
#include "app/model/selection/selected_rows_model.hpp"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace lloyd {

class Actions;
class ElidedLabel;

/// What is selected: a field for a rule, what can be done, how many points it is, and the first of their rows
/// with the means of the columns.
class SelectPanel : public QWidget {
  Q_OBJECT
public:
  SelectPanel(Session& session, const Actions& actions, QWidget* parent = nullptr);

  [[nodiscard]] PointSelection& selection() { return selection_; }
  [[nodiscard]] QLineEdit& rule() { return *rule_; }
  [[nodiscard]] QTableView& table() { return *table_; }
  [[nodiscard]] QString sentence() const;
  /// Selects what the field says: Ctrl adds, Alt takes away.
  void applyRule(Combine combine);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void show();
  void forgetRule();
  void showRule(bool applied);

  Session& session_;
  PointSelection selection_;
  SelectedRowsModel rows_;
  QLabel* ruleName_;
  QLineEdit* rule_;
  ElidedLabel* words_;
  QTableView* table_;
  QString wrong_;          ///< with what was wanted last
  bool mistaken_ = false;  ///< it is the rule: what is selected is none of its answer
  bool ruleAsked_ = false; ///< what is selected, or nothing, is what meets the rule
};

} // namespace lloyd
