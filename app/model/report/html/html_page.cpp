// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/html_page.hpp"

#include "app/model/report/html/svg_chart.hpp"
#include "app/text/strings.hpp"

#include <QFile>

namespace lloyd {
namespace {

QString styleSheet() {
  initTexts();
  QFile file(QStringLiteral(":/report/report.css"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QString::fromUtf8(file.readAll())
      .replace(QStringLiteral("/*light*/"), plotColourVariables(false))
      .replace(QStringLiteral("/*dark*/"), plotColourVariables(true))
      .replace(QStringLiteral("/*rules*/"), plotColourRules());
}

} // namespace

void openPage(Markup& page, const QString& title) {
  page.raw(QStringLiteral("<!DOCTYPE html>\n"));
  page.open("html", {{"lang", QStringLiteral("en")}});
  page.open("head");
  page.empty("meta", {{"charset", QStringLiteral("utf-8")}});
  // The page forbids itself every request, whatever a name in it might try.
  page.empty("meta",
             {{"http-equiv", QStringLiteral("Content-Security-Policy")},
              {"content", QStringLiteral("default-src 'none'; style-src 'unsafe-inline'; img-src data:")}});
  page.empty("meta", {{"name", QStringLiteral("viewport")},
                      {"content", QStringLiteral("width=device-width, initial-scale=1")}});
  page.empty("meta", {{"name", QStringLiteral("color-scheme")}, {"content", QStringLiteral("light dark")}});
  page.empty("meta", {{"name", QStringLiteral("generator")},
                      {"content", QStringLiteral("lloydscope " LLOYD_VERSION)}});
  // Without an icon of its own a browser would ask the server for one.
  page.empty("link", {{"rel", QStringLiteral("icon")}, {"href", QStringLiteral("data:,")}});
  page.element("title", title);
  page.open("style");
  page.raw(styleSheet());
  page.close();
  page.close();
  page.open("body");
}

void closePage(Markup& page) {
  page.close();
  page.close();
}

void openTable(Markup& page, const std::vector<TableHeading>& headings) {
  page.open("div", {{"class", QStringLiteral("table")}, {"tabindex", QStringLiteral("0")}});
  page.open("table");
  page.open("thead");
  page.open("tr");
  for (const auto& [text, definition, marks] : headings)
    page.element("th", text, {{"scope", QStringLiteral("col")}, {"title", definition}, {"class", marks}});
  page.close();
  page.close();
  page.open("tbody");
}

void closeTable(Markup& page) {
  for (int element = 0; element < 3; ++element)
    page.close();
}

void writeFacts(Markup& page, const std::vector<PageFact>& facts) {
  page.open("dl", {{"class", QStringLiteral("facts")}});
  for (const auto& [fact, value, command] : facts) {
    page.element("dt", fact);
    page.open("dd");
    // A file's name may hold marks that turn the direction of writing; they end here.
    page.element(command ? "code" : "bdi", value);
    page.close();
  }
  page.close();
}

} // namespace lloyd
