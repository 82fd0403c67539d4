// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/card_kernels.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QFile>
#include <QTest>

using namespace lloyd;

namespace {

QString kernelText(const QString& path) {
  initTexts();
  QFile file(QStringLiteral(":/") + path.mid(4));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

/// Kernel files under NVRTC, which needs no card to compile.
class TestCardKernels : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = cuda::whyNoOwnKernels(); !why.empty()) QSKIP(why.c_str());
  }

  void everyKernelOfTheProgramCompilesForACard_data() {
    QTest::addColumn<QString>("source");
    for (const Variant* variant : Registry::instance().all()) {
      const QString source = qtext(variant->info.source);
      // Schedules of sets are host code over queues.
      if (source.endsWith(".cu") && !variant->has(Stage::sets))
        QTest::addRow("%s", variant->id().c_str()) << source;
    }
  }
  void everyKernelOfTheProgramCompilesForACard() {
    QFETCH(const QString, source);
    const QString text = kernelText(source);
    QVERIFY(!text.isEmpty());
    QCOMPARE(compileOwnKernels(cardKernelFile(source, text), "9.0", {}), std::string());
  }

  void aKernelHasTheCodeThatIsAskedFor() {
    const QString path = QStringLiteral("gpu/kernels/classify/v3_unrolled_dimensions.cu");
    const cuda::OwnKernelFile file = cardKernelFile(path, kernelText(path));
    QCOMPARE(compileOwnKernels(file, "9.0", {"lloyd::classify_v3<2u, 0u>"}), std::string());
    QVERIFY(!compileOwnKernels(file, "9.0", {"lloyd::classify_v30<2u, 0u>"}).empty());
  }

  void anErrorHasTheFilesOwnLine() {
    QString text = kernelText(QStringLiteral("gpu/kernels/classify/v3_unrolled_dimensions.cu"));
    text.replace("nearest = distance;", "nearest = distanc;");
    const qsizetype line = text.left(text.indexOf("distanc;")).count('\n') + 1;
    const std::string said =
        compileOwnKernels(cardKernelFile("mine.cu", text), "9.0", {"lloyd::classify_v3<2u, 0u>"});
    QVERIFY2(said.find("mine.cu(" + std::to_string(line) + "): error") != std::string::npos, said.c_str());
  }
};

QTEST_GUILESS_MAIN(TestCardKernels)
#include "tst_card_kernels.moc"
