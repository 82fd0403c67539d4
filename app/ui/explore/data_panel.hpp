// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/ui/common/collapsible_section.hpp"

class QComboBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace lloyd {

class GeneratorRows;

/// Where the points come from, and what became of the file's rows and columns.
class DataPanel : public CollapsibleSection {
  Q_OBJECT
public:
  explicit DataPanel(Session& session, QWidget* parent = nullptr);

Q_SIGNALS:
  void openWanted();
  void requested(const lloyd::DataRequest& request);

private:
  void showData();
  void rescale(int index);
  void showGenerator();

  Session& session_;
  QPushButton* open_;
  QToolButton* generators_;
  QComboBox* scaling_;
  QLabel* source_;
  QLabel* rows_;
  QLabel* columns_;
  QLabel* remarks_;
  GeneratorRows* generator_ = nullptr;
};

} // namespace lloyd
