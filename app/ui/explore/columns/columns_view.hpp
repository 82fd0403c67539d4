// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/model/table/column_table_model.hpp"

#include <QTableView>
#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QPushButton;

namespace lloyd {

/// Every column of the data with its role, which a person changes: a click on it, or Space or Enter on the
/// rows that are selected, opens the choice. Below it what helps: why a role was not given, the first rows, a
/// hint where one column decides alone, and the way around rows of another length. GUI thread.
class ColumnsView : public QWidget {
  Q_OBJECT
public:
  explicit ColumnsView(Session& session, QWidget* parent = nullptr);

  /// No file is offered without its ragged rows any more.
  void forgetRefused();

Q_SIGNALS:
  void requested(const lloyd::DataRequest& request);
  void standardWanted(); ///< scaling

private:
  void showData();
  void showHeight();
  void chooseRole(const QPoint& at);
  void giveRole(const std::vector<std::size_t>& columns, ColumnRole role);
  void sayRefusal(const QString& why);
  void showFirstRows();
  [[nodiscard]] std::vector<std::size_t> selected() const;

  Session& session_;
  ColumnTableModel model_;
  QTableView* table_;
  QLabel* refusal_; ///< why a role that was asked for was not given
  QLabel* hint_;
  QPushButton* standard_;
  QPushButton* firstRows_;
  QPushButton* dropRagged_;
  std::string refused_; ///< the source of the data that refusal_ is about
  DataRequest ragged_;  ///< what was refused last for its rows' lengths
};

} // namespace lloyd
