// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/csv_header.hpp"

#include "app/data/input/column_choice.hpp"
#include "app/data/input/parse_number.hpp"
#include "app/data/input/wording.hpp"

#include <algorithm>

namespace lloyd {
namespace {

constexpr std::size_t mostColumns = std::size_t{1} << 20;

/// Names asked for that stand in the first row make it a header even where other names look like numbers.
bool holdsAName(const std::vector<std::string>& names, const std::vector<std::string>& asked) {
  return std::any_of(asked.begin(), asked.end(), [&](const std::string& one) {
    return one.find_first_not_of("0123456789") != std::string::npos &&
           std::find(names.begin(), names.end(), one) != names.end();
  });
}

} // namespace

CsvFirstRecord readFirstRecord(const TextRecords& records, std::string_view record, const CsvRules& rules,
                               char decimalMark) {
  CsvFirstRecord first;
  FieldCursor cursor(record, records.dialect().delimiter);
  Field field;
  bool text = false;
  bool number = false;
  while (cursor.next(field)) {
    refuseBroken(records, record, field);
    if (first.names.size() == mostColumns)
      records.refuseAt(record, placeOf(field), "more than 1,048,576 columns in one row");
    const FieldKind kind = parseField(field.text, decimalMark).kind;
    text = text || kind == FieldKind::text;
    number = number || kind == FieldKind::number;
    first.names.push_back(field.plain());
  }
  first.header = rules.header && text && (!number || holdsAName(first.names, rules.columns));
  for (std::size_t c = 0; c < first.names.size(); ++c) {
    if (!first.header || first.names[c].empty()) first.names[c] = unnamedColumn(c);
  }
  return first;
}

const char* placeOf(const Field& field) {
  if (field.quoted) return field.text.data() - 1;
  const std::size_t first = field.text.find_first_not_of(" \t");
  return field.text.data() + (first == std::string_view::npos ? 0 : first);
}

void refuseBroken(const TextRecords& records, std::string_view record, const Field& field) {
  if (!field.broken) return;
  const bool open = field.text.data() + field.text.size() == record.data() + record.size();
  records.refuseAt(record, placeOf(field),
                   open ? "the quote that opens here is never closed"
                        : "expected a " + records.dialect().delimiterName() + " after the closing quote of " +
                              quoted(field.plain()));
}

} // namespace lloyd
