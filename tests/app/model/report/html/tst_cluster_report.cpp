// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a clustering by the real program in a real browser.
#include "tests/app/cli/program.hpp"
#include "tests/app/model/report/html/browser.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace lloyd;

class TestClusterReport : public QObject {
  Q_OBJECT

  static constexpr QSize desktop{1200, 3200};

  QTemporaryDir folder_;
  QString report_ = folder_.filePath(QStringLiteral("report.html"));
  QString page_;
  QJsonObject json_;
  Browser browser_{folder_.path()};

  static QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

private slots:
  void initTestCase() {
    const QString json = folder_.filePath("run.json");
    const Outcome outcome = runProgram({"run", sampleData("faithful.csv"), "--k", "3", "--scale", "standard",
                                        "--backend", "cpu", "--quiet", "--html", report_, "--json", json});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    page_ = QString::fromUtf8(read(report_));
    json_ = QJsonDocument::fromJson(read(json)).object();
    QVERIFY(!json_.isEmpty());
  }

  /// What the table says is what the run found.
  void clustersHaveTheirSizesAndShares() {
    const QJsonArray sizes = json_["sizes"].toArray();
    QCOMPARE(sizes.size(), 3);
    double all = 0;
    for (const QJsonValue& size : sizes)
      all += size.toDouble();
    QCOMPARE(all, 272.0);
    for (qsizetype c = 0; c < sizes.size(); ++c) {
      const QRegularExpression row(
          QStringLiteral("</svg>\\s*%1</td>\\s*<td class=\"n\">%2</td>").arg(c).arg(sizes[c].toInt()));
      QVERIFY2(page_.contains(row), qPrintable(row.pattern()));
    }
    QVERIFY(page_.contains("standard: each column to mean 0"));
  }

  /// The command in it clusters the same again.
  void theCommandRepeatsIt() {
    const QRegularExpressionMatch found =
        QRegularExpression("<code>lloydscope (run [^<]*)</code>").match(page_);
    QVERIFY(found.hasMatch());
    QStringList words = found.captured(1).split(' ');
    const QString again = folder_.filePath("again.json");
    words << "--json" << again << "--quiet";
    const Outcome outcome = runProgram(words);
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonObject repeated = QJsonDocument::fromJson(read(again)).object();
    QCOMPARE(repeated["centroids"], json_["centroids"]);
    QCOMPARE(repeated["sizes"], json_["sizes"]);
  }

  void itIsSeenInLightAndInDark_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void itIsSeenInLightAndInDark() {
    QFETCH(bool, dark);
    if (Browser::program().isEmpty()) QSKIP("no Chromium: install chromium-headless-shell");
    const ColourScheme scheme = dark ? ColourScheme::dark : ColourScheme::light;
    const ShownPage page = browser_.layout(report_, desktop, scheme);
    const QImage picture = browser_.screenshot(report_, desktop, scheme);
    QCOMPARE(QColor(picture.pixel(2, 2)).lightness() < 128, dark);
    const auto points = std::ranges::find_if(
        page.plots, [](const ShownPlot& plot) { return plot.kind.startsWith("points"); });
    QVERIFY(points != page.plots.end());
    // Three clusters of points in three colours, each of which is to be seen, and three centroids.
    const auto strips = std::ranges::count_if(
        points->marks, [](const ShownMark& mark) { return mark.kind.contains("strip"); });
    QCOMPARE(strips, 3);
    const auto discs = std::ranges::count_if(
        points->marks, [](const ShownMark& mark) { return mark.kind.contains("point"); });
    QCOMPARE(discs, 3);
    for (const ShownMark& mark : points->marks)
      QVERIFY2(std::abs(mark.colour.lightness() - points->background.lightness()) > 40,
               qPrintable(mark.kind + ' ' + mark.colour.name()));
    for (const char* kind : {"sizes", "convergence"})
      QVERIFY2(std::ranges::any_of(
                   page.plots,
                   [&](const ShownPlot& plot) { return plot.kind.startsWith(kind) && !plot.marks.empty(); }),
               kind);
    QVERIFY(page.content.width() <= desktop.width());
  }

