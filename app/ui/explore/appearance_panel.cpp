// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/appearance_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QSignalBlocker>
#include <QSlider>
#include <QStandardItemModel>

#include <cmath>

namespace lloyd {

namespace {

constexpr double stepFactor = 1.25; ///< of the point size, a step of the slider

} // namespace

AppearancePanel::AppearancePanel(QWidget* parent)
    : CollapsibleSection(tr("View"), parent), colours_(new QComboBox(this)),
      size_(new QSlider(Qt::Horizontal, this)), theme_(new QComboBox(this)),
      trails_(new QCheckBox(tr("Trails of the centroids"), this)) {
  colours_->setObjectName(QStringLiteral("colours"));
  colours_->addItem(tr("by cluster"), static_cast<int>(ClusterColours::By::palette));
  colours_->addItem(tr("mean colour"), static_cast<int>(ClusterColours::By::centroid));
  colours_->setToolTip(tr("What the colour of a point says"));
  colours_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  colours_->setMinimumContentsLength(10);
  addRow(tr("Colour"), colours_);
  size_->setRange(-7, 9);
  size_->setToolTip(tr("Point size, times what suits the number of points (+ and -)"));
  addRow(tr("Point size"), size_);
  theme_->addItem(tr("dark"), true);
  theme_->addItem(tr("light"), false);
  theme_->setToolTip(tr("Colours of the window (L)"));
  addRow(tr("Theme"), theme_);
  trails_->setToolTip(tr("Lines along which centroids came (T)"));
  addWide(trails_);

  connect(colours_, &QComboBox::activated, this,
          [this] { Q_EMIT coloursWanted(static_cast<ClusterColours::By>(colours_->currentData().toInt())); });
  connect(size_, &QSlider::valueChanged, this,
          [this](int step) { Q_EMIT sizeWanted(std::pow(stepFactor, step)); });
  connect(theme_, &QComboBox::activated, this, [this] { Q_EMIT darkWanted(theme_->currentData().toBool()); });
  connect(trails_, &QCheckBox::toggled, this, &AppearancePanel::trailsWanted);
}

void AppearancePanel::showColours(ClusterColours::By by, bool dataAreColours) {
  const QSignalBlocker blocker(colours_);
  colours_->setCurrentIndex(colours_->findData(static_cast<int>(by)));
  colours_->setItemData(1,
                        dataAreColours ? tr("The colour that the centroid stands for")
                                       : tr("Only for a photograph, whose points are colours themselves"),
                        Qt::ToolTipRole);
  if (auto* model = qobject_cast<QStandardItemModel*>(colours_->model()))
    model->item(1)->setEnabled(dataAreColours);
}

void AppearancePanel::showSize(double factor) {
  const QSignalBlocker blocker(size_);
  size_->setValue(static_cast<int>(std::lround(std::log(factor) / std::log(stepFactor))));
}

void AppearancePanel::showDark(bool dark) {
  const QSignalBlocker blocker(theme_);
  theme_->setCurrentIndex(theme_->findData(dark));
}

void AppearancePanel::showTrails(bool on) {
  const QSignalBlocker blocker(trails_);
  trails_->setChecked(on);
}

} // namespace lloyd
