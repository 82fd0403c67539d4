// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/warp_waits.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace lloyd {
namespace {

constexpr double sumWithin = 0.02;

struct Reason {
  const char* key;
  const char* meaning;
};

struct Waits {
  Q_DECLARE_TR_FUNCTIONS(WarpWaits)
public:
  static constexpr std::array<Reason, waitReasons> all{
      Reason{"long_scoreboard", QT_TR_NOOP("A value from global or local memory has not arrived.")},
      Reason{"short_scoreboard",
             QT_TR_NOOP(
                 "A value from shared memory, or from the unit of roots and logarithms, has not arrived.")},
      Reason{"barrier", QT_TR_NOOP("The other warps of the block have not come to the barrier.")},
      Reason{"wait",
             QT_TR_NOOP("A few cycles that every instruction of its kind takes before the next one.")},
      Reason{"mio_throttle",
             QT_TR_NOOP("The queue of shared memory, and of the other units behind it, is full.")},
      Reason{"lg_throttle", QT_TR_NOOP("The queue of global and local memory is full.")},
      Reason{"math_pipe_throttle",
             QT_TR_NOOP("The arithmetic unit that is needed is busy with another warp.")},
      Reason{"not_selected",
             QT_TR_NOOP("It could have issued, and the scheduler took another warp: there are "
                        "enough of them.")},
      Reason{"selected", QT_TR_NOOP("It issues: one cycle an instruction, the only one that is no wait.")},
      Reason{"no_instruction",
             QT_TR_NOOP("The next instruction has not arrived from the instruction cache.")},
      Reason{"branch_resolving", QT_TR_NOOP("A jump has not decided where it goes.")},
      Reason{"dispatch_stall", QT_TR_NOOP("The dispatcher holds the instruction back, for example because of "
                                          "its registers' banks.")},
      Reason{"drain", QT_TR_NOOP("At the end, stores have not left.")},
      Reason{"gmma", QT_TR_NOOP("A matrix product of several warps has not ended.")},
      Reason{"imc_miss", QT_TR_NOOP("A constant has not arrived from the constant cache.")},
      Reason{"membar", QT_TR_NOOP("A memory fence waits for stores to be seen.")},
      Reason{"misc", QT_TR_NOOP("Something else of the hardware.")},
      Reason{"sleeping", QT_TR_NOOP("Its threads sleep, because they asked to.")},
      Reason{"tex_throttle", QT_TR_NOOP("The queue of the texture unit is full.")}};
};

/// What an article gives as the reason of a version's time, from the profiler's pictures of its author.
struct Diagnosis {
  std::string_view variant;
  const char* text;
  std::size_t reason; ///< that it names
};

constexpr std::size_t longScoreboard = 0, barrierReason = 2, waitReason = 3, mioThrottle = 4, notSelected = 7,
                      selected = 8;

constexpr Diagnosis diagnoses[] = {
    {"classify.v1",
     QT_TRANSLATE_NOOP("WarpWaits", "The article's profiler shows waits for memory where the "
                                    "old label is compared (text, lines 76 to 77)."),
     longScoreboard},
    {"classify.v2",
     QT_TRANSLATE_NOOP("WarpWaits", "The article loads old labels early against a high "
                                    "stall_long_sb (text, line 81); what is left is stall_wait (line 144)."),
     longScoreboard},
    {"classify.v3",
     QT_TRANSLATE_NOOP("WarpWaits", "The article has the compiler take the loop away against "
                                    "V2's stall_wait (text, line 144)."),
     waitReason},
    {"reduce.v3",
     QT_TRANSLATE_NOOP("WarpWaits", "The article sees stall_barrier fall, and its share rise, "
                                    "because fewer instructions are left (text, line 210)."),
     barrierReason},
    {"reduce.v5",
     QT_TRANSLATE_NOOP("WarpWaits", "The article's main problem here is Stall MIO Throttle: "
                                    "shared memory is asked too often (text, lines 390 and 393)."),
     mioThrottle},
    {"reduce.v7",
     QT_TRANSLATE_NOOP("WarpWaits", "The article finds Stall MIO Throttle improved (text, line 604)."),
     mioThrottle},
};

const Diagnosis* diagnosisOf(std::string_view variant) {
  const auto found = std::ranges::find(diagnoses, variant, &Diagnosis::variant);
  return found == std::end(diagnoses) ? nullptr : found;
}

std::optional<WarpWaits> waitsOfRow(const QStringList& header, const QStringList& cells) {
  bool whole = cells.size() == header.size();
  const auto cell = [&](const char* column) {
    const qsizetype at = header.indexOf(QLatin1String(column));
    if (at < 0 || at >= cells.size()) whole = false;
    return whole ? cells[at] : QString();
  };
  const auto number = [&](const char* column) {
    bool is = false;
    const double value = cell(column).toDouble(&is);
    whole = whole && is && value >= 0 && std::isfinite(value);
    return value;
  };
  const auto count = [&](const char* column) { return static_cast<std::uint64_t>(number(column)); };
  WarpWaits row;
  row.kernel = cell("kernel");
  row.launch = {.n = count("n"), .d = count("d"), .k = count("k"), .block = count("block")};
  row.us = number("us");
  row.registers = static_cast<int>(number("registers"));
  row.localBytes = number("local_bytes");
  row.sharedBytes = number("shared_bytes");
  row.occupancy = number("occupancy");
  row.ipc = number("ipc");
  row.issue = number("issue");
  row.latency = number("latency");
  for (std::size_t reason = 0; reason < waitReasons; ++reason)
    row.cycles[reason] = number(Waits::all[reason].key);
  if (!whole || !(std::abs(row.sum() - row.latency) <= sumWithin * row.latency) || row.latency == 0)
    return std::nullopt;
  return row;
}

QString cyclesText(const WarpWaits& row, std::size_t reason) {
  return Waits::tr("%1 cycles an instruction, %2 %")
      .arg(significantText(row.cycles[reason]), percentText(row.share(reason)));
}

} // namespace

