// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/readers.hpp"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace lloyd;

/// What scripts/fuzz.sh begins with, and what once fell: every file through every reader, whatever it is.
class TestFuzzSeeds : public QObject {
  Q_OBJECT
private slots:
  void everyReaderAnswersToEveryFile_data() {
    QTest::addColumn<QString>("path");
    for (const char* place : {"resources/data", "resources/tuning", "tests/fixtures/odd",
                              "tests/fixtures/invalid", "tests/fixtures/reports", "tests/fixtures/fallen"}) {
      const QDir folder(QStringLiteral(LLOYD_SOURCE_DIR "/") + place);
      for (const QFileInfo& file : folder.entryInfoList(QDir::Files, QDir::Name))
        QTest::addRow("%s/%s", place, qPrintable(file.fileName())) << file.filePath();
    }
  }
  void everyReaderAnswersToEveryFile() {
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    for (const fuzz::Reader& reader : fuzz::readers())
      reader.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
  }
};

QTEST_GUILESS_MAIN(TestFuzzSeeds)
#include "tst_fuzz_seeds.moc"
