// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/strings.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace lloyd;

namespace {

const QString top = QStringLiteral(LLOYD_SOURCE_DIR "/");

QString idOf(const Variant& variant) { return QString::fromStdString(variant.id()); }

QString contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// A file below gpu/kernels that is there to register a variant.
struct VariantFile {
  QString path; ///< from the repository's top
  QString id;   ///< as its one registration has it; "none" or "several" when it has not just one
};

VariantFile variantFile(const QString& path) {
  static const QRegularExpression registration(QStringLiteral(R"(^LLOYD_REGISTER(_ON|_EVERYWHERE)?\()"),
                                               QRegularExpression::MultilineOption);
  static const QRegularExpression name(QStringLiteral(R"re(\.family = "(\w+)",\s*\.tag = "(\w+)")re"));
  const QString source = contents(top + path);
  const qsizetype registrations = source.count(registration);
  if (registrations == 0) return {path, QStringLiteral("none")};
  if (registrations > 1) return {path, QStringLiteral("several")};
  const QRegularExpressionMatch match = name.match(source);
  return {path, match.captured(1) + QLatin1Char('.') + match.captured(2)};
}

QList<VariantFile> filesIn(const QString& family, const QString& ending) {
  QList<VariantFile> files;
  const QString folder = QStringLiteral("gpu/kernels/") + family;
  for (const QString& file : QDir(top + folder).entryList({QStringLiteral("*") + ending}, QDir::Files))
    files << variantFile(folder + QLatin1Char('/') + file);
  return files;
}

/// Every kernel file is a variant.
QList<VariantFile> kernelFiles() {
  QList<VariantFile> files;
  for (const char* family : {"classify", "distance", "reduce", "fused", "update", "schedule", "layout"})
    files << filesIn(QString::fromLatin1(family), QStringLiteral(".cu"));
  return files;
}

/// Schedules of sets, which are host code for every backend; helpers beside them register nothing.
QList<VariantFile> setFiles() {
  QList<VariantFile> files = filesIn(QStringLiteral("schedule"), QStringLiteral(".cpp"));
  files.removeIf([](const VariantFile& file) { return file.id == QLatin1String("none"); });
  return files;
}

/// Files of the processor's family may also be helpers, which register nothing.
QList<VariantFile> cpuFiles() {
  QList<VariantFile> files = filesIn(QStringLiteral("cpu"), QStringLiteral(".cpp"));
  files.removeIf([](const VariantFile& file) { return file.id == QLatin1String("none"); });
  return files;
}

VariantInfo info(std::string_view family, std::string_view tag) {
  VariantInfo described;
  described.family = family;
  described.tag = tag;
  described.name = "a name";
  return described;
}

void nothing(const ClassifyArgs&, LaunchContext&) {}

} // namespace

/// The build's registry is held against the files in the tree: what a build system forgot to compile, or a
/// linker dropped, is missed by nobody else.
class TestKernelRegistry : public QObject {
  Q_OBJECT

private slots:
  void thereAreFiles() {
    QVERIFY(kernelFiles().size() >= 10);
    QVERIFY(cpuFiles().size() >= 4);
    QVERIFY(setFiles().size() >= 5);
  }

  void asManyVariantsAsFiles() {
    // Every kernel is compiled for the simulator in every build; a file below cpu adds a variant or lends a
    // kernel's variant its processor's version.
    qsizetype onSimulator = 0;
    qsizetype onCpu = 0;
    qsizetype onCuda = 0;
    for (const Variant* variant : Registry::instance().all()) {
      if (variant->has(Stage::sets) && variant->info.source.ends_with(".cpp")) continue;
      onSimulator += variant->runsOn(Backend::simt) ? 1 : 0;
      onCpu += variant->runsOn(Backend::cpu) ? 1 : 0;
      onCuda += variant->runsOn(Backend::cuda) ? 1 : 0;
    }
    QCOMPARE(onSimulator, kernelFiles().size());
    QCOMPARE(onCpu, cpuFiles().size());
    if (onCuda > 0) QCOMPARE(onCuda, kernelFiles().size()); // a build has CUDA or has it not
    QSet<QString> ids;
    for (const VariantFile& file : kernelFiles() + cpuFiles() + setFiles())
      ids.insert(file.id);
    QCOMPARE(static_cast<qsizetype>(Registry::instance().all().size()), ids.size());
  }

