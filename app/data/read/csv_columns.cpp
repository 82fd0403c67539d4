// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/csv_columns.hpp"

#include "app/data/input/reader_steps.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/precision/number_summary.hpp"
#include "app/data/read_control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_set>
#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t mostClasses = 65536; ///< of a column that is asked to be the class
/// Of features that single precision does not hold to their last digit, the numbers of the file are kept as
/// well, up to so many bytes for all of them.
constexpr std::uint64_t mostOwnBytes = std::uint64_t{256} << 20;

/// What is known of a column of numbers when all of it was looked at.
struct NumberFacts {
  NumberSummary summary;
  std::uint64_t missing = 0;
  std::uint64_t different = 0;
  bool whole = true;
  bool numbersRows = true;
};

double firstFinite(const CsvColumn& column) {
  double first = std::numeric_limits<double>::quiet_NaN();
  column.cells.each([&](std::span<const double> chunk) {
    if (std::isfinite(first)) return;
    const auto at = std::ranges::find_if(chunk, [](double value) { return std::isfinite(value); });
    if (at != chunk.end()) first = *at;
  });
  return std::isfinite(first) ? first : 0;
}

std::uint64_t countDifferent(const CsvColumn& column, std::uint64_t most) {
  std::unordered_set<double> different;
  column.cells.each([&](std::span<const double> chunk) {
    for (std::size_t i = 0; i < chunk.size() && different.size() < most; ++i)
      if (std::isfinite(chunk[i])) different.insert(chunk[i]);
  });
  return different.size();
}

/// different: up to how many different numbers are counted.
NumberFacts lookAt(const CsvColumn& column, std::uint64_t different) {
  NumberFacts facts;
  facts.summary.pivot = firstFinite(column);
  bool rises = true;
  double before = -std::numeric_limits<double>::infinity();
  bool first = true;
  double next = 0;
  column.cells.each([&](std::span<const double> chunk) {
    for (const double value : chunk) {
      facts.summary.take(value);
      if (std::isnan(value)) {
        ++facts.missing;
        facts.numbersRows = false;
        continue;
      }
      facts.whole = facts.whole && value == std::floor(value);
      if (first) facts.numbersRows = facts.numbersRows && (value == 0 || value == 1);
      if (first) next = value;
      first = false;
      facts.numbersRows = facts.numbersRows && value == next++;
      rises = rises && value > before;
      before = value;
    }
  });
  if (facts.whole && different > 0)
    facts.different = rises ? facts.summary.count : countDifferent(column, different);
  return facts;
}

template <class T>
std::vector<T> drained(CsvColumn& column, std::uint64_t rows) {
  std::vector<T> cells;
  cells.reserve(rows);
  column.cells.drain([&](std::span<const double> chunk) {
    for (const double value : chunk)
      if constexpr (std::is_floating_point_v<T>)
        cells.push_back(static_cast<T>(value));
      else
        cells.push_back(std::isfinite(value) ? static_cast<T>(value) : T{0});
  });
  return cells;
}

Cells codes(CsvColumn& column, std::size_t words, std::uint64_t rows) {
  if (words <= std::numeric_limits<std::uint8_t>::max()) return drained<std::uint8_t>(column, rows);
  if (words <= std::numeric_limits<std::uint16_t>::max()) return drained<std::uint16_t>(column, rows);
  return drained<std::uint32_t>(column, rows);
}

std::uint64_t countMissing(const CsvColumn& column, std::uint64_t rows) {
  if (column.tooManyWords) return 0;
  std::uint64_t missing = 0;
  column.cells.each([&](std::span<const double> chunk) {
    missing +=
        static_cast<std::uint64_t>(std::ranges::count_if(chunk, [](double v) { return std::isnan(v); }));
  });
  return column.type() == ColumnType::empty ? rows : missing;
}

