// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/instruction_mix.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>
#include <numeric>
#include <optional>

namespace lloyd {
namespace {

struct Class {
  const char* key;
  const char* name;
  const char* meaning;
};

struct Classes {
  Q_DECLARE_TR_FUNCTIONS(InstructionMix)
public:
  static constexpr std::array<Class, instructionClasses> all{
      Class{"multiply-adds", QT_TR_NOOP("multiply-adds"),
            QT_TR_NOOP("A multiplication and an addition in one instruction (FFMA, DFMA).")},
      Class{"arithmetic", QT_TR_NOOP("other arithmetic"),
            QT_TR_NOOP("Additions, differences, products, roots (FADD, FMUL, DADD, MUFU).")},
      Class{"matrix", QT_TR_NOOP("matrix products"),
            QT_TR_NOOP("A small product of matrices by all lanes of a warp together (HMMA).")},
      Class{"shared", QT_TR_NOOP("shared memory"),
            QT_TR_NOOP("Loads, stores and atomics in shared memory (LDS, STS, LDSM, ATOMS).")},
      Class{"global", QT_TR_NOOP("global memory"),
            QT_TR_NOOP("Loads, stores and atomics in global memory, also those that go on to shared memory "
                       "(LDG, STG, LDGSTS, RED).")},
      Class{"addresses", QT_TR_NOOP("addresses"),
            QT_TR_NOOP("Integers, which are places in memory and counters (IMAD, IADD3, LEA, LOP3, SHF).")},
      Class{"branches", QT_TR_NOOP("compare and jump"),
            QT_TR_NOOP("Comparisons, choices between two values, jumps (ISETP, FSETP, FSEL, BRA).")},
      Class{"other", QT_TR_NOOP("other"),
            QT_TR_NOOP("Copies, constants, conversions, barriers, exchange between lanes (MOV, LDC, F2F, "
                       "BAR, SHFL).")}};
};

std::optional<InstructionMix> mixOf(const QStringList& header, const QStringList& cells) {
  const auto cell = [&](const char* column) {
    const qsizetype at = header.indexOf(QLatin1String(column));
    return at < 0 || at >= cells.size() ? QString() : cells[at];
  };
  bool whole = cells.size() == header.size();
  const auto number = [&](const char* column) {
    bool is = false;
    const int value = cell(column).toInt(&is);
    whole = whole && is && value >= 0;
    return value;
  };
  InstructionMix mix;
  mix.kernel = cell("kernel");
  mix.depth = number("depth");
  mix.lines = cell("lines");
  mix.instructions = number("instructions");
  for (std::size_t of = 0; of < instructionClasses; ++of)
    mix.counts[of] = number(Classes::all[of].key);
  const int sum = std::accumulate(mix.counts.begin(), mix.counts.end(), 0);
  if (!whole || sum != mix.instructions || sum == 0) return std::nullopt;
  for (const QString& part : cell("places").split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
    const qsizetype of = instructionClassKeys().indexOf(part.section(QLatin1Char('='), 0, 0));
    if (of >= 0) mix.places[static_cast<std::size_t>(of)] = part.section(QLatin1Char('='), 1);
  }
  return mix;
}

} // namespace

InstructionTable readInstructions(const QString& text) {
  InstructionTable table;
  QStringList header;
  for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    if (line.startsWith(QLatin1Char('#'))) {
      table.compiler = line.mid(1).section(QLatin1Char(','), 0, 0).trimmed();
      table.architecture = line.section(QLatin1Char(','), 1, 1).trimmed();
      continue;
    }
    const QStringList cells = line.trimmed().split(QLatin1Char(','));
    if (header.isEmpty())
      header = cells;
    else if (const auto mix = mixOf(header, cells))
      table.mixes.emplace(cells.front(), *mix);
  }
  return table;
}

const InstructionTable& shippedInstructions() {
  static const InstructionTable table = [] {
    initTexts();
    QFile file(QStringLiteral(":/measured/instructions.csv"));
    return file.open(QIODevice::ReadOnly) ? readInstructions(QString::fromUtf8(file.readAll()))
                                          : InstructionTable{};
  }();
  return table;
}

QStringList instructionClassKeys() {
  QStringList keys;
  for (const Class& of : Classes::all)
    keys << QString::fromLatin1(of.key);
  return keys;
}

QString instructionClassName(std::size_t of) { return Classes::tr(Classes::all[of].name); }
QString instructionClassMeaning(std::size_t of) { return Classes::tr(Classes::all[of].meaning); }

QString linesText(const QString& lines) {
  QStringList files;
  for (QString part : lines.split(QLatin1Char(' '), Qt::SkipEmptyParts))
    files << part.replace(QLatin1Char('-'), QChar(0x2013))
                 .replace(QLatin1Char('+'), QStringLiteral(", "))
                 .replace(QLatin1Char(':'), QLatin1Char(' '));
  if (files.isEmpty()) return {};
  bool one = false;
  lines.toInt(&one);
  return (one ? Classes::tr("line %1") : Classes::tr("lines %1")).arg(files.join(QStringLiteral("; ")));
}

void InstructionModel::setVersions(const Version& before, const Version& now) {
  beginResetModel();
  before_ = before;
  now_ = now;
  shown_.clear();
  for (std::size_t of = 0; of < instructionClasses; ++of)
    if ((before_.mix && before_.mix->counts[of] > 0) || (now_.mix && now_.mix->counts[of] > 0))
      shown_.push_back(of);
  endResetModel();
}

QString InstructionModel::spoken(const Version& version) {
  if (!version.mix) return {};
  QStringList parts;
  for (std::size_t of = 0; of < instructionClasses; ++of)
    if (const int count = version.mix->counts[of]; count > 0)
      parts << QStringLiteral("%1 %2").arg(count).arg(instructionClassName(of));
  return Classes::tr("%1: %2 instructions, %3")
      .arg(version.name)
      .arg(version.mix->instructions)
      .arg(parts.join(QStringLiteral(", ")));
}

int InstructionModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || shown_.empty() ? 0 : static_cast<int>(shown_.size()) + 1;
}

QString InstructionModel::text(int row, int column) const {
  const auto at = static_cast<std::size_t>(row);
  const bool all = at == shown_.size();
  if (column == nameColumn) return all ? Classes::tr("all") : instructionClassName(shown_[at]);
  const Version& version = column == beforeColumn ? before_ : now_;
  if (!version.mix) return unknownText();
  return countText(
      static_cast<std::uint64_t>(all ? version.mix->instructions : version.mix->counts[shown_[at]]));
}

/// What the class holds, and where its instructions come from.
QString InstructionModel::meaning(int row) const {
  const auto at = static_cast<std::size_t>(row);
  const bool all = at == shown_.size();
  QStringList lines{
      all ? Classes::tr("Each instruction of the loop once, whether every pass comes by it or not.")
          : instructionClassMeaning(shown_[at])};
  for (const Version* version : {&before_, &now_}) {
    if (!version->mix) continue;
    const QString where = linesText(all ? version->mix->lines : version->mix->places[shown_[at]]);
    if (!where.isEmpty()) lines << QStringLiteral("%1: %2").arg(version->name, where);
  }
  return lines.join(QLatin1Char('\n'));
}

std::optional<std::size_t> InstructionModel::partOf(int row) const {
  const auto at = static_cast<std::size_t>(row);
  return at < shown_.size() ? std::optional(shown_[at]) : std::nullopt;
}

} // namespace lloyd
