// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/table/column_roles.hpp"

#include "app/data/input/wording.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace lloyd {
namespace {

constexpr std::uint64_t mostClasses = 64; ///< of a column that is guessed to be the class
constexpr double largestClass = 1000;     ///< a number that still looks like a class
constexpr std::uint64_t fewestRows = 10;  ///< below, numbers count rows by accident
constexpr double mostlyDifferent = 0.9;   ///< of the texts that name rows

/// The last word of a name in lower case: "Customer ID" and "customer_id" end in "id".
std::string lastWord(std::string_view name) {
  std::string word;
  bool ended = false;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (!upper && !(c >= 'a' && c <= 'z')) {
      ended = true;
      continue;
    }
    if (ended) word.clear();
    ended = false;
    word += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return word;
}

template <std::size_t N>
bool endsIn(const std::string& name, const std::array<std::string_view, N>& words) {
  const std::string last = lastWord(name);
  return std::ranges::find(words, last) != words.end();
}

bool calledId(const std::string& name) {
  constexpr std::array<std::string_view, 6> words{"id", "index", "idx", "row", "rowid", "nr"};
  return endsIn(name, words);
}
bool calledClass(const std::string& name) {
  constexpr std::array<std::string_view, 8> words{"class",  "label",   "labels",   "species",
                                                  "target", "cluster", "category", "kind"};
  return endsIn(name, words);
}
bool calledName(const std::string& name) {
  constexpr std::array<std::string_view, 5> words{"name", "title", "id", "key", "model"};
  return endsIn(name, words);
}

bool textLooksLikeClass(const ColumnFacts& column) {
  return column.type == ColumnType::text && column.different >= 2 && column.different <= mostClasses &&
         2 * column.different <= column.present;
}
bool numberLooksLikeClass(const ColumnFacts& column) {
  return column.type == ColumnType::number && column.whole && calledClass(column.name) && column.low >= -1 &&
         column.high <= largestClass && column.different >= 2 && column.different <= mostClasses &&
         2 * column.different <= column.present;
}
bool looksLikeName(const ColumnFacts& column) {
  return column.type == ColumnType::text && column.different >= 2 &&
         static_cast<double>(column.different) >= mostlyDifferent * static_cast<double>(column.present);
}
bool looksLikeId(const ColumnFacts& column) {
  if (column.type != ColumnType::number || !column.whole) return false;
  if (column.numbersRows && column.present >= fewestRows) return true;
  return calledId(column.name) && column.present >= 2 && column.different == column.present;
}

class Guess {
public:
  Guess(const std::vector<ColumnFacts>& columns, const RoleWishes& wishes)
      : columns_(columns), wishes_(wishes) {
    guessed_.roles.assign(columns.size(), ColumnRole::ignored);
  }

  GuessedRoles roles() {
    for (const std::size_t c : wishes_.features)
      give(c, ColumnRole::feature);
    if (wishes_.classes.column) give(*wishes_.classes.column, ColumnRole::classes);
    if (wishes_.name.column) give(*wishes_.name.column, ColumnRole::name);
    if (wishes_.classes.guessed) guessClass();
    if (wishes_.name.guessed) guessName();
    guessed_.features = wishes_.features;
    if (wishes_.features.empty()) guessFeatures();
    return std::move(guessed_);
  }

private:
  void give(std::size_t column, ColumnRole role) { guessed_.roles[column] = role; }
  [[nodiscard]] bool free(std::size_t column) const { return guessed_.roles[column] == ColumnRole::ignored; }
  void say(std::size_t column, const std::string& what) {
    guessed_.remarks.push_back("column " + quoted(columns_[column].name) + what);
  }

  /// A column that is called like a class comes first, then the last one that could be.
  void guessClass() {
    std::optional<std::size_t> found;
    bool called = false;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (!free(c) || !(textLooksLikeClass(columns_[c]) || numberLooksLikeClass(columns_[c]))) continue;
      const bool now = calledClass(columns_[c].name);
      if (called && !now) continue;
      found = c;
      called = now;
    }
    if (!found || isOnlyNumber(*found)) return;
    give(*found, ColumnRole::classes);
    const bool text = columns_[*found].type == ColumnType::text;
    say(*found, " is taken as the class, not as a feature: it holds " +
                    counted(columns_[*found].different, text ? "different text" : "different whole number") +
                    " in " + counted(columns_[*found].present, "row"));
  }

  /// A column that is called like a name comes first, then the first one that could be.
  void guessName() {
    std::optional<std::size_t> found;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (!free(c) || !looksLikeName(columns_[c])) continue;
      if (found && !(calledName(columns_[c].name) && !calledName(columns_[*found].name))) continue;
      found = c;
    }
    if (!found) return;
    give(*found, ColumnRole::name);
    say(*found, " is taken as the name of each row: nearly every text in it is another");
  }

  void guessFeatures() {
    std::vector<std::size_t> ids;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (!free(c) || columns_[c].type != ColumnType::number) continue;
      (looksLikeId(columns_[c]) ? ids : guessed_.features).push_back(c);
    }
    if (guessed_.features.empty()) {
      guessed_.features = ids;
      ids.clear();
    }
    for (const std::size_t c : ids)
      say(c, columns_[c].numbersRows ? " is left out as an id: it numbers the rows"
                                     : " is left out as an id: each of its whole numbers is another");
    for (const std::size_t c : guessed_.features)
      give(c, ColumnRole::feature);
  }

  [[nodiscard]] bool isOnlyNumber(std::size_t column) const {
    if (columns_[column].type != ColumnType::number || !wishes_.features.empty()) return false;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (c != column && free(c) && columns_[c].type == ColumnType::number) return false;
    return true;
  }

  const std::vector<ColumnFacts>& columns_;
  const RoleWishes& wishes_;
  GuessedRoles guessed_;
};

} // namespace

std::uint64_t differentUpTo(const std::string& name) {
  if (calledId(name)) return std::numeric_limits<std::uint64_t>::max();
  return calledClass(name) ? mostClasses + 1 : 0;
}

GuessedRoles guessRoles(const std::vector<ColumnFacts>& columns, const RoleWishes& wishes) {
  return Guess(columns, wishes).roles();
}

} // namespace lloyd
