// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/source_text.hpp"

#include "app/text/compiled_sources.hpp"
#include "app/text/strings.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <cstddef>

namespace lloyd {
namespace {

int endOfOpeningComment(const QStringList& lines) {
  int at = 0;
  while (at < lines.size() && (lines[at].startsWith(QLatin1String("//")) || lines[at].trimmed().isEmpty()))
    ++at;
  return at;
}

int firstKernel(const QStringList& lines, int from) {
  for (int at = from; at < lines.size(); ++at) {
    if (!lines[at].startsWith(QLatin1String("LLOYD_KERNEL"))) continue;
    while (at > from && lines[at - 1].startsWith(QLatin1String("template")))
      --at;
    return at;
  }
  // Code for processors and schedules have none: they begin behind what they include.
  const auto opens = [](const QString& line) {
    return line.trimmed().isEmpty() || line.startsWith(QLatin1Char('#')) ||
           line.startsWith(QLatin1String("namespace"));
  };
  int at = from;
  while (at < lines.size() && opens(lines[at]))
    ++at;
  return at < lines.size() ? at : from;
}

/// What follows names and describes the variant.
int registrationIn(const QStringList& lines, int from) {
  for (int at = from; at < lines.size(); ++at)
    if (lines[at].startsWith(QLatin1String("LLOYD_REGISTER"))) return at;
  return static_cast<int>(lines.size());
}

/// Of a path from the repository's top; empty when the program does not hold it. A person's own kernel has a
/// whole path, and its text is the file's.
QString textAt(const QString& path) {
  initTexts();
  QFile file(QFileInfo(path).isAbsolute()
                 ? path
                 : QStringLiteral(":/") + path.mid(path.indexOf(QLatin1String("kernels/"))));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList linesOf(const QString& text) {
  QStringList lines = text.split(QLatin1Char('\n'));
  if (lines.last().isEmpty()) lines.removeLast();
  return lines;
}

/// The headers of the same folder that some lines include, in their order.
QStringList included(const QString& folder, const QStringList& lines) {
  const QString begin = QStringLiteral("#include \"") + folder;
  QStringList paths;
  for (const QString& line : lines)
    if (line.startsWith(begin)) paths << line.section(QLatin1Char('"'), 1, 1);
  return paths;
}

void appendParts(SourceText& source, const QStringList& paths) {
  for (const QString& path : paths) {
    if (std::any_of(source.parts.begin(), source.parts.end(), [&](const auto& p) { return p.path == path; }))
      continue;
    const QString text = textAt(path);
    if (text.isEmpty()) continue;
    const QStringList lines = linesOf(text);
    source.lines << QString() << QStringLiteral("// ---- %1").arg(path);
    source.parts.push_back({path, static_cast<int>(source.lines.size()), static_cast<int>(lines.size())});
    source.lines << lines;
    appendParts(source, included(path.section(QLatin1Char('/'), 0, -2) + QLatin1Char('/'), lines));
  }
}

constexpr double alikeFrom = 0.5; ///< share of words that two lines must have in common

/// One line, ready to be compared with many.
struct Line {
  QString text;
  std::vector<int> words; ///< numbers that stand for them, sorted
};

std::vector<Line> prepared(const NamedText& text, QHash<QString, int>& numbers) {
  static const QRegularExpression word(QStringLiteral("\\w+"));
  std::vector<Line> lines;
  for (const QString& line : text.lines) {
    Line one{compared(line, text.names), {}};
    for (auto found = word.globalMatch(one.text); found.hasNext();) {
      const QString captured = found.next().captured();
      const auto known = numbers.constFind(captured);
      one.words.push_back(
          known != numbers.cend() ? *known : *numbers.insert(captured, static_cast<int>(numbers.size())));
    }
    std::sort(one.words.begin(), one.words.end());
    lines.push_back(std::move(one));
  }
  return lines;
}

double likeness(const Line& a, const Line& b) {
  const std::size_t words = a.words.size() + b.words.size();
  if (a.words.empty() || b.words.empty()) return 0;
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.words.size() && j < b.words.size();) {
    const int first = a.words[i], second = b.words[j];
    common += first == second ? 1 : 0;
    i += first <= second ? 1 : 0;
    j += second <= first ? 1 : 0;
  }
  return 2.0 * static_cast<double>(common) / static_cast<double>(words);
}

/// What it is worth to put two lines beside each other; 0 when they have nothing to do with each other. A
/// line that is the same is worth more than any two that are only alike could be.
double worth(const Line& a, const Line& b) {
  if (a.text == b.text) return 1.0 + 4.0 * static_cast<double>(a.text.size());
  const double share = likeness(a, b);
  return share < alikeFrom ? 0 : share * static_cast<double>(std::min(a.text.size(), b.text.size()));
}

/// The best worth of every pair of beginnings, row by row.
class Table {
public:
  Table(const std::vector<Line>& before, const std::vector<Line>& now)
      : before_(before), now_(now), columns_(now.size() + 1), best_((before.size() + 1) * columns_) {
    for (std::size_t i = 1; i <= before.size(); ++i)
      for (std::size_t j = 1; j <= now.size(); ++j)
        at(i, j) = std::max({at(i - 1, j), at(i, j - 1), paired(i, j)});
  }

