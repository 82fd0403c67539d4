// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/window_settings.hpp"

#include "app/ui/common/actions.hpp"

#include <QAction>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>

namespace lloyd {

namespace {

/// Folder and file below the person's settings; Qt reads nothing where the folder has no name.
QString storeName() { return QStringLiteral("lloydscope"); }

constexpr int leastVisible = 120; ///< pixels of the window that must be on a screen

bool visible(const QRect& frame) {
  for (const QScreen* screen : QGuiApplication::screens()) {
    const QRect part = screen->availableGeometry().intersected(frame);
    if (part.width() >= leastVisible && part.height() >= leastVisible) return true;
  }
  return false;
}

/// Cuts a window that was larger than its screen is now, and moves it onto the screen. One that fits stays as
/// it is: a window that was never shown takes its position for that of its frame, and any move would add it.
void fitScreen(QMainWindow& window) {
  if (!window.screen()) return;
  const QRect room = window.screen()->availableGeometry();
  constexpr QSize frame(16, 48); // a window that was never shown does not know its own
  const QSize size = window.size().boundedTo(room.size() - frame);
  if (size != window.size()) window.resize(size);
  const QPoint last =
      room.bottomRight() - QPoint(size.width() + frame.width(), size.height() + frame.height());
  const QPoint place(std::clamp(window.x(), room.left(), std::max(room.left(), last.x())),
                     std::clamp(window.y(), room.top(), std::max(room.top(), last.y())));
  if (place != window.pos()) window.move(place);
}

/// Whether there is a file, or nothing. A pipe in its place would be waited for as soon as Qt looks at it.
bool isFileOrNothing() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
  const QFileInfo file(QStringLiteral("%1/%2/%2.conf").arg(folder, storeName()));
  return !file.exists() || file.isFile();
}

constexpr Workspace workspaces[] = {Workspace::explore, Workspace::teach, Workspace::compare};

} // namespace

WindowSettings WindowSettings::read() {
  WindowSettings all;
  if (!isFileOrNothing()) return all;
  const QSettings settings(storeName(), storeName());
  if (settings.status() != QSettings::NoError) return all;
  const QString theme = settings.value(QStringLiteral("theme")).toString();
  if (theme == QLatin1String("dark") || theme == QLatin1String("light"))
    all.dark = theme == QLatin1String("dark");
  all.trails = settings.value(QStringLiteral("trails"), true).toBool();
  all.regions = settings.value(QStringLiteral("regions"), false).toBool();
  all.orthographic = settings.value(QStringLiteral("orthographic"), false).toBool();
  all.restarts = settings.value(QStringLiteral("restarts/shown"), false).toBool();
  all.hideCounters = settings.value(QStringLiteral("teach/hideCounters"), false).toBool();
  all.otherStarts = settings.value(QStringLiteral("restarts/unasked"), true).toBool();
  all.restartCount = settings.value(QStringLiteral("restarts/count"), all.restartCount).toInt();
  all.workspace =
      workspaceFrom(settings.value(QStringLiteral("workspace")).toString()).value_or(Workspace::explore);
  for (const Workspace workspace : workspaces) {
    WorkspacePanels& panels = all.panels[static_cast<std::size_t>(workspace)];
    panels.side = settings.value(name(workspace) + QStringLiteral("/side"), panels.side).toBool();
    panels.lower = settings.value(name(workspace) + QStringLiteral("/lower"), panels.lower).toBool();
  }
  all.explorePage = settings.value(QStringLiteral("explore/page")).toString();
  all.textStep = settings.value(QStringLiteral("teach/text"), 0).toInt();
  all.taught = settings.value(QStringLiteral("teach/variant")).toString();
  all.taughtStage = settings.value(QStringLiteral("teach/stage")).toString();
  all.profiledCard = settings.value(QStringLiteral("teach/card")).toString();
  all.teachPanes.source = settings.value(QStringLiteral("teach/source"), true).toBool();
  all.teachPanes.counters = settings.value(QStringLiteral("teach/counters"), true).toBool();
  const double part = settings.value(QStringLiteral("teach/countersPart"), 0).toDouble();
  all.teachPanes.countersPart = part > 0 && part < 1 ? part : 0;
  all.recent = settings.value(QStringLiteral("recent")).toStringList();
  all.geometry = settings.value(QStringLiteral("window/geometry")).toByteArray();
  all.arrangement = settings.value(QStringLiteral("window/panels")).toByteArray();
  const QVariantMap parts = settings.value(QStringLiteral("window/parts")).toMap();
  for (auto at = parts.begin(); at != parts.end(); ++at)
    if (const double dockPart = at->toDouble(); dockPart > 0 && dockPart < 1)
      all.dockParts[at.key()] = dockPart;
  return all;
}

