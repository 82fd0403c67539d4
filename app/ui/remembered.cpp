// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/remembered.hpp"

#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>

namespace lloyd {

namespace {

constexpr int leastVisible = 120; ///< pixels of the window that must be on a screen

bool visible(const QRect& frame) {
  for (const QScreen* screen : QGuiApplication::screens()) {
    const QRect part = screen->availableGeometry().intersected(frame);
    if (part.width() >= leastVisible && part.height() >= leastVisible) return true;
  }
  return false;
}

} // namespace

Remembered Remembered::read() {
  const QSettings settings;
  Remembered all;
  if (settings.status() != QSettings::NoError) return all;
  all.dark = settings.value(QStringLiteral("theme")).toString() != QLatin1String("light");
  all.trails = settings.value(QStringLiteral("trails"), true).toBool();
  all.geometry = settings.value(QStringLiteral("window/geometry")).toByteArray();
  all.panels = settings.value(QStringLiteral("window/panels")).toByteArray();
  return all;
}

void Remembered::write() const {
  QSettings settings;
  settings.setValue(QStringLiteral("theme"), dark ? QStringLiteral("dark") : QStringLiteral("light"));
  settings.setValue(QStringLiteral("trails"), trails);
  settings.setValue(QStringLiteral("window/geometry"), geometry);
  settings.setValue(QStringLiteral("window/panels"), panels);
}

bool restoreWindow(QMainWindow& window, const Remembered& remembered) {
  const QRect before = window.geometry();
  bool restored = !remembered.geometry.isEmpty() && window.restoreGeometry(remembered.geometry);
  const QRect now = window.frameGeometry();
  const QSize most = window.screen() ? window.screen()->availableVirtualSize() : QSize(16384, 16384);
  if (restored && (!visible(now) || now.width() > 2 * most.width() || now.height() > 2 * most.height())) {
    window.setWindowState(Qt::WindowNoState);
    window.setGeometry(before);
    restored = false;
  }
  if (!remembered.panels.isEmpty()) window.restoreState(remembered.panels, panelsVersion);
  return restored;
}

} // namespace lloyd
