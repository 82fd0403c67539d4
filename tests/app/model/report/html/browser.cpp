// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/model/report/html/browser.hpp"

#include "tests/app/cli/program.hpp"

#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QUrl>

namespace lloyd {
namespace {

/// Puts what the browser knows of the page into an element, where --dump-dom shows it.
constexpr const char* measuringScript = R"(<script>
const box = e => { const r = e.getBoundingClientRect(); return [r.x + scrollX, r.y + scrollY, r.width, r.height]; };
const plots = [...document.querySelectorAll('.plot svg')].map(svg => ({
  kind: svg.getAttribute('class'), box: box(svg),
  background: getComputedStyle(svg.closest('.plot')).backgroundColor,
  texts: [...svg.querySelectorAll('text')].map(text => ({ box: box(text), title: text.textContent })),
  marks: [...svg.querySelectorAll('.mark')].map(mark => {
    const painted = mark.matches('g') ? mark.querySelector('rect') : mark;
    const style = getComputedStyle(painted);
    const title = mark.querySelector('title');
    return { kind: mark.getAttribute('class'), box: box(painted), title: title ? title.textContent : '',
             colour: style.fill !== 'none' ? style.fill : style.stroke };
  })}));
const told = document.createElement('pre');
told.id = 'told';
told.textContent = btoa(unescape(encodeURIComponent(JSON.stringify({
  width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight, plots,
  cells: [...document.querySelectorAll('td')].map(cell => ({
    box: box(cell), card: box(cell.closest('.table')), title: cell.textContent })) }))));
document.body.textContent = '';
document.body.append(told);
</script>)";

QRectF rectOf(const QJsonValue& value) {
  const QJsonArray r = value.toArray();
  return {r[0].toDouble(), r[1].toDouble(), r[2].toDouble(), r[3].toDouble()};
}

/// "rgb(1, 2, 3)" and "rgba(1, 2, 3, 0.5)"
QColor colourOf(const QJsonValue& value) {
  static const QRegularExpression parts(QStringLiteral(R"(rgba?\((\d+), (\d+), (\d+))"));
  const auto found = parts.match(value.toString());
  return {found.captured(1).toInt(), found.captured(2).toInt(), found.captured(3).toInt()};
}

/// Every address and name in a net log, but for those of the browser's own files.
QStringList asked(const QJsonObject& log) {
  QStringList found;
  for (const auto& event : log["events"].toArray()) {
    const QJsonObject params = event.toObject()["params"].toObject();
    for (const char* key : {"url", "host", "original_url", "address"})
      if (const QString value = params[QLatin1String(key)].toString();
          !value.isEmpty() && !found.contains(value))
        found << value;
  }
  return found;
}

QString schemeOption(ColourScheme scheme) {
  return QStringLiteral("--blink-settings=preferredColorScheme=%1").arg(scheme == ColourScheme::dark ? 0 : 1);
}

QString sizeOption(const QSize& window) {
  return QStringLiteral("--window-size=%1,%2").arg(window.width()).arg(window.height());
}

} // namespace

QString Browser::program() {
  for (const char* name : {"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"})
    if (QString path = QStandardPaths::findExecutable(QLatin1String(name)); !path.isEmpty()) return path;
  return {};
}

QByteArray Browser::run(const QStringList& arguments, const QString& file) {
  QProcess process;
  const QStringList common{QStringLiteral("--headless"),
                           QStringLiteral("--no-sandbox"), // a test may be root, whom the sandbox refuses
                           QStringLiteral("--disable-gpu"),
                           QStringLiteral("--disable-dev-shm-usage"),
                           QStringLiteral("--hide-scrollbars"),
                           QStringLiteral("--no-first-run"),
                           QStringLiteral("--disable-background-networking"),
                           QStringLiteral("--disable-component-update"),
                           QStringLiteral("--disable-sync"),
                           QStringLiteral("--host-resolver-rules=MAP * ~NOTFOUND"),
                           QStringLiteral("--user-data-dir=%1/profile-%2").arg(folder_).arg(++starts_)};
  process.start(program(),
                common + arguments + QStringList{QUrl::fromLocalFile(file).toString(QUrl::FullyEncoded)});
  if (!process.waitForFinished(120'000)) process.kill();
  QByteArray out = process.readAllStandardOutput();
  said_ = process.readAllStandardError();
  return out;
}

QStringList Browser::requestsOf(const QString& file) {
  const QString log = QStringLiteral("%1/net-%2.json").arg(folder_).arg(starts_);
  run({QStringLiteral("--log-net-log=") + log, QStringLiteral("--net-log-capture-mode=Everything"),
       QStringLiteral("--dump-dom")},
      file);
  const QJsonDocument document = QJsonDocument::fromJson(readFile(log));
  if (!document.isObject()) return {QStringLiteral("there is no log")};
  return asked(document.object());
}

QImage Browser::screenshot(const QString& file, const QSize& window, ColourScheme scheme) {
  const QString picture = QStringLiteral("%1/picture-%2.png").arg(folder_).arg(starts_);
  run({QStringLiteral("--screenshot=") + picture, sizeOption(window), schemeOption(scheme)}, file);
  return QImage(picture).convertToFormat(QImage::Format_RGB32);
}

ShownPage Browser::layout(const QString& file, const QSize& window, ColourScheme scheme) {
  static const QRegularExpression policy(
      QStringLiteral("<meta http-equiv=\"Content-Security-Policy\"[^>]*>"));
  QString page = QString::fromUtf8(readFile(file));
  page.remove(policy);
  page.replace(QStringLiteral("</body>"), QLatin1String(measuringScript) + QStringLiteral("</body>"));
  const QString copy = QStringLiteral("%1/measured-%2.html").arg(folder_).arg(starts_);
  if (!writeFile(copy, page.toUtf8())) return {};
  const QString dom =
      QString::fromUtf8(run({QStringLiteral("--dump-dom"), sizeOption(window), schemeOption(scheme)}, copy));
  static const QRegularExpression told(QStringLiteral("<pre id=\"told\">([A-Za-z0-9+/=]*)</pre>"));
  const QJsonObject json =
      QJsonDocument::fromJson(QByteArray::fromBase64(told.match(dom).captured(1).toLatin1())).object();
  ShownPage shown;
  shown.content = {json["width"].toInt(), json["height"].toInt()};
  for (const auto& value : json["plots"].toArray()) {
    const QJsonObject plot = value.toObject();
    ShownPlot& added = shown.plots.emplace_back();
    added.kind = plot["kind"].toString();
    added.box = rectOf(plot["box"]);
    added.background = colourOf(plot["background"]);
    for (const auto& one : plot["texts"].toArray())
      added.texts.push_back({rectOf(one.toObject()["box"]), added.box, one.toObject()["title"].toString()});
    for (const auto& one : plot["marks"].toArray()) {
      const QJsonObject mark = one.toObject();
      added.marks.push_back(
          {mark["kind"].toString(), rectOf(mark["box"]), colourOf(mark["colour"]), mark["title"].toString()});
    }
  }
  for (const auto& value : json["cells"].toArray()) {
    const QJsonObject cell = value.toObject();
    shown.cells.push_back({rectOf(cell["box"]), rectOf(cell["card"]), cell["title"].toString()});
  }
  return shown;
}

} // namespace lloyd
