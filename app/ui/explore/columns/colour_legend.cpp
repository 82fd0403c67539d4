// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/columns/colour_legend.hpp"

#include <QPainter>

namespace lloyd {

ColourLegend::ColourLegend(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setVisible(false);
}

void ColourLegend::setKey(const ColourKey& key) {
  key_ = key;
  setVisible(!key.empty());
  const QString all = key.ramp ? tr("From %1 to %2").arg(key.names.value(0), key.names.value(1))
                               : key.names.mid(0, ColourKey::mostNames).join(QStringLiteral(", "));
  setAccessibleName(tr("Colours: %1").arg(all));
  setToolTip(all);
  updateGeometry();
  update();
}

QSize ColourLegend::sizeHint() const { return {160, key_.lines() * colourKeyLine(font())}; }

void ColourLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintColourKey(painter, rect(), key_);
}

} // namespace lloyd
