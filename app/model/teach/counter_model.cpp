// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/counter_model.hpp"

#include "app/model/teach/source_text.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStringList>

#include <array>
#include <cmath>

namespace lloyd {
namespace {

constexpr qsizetype firstCounter = 5; ///< after variant, n, d, k, block

/// "nvidia-h200" -> "NVIDIA H200"
QString cardName(const QString& fileName) {
  return QFileInfo(fileName).completeBaseName().replace(QLatin1Char('-'), QLatin1Char(' ')).toUpper();
}

std::vector<CardCounters> inProgram() {
  initTexts();
  std::vector<CardCounters> all;
  const QDir folder(QStringLiteral(":/counters"));
  for (const QString& name : folder.entryList({QStringLiteral("*.csv")}, QDir::Files, QDir::Name)) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::ReadOnly)) continue;
    const std::vector<CardCounters> rows = readCardCounters(name, QString::fromUtf8(file.readAll()));
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

using simt::Counters;

/// One thing that is counted.
struct Row {
  const char* name;
  const char* key; ///< in reports and in a card's file; null for a ratio
  const char* meaning;
  const char* metric; ///< what Nsight Compute calls it; null where no metric is held against it
  std::optional<double> (*of)(const Counters&);
};

template <std::uint64_t Counters::*Member>
std::optional<double> member(const Counters& counters) {
  return static_cast<double>(counters.*Member);
}

std::optional<double> ratio(std::uint64_t over, std::uint64_t under) {
  if (under == 0) return std::nullopt;
  return static_cast<double>(over) / static_cast<double>(under);
}

/// All that is counted, and the words for it.
struct Rows {
  Q_DECLARE_TR_FUNCTIONS(CounterModel)
public:
  static constexpr std::array all{
      Row{QT_TR_NOOP("global loads"), "global_load_requests",
          QT_TR_NOOP("Requests to load from global memory. A request is one instruction of one warp, for all "
                     "of its lanes that take part."),
          "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", member<&Counters::globalLoadRequests>},
      Row{QT_TR_NOOP("sectors loaded"), "global_load_sectors",
          QT_TR_NOOP("Sectors of 32 bytes that those loads touch: what memory has to send, whether or not "
                     "all of it is used."),
          "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", member<&Counters::globalLoadSectors>},
      Row{QT_TR_NOOP("sectors a load"), nullptr,
          QT_TR_NOOP("Sectors by requests. 32 lanes that load neighbouring floats need 4; one value for all "
                     "lanes needs 1; 32 scattered values need 32."),
          nullptr, [](const Counters& c) { return ratio(c.globalLoadSectors, c.globalLoadRequests); }},
      Row{QT_TR_NOOP("global stores"), "global_store_requests",
          QT_TR_NOOP("Requests of warps to store to global memory."),
          "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", member<&Counters::globalStoreRequests>},
      Row{QT_TR_NOOP("sectors stored"), "global_store_sectors",
          QT_TR_NOOP("Sectors of 32 bytes that those stores touch."),
          "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", member<&Counters::globalStoreSectors>},
      Row{QT_TR_NOOP("global atomics"), "global_atomics",
          QT_TR_NOOP("Requests of warps for atomic operations on global memory."), nullptr,
          member<&Counters::globalAtomics>},
      Row{QT_TR_NOOP("global turns"), "global_atomic_turns",
          QT_TR_NOOP("Turns of those atomics: lanes of a warp that want one address go one after another. Of "
                     "each request the most lanes on one address count, from 1 to 32."),
          nullptr, member<&Counters::globalAtomicTurns>},
      Row{QT_TR_NOOP("shared accesses"), "shared_requests",
          QT_TR_NOOP("Requests of warps to load from or store to shared memory; atomics are not among them."),
          nullptr, member<&Counters::sharedRequests>},
      Row{QT_TR_NOOP("bank conflicts"), "bank_conflicts",
          QT_TR_NOOP("Extra turns at shared memory. It has 32 banks, each a word wide; lanes that want "
                     "different words of one bank take turns, and every turn beyond the first counts."),
          "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", member<&Counters::bankConflicts>},
      Row{QT_TR_NOOP("shared atomics"), "shared_atomics",
          QT_TR_NOOP("Requests of warps for atomic operations on shared memory."), nullptr,
          member<&Counters::sharedAtomics>},
      Row{QT_TR_NOOP("shared turns"), "shared_atomic_turns",
          QT_TR_NOOP(
              "Turns of those atomics: lanes of a warp that want one word go one after another, and so "
              "do those that want different words of one bank. Of each request the most lanes on one "
              "bank count, from 1 to 32. They are not among the bank conflicts."),
          nullptr, member<&Counters::sharedAtomicTurns>},
      Row{QT_TR_NOOP("turns an atomic"), nullptr,
          QT_TR_NOOP("Turns by atomics, on shared memory. 1: every lane has a bank of its own; 32: all lanes "
                     "of a warp add to one word, one after another."),
          nullptr, [](const Counters& c) { return ratio(c.sharedAtomicTurns, c.sharedAtomics); }},
      Row{QT_TR_NOOP("barriers"), "barriers",
          QT_TR_NOOP("__syncthreads(), at which a block waits for all of its threads; one for each block "
                     "that reaches it."),
          nullptr, member<&Counters::barriers>},
      Row{QT_TR_NOOP("warp collectives"), "warp_collectives",
          QT_TR_NOOP("Shuffles, votes, reductions and __syncwarp(), in which the lanes of a warp exchange "
                     "values without memory."),
          nullptr, member<&Counters::warpCollectives>},
      Row{QT_TR_NOOP("lanes a request"), nullptr,
          QT_TR_NOOP("How many of a warp's 32 lanes take part in a memory request, on average. Fewer than 32 "
                     "means that lanes stand idle."),
          nullptr,
          [](const Counters& c) {
            return c.requests == 0 ? std::nullopt : std::optional(c.lanesPerRequest());
          }},
      Row{QT_TR_NOOP("lines executed"), "lines_executed",
          QT_TR_NOOP("How often a warp executes a line that asks memory or exchanges values within the warp. "
                     "Where a branch parts the lanes, each way is executed by itself. Lines that only "
                     "calculate are not seen."),
          nullptr, member<&Counters::warpLines>},
      Row{QT_TR_NOOP("lanes a line"), nullptr,
          QT_TR_NOOP(
              "How many of a warp's 32 lanes are active on such a line, on average. Fewer than 32 means "
              "that branches or loops part the warp: it diverges."),
          nullptr, [](const Counters& c) { return ratio(c.warpLineLanes, c.warpLines); }},
  };
};

const Row& rowAt(int row) { return Rows::all[static_cast<std::size_t>(row)]; }

/// Counts are exact; ratios have two decimals, so that 4 and 12 stand under each other.
QString numberText(const Row& row, double value) {
  return row.key ? countText(static_cast<std::uint64_t>(value)) : QString::number(value, 'f', 2);
}

/// Of the numbers as they are read: "+26,880", "−1,024", "same"; in words "26,880 more", "1,024 fewer".
QString differenceText(const Row& row, double before, double now, bool words) {
  if (numberText(row, before) == numberText(row, now)) return Rows::tr("same");
  const auto read = [&](double value) { return row.key ? value : std::round(value * 100) / 100; };
  const QString size = numberText(row, std::abs(read(now) - read(before)));
  if (!words) return (now > before ? QChar(u'+') : QChar(u'\u2212')) + size;
  return now > before ? Rows::tr("%1 more").arg(size) : Rows::tr("%1 fewer").arg(size);
}

} // namespace

