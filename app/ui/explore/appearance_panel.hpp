// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/common/collapsible_section.hpp"
#include "app/ui/view/cluster_colours.hpp"

class QCheckBox;
class QComboBox;
class QSlider;

namespace lloyd {

/// How the points look.
class AppearancePanel : public CollapsibleSection {
  Q_OBJECT
public:
  explicit AppearancePanel(QWidget* parent = nullptr);

  void showColours(ClusterColours::By by, bool dataAreColours);
  void showSize(double factor);
  void showDark(bool dark);
  void showTrails(bool on);

Q_SIGNALS:
  void coloursWanted(lloyd::ClusterColours::By by);
  void sizeWanted(double factor);
  void darkWanted(bool dark);
  void trailsWanted(bool on);

private:
  QComboBox* colours_;
  QSlider* size_;
  QComboBox* theme_;
  QCheckBox* trails_;
};

} // namespace lloyd
