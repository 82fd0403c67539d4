// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/window_settings.hpp"

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

WorkspacePanels readPanels(const QSettings& settings, const QString& workspace,
                           const WorkspacePanels& usual) {
  const auto shown = [&](const QString& panel, bool otherwise) {
    return settings.value(QStringLiteral("%1/%2").arg(workspace, panel), otherwise).toBool();
  };
  return {shown(QStringLiteral("side"), usual.side), shown(QStringLiteral("lower"), usual.lower)};
}

void writePanels(QSettings& settings, const QString& workspace, const WorkspacePanels& panels) {
  settings.setValue(workspace + QStringLiteral("/side"), panels.side);
  settings.setValue(workspace + QStringLiteral("/lower"), panels.lower);
}

} // namespace

WindowSettings WindowSettings::read() {
  const QSettings settings;
  WindowSettings all;
  if (settings.status() != QSettings::NoError) return all;
  all.dark = settings.value(QStringLiteral("theme")).toString() != QLatin1String("light");
  all.trails = settings.value(QStringLiteral("trails"), true).toBool();
  all.workspace =
      workspaceFrom(settings.value(QStringLiteral("workspace")).toString()).value_or(Workspace::explore);
  all.exploring = readPanels(settings, name(Workspace::explore), all.exploring);
  all.teaching = readPanels(settings, name(Workspace::teach), all.teaching);
  all.comparing = readPanels(settings, name(Workspace::compare), all.comparing);
  all.textStep = settings.value(QStringLiteral("teach/text"), 0).toInt();
  all.geometry = settings.value(QStringLiteral("window/geometry")).toByteArray();
  all.panels = settings.value(QStringLiteral("window/panels")).toByteArray();
  return all;
}

void WindowSettings::write() const {
  QSettings settings;
  settings.setValue(QStringLiteral("theme"), dark ? QStringLiteral("dark") : QStringLiteral("light"));
  settings.setValue(QStringLiteral("trails"), trails);
  settings.setValue(QStringLiteral("workspace"), name(workspace));
  writePanels(settings, name(Workspace::explore), exploring);
  writePanels(settings, name(Workspace::teach), teaching);
  writePanels(settings, name(Workspace::compare), comparing);
  settings.setValue(QStringLiteral("teach/text"), textStep);
  settings.setValue(QStringLiteral("window/geometry"), geometry);
  settings.setValue(QStringLiteral("window/panels"), panels);
}

bool restoreWindow(QMainWindow& window, const WindowSettings& remembered) {
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