  /// What the page draws by other axes, and of the class that the table has.
  void itHasTheAxesAndTheClasses() {
    const QString report = folder_.filePath("iris.html");
    const QString json = folder_.filePath("iris.json");
    const Outcome outcome =
        runProgram({"run", sampleData("iris.csv"), "--k", "3", "--seed", "2", "--scores", "best", "--axes",
                    "PC1,PC2", "--backend", "cpu", "--quiet", "--html", report, "--json", json});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QString page = QString::fromUtf8(read(report));
    const QJsonObject run = QJsonDocument::fromJson(read(json)).object();
    const QJsonObject classes = run["class"].toObject();
    QCOMPARE(classes["column"].toString(), "species");
    QVERIFY(page.contains("Clusters by species") && page.contains("adjusted Rand 0.7302"));
    const QJsonArray confusion = classes["confusion"].toArray();
    QCOMPARE(confusion.size(), 3);
    for (qsizetype c = 0; c < confusion.size(); ++c) {
      QString cells = QStringLiteral("</svg>\\s*%1</td>\\s*").arg(c);
      for (const QJsonValue& count : confusion[c].toArray())
        cells += QStringLiteral("<td class=\"n\">%1</td>\\s*").arg(count.toInt());
      QVERIFY2(page.contains(QRegularExpression(cells + "</tr>")), qPrintable(cells));
    }
    const QJsonArray silhouettes = run["scores"].toObject()["silhouette_clusters"].toArray();
    QCOMPARE(silhouettes.size(), 3);
    for (const QJsonValue& value : silhouettes)
      QVERIFY(page.contains(QStringLiteral(">%1<").arg(QString::number(value.toDouble(), 'g', 4))));
    // scikit-learn's PCA: 92.46 % and 5.31 %.
    QVERIFY(page.contains(">PC1 (92.5 %)</text>") && page.contains(">PC2 (5.31 %)</text>"));
    QVERIFY(page.contains("--axes PC1,PC2 --html"));
    QVERIFY(page.contains("all 4 columns are clustered"));
  }

  void axesAreOfTheReport() {
    const Outcome alone = runProgram({"run", sampleData("iris.csv"), "--axes", "PC1,PC2"});
    QCOMPARE(alone.status, 2);
    QVERIFY2(alone.text().contains("give --html"), qPrintable(alone.text()));
    const QString report = folder_.filePath("none.html");
    const Outcome unknown =
        runProgram({"run", sampleData("iris.csv"), "--axes", "PC1,nosuch", "--html", report});
    QCOMPARE(unknown.status, 2);
    QVERIFY2(unknown.text().contains("'nosuch' is no axis"), qPrintable(unknown.text()));
    QVERIFY(!QFile::exists(report));
  }

  void itAsksNothingOfTheNetwork() {
    if (Browser::program().isEmpty()) QSKIP("no Chromium: install chromium-headless-shell");
    for (const QString& request : browser_.requestsOf(report_))
      QVERIFY2(request.startsWith("file:///") || request == "data:,", qPrintable(request));
  }

  void namesOfColumnsCannotBreakIt() {
    const QString table = folder_.filePath("<b>&.csv");
    QVERIFY(writeFile(table, "\"<script>alert(1)</script>\",y\n1,2\n3,4\n9,9\n"));
    const QString page = folder_.filePath("names.html");
    const Outcome outcome = runProgram({"run", table, "--k", "2", "--quiet", "--html", page});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QByteArray text = read(page);
    QVERIFY(!text.contains("<script"));
    QVERIFY(text.contains("&lt;script&gt;"));
  }

  void whatIsNoPhotographHasNoPalette() {
    const QString palette = folder_.filePath("p.gpl");
    const Outcome outcome =
        runProgram({"run", sampleData("faithful.csv"), "--k", "3", "--quiet", "--palette-out", palette});
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.text().contains("is none"), qPrintable(outcome.text()));
    QVERIFY(!QFile::exists(palette));
  }

  void aPhotographIsRecoloured() {
    const QString picture = folder_.filePath("china.png");
    const QString palette = folder_.filePath("china.hex");
    const QString report = folder_.filePath("china.html");
    const Outcome outcome =
        runProgram({"run", sampleData("china.jpg"), "--k", "5", "--backend", "cpu", "--quiet",
                    "--picture-out", picture, "--palette-out", palette, "--html", report});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QImage image(picture);
    QCOMPARE(image.size(), QImage(sampleData("china.jpg")).size());
    QStringList colours = QString::fromUtf8(read(palette)).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(colours.size(), 5);
    QSet<QRgb> seen;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        seen.insert(image.pixel(x, y) & 0xffffff);
    QCOMPARE(seen.size(), 5);
    for (const QString& colour : colours)
      QVERIFY2(seen.contains(colour.toUInt(nullptr, 16)), qPrintable(colour));
    // The report has the same picture, and its clusters the same colours.
    const QByteArray page = read(report);
    const QRegularExpressionMatch data =
        QRegularExpression("src=\"data:image/png;base64,([^\"]+)\"").match(QString::fromLatin1(page));
    QVERIFY(data.hasMatch());
    const QImage shown = QImage::fromData(QByteArray::fromBase64(data.captured(1).toLatin1()));
    QCOMPARE(shown.convertToFormat(image.format()), image);
    for (const QString& colour : colours)
      QVERIFY2(page.contains("--c: #" + colour.toLatin1()), qPrintable(colour));
    QVERIFY(!page.contains("class=\"point s0\""));
  }
};

QTEST_GUILESS_MAIN(TestClusterReport)
#include "tst_cluster_report.moc"