  /// From the ends of both texts to their beginnings.
  [[nodiscard]] std::vector<DiffLine> walk() {
    std::vector<DiffLine> lines;
    for (std::size_t i = before_.size(), j = now_.size(); i > 0 || j > 0;) {
      if (i > 0 && j > 0 && worth(before_[i - 1], now_[j - 1]) > 0 && at(i, j) == paired(i, j)) {
        --i, --j;
        const bool same = before_[i].text == now_[j].text;
        lines.push_back({same ? DiffLine::Mark::same : DiffLine::Mark::changed, int(i), int(j)});
      } else if (j > 0 && (i == 0 || at(i, j) == at(i, j - 1))) {
        lines.push_back({DiffLine::Mark::added, -1, int(--j)});
      } else {
        lines.push_back({DiffLine::Mark::removed, int(--i), -1});
      }
    }
    std::reverse(lines.begin(), lines.end());
    return lines;
  }

private:
  double& at(std::size_t i, std::size_t j) { return best_[i * columns_ + j]; }
  double paired(std::size_t i, std::size_t j) {
    return at(i - 1, j - 1) + worth(before_[i - 1], now_[j - 1]);
  }

  const std::vector<Line>& before_;
  const std::vector<Line>& now_;
  std::size_t columns_;
  std::vector<double> best_;
};

} // namespace

SourceText sourceText(const QString& path, const QString& text) {
  SourceText source;
  source.path = path;
  if (text.isEmpty()) return source;
  source.lines = linesOf(text);
  source.parts.push_back({path, 0, static_cast<int>(source.lines.size())});
  source.code = endOfOpeningComment(source.lines);
  source.registration = registrationIn(source.lines, source.code);
  source.kernel = firstKernel(source.lines, source.code);
  return source;
}

SourceText sourceOf(const Variant& variant) {
  const QString path = qtext(variant.info.source);
  const QString compiled = compiledSource(variant);
  SourceText source = sourceText(path, compiled.isEmpty() ? textAt(path) : compiled);
  // A person's own file lies elsewhere, and includes the headers of its family.
  const QString folder = QFileInfo(path).isAbsolute()
                             ? QStringLiteral("gpu/kernels/") + qtext(variant.info.family)
                             : path.section(QLatin1Char('/'), 0, -2);
  appendParts(source, included(folder + QLatin1Char('/'), source.lines));
  return source;
}

QString compared(const QString& line, const QStringList& names) {
  QString text = line.trimmed();
  const auto isPart = [&](qsizetype at) {
    return at >= 0 && at < text.size() && (text[at].isLetterOrNumber() || text[at] == QLatin1Char('_'));
  };
  for (qsizetype i = 0; i < names.size(); ++i) {
    const QString sign = QStringLiteral("\u00a7%1").arg(i); // which no source has
    for (qsizetype at = text.indexOf(names[i]); at >= 0; at = text.indexOf(names[i], at + 1))
      if (!isPart(at - 1) && !isPart(at + names[i].size())) text.replace(at, names[i].size(), sign);
  }
  return text;
}

std::vector<DiffLine> sourceDiff(const NamedText& before, const NamedText& now) {
  QHash<QString, int> numbers;
  const std::vector<Line> old = prepared(before, numbers);
  const std::vector<Line> present = prepared(now, numbers);
  return Table(old, present).walk();
}

DiffCount countOf(const std::vector<DiffLine>& diff) {
  DiffCount count;
  for (const DiffLine& line : diff) {
    count.added += line.mark == DiffLine::Mark::added;
    count.changed += line.mark == DiffLine::Mark::changed;
    count.removed += line.mark == DiffLine::Mark::removed;
  }
  return count;
}

} // namespace lloyd