/// The numbers of a class become codes of its different values, in the order in which these come.
void codeNumbers(CsvColumn& column, TableColumn& made, std::uint64_t rows) {
  std::map<double, std::size_t> known;
  GrowingColumn coded;
  column.cells.drain([&](std::span<const double> chunk) {
    for (const double value : chunk) {
      if (!std::isfinite(value)) {
        coded.append(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      const auto [at, isNew] = known.try_emplace(value, known.size());
      if (isNew) {
        if (known.size() > mostClasses)
          refuse("column " + quoted(made.name) +
                 " has more than 65,536 different values, which are too many "
                 "for a class");
        made.words.push_back(fixedText(value, made.decimals));
        made.wordNumbers.push_back(value);
      }
      coded.append(static_cast<double>(at->second + 1));
    }
  });
  column.cells = std::move(coded);
  made.cells = codes(column, made.words.size(), rows);
}

class Builder {
public:
  Builder(std::vector<CsvColumn>& columns, const std::vector<std::string>& names, Table table)
      : columns_(columns), names_(names), table_(std::make_shared<Table>(std::move(table))) {}

  PointSet build(const RoleWishes& wishes) {
    lookAtAll(wishes);
    const GuessedRoles roles = guessRoles(facts_, wishes);
    requireNumbers(roles, wishes);
    PointSet points;
    points.remarks = leftOut(roles);
    points.remarks.insert(points.remarks.end(), roles.remarks.begin(), roles.remarks.end());
    describe(roles);
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (roles.roles[c] != ColumnRole::feature) pack(c);
    points.n = table_->rows;
    points.d = static_cast<int>(roles.features.size());
    refuseTooLarge(pointBytes(points.n, points.d));
    // Columns come one by one, and what they are made of goes: both are never there as a whole.
    points.values.reserve(points.n * roles.features.size());
    for (const std::size_t c : roles.features)
      addFeature(points, c);
    points.table = table_;
    return points;
  }

private:
  void lookAtAll(const RoleWishes& wishes) {
    numbers_.resize(columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const CsvColumn& column = columns_[c];
      ColumnFacts& facts = facts_.emplace_back();
      facts.name = names_[c];
      facts.type = column.type();
      if (facts.type == ColumnType::number) {
        const bool isClass = wishes.classes.column == c;
        numbers_[c] = lookAt(column, isClass ? 0 : differentUpTo(facts.name));
        facts.present = numbers_[c].summary.count;
        facts.different = numbers_[c].different;
        facts.whole = numbers_[c].whole;
        facts.numbersRows = numbers_[c].numbersRows;
        facts.low = numbers_[c].summary.low;
        facts.high = numbers_[c].summary.high;
      } else {
        numbers_[c].missing = countMissing(column, table_->rows);
        facts.present = table_->rows - numbers_[c].missing;
        facts.different = column.words ? column.words->size() : facts.present;
      }
    }
  }

  void requireNumbers(const GuessedRoles& roles, const RoleWishes& wishes) const {
    for (const std::size_t c : wishes.features)
      if (columns_[c].type() != ColumnType::number)
        throw ReadFailure(
            {.line = columns_[c].textLine,
             .column = columns_[c].textColumn,
             .message = "column " + quoted(names_[c]) + " holds no numbers, so it cannot be clustered"});
    if (roles.features.empty())
      refuse("no column holds numbers; expected a table of numbers, with or without a header");
  }

  /// The columns without numbers that have no role, unless the features were asked for by name.
  std::vector<std::string> leftOut(const GuessedRoles& roles) const {
    std::vector<std::string> text;
    std::vector<std::string> remarks;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].mayBeFeature && columns_[c].type() != ColumnType::number &&
          roles.roles[c] == ColumnRole::ignored)
        text.push_back(quoted(names_[c]));
    if (text.size() == 1) remarks.push_back("column " + text.front() + " holds no numbers and is left out");
    if (text.size() > 1) remarks.push_back("columns " + listed(text) + " hold no numbers and are left out");
    std::vector<std::string> lost;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].tooManyWords) lost.push_back(quoted(names_[c]));
    if (!lost.empty())
      remarks.push_back("the texts of " + listed(lost) +
                        " would take more than 256 MB, so they are exported, and not shown");
    return remarks;
  }

  void describe(const GuessedRoles& roles) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      TableColumn& made = table_->columns.emplace_back();
      made.name = names_[c];
      shortenName(made.name);
      made.type = columns_[c].type();
      made.role = roles.roles[c];
      made.missing = numbers_[c].missing;
      made.decimals = columns_[c].decimals;
      made.tooManyWords = columns_[c].tooManyWords;
      if (made.type != ColumnType::number || numbers_[c].summary.count == 0) continue;
      made.low = numbers_[c].summary.low;
      made.high = numbers_[c].summary.high;
    }
    for (std::size_t j = 0; j < roles.features.size(); ++j)
      table_->columns[roles.features[j]].feature = j;
  }

  void pack(std::size_t c) {
    CsvColumn& column = columns_[c];
    TableColumn& made = table_->columns[c];
    const std::uint64_t rows = table_->rows;
    if (made.role == ColumnRole::classes && made.tooManyWords)
      refuse("column " + quoted(made.name) + " has too many different texts for a class");
    if (made.type == ColumnType::text && column.words) {
      made.words = column.words->take();
      made.cells = codes(column, made.words.size(), rows);
      column.words.reset();
    } else if (made.type == ColumnType::number) {
      if (made.role == ColumnRole::classes)
        codeNumbers(column, made, rows);
      else if (numbers_[c].numbersRows)
        made.cells = RowNumbers{made.low};
      else if (numbers_[c].summary.exact)
        made.cells = drained<float>(column, rows);
      else
        made.cells = drained<double>(column, rows);
    }
    column.cells = {};
  }

  void addFeature(PointSet& points, std::size_t c) {
    CsvColumn& column = columns_[c];
    TableColumn& made = table_->columns[c];
    const NumberSummary& summary = numbers_[c].summary;
    const double unit = std::pow(10.0, -made.decimals);
    const double shift = shiftFor(summary, unit);
    points.columns.push_back(names_[c]);
    points.scales.push_back({.offset = shift, .factor = 1, .shift = shift});
    points.decimals.push_back(made.decimals);
    std::vector<double> own;
    const bool keep = !heldBySingle(summary, shift, made.decimals) &&
                      ownBytes_ + table_->rows * sizeof(double) <= mostOwnBytes;
    if (keep) {
      ownBytes_ += table_->rows * sizeof(double);
      own.reserve(table_->rows);
    }
    column.cells.drain([&](std::span<const double> chunk) {
      for (const double value : chunk)
        points.values.push_back(static_cast<float>(value - shift));
      if (keep) own.insert(own.end(), chunk.begin(), chunk.end());
    });
    if (keep) made.cells = std::move(own);
  }

  /// Whether what is stored, rounded to the digits of the file, is what stands there.
  static bool heldBySingle(const NumberSummary& numbers, double shift, int decimals) {
    if (numbers.count == 0) return true;
    const double far = std::max(std::abs(numbers.low), std::abs(numbers.high));
    const double near = std::max(std::abs(numbers.low - shift), std::abs(numbers.high - shift));
    const double power = std::pow(10.0, decimals);
    return far * power < 0x1p50 && singleStep(near) * power < 0.9;
  }

  std::vector<CsvColumn>& columns_;
  const std::vector<std::string>& names_;
  std::shared_ptr<Table> table_;
  std::uint64_t ownBytes_ = 0;
  std::vector<ColumnFacts> facts_;
  std::vector<NumberFacts> numbers_;
};

} // namespace

void CsvColumn::becomeText() {
  words = std::make_unique<WordList>();
  GrowingColumn coded;
  cells.drain([&](std::span<const double> chunk) {
    for (const double value : chunk)
      coded.append(std::isfinite(value) ? static_cast<double>(words->codeOf(fixedText(value, decimals)) + 1)
                                        : std::numeric_limits<double>::quiet_NaN());
  });
  cells = std::move(coded);
}

PointSet pointsOf(std::vector<CsvColumn>& columns, const std::vector<std::string>& names,
                  const RoleWishes& wishes, Table table) {
  return Builder(columns, names, std::move(table)).build(wishes);
}

} // namespace lloyd