QString ProfiledLaunch::text() const {
  return Waits::tr("N = %1, D = %2, K = %3, block %4")
      .arg(countText(n), countText(d), countText(k), countText(block));
}

double WarpWaits::sum() const { return std::accumulate(cycles.begin(), cycles.end(), 0.0); }

const WarpWaits* WaitTable::find(const QString& variant, const QString& arithmetic) const {
  const auto row = rows.find({variant, arithmetic});
  return row == rows.end() ? nullptr : &row->second;
}

WaitTable readWaits(const QString& text) {
  WaitTable table;
  QStringList header;
  for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    if (line.startsWith(QLatin1Char('#'))) {
      table.card = line.mid(1).section(QLatin1Char(','), 0, 0).trimmed();
      table.profiler = line.section(QLatin1Char(','), 1, 1).trimmed();
      continue;
    }
    const QStringList cells = line.trimmed().split(QLatin1Char(','));
    if (header.isEmpty())
      header = cells;
    else if (const auto row = waitsOfRow(header, cells); row && cells.size() > 1)
      table.rows.emplace(std::pair(cells[0], cells[1]), *row);
  }
  return table;
}

const std::vector<WaitTable>& shippedWaits() {
  static const std::vector<WaitTable> tables = [] {
    initTexts();
    std::vector<WaitTable> all;
    const QDir folder(QStringLiteral(":/waits"));
    // The larger number last in the alphabet is the newer card, and the one that the other tables are of.
    for (const QString& name :
         folder.entryList({QStringLiteral("*.csv")}, QDir::Files, QDir::Name | QDir::Reversed)) {
      QFile file(folder.filePath(name));
      if (file.open(QIODevice::ReadOnly)) all.push_back(readWaits(QString::fromUtf8(file.readAll())));
    }
    return all;
  }();
  return tables;
}

const WaitTable* waitsOf(std::string_view card) {
  const auto& tables = shippedWaits();
  if (tables.empty()) return nullptr;
  const auto found = std::ranges::find(tables, qtext(card), &WaitTable::card);
  return found == tables.end() ? &tables.front() : &*found;
}

