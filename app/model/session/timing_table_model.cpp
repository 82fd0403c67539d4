// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/timing_table_model.hpp"

#include "app/text/numbers.hpp"
#include "app/text/stages.hpp"
#include "app/text/strings.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

bool holdsText(int column) {
  return column == TimingTableModel::stageColumn || column == TimingTableModel::variantColumn;
}

QVariant alignment(int column) {
  return QVariant::fromValue((holdsText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

} // namespace

std::vector<TimingTableModel::Line> TimingTableModel::lines(const TimingSnapshot& timings,
                                                            bool simulated) const {
  std::vector<Line> outside;
  std::vector<Line> iteration;
  std::vector<Line> frame;
  for (const TimingSnapshot::Row& row : timings.rows) {
    const bool summed = row.inIteration || row.inFrame;
    const bool shares = summed && row.current && row.times.samples > 0;
    (!summed       ? outside
     : row.inFrame ? frame
                   : iteration)
        .push_back({.stage = qtext(name(row.stage)),
                    .variant = QString::fromStdString(row.variant),
                    .meaning = stageMeaning(row.stage),
                    .summary = row.times,
                    .share = shares ? std::optional(row.share) : std::nullopt,
                    .rechecked = row.rechecked,
                    .current = row.current,
                    .simulated = simulated && row.inIteration});
  }
  const auto sum = [](const QString& title, const QString& meaning, const Summary& times, bool inSimulator) {
    return Line{.stage = title,
                .variant = {},
                .meaning = meaning,
                .summary = times,
                .share = {},
                .current = true,
                .sum = true,
                .simulated = inSimulator};
  };
  std::vector<Line> all = iteration;
  if (!iteration.empty())
    all.push_back(sum(tr("iteration"), tr("One iteration on the worker, from its first stage to its last"),
                      timings.iteration, simulated));
  all.insert(all.end(), frame.begin(), frame.end());
  if (!frame.empty())
    all.push_back(sum(tr("frame"), tr("From one picture on the screen to the next"), timings.frame, false));
  // What happened once comes last: the sums above are what is watched.
  all.insert(all.end(), outside.begin(), outside.end());
  return all;
}

void TimingTableModel::refresh(const TimingSnapshotPtr& timings, bool simulated) {
  std::vector<Line> next = lines(*timings, simulated);
  const bool sameRows = std::equal(next.begin(), next.end(), lines_.begin(), lines_.end(),
                                   [](const Line& a, const Line& b) { return a.sameRow(b); });
  if (!sameRows) {
    beginResetModel();
    lines_ = std::move(next);
    endResetModel();
    return;
  }
  lines_ = std::move(next);
  if (!lines_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnTotal - 1));
}

bool TimingTableModel::anyRechecked() const {
  return std::ranges::any_of(lines_, [](const Line& line) { return line.rechecked.has_value(); });
}

QVariant TimingTableModel::value(const Line& line, int column) const {
  const Summary& s = line.summary;
  if (column == samplesColumn) return static_cast<double>(s.samples);
  if (column == shareColumn) return line.share ? QVariant(*line.share) : QVariant();
  if (column == recheckedColumn) return line.rechecked ? QVariant(*line.rechecked) : QVariant();
  if (s.samples == 0) return {};
  switch (column) {
  case lastColumn:
    return s.last;
  case medianColumn:
    return s.median;
  case p95Column:
    return s.p95;
  case minColumn:
    return s.min;
  case noiseColumn:
    return s.samples > 1 ? QVariant(s.noise) : QVariant();
  default:
    return {};
  }
}

QString TimingTableModel::cell(const Line& line, int column) const {
  if (column == stageColumn) return line.stage;
  if (column == variantColumn && line.simulated)
    return line.variant.isEmpty() ? tr("simulated") : tr("%1, simulated").arg(line.variant);
  if (column == variantColumn) return line.variant.isEmpty() && !line.sum ? unknownText() : line.variant;
  const QVariant known = value(line, column);
  if (column == samplesColumn) return countText(line.summary.samples);
  if (!known.isValid())
    return column == recheckedColumn || (line.sum && column == shareColumn) ? QString() : unknownText();
  if (column == noiseColumn || column == shareColumn || column == recheckedColumn)
    return percentText(known.toDouble());
  return microsecondsText(known.toDouble());
}

QVariant TimingTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Line& line = lines_[static_cast<std::size_t>(index.row())];
  const bool isText = holdsText(index.column());
  switch (role) {
  case Qt::DisplayRole:
    return cell(line, index.column());
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case Qt::ToolTipRole:
    if (isText && line.simulated)
      return tr("%1\nThe SIMT simulator's own time, which says nothing about a GPU's").arg(line.meaning);
    return isText ? line.meaning : headerData(index.column(), Qt::Horizontal, Qt::ToolTipRole);
  case Qt::AccessibleTextRole:
    if (index.column() != recheckedColumn || !line.rechecked) return cell(line, index.column());
    return tr("%1 % of the points rechecked").arg(percentText(line.rechecked));
  case currentRole:
    return line.current;
  case sumRole:
    return line.sum;
  case valueRole:
    return isText ? QVariant(cell(line, index.column())) : value(line, index.column());
  default:
    return {};
  }
}

