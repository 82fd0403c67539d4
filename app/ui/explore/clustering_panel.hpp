// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/ui/common/collapsible_section.hpp"

class QComboBox;
class QPushButton;
class QSpinBox;

namespace lloyd {

/// k, how the first centroids are chosen, and the seed.
class ClusteringPanel : public CollapsibleSection {
  Q_OBJECT
public:
  explicit ClusteringPanel(Session& session, QWidget* parent = nullptr);

Q_SIGNALS:
  void fileWanted(); ///< of first centroids

private:
  void showSettings();
  void apply();

  Session& session_;
  QSpinBox* k_;
  QComboBox* init_;
  QSpinBox* seed_;
  QPushButton* restart_;
};

} // namespace lloyd