std::vector<CardCounters> readCardCounters(const QString& fileName, const QString& text) {
  std::vector<CardCounters> rows;
  const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  if (lines.isEmpty()) return rows;
  const QStringList header = lines.front().trimmed().split(QLatin1Char(','));
  for (const QString& line : lines.mid(1)) {
    const QStringList cells = line.trimmed().split(QLatin1Char(','));
    if (cells.size() != header.size() || cells.size() <= firstCounter) continue;
    bool n = false, d = false, k = false;
    CardCounters row{
        cardName(fileName),
        cells[0],
        {static_cast<std::size_t>(cells[1].toULongLong(&n)), cells[2].toInt(&d), cells[3].toInt(&k)},
        cells[4].toInt(),
        {}};
    if (!n || !d || !k) continue;
    for (qsizetype at = firstCounter; at < cells.size(); ++at) {
      bool number = false;
      const qulonglong value = cells[at].toULongLong(&number);
      if (number) row.values[header[at]] = value;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::optional<CardCounters> cardCountersOf(const QString& variant) {
  static const std::vector<CardCounters> all = inProgram();
  for (const CardCounters& row : all)
    if (row.variant == variant) return row;
  return std::nullopt;
}

int CounterModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(Rows::all.size());
}

std::optional<double> CounterModel::value(int row, int column) const {
  const Row& what = rowAt(row);
  const auto of = [&](const std::optional<Counters>& counters) {
    return counters ? what.of(*counters) : std::nullopt;
  };
  switch (column) {
  case beforeColumn:
    return of(before_.counters);
  case nowColumn:
    return of(now_.counters);
  case askedColumn:
    return of(askedThere_);
  case doneColumn: {
    if (!card_ || !what.key) return std::nullopt;
    const auto found = card_->values.find(QString::fromLatin1(what.key));
    return found == card_->values.end() ? std::nullopt : std::optional(static_cast<double>(found->second));
  }
  default:
    return std::nullopt;
  }
}

QString CounterModel::text(int row, int column, bool words) const {
  if (column == nameColumn) return Rows::tr(rowAt(row).name);
  if (column == differenceColumn && isCut()) return unknownText();
  if (hidden_) {
    // That a row has no number, as a share of nothing has none, would be an answer too.
    const auto counted = [&](int of) {
      return of == beforeColumn ? before_.counters.has_value()
             : of == nowColumn  ? now_.counters.has_value()
                                : value(row, of).has_value();
    };
    const bool known =
        column == differenceColumn ? counted(beforeColumn) && counted(nowColumn) : counted(column);
    return known ? hiddenText() : unknownText();
  }
  if (column == differenceColumn) {
    const auto before = value(row, beforeColumn), now = value(row, nowColumn);
    return before && now ? differenceText(rowAt(row), *before, *now, words) : unknownText();
  }
  const auto number = value(row, column);
  return number ? numberText(rowAt(row), *number) : unknownText();
}

QVariant CounterModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const int row = index.row(), column = index.column();
  switch (role) {
  case Qt::DisplayRole:
    return text(row, column);
  case Qt::TextAlignmentRole:
    return int((column == nameColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  case Qt::ToolTipRole: {
    const Row& what = rowAt(row);
    // A narrow table cuts names, and its differences are signs.
    QString head = text(row, nameColumn);
    if (column == differenceColumn) head += QStringLiteral(": ") + text(row, column, true);
    return QStringLiteral("%1\n%2\n%3")
        .arg(head, Rows::tr(what.meaning),
             what.metric ? tr("In Nsight Compute: %1").arg(QString::fromLatin1(what.metric))
                         : tr("No metric of Nsight Compute is held against it."));
  }
  case Qt::AccessibleTextRole:
    return column == nameColumn ? text(row, column)
                                : QStringLiteral("%1, %2: %3")
                                      .arg(text(row, nameColumn),
                                           headerData(column, Qt::Horizontal, Qt::AccessibleTextRole)
                                               .toString()
                                               .replace('\n', ' '),
                                           text(row, column, true));
  case numberRole: {
    const auto number = value(row, column);
    return number && !hidden_ ? QVariant(*number) : QVariant();
  }
  case differsRole: {
    const auto before = value(row, beforeColumn), now = value(row, nowColumn);
    return !hidden_ && !isCut() && before && now &&
           numberText(rowAt(row), *before) != numberText(rowAt(row), *now);
  }
  case onCardRole:
    return value(row, doneColumn).has_value();
  default:
    return {};
  }
}

QVariant CounterModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount_) return {};
  // A word a line: a table of a narrow pane has no room for a card's whole name.
  const QString name = card_ ? card_->card : QString();
  const QString card = role == Qt::AccessibleTextRole ? name : QString(name).replace(u' ', u'\n');
  const QString titles[] = {QString(),
                            before_.name.isEmpty() ? tr("before") : before_.name,
                            now_.name,
                            role == Qt::AccessibleTextRole ? tr("difference") : tr("diff."),
                            tr("asked by\nthe source"),
                            card_ ? tr("done by\n%1").arg(card) : tr("done by\na card")};
  static constexpr const char* tips[] = {
      QT_TR_NOOP("What is counted over one launch"),
      QT_TR_NOOP("Asked by the source of the version before"),
      QT_TR_NOOP("Asked by the source of this version"),
      QT_TR_NOOP("Difference: this version against the one before"),
      QT_TR_NOOP("Asked by the source at the problem that the card was measured with"),
      QT_TR_NOOP("Done by the card, as Nsight Compute counted it")};
  if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) return titles[section];
  if (role == Qt::ToolTipRole) return tr(tips[section]);
  if (role == Qt::TextAlignmentRole)
    return int((section == nameColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignBottom);
  return {};
}

std::optional<NamedCount> namedCount(const QString& name, const Counters& counters) {
  for (const Row& row : Rows::all) {
    if (name != QLatin1String(row.name)) continue;
    const auto value = row.of(counters);
    return NamedCount{value, value ? numberText(row, *value) : unknownText(), row.key != nullptr};
  }
  return std::nullopt;
}

QString hiddenText() { return QStringLiteral("?"); }

QString marginText(const Counters& counters, bool shortened) {
  QStringList parts;
  const auto add = [&](std::uint64_t count, const QString& one, const QString& many) {
    if (count > 0) parts << countedText(count, one, many);
  };
  const auto addTurns = [&](std::uint64_t atomics, std::uint64_t turns) {
    if (turns > atomics) add(turns, Rows::tr("%1 turn"), Rows::tr("%1 turns")); // one each is no news
  };
  add(counters.globalLoadRequests + counters.globalStoreRequests, Rows::tr("%1 req"), Rows::tr("%1 req"));
  add(counters.globalLoadSectors + counters.globalStoreSectors, Rows::tr("%1 sector"),
      Rows::tr("%1 sectors"));
  add(counters.globalAtomics, Rows::tr("%1 global atomic"), Rows::tr("%1 global atomics"));
  addTurns(counters.globalAtomics, counters.globalAtomicTurns);
  add(counters.sharedRequests, Rows::tr("%1 shared"), Rows::tr("%1 shared"));
  add(counters.bankConflicts, Rows::tr("%1 conflict"), Rows::tr("%1 conflicts"));
  add(counters.sharedAtomics, Rows::tr("%1 atomic"), Rows::tr("%1 atomics"));
  addTurns(counters.sharedAtomics, counters.sharedAtomicTurns);
  add(counters.barriers, Rows::tr("%1 barrier"), Rows::tr("%1 barriers"));
  add(counters.warpCollectives, Rows::tr("%1 warp collective"), Rows::tr("%1 warp collectives"));
  parts = parts.mid(0, 2);
  return shortened && !parts.isEmpty() ? parts.last() : parts.join(QStringLiteral(" · "));
}

QString everythingText(const Counters& counters) {
  QStringList parts;
  for (const Row& row : Rows::all) {
    const auto value = row.of(counters);
    if (value && *value > 0)
      parts << QStringLiteral("%1: %2").arg(Rows::tr(row.name), numberText(row, *value));
  }
  return parts.join(QLatin1Char('\n'));
}

} // namespace lloyd
