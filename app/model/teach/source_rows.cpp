// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/source_rows.hpp"

#include <QCoreApplication>

#include <algorithm>

namespace lloyd {
namespace {

constexpr int beside = 3;     ///< lines that stay before and behind a difference
constexpr int leastFold = 4;  ///< fewer lines are as soon read as the row that would stand for them
constexpr int headLength = 8; ///< lines after which a head without a brace is taken to have ended

QString tr(const char* text) { return QCoreApplication::translate("SourceRows", text); }

bool isMarked(DiffLine::Mark mark) { return mark != DiffLine::Mark::same; }

bool isNew(DiffLine::Mark mark) { return mark == DiffLine::Mark::added || mark == DiffLine::Mark::changed; }

/// From a kernel's template line to the brace that opens it, for every kernel of the text.
std::set<int> headsOf(const SourceText& source) {
  std::set<int> heads;
  for (int at = 0; at < source.lines.size(); ++at) {
    if (!source.lines[at].startsWith(QLatin1String("LLOYD_KERNEL"))) continue;
    if (at > 0 && source.lines[at - 1].startsWith(QLatin1String("template"))) heads.insert(at - 1);
    for (int line = at; line < std::min<int>(at + headLength, static_cast<int>(source.lines.size()));
         ++line) {
      heads.insert(line);
      if (source.lines[line].contains(QLatin1Char('{'))) break;
    }
  }
  return heads;
}

/// Whether a line stands in a kernel of the text's first part.
std::vector<bool> kernelsOf(const SourceText& source) {
  std::vector<bool> inside(static_cast<std::size_t>(source.lines.size()), false);
  bool within = false;
  for (int at = source.kernel; at < source.registration; ++at) {
    const QString& line = source.lines[at];
    within = within || line.startsWith(QLatin1String("LLOYD_KERNEL")) ||
             (line.startsWith(QLatin1String("template")) && at + 1 < source.registration &&
              source.lines[at + 1].startsWith(QLatin1String("LLOYD_KERNEL")));
    inside[static_cast<std::size_t>(at)] = within;
    if (line.startsWith(QLatin1Char('}'))) within = false;
  }
  return inside;
}

QString foldText(const SourceComparison& all, int from, int count) {
  // An opening comment and what registers a variant are compared with nothing.
  const bool opening = from < all.now.code;
  const bool registers = !all.now.parts.empty() && from >= all.now.registration &&
                         from < all.now.parts.front().first + all.now.parts.front().count;
  const QString text = opening     ? tr("\u2026 %1 lines that open the file \u2026")
                       : registers ? tr("\u2026 %1 lines that register the variant \u2026")
                                   : tr("\u2026 %1 lines as in %2 \u2026");
  return opening || registers ? text.arg(count) : text.arg(count).arg(all.beforeName);
}

/// Which kind of text a line belongs to; a fold does not go from one to another.
int kindOf(const SourceComparison& all, int line) {
  if (line < all.now.code) return 0;
  if (line < all.now.registration) return 1;
  int kind = 2;
  for (const SourceText::Part& part : all.now.parts)
    kind += line >= part.first + part.count ? 1 : 0;
  return kind;
}

std::vector<SourceRow> unfolded(const SourceComparison& comparison, bool ghosts) {
  std::vector<SourceRow> rows;
  for (const DiffLine& line : comparison.lines) {
    // A line that was changed follows the one that it was.
    const bool was = line.mark == DiffLine::Mark::removed || line.mark == DiffLine::Mark::changed;
    if (ghosts && was)
      rows.push_back({.mark = DiffLine::Mark::removed, .text = comparison.before.lines[line.before]});
    if (line.now >= 0)
      rows.push_back({.mark = line.mark, .number = line.now + 1, .text = comparison.now.lines[line.now]});
  }
  return rows;
}

} // namespace

std::vector<SourceRow> rowsOf(const SourceComparison& comparison, const SourceRowWish& wish) {
  std::vector<SourceRow> all = unfolded(comparison, wish.ghosts);
  if (!wish.folds || comparison.before.lines.isEmpty()) return all;
  std::vector<bool> stays(all.size(), false);
  const std::set<int> heads = headsOf(comparison.now);
  const int count = static_cast<int>(all.size());
  for (int row = 0; row < count; ++row) {
    const SourceRow& one = all[static_cast<std::size_t>(row)];
    const bool heading = one.number > 0 && comparison.now.numberOf(one.number - 1) == 0;
    if (heading || heads.contains(one.number - 1)) stays[static_cast<std::size_t>(row)] = true;
    if (!isMarked(one.mark)) continue;
    for (int near = std::max(0, row - beside); near <= std::min(count - 1, row + beside); ++near)
      stays[static_cast<std::size_t>(near)] = true;
  }
  std::vector<SourceRow> rows;
  for (std::size_t row = 0; row < all.size();) {
    std::size_t end = row;
    while (end < all.size() && !stays[end] &&
           kindOf(comparison, all[end].number - 1) == kindOf(comparison, all[row].number - 1))
      ++end;
    const int folded = static_cast<int>(end - row);
    if (folded < leastFold || wish.opened.contains(all[row].number)) {
      for (end = std::max(end, row + 1); row < end; ++row)
        rows.push_back(std::move(all[row]));
      continue;
    }
    const int first = all[row].number;
    rows.push_back({.first = first, .folded = folded, .text = foldText(comparison, first - 1, folded)});
    row = end;
  }
  return rows;
}

int openingLine(const SourceComparison& comparison) {
  const SourceText& now = comparison.now;
  const std::vector<bool> kernels = kernelsOf(now);
  constexpr int ranks = 4; // a kernel, other code, a header, where a line of a kernel went
  int found[ranks] = {-1, -1, -1, -1};
  const auto take = [&found](int rank, int line) {
    if (found[rank] < 0) found[rank] = line;
  };
  int next = now.kernel; // of the present text, at which the walk stands
  for (const DiffLine& line : comparison.lines) {
    if (line.now >= 0) next = line.now + 1;
    if (!isMarked(line.mark)) continue;
    const int at = line.now >= 0 ? line.now : next;
    if (at >= now.lines.size()) continue;
    if (!isNew(line.mark)) {
      if (kernels[static_cast<std::size_t>(at)]) take(3, at);
    } else if (kernels[static_cast<std::size_t>(at)]) {
      take(0, at);
    } else if (at >= now.code && at < now.registration) {
      const QString& text = now.lines[at];
      if (!text.startsWith(QLatin1Char('#')) && !text.startsWith(QLatin1String("//")) &&
          !text.trimmed().isEmpty())
        take(1, at);
    } else if (at >= now.registration) {
      take(2, at);
    }
  }
  for (const int line : found)
    if (line >= 0) return line + 1;
  return now.kernel + 1;
}

} // namespace lloyd
