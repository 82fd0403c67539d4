// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/cited_paper.hpp"

#include <QCoreApplication>
#include <QRegularExpression>

namespace lloyd {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("CitedPaper", text); }

struct Paper {
  std::string_view name;
  const char* citation;
};

/// The articles are a series in a blog whose author our copies do not name; the first part's title is taken
/// from those of the other two.
constexpr Paper papers[] = {
    {"Classification article",
     "“CUDA性能优化系列——Kmeans算法调优(一)” (tuning k-means in CUDA, part 1), a blog; author not named"},
    {"Reduction article",
     "“CUDA性能优化系列——Kmeans算法调优(二)” (tuning k-means in CUDA, part 2), a blog; author not named"},
    {"Scheduling article",
     "“CUDA性能优化系列——Kmeans算法调优(三)” (tuning k-means in CUDA, part 3), a blog; author not named"},
    {"Multi-level parallelism paper",
     "Fang Yuling and Na Lichun, “一种基于CUDA的K-Means多级并行优化方法” (optimising k-means in CUDA by "
     "parallelism on several levels), Journal of Chinese Computer Systems 7/2021"},
    {"Coalescing note",
     "“CUDA效能調優(一) 合併訪問 迴圈展開” (tuning CUDA, part 1: coalesced access, unrolled loops), a blog, "
     "2021; author not named"},
};

} // namespace

QString citationOf(std::string_view paper) {
  for (const Paper& one : papers)
    if (one.name == paper) return tr(one.citation);
  return {};
}

QString withCitation(QString lesson, std::string_view paper) {
  static const QRegularExpression place(QStringLiteral(R"(\{\{from ([^}]+)\}\})"));
  const auto found = place.match(lesson);
  const QString citation = citationOf(paper);
  if (!found.hasMatch() || citation.isEmpty()) return lesson;
  return lesson.replace(
      found.capturedStart(), found.capturedLength(),
      tr("From %1, lines %2. Numbers in brackets are its lines.").arg(citation, found.captured(1)));
}

} // namespace lloyd
