// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QWidget>

class QButtonGroup;
class QStackedWidget;

namespace lloyd {

class IssuePanel;
class PlannerPanel;
class Session;

/// What a launch's shape does to a multiprocessor, on two pages: how many blocks live on one, and how the
/// warps that do hide a load's latency.
class PlannerPages : public QWidget {
  Q_OBJECT
public:
  explicit PlannerPages(Session& session, QWidget* parent = nullptr);

  /// "residency" or "issue"; false for anything else.
  bool showPage(const QString& name);
  /// Of the page that is seen.
  void refresh();
  void renewColours();
  [[nodiscard]] PlannerPanel& planner() const { return *planner_; }
  [[nodiscard]] IssuePanel& issue() const { return *issue_; }

private:
  void add(QWidget* page, const char* name, const QString& word, const QString& toolTip);

  PlannerPanel* planner_;
  IssuePanel* issue_;
  QButtonGroup* switch_; ///< a button's number is its page's
  QStackedWidget* pages_;
};

} // namespace lloyd
