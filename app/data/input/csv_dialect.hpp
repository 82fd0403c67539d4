// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// How a table of text separates its fields.
struct CsvDialect {
  char delimiter = ',';  ///< ',', ';', a tab, or ' ', which stands for any run of blanks
  char lineEnd = '\n';   ///< '\r' only for files that hold no '\n' at all
  bool comments = false; ///< lines that begin with # are left out

  /// Only these two leave the comma free to be a decimal mark.
  [[nodiscard]] bool mayHaveDecimalComma() const { return delimiter == ';' || delimiter == '\t'; }
  [[nodiscard]] std::string delimiterName() const;
};

/// Guesses the dialect from the first lines of a file. A delimiter that cuts every line into the same number
/// of fields wins, the rarer one first: tab, semicolon, comma, blanks. cutShort says that the sample ends
/// before the file does.
[[nodiscard]] CsvDialect sniffDialect(std::string_view sample, bool cutShort, bool comments);

} // namespace lloyd