void WindowSettings::write() const {
  if (!isFileOrNothing()) return;
  QSettings settings(storeName(), storeName());
  if (dark)
    settings.setValue(QStringLiteral("theme"), *dark ? QStringLiteral("dark") : QStringLiteral("light"));
  settings.setValue(QStringLiteral("trails"), trails);
  settings.setValue(QStringLiteral("regions"), regions);
  settings.setValue(QStringLiteral("orthographic"), orthographic);
  settings.setValue(QStringLiteral("restarts/shown"), restarts);
  settings.setValue(QStringLiteral("teach/hideCounters"), hideCounters);
  settings.setValue(QStringLiteral("restarts/count"), restartCount);
  settings.setValue(QStringLiteral("restarts/unasked"), otherStarts);
  settings.setValue(QStringLiteral("workspace"), name(workspace));
  for (const Workspace shown : workspaces) {
    const WorkspacePanels& seen = panels[static_cast<std::size_t>(shown)];
    settings.setValue(name(shown) + QStringLiteral("/side"), seen.side);
    settings.setValue(name(shown) + QStringLiteral("/lower"), seen.lower);
  }
  settings.setValue(QStringLiteral("explore/page"), explorePage);
  settings.setValue(QStringLiteral("teach/text"), textStep);
  settings.setValue(QStringLiteral("teach/variant"), taught);
  settings.setValue(QStringLiteral("teach/stage"), taughtStage);
  settings.setValue(QStringLiteral("teach/card"), profiledCard);
  settings.setValue(QStringLiteral("teach/source"), teachPanes.source);
  settings.setValue(QStringLiteral("teach/counters"), teachPanes.counters);
  settings.setValue(QStringLiteral("teach/countersPart"), teachPanes.countersPart);
  settings.setValue(QStringLiteral("recent"), recent);
  settings.setValue(QStringLiteral("window/geometry"), geometry);
  settings.setValue(QStringLiteral("window/panels"), arrangement);
  QVariantMap parts;
  for (const auto& [dock, part] : dockParts)
    parts[dock] = part;
  settings.setValue(QStringLiteral("window/parts"), parts);
}

void restoreLook(const Actions& actions, const WindowSettings& past) {
  actions[ActionId::trails]->setChecked(past.trails);
  actions[ActionId::regions]->setChecked(past.regions);
  actions[ActionId::orthographic]->setChecked(past.orthographic);
  actions[ActionId::restarts]->setChecked(past.restarts);
  actions[ActionId::hideCounters]->setChecked(past.hideCounters);
}

void rememberLook(const Actions& actions, WindowSettings& now) {
  now.trails = actions[ActionId::trails]->isChecked();
  now.regions = actions[ActionId::regions]->isChecked();
  now.orthographic = actions[ActionId::orthographic]->isChecked();
  now.restarts = actions[ActionId::restarts]->isChecked();
  now.hideCounters = actions[ActionId::hideCounters]->isChecked();
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
  if (restored && !window.isMaximized() && !window.isFullScreen()) fitScreen(window);
  if (!remembered.arrangement.isEmpty()) window.restoreState(remembered.arrangement, panelsVersion);
  return restored;
}

QString name(Workspace workspace) {
  const QString names[] = {QStringLiteral("explore"), QStringLiteral("teach"), QStringLiteral("compare")};
  return names[static_cast<std::size_t>(workspace)];
}

std::optional<Workspace> workspaceFrom(const QString& text) {
  for (const Workspace workspace : {Workspace::explore, Workspace::teach, Workspace::compare})
    if (text == name(workspace)) return workspace;
  return std::nullopt;
}

} // namespace lloyd
