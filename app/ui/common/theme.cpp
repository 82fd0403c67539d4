// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/theme.hpp"

#include <QApplication>
#include <QFile>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QStyle>
#include <QStyleFactory>
#include <QSvgRenderer>

namespace lloyd {

namespace {

bool darkIsCurrent = true;

QPalette paletteOf(const UiTheme& theme) {
  QPalette palette;
  palette.setColor(QPalette::Window, theme.window);
  palette.setColor(QPalette::WindowText, theme.text);
  palette.setColor(QPalette::Base, theme.panel);
  palette.setColor(QPalette::AlternateBase, theme.control);
  palette.setColor(QPalette::Text, theme.text);
  palette.setColor(QPalette::PlaceholderText, theme.dim);
  palette.setColor(QPalette::Button, theme.control);
  palette.setColor(QPalette::ButtonText, theme.text);
  palette.setColor(QPalette::BrightText, theme.alert);
  palette.setColor(QPalette::ToolTipBase, theme.control);
  palette.setColor(QPalette::ToolTipText, theme.text);
  palette.setColor(QPalette::Highlight, theme.accent);
  palette.setColor(QPalette::HighlightedText, theme.onAccent);
  palette.setColor(QPalette::Link, theme.accent);
  palette.setColor(QPalette::LinkVisited, theme.accent);
  palette.setColor(QPalette::Light, theme.line.lighter(130));
  palette.setColor(QPalette::Midlight, theme.line.lighter(115));
  palette.setColor(QPalette::Mid, theme.line);
  palette.setColor(QPalette::Dark, theme.line.darker(120));
  palette.setColor(QPalette::Shadow, QColor(0, 0, 0, theme.dark ? 160 : 60));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, theme.dim);
  }
  palette.setColor(QPalette::Disabled, QPalette::Highlight, theme.line);
  palette.setColor(QPalette::Disabled, QPalette::HighlightedText, theme.dim);
  return palette;
}

constexpr auto programSheet = R"(
QMainWindow::separator { background: %line; width: 1px; height: 1px; margin: 2px; }
QToolBar { background: %panel; border: none; border-bottom: 1px solid %line; spacing: 4px; padding: 3px 6px; }
QToolBar QToolButton { padding: 4px; border: 1px solid transparent; border-radius: 4px; }
QToolBar QToolButton:hover { background: %control; }
QToolBar QToolButton:focus { border-color: %accent; }
QToolBar QToolButton:checked { background: %control; color: %text; border-bottom: 2px solid %accent; }
QToolBar QToolButton:disabled { color: %dim; }
QMenuBar { background: %panel; }
QMenuBar::item { padding: 3px 8px; background: transparent; }
QMenuBar::item:selected { background: %control; }
QStatusBar { background: %panel; border-top: 1px solid %line; }
QStatusBar::item { border: none; }
QScrollArea#side, QScrollArea#side > QWidget > QWidget { background: %panel; }
QToolTip { color: %text; background: %control; border: 1px solid %line; padding: 4px; }
QLabel#caption, QLabel[dim="true"] { color: %dim; }
QLabel[alert="true"] { color: %alert; }
QLabel#caption { font-weight: bold; }
QTableView { gridline-color: transparent; border: none; }
QHeaderView { background: %panel; }
QHeaderView::section { background: %panel; color: %dim; border: none; border-bottom: 1px solid %line; padding: 2px 5px; }
QListView#ladder { border: none; }
QLabel#chip { border: 1px solid %line; border-radius: 8px; padding: 0px 8px; background: %control; }
QToolButton#colourBy { padding: 3px 5px; border: 1px solid %line; border-radius: 4px; background: %control; color: %text; }
QToolButton#colourBy:hover, QToolButton#colourBy:focus { border-color: %accent; }
QToolButton#colourBy:checked { background: %accent; color: %onAccent; border-color: %accent; font-weight: bold; }
QToolButton#colourBy:disabled { color: %dim; background: %panel; }
QToolButton#colourBy:checked:focus { border-color: %text; }
QLabel#simulatedBand { background: %control; color: %text; border-bottom: 2px solid %accent; }
QCheckBox::indicator:unchecked { width: 12px; height: 12px; border: 1px solid %dim; border-radius: 3px; background: %control; }
QCheckBox::indicator:unchecked:hover { border-color: %accent; }
QToolButton#section { border: none; font-weight: bold; padding: 4px 0px; color: %text; }
QToolButton#section:hover, QToolButton#section:focus { color: %accent; }
)";

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

const UiTheme& UiTheme::darkTheme() {
  static const UiTheme theme{true,      "#101216", "#0d0f12", "#181b21", "#252a32", "#343b46",
                             "#e7e9ed", "#a0a8b5", "#7fb2ff", "#0b1220", "#5a6575", "#ff9d8a"};
  return theme;
}

const UiTheme& UiTheme::lightTheme() {
  static const UiTheme theme{false,     "#f7f8fa", "#e6e9ee", "#fbfcfd", "#eceff3", "#cfd5de",
                             "#1b1f26", "#565f6d", "#1d5fc4", "#ffffff", "#9aa5b5", "#a8230f"};
  return theme;
}

QString UiTheme::styleSheet(const char* pattern) const {
  QString sheet = QString::fromLatin1(pattern);
  const std::pair<const char*, QColor> names[] = {
      {"%onAccent", onAccent}, {"%line", line}, {"%panel", panel}, {"%control", control},
      {"%accent", accent},     {"%text", text}, {"%dim", dim},     {"%alert", alert}};
  for (const auto& [name, colour] : names)
    sheet.replace(QLatin1String(name), colour.name());
  return sheet;
}

const UiTheme& UiTheme::current() { return darkIsCurrent ? darkTheme() : lightTheme(); }

void UiTheme::apply(QApplication& application, bool dark) {
  darkIsCurrent = dark;
  if (QApplication::style()->objectName() != QLatin1String("fusion")) {
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  }
  QApplication::setPalette(paletteOf(current()));
  application.setStyleSheet(current().styleSheet(programSheet));
}

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
