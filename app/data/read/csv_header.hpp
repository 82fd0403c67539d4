// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/csv_fields.hpp"
#include "app/data/input/text_records.hpp"
#include "app/data/read/csv_reader.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// What the first record of a table says about all of it.
struct CsvFirstRecord {
  std::vector<std::string> names = {}; ///< of every column; its index stands for one that has none
  bool header = false;                 ///< the record is a header, not a point
};

/// Throws ReadFailure.
[[nodiscard]] CsvFirstRecord readFirstRecord(const TextRecords& records, std::string_view record,
                                             const CsvRules& rules, char decimalMark);

/// Where a field's own characters begin, for messages.
[[nodiscard]] const char* placeOf(const Field& field);

/// Throws ReadFailure for a field with quotes that cannot be read.
void refuseBroken(const TextRecords& records, std::string_view record, const Field& field);

} // namespace lloyd