bool isProfiled(std::string_view card) {
  return std::ranges::find(shippedWaits(), qtext(card), &WaitTable::card) != shippedWaits().end();
}

QString launchesText(const WarpWaits* before, const WarpWaits& now, const QString& beforeName,
                     const QString& nowName) {
  if (!before || before->launch == now.launch) return now.launch.text();
  return Waits::tr("%1: %2; %3: %4").arg(beforeName, before->launch.text(), nowName, now.launch.text());
}

QStringList launchDifferences(const WarpWaits& of, const WarpWaits* other) {
  if (!other) return {};
  QStringList lines;
  const auto tell = [&](const QString& what, std::uint64_t here, std::uint64_t there) {
    if (here != there) lines << what.arg(countText(here));
  };
  tell(Waits::tr("N %1"), of.launch.n, other->launch.n);
  tell(Waits::tr("D %1"), of.launch.d, other->launch.d);
  tell(Waits::tr("K %1"), of.launch.k, other->launch.k);
  tell(Waits::tr("block %1"), of.launch.block, other->launch.block);
  return lines;
}

QString launchCaution(const WarpWaits* before, const WarpWaits& now) {
  if (!before || before->launch == now.launch) return {};
  if (before->launch.sameWork(now.launch))
    return Waits::tr("Each version was launched with its own default block.");
  QStringList sizes;
  if (before->launch.n != now.launch.n) sizes << QStringLiteral("N");
  if (before->launch.d != now.launch.d) sizes << QStringLiteral("D");
  if (before->launch.k != now.launch.k) sizes << QStringLiteral("K");
  QString text =
      sizes.size() == 1
          ? Waits::tr("The two launches differ in %1: their times cannot be compared.").arg(sizes.front())
          : Waits::tr("The two launches differ in %1 and %2: their times cannot be compared.")
                .arg(sizes.mid(0, sizes.size() - 1).join(QStringLiteral(", ")), sizes.back());
  if (before->launch.block != now.launch.block)
    text += Waits::tr(" Each block is the version's own default.");
  return text;
}

QStringList waitReasonKeys() {
  QStringList keys;
  for (const Reason& reason : Waits::all)
    keys << QString::fromLatin1(reason.key);
  return keys;
}

QString waitReasonName(std::size_t reason) {
  return QString::fromLatin1(Waits::all[reason].key).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString waitReasonMeaning(std::size_t reason) { return Waits::tr(Waits::all[reason].meaning); }

QString textsDiagnosis(std::string_view variant) {
  const Diagnosis* found = diagnosisOf(variant);
  return found ? Waits::tr(found->text) : QString();
}

std::size_t diagnosedReason(std::string_view variant, const WarpWaits& now) {
  if (const Diagnosis* found = diagnosisOf(variant)) return found->reason;
  std::size_t longest = 0;
  for (std::size_t reason = 1; reason < waitReasons; ++reason)
    if (reason != notSelected && reason != selected && now.cycles[reason] > now.cycles[longest])
      longest = reason;
  return longest;
}

QString measuredDiagnosis(std::string_view variant, const WarpWaits* before, const WarpWaits& now,
                          const QString& beforeName, const QString& nowName) {
  const Diagnosis* found = diagnosisOf(variant);
  const std::size_t reason = diagnosedReason(variant, now);
  const QString what = found
                           ? Waits::tr("Here %1 takes").arg(waitReasonName(reason))
                           : Waits::tr("The longest wait of %1 is %2:").arg(nowName, waitReasonName(reason));
  QString text = what + QLatin1Char(' ');
  if (before) text += Waits::tr("%1 in %2 and ").arg(cyclesText(*before, reason), beforeName);
  text += Waits::tr("%1 in %2.").arg(cyclesText(now, reason), nowName);
  if (!found && now.cycles[notSelected] > now.cycles[reason])
    text += Waits::tr(" Not selected, %1 %, is more and is no wait: such a warp could have issued.")
                .arg(percentText(now.share(notSelected)));
  return text;
}

} // namespace lloyd
