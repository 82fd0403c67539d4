// SPDX-License-Identifier: GPL-3.0-or-later
// The report of the real program in a real browser: it asks nothing of the network, its plots are there, and
// what they claim to show is seen in the picture, in light and in dark.
#include "tests/app/cli/program.hpp"
#include "tests/app/model/report/html/browser.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lloyd;

namespace {

constexpr QSize desktop{1200, 14000}; ///< all of the report at once
constexpr QSize phone{390, 844};

/// The part of a box, in a picture of the page, whose pixels satisfy wanted.
template <class Wanted>
double partOf(const QImage& picture, const QRectF& box, const Wanted& wanted) {
  const QRect area = box.toAlignedRect().intersected(picture.rect());
  qint64 count = 0;
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x)
      count += wanted(QColor(picture.pixel(x, y))) ? 1 : 0;
  const qint64 all = qint64{area.width()} * area.height();
  return all > 0 ? static_cast<double>(count) / static_cast<double>(all) : 0;
}

int difference(const QColor& a, const QColor& b) {
  return std::max(
      {std::abs(a.red() - b.red()), std::abs(a.green() - b.green()), std::abs(a.blue() - b.blue())});
}

const ShownPlot* plotCalled(const ShownPage& page, const QString& kind) {
  for (const ShownPlot& plot : page.plots)
    if (plot.kind.startsWith(kind)) return &plot;
  return nullptr;
}

} // namespace

class TestReportHtml : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString report_ = folder_.filePath(QStringLiteral("report.html"));
  Browser browser_{folder_.path()};

private slots:
  void initTestCase() {
    if (Browser::program().isEmpty())
      QSKIP("no Chromium: install chromium-headless-shell to have the report opened in a browser");
    const Outcome outcome = runProgram({"bench", "--points", "blobs:d=2", "--n", "2000,5000", "--ks", "4,8",
                                        "--backend", "cpu", "--budget", "0.3", "--quiet", "--html", report_});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
  }

  void itAsksNothingOfTheNetwork() {
    for (const QString& request : browser_.requestsOf(report_))
      QVERIFY2(request.startsWith("file:///") || request == "data:,",
               qPrintable(request + '\n' + browser_.said()));
  }

  /// The check above would see a request if there were one.
  void aRequestWouldBeSeen() {
    const QString asking = folder_.filePath("asking.html");
    QVERIFY(
        writeFile(asking, "<!DOCTYPE html><title>x</title><body><img src=\"http://lloydscope.test/x.png\">"));
    const QStringList requests = browser_.requestsOf(asking);
    QVERIFY2(std::any_of(requests.begin(), requests.end(),
                         [](const QString& request) { return request.contains("lloydscope.test"); }),
             qPrintable(requests.join('\n') + browser_.said()));
  }

  void plotsAreSeen_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void plotsAreSeen() {
    QFETCH(bool, dark);
    const ColourScheme scheme = dark ? ColourScheme::dark : ColourScheme::light;
    const ShownPage page = browser_.layout(report_, desktop, scheme);
    QVERIFY2(page.content.height() <= desktop.height(), qPrintable(QString::number(page.content.height())));
    const QImage picture = browser_.screenshot(report_, desktop, scheme);
    QCOMPARE(picture.size(), desktop);
    QVERIFY((qGray(picture.pixel(2, 2)) < 128) == dark);
    for (const char* kind : {"ladder", "distribution", "roofline", "sweep map"})
      QVERIFY2(plotCalled(page, kind), kind);
    for (const ShownPlot& plot : page.plots) {
      const double least = plot.kind.startsWith("scale") ? 40 : 80; // of colours a strip with its numbers
      QVERIFY2(plot.box.width() >= 400 && plot.box.height() >= least, qPrintable(plot.kind));
      QVERIFY2(plot.marks.size() >= 4, qPrintable(plot.kind));
      const double ink =
          partOf(picture, plot.box, [&](const QColor& c) { return difference(c, plot.background) > 24; });
      QVERIFY2(ink > 0.01, qPrintable(QStringLiteral("%1: %2").arg(plot.kind).arg(ink)));
    }
  }

  /// Bars, cells and points have the colours and the places that the page says they have.
  void marksAreSeenWhereTheyStand() {
    const ShownPage page = browser_.layout(report_, desktop, ColourScheme::light);
    const QImage picture = browser_.screenshot(report_, desktop, ColourScheme::light);
    int checked = 0;
    for (const ShownPlot& plot : page.plots)
      for (const ShownMark& mark : plot.marks) {
        // A line that is no wider than its stroke has a box of no width, which nothing contains.
        QVERIFY2(plot.box.adjusted(-1, -1, 2, 2).contains(mark.box.adjusted(0, 0, 1, 1)),
                 qPrintable(mark.kind + mark.title));
        QVERIFY2(!mark.title.isEmpty(), qPrintable(mark.kind));
        const bool bar = mark.kind.startsWith("mark bar") && plot.kind == "ladder";
        const bool cell = mark.kind.startsWith("mark cell");
        const bool point = mark.kind.startsWith("mark point");
        if (!bar && !cell && !point) continue;
        if (mark.box.width() < 8) continue; // a bar this short is covered by its whisker and its limit
        // Times decide whether two points lie on each other, so a point has only to be ink of some colour.
        const double filled = partOf(picture, mark.box, [&](const QColor& c) {
          return point ? difference(c, plot.background) > 24 : difference(c, mark.colour) <= 24;
        });
        QVERIFY2(filled > 0.2,
                 qPrintable(QStringLiteral("%1 %2: %3").arg(mark.kind, mark.title).arg(filled)));
        ++checked;
      }
    QVERIFY2(checked >= 20, qPrintable(QString::number(checked)));
  }

  /// No label of a bar, and no number, is cut by the edge of its picture; what a reader must see of a row
  /// first, whether it is right and how long it took, needs no scrolling.
  void wordsAreWithinTheirPicturesAndCards() {
    const ShownPage page = browser_.layout(report_, desktop, ColourScheme::light);
    int texts = 0;
    for (const ShownPlot& plot : page.plots)
      for (const ShownText& text : plot.texts) {
        QVERIFY2(text.frame.contains(text.box), qPrintable(plot.kind + ": " + text.text));
        ++texts;
      }
    QVERIFY2(texts > 40, qPrintable(QString::number(texts)));
    int seen = 0;
    for (const ShownText& cell : page.cells) {
      if (cell.text != "yes" && !cell.text.contains(" to ")) continue;
      QVERIFY2(cell.frame.contains(cell.box), qPrintable(cell.text));
      ++seen;
    }
    QVERIFY2(seen >= 2 * 4 * 5, qPrintable(QString::number(seen))); // rows of four problems
  }

  void aPhoneScrollsPlotsAndTablesAndNotThePage() {
    const ShownPage page = browser_.layout(report_, phone, ColourScheme::light);
    QVERIFY(!page.plots.empty());
    QVERIFY2(page.content.width() <= phone.width(), qPrintable(QString::number(page.content.width())));
  }
};

QTEST_GUILESS_MAIN(TestReportHtml)
#include "tst_html_report.moc"