  void everyFileIsRegistered() {
    for (const VariantFile& file : kernelFiles() + cpuFiles()) {
      const Variant* variant = Registry::instance().find(file.id.toStdString());
      if (!variant) QFAIL(qPrintable(file.path + QStringLiteral(" has ") + file.id));
      const bool cpu = file.path.startsWith(QStringLiteral("gpu/kernels/cpu/"));
      QVERIFY2(variant->runsOn(cpu ? Backend::cpu : Backend::simt), qPrintable(file.path));
      // The source that a person is shown: the kernel, where there is one.
      if (!cpu) QCOMPARE(qtext(variant->info.source), file.path);
    }
    for (const VariantFile& file : setFiles()) {
      const Variant* variant = Registry::instance().find(file.id.toStdString());
      QVERIFY2(variant && variant->has(Stage::sets), qPrintable(file.path));
      QCOMPARE(qtext(variant->info.source), file.path);
    }
  }

  void nothingIsWrong() {
    QStringList problems;
    for (const std::string& problem : Registry::instance().problems())
      problems << QString::fromStdString(problem);
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
  }

  void everyVariantIsDescribed() {
    for (const Variant* variant : Registry::instance().all()) {
      const VariantInfo& info = variant->info;
      QVERIFY2(!info.name.empty() && !info.idea.empty(), qPrintable(idOf(*variant)));
      QVERIFY2(info.idea.ends_with('.'), qPrintable(idOf(*variant)));
      QVERIFY2(QFile::exists(top + qtext(info.source)), qPrintable(idOf(*variant)));
      // A figure without its conditions and its source says nothing.
      if (info.publishedUs)
        QVERIFY2(*info.publishedUs > 0 && !info.publishedIn.empty() && !info.paper.empty(),
                 qPrintable(idOf(*variant)));
      for (const Parameter& parameter : info.parameters)
        QVERIFY2(parameter.allows(parameter.fallback), qPrintable(idOf(*variant)));
    }
  }

  void everyVariantHasALesson() {
    QStringList missing;
    for (const Variant* variant : Registry::instance().all()) {
      const QString lesson =
          contents(top + QStringLiteral("resources/lessons/") + idOf(*variant) + QStringLiteral(".md"));
      if (!lesson.startsWith(QStringLiteral("# ") + idOf(*variant) + QStringLiteral(": ")))
        missing << idOf(*variant);
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char(' '))));
  }

  /// Or is linked to by one that has.
  void everyLessonHasAVariant() {
    const QDir folder(top + QStringLiteral("resources/lessons"));
    const QStringList files = folder.entryList({QStringLiteral("*.md")}, QDir::Files);
    const auto isVariants = [](const QString& file) {
      return Registry::instance().find(file.chopped(3).toStdString()) != nullptr;
    };
    QString lessons;
    for (const QString& file : files)
      if (isVariants(file)) lessons += contents(folder.filePath(file));
    for (const QString& file : files)
      QVERIFY2(isVariants(file) || lessons.contains(QStringLiteral("](lesson:%1)").arg(file.chopped(3))),
               qPrintable(file));
  }

  void gapsAreReported() {
    Registry registry;
    for (const char* tag : {"v1", "v2", "v4", "general"})
      registry.add(info("classify", tag), Backend::simt, {.classify = nothing});
    registry.add(info("reduce", "v1"), Backend::simt, {.classify = nothing});
    QCOMPARE(registry.problems(), (std::vector<std::string>{"classify.v3 is missing"}));
    registry.add(info("classify", "v3"), Backend::simt, {.classify = nothing});
    QVERIFY(registry.problems().empty());
  }

  void aLadderStartsAtOne() {
    Registry registry;
    registry.add(info("reduce", "v3"), Backend::simt, {.classify = nothing});
    QCOMPARE(registry.problems(), (std::vector<std::string>{"reduce.v1 is missing", "reduce.v2 is missing"}));
  }

  void wordsAreNoNumbers() {
    Registry registry;
    for (const char* tag : {"general", "aos", "v", "vector", "v2x"})
      registry.add(info("classify", tag), Backend::simt, {.classify = nothing});
    QVERIFY(registry.problems().empty());
  }

  void duplicatesAreReportedBesideGaps() {
    Registry registry;
    QVERIFY(registry.add(info("classify", "v2"), Backend::simt, {.classify = nothing}));
    QVERIFY(!registry.add(info("classify", "v2"), Backend::simt, {.classify = nothing}));
    QCOMPARE(registry.problems(),
             (std::vector<std::string>{"two variants are called classify.v2", "classify.v1 is missing"}));
  }
};

QTEST_GUILESS_MAIN(TestKernelRegistry)
#include "tst_kernel_registry.moc"
