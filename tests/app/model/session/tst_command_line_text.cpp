// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/command_line_text.hpp"

#include <QTest>

using namespace lloyd;

class TestCommandText : public QObject {
  Q_OBJECT
private slots:
  void kAndSeedAreAlwaysSaid() {
    DataRequest request;
    request.path = "points.csv";
    QCOMPARE(commandText(request, {}), QStringLiteral("lloydscope points.csv --k 16 --seed 1"));
  }

  void everyChoiceIsSaid() {
    DataRequest request;
    request.path = "my points.csv";
    request.columns = {"a", "b c"};
    request.scaling = Scale::standard;
    Settings settings;
    settings.k = 3;
    settings.seed = 7;
    settings.init.kind = InitKind::random;
    settings.backend = BackendRequest::cpu;
    settings.selection.classify = "cpu.v1";
    settings.selection.reduce = "cpu.v2";
    QCOMPARE(commandText(request, settings),
             QStringLiteral(
                 "lloydscope 'my points.csv' --columns 'a,b c' --scale standard --k 3 --seed 7 --init random "
                 "--backend cpu --classify cpu.v1 --reduce cpu.v2"));
  }

  void aPixelIsWhatItWas() {
    DataRequest request;
    request.path = "photographs.zip:china.jpg";
    request.image = ImageColumns::xyrgb;
    QCOMPARE(commandText(request, {}),
             QStringLiteral("lloydscope photographs.zip:china.jpg --image xyrgb --k 16 --seed 1"));
  }

  void generatorsNameTheirPoints() {
    DataRequest request;
    request.generator = "drift:";
    request.defaultCount = 1000;
    const QString text = commandText(request, {});
    QVERIFY2(text.contains("--points drift:n=1000"), qPrintable(text));
  }

  void shellsTakeNothingApart() {
    QCOMPARE(shellQuoted("it's"), QStringLiteral("'it'\\''s'"));
    QCOMPARE(shellQuoted("$(x)"), QStringLiteral("'$(x)'"));
    QCOMPARE(shellQuoted("kmeans++"), QStringLiteral("kmeans++"));
    DataRequest request;
    request.path = "-k.csv";
    QVERIFY(commandText(request, {}).startsWith("lloydscope ./-k.csv"));
  }
};

QTEST_GUILESS_MAIN(TestCommandText)
#include "tst_command_line_text.moc"
