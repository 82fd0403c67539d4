// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/classes/class_watch.hpp"
#include "app/model/classes/confusion_model.hpp"

#include <QWidget>

class QTableView;

namespace lloyd {

class ElidedLabel;

/// How the clusters on the screen agree with the class of the points: two numbers and the confusion table,
/// which follow the run while they are seen.
class ClassPanel : public QWidget {
  Q_OBJECT
public:
  explicit ClassPanel(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] const ClassWatch& watch() const { return watch_; }
  [[nodiscard]] QTableView& table() { return *table_; }
  [[nodiscard]] QString sentence() const;

Q_SIGNALS:
  void hasClassChanged(bool has);

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

private:
  void renew();

  ClassWatch watch_;
  ConfusionModel model_;
  ElidedLabel* words_;
  QTableView* table_;
};

} // namespace lloyd