QVariant TimingTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) return {};
  static constexpr std::pair<const char*, const char*> headings[columnTotal]{
      {QT_TR_NOOP("stage"), QT_TR_NOOP("What the time is spent on; no stage contains another")},
      {QT_TR_NOOP("variant"), QT_TR_NOOP("Which way of writing the stage was used")},
      {QT_TR_NOOP("last\nµs"), QT_TR_NOOP("The newest sample, in microseconds")},
      {QT_TR_NOOP("median\nµs"), QT_TR_NOOP("Half of the kept samples are below, in microseconds")},
      {QT_TR_NOOP("p95\nµs"), QT_TR_NOOP("95 % of the kept samples are below, in microseconds")},
      {QT_TR_NOOP("min\nµs"), QT_TR_NOOP("The fastest kept sample, in microseconds")},
      {QT_TR_NOOP("noise\n%"),
       QT_TR_NOOP("Width of the middle half of the samples over the median, in percent")},
      {QT_TR_NOOP("samples"),
       QT_TR_NOOP("How many samples are kept, the last 512 at most; warm-up is thrown away")},
      {QT_TR_NOOP("share\n%"),
       QT_TR_NOOP("Median over the median of the sum that the row belongs to, in percent; medians "
                  "need not add up to 100")},
      {QT_TR_NOOP("rechecked\n%"),
       QT_TR_NOOP("Points of the last iteration whose scores were too near to tell the nearest centroid, and "
                  "whose distances were computed besides, in percent of all")}};
  if (role == Qt::DisplayRole) return tr(headings[section].first);
  if (role == Qt::ToolTipRole) return tr(headings[section].second);
  if (role == Qt::TextAlignmentRole) return alignment(section);
  return {};
}

QString TimingTableModel::text() const {
  std::vector<QStringList> rows(1);
  for (int column = 0; column < columnTotal; ++column) {
    rows[0] << headerData(column, Qt::Horizontal, Qt::DisplayRole)
                   .toString()
                   .replace(QLatin1Char('\n'), QLatin1Char(' '));
  }
  for (const Line& line : lines_) {
    QStringList& row = rows.emplace_back();
    for (int column = 0; column < columnTotal; ++column)
      row << cell(line, column);
  }
  QString all;
  for (const QStringList& row : rows) {
    QString line;
    for (int column = 0; column < columnTotal; ++column) {
      qsizetype width = 0;
      for (const QStringList& other : rows)
        width = std::max(width, other[column].size());
      line += holdsText(column) ? row[column].leftJustified(width) : row[column].rightJustified(width);
      if (column + 1 < columnTotal) line += QStringLiteral("  ");
    }
    all += line + QLatin1Char('\n');
  }
  return all;
}

} // namespace lloyd
