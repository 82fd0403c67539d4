// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/projection/axes_finder.hpp"
#include "app/ui/common/collapsible_section.hpp"

#include <QTimer>

#include <array>

class QCheckBox;
class QComboBox;
class QProgressBar;
class QToolButton;

namespace lloyd {

/// By which columns or principal components the points are drawn, and how the eye sees them in space. Axes
/// that take a while to be found show how far they are, and can be cancelled.
class AxesPanel : public CollapsibleSection {
  Q_OBJECT
public:
  AxesPanel(const Session& session, AxesFinder& axes, QWidget* parent = nullptr);

  void showOrthographic(bool on);

Q_SIGNALS:
  void orthographicWanted(bool on);

private:
  void fill();
  void show();
  void choose();

  const Session& session_;
  AxesFinder& axes_;
  std::array<QComboBox*, 3> boxes_{};
  QCheckBox* orthographic_;
  QWidget* busy_;
  QProgressBar* progress_;
  QToolButton* cancel_;
  QTimer late_; ///< what is found at once shows no progress
};

/// The axes that a key shows: three principal components, or as many as there are; empty, the first columns,
/// where those are shown already.
[[nodiscard]] Axes toggledComponents(const AxesFinder& axes, const PointSet& points);

} // namespace lloyd
