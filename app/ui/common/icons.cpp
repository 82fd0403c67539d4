// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/icons.hpp"

#include "app/ui/common/theme.hpp"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace lloyd {

namespace {

/// The drawings say currentColor, which Qt's SVG reader does not know; the colour is put into the text
/// instead.
QPixmap drawn(const QByteArray& svg, const QColor& colour, int size) {
  QByteArray coloured = svg;
  coloured.replace("currentColor", colour.name().toLatin1());
  QSvgRenderer renderer(coloured);
  QPixmap pixmap(size, size);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  renderer.render(&painter);
  return pixmap;
}

} // namespace

QIcon themedIcon(const QString& name) {
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QByteArray svg = file.readAll();
  const UiTheme& theme = UiTheme::current();
  QIcon icon;
  for (const int size : {16, 20, 24, 32, 40, 48, 64}) {
    icon.addPixmap(drawn(svg, theme.text, size), QIcon::Normal);
    icon.addPixmap(drawn(svg, theme.line, size), QIcon::Disabled);
  }
  return icon;
}

} // namespace lloyd
