// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/lesson/lesson.hpp"

#include "app/model/teach/lesson/experiment.hpp"
#include "app/model/teach/lesson/stated_number.hpp"
#include "app/model/teach/source_text.hpp"
#include "app/model/teach/teach_subject.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace lloyd {
namespace {

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

QString tr(const char* text) { return QCoreApplication::translate("Lesson", text); }

/// "(270 to 287)" is "(text, lines 270 to 287)", slanted: a bare number would pass for a line of the source.
QString withNamedLines(QString lesson) {
  static const QRegularExpression bare(
      QStringLiteral(R"((?<=\s)\((\d{1,3}(?: to \d{1,3})?(?:, \d{1,3}| and \d{1,3})*)\))"));
  for (auto found = bare.match(lesson); found.hasMatch(); found = bare.match(lesson)) {
    const QString lines = found.captured(1);
    bool one = false;
    lines.toInt(&one);
    lesson.replace(found.capturedStart(), found.capturedLength(),
                   one ? tr("*(text, line %1)*").arg(lines) : tr("*(text, lines %1)*").arg(lines));
  }
  return lesson;
}

/// What the comment that opens the file says, in paragraphs.
QString openingComment(const SourceText& source) {
  QString text;
  for (const QString& line : source.lines.first(source.code)) {
    if (!line.startsWith(QLatin1String("//")) || line.contains(QLatin1String("SPDX-License-Identifier")))
      continue;
    const QString words = line.mid(2).trimmed();
    text += words.isEmpty() ? QStringLiteral("\n\n") : words + QLatin1Char('\n');
  }
  return text.trimmed();
}

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
  return lesson.replace(found.capturedStart(), found.capturedLength(),
                        tr("From %1, lines %2.").arg(citation, found.captured(1)));
}

void MeasuredTimes::read(const QString& table, const QString& name) {
  QStringList header;
  const bool exact = name == QLatin1String("instructions");
  for (const QString& line : table.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    if (line.startsWith(QLatin1Char('#'))) {
      cards_.emplace(name, line.mid(1).section(QLatin1Char(','), 0, 0).trimmed());
      continue;
    }
    const QStringList cells = line.trimmed().split(QLatin1Char(','));
    if (header.isEmpty()) {
      header = cells;
      continue;
    }
    for (qsizetype i = 1; i < std::min(cells.size(), header.size()); ++i) {
      bool known = false;
      const double value = cells[i].toDouble(&known);
      if (known) rows_[cells[0]][header[i]] = {value, exact};
    }
  }
}

const MeasuredTimes& MeasuredTimes::shipped() {
  static const MeasuredTimes figures = [] {
    initTexts();
    MeasuredTimes all;
    for (const QString name :
         {"ladder", "uniform", "launch", "data", "schedules", "distance", "processor", "instructions"}) {
      QFile file(QStringLiteral(":/measured/%1.csv").arg(name));
      if (file.open(QIODevice::ReadOnly)) all.read(QString::fromUtf8(file.readAll()), name);
    }
    return all;
  }();
  return figures;
}

std::optional<double> MeasuredTimes::of(const QString& variant, const QString& column) const {
  const auto row = rows_.find(variant);
  if (row == rows_.end()) return std::nullopt;
  const auto cell = row->second.find(column);
  return cell == row->second.end() ? std::nullopt : std::optional(cell->second.value);
}

QString MeasuredTimes::card(const QString& table) const {
  const auto known = cards_.find(table);
  return known == cards_.end() ? QString() : known->second;
}

QString MeasuredTimes::fill(const QString& lesson) const {
  static const QRegularExpression place(QStringLiteral(R"(\{\{([\w.+]+) ([\w^-]+)\}\})"));
  QStringList lines = lesson.split(QLatin1Char('\n'));
  for (QString& line : lines) {
    for (const auto& [table, card] : cards_)
      line.replace(QStringLiteral("{{card %1}}").arg(table), card);
    for (auto found = place.match(line); found.hasMatch(); found = place.match(line)) {
      const auto figure = of(found.captured(1), found.captured(2));
      if (!figure) {
        line = tr("Not measured since this variant or its data changed.");
        break;
      }
      const bool exact = rows_.at(found.captured(1)).at(found.captured(2)).exact;
      line.replace(found.capturedStart(), found.capturedLength(),
                   exact ? countText(static_cast<std::uint64_t>(*figure)) : significantText(*figure));
    }
  }
  return lines.join(QLatin1Char('\n'));
}

QString lessonSource(const QString& name) {
  initTexts();
  QFile file(QStringLiteral(":/lessons/%1.md").arg(name));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString withPlainQuestions(QString lesson) {
  static const QRegularExpression form(QStringLiteral(R"(^\? (?:[^:`\n]|`[^`\n]*`)*: )"),
                                       QRegularExpression::MultilineOption);
  // First those with points of their own, which a reader has to know.
  static const QRegularExpression with(QStringLiteral(R"(^\? (?:[^:`\n]|`[^`\n]*`)* with `([^`\n]*)`: )"),
                                       QRegularExpression::MultilineOption);
  for (auto found = with.match(lesson); found.hasMatch(); found = with.match(lesson))
    lesson.replace(found.capturedStart(), found.capturedLength(),
                   tr("- With %1:").arg(experimentText(found.captured(1))) + QLatin1Char(' '));
  return lesson.replace(form, QStringLiteral("- "));
}

QString lessonText(const Variant& variant) {
  const QString id = QString::fromStdString(variant.id());
  const QString lesson = lessonSource(id);
  if (!lesson.isEmpty())
    return MeasuredTimes::shipped().fill(
        withCitation(withNamedLines(withStatedNumbers(withPlainQuestions(lesson))), variant.info.paper));
  if (isOwn(variant))
    if (const QString comment = openingComment(sourceOf(variant)); !comment.isEmpty())
      return QStringLiteral("# %1\n\n%2\n").arg(id, comment);
  return QStringLiteral("# %1: %2\n\n%3\n\n%4\n")
      .arg(id, qtext(variant.info.name), qtext(variant.info.idea),
           tr("There is no lesson for this variant yet; the comment that opens its source says more."));
}

QString lessonPage(const QString& name) {
  return MeasuredTimes::shipped().fill(withStatedNumbers(withPlainQuestions(lessonSource(name))));
}

} // namespace lloyd
