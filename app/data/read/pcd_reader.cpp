// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/pcd_reader.hpp"

#include "app/data/input/line_reader.hpp"
#include "app/data/input/lzf.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/read/point_cloud.hpp"

#include <QtEndian>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace lloyd {
namespace {

struct PcdField {
  std::string name;
  std::uint64_t bytes = 4;
  char kind = 'f';
  std::uint64_t count = 1;
};

struct PcdHeader {
  std::vector<PcdField> fields = {};
  std::optional<std::uint64_t> width = {};
  std::optional<std::uint64_t> height = {};
  std::optional<std::uint64_t> points = {};
  std::string form = {}; ///< "ascii", "binary" or "binary_compressed"
};

class PcdHeaderReader {
public:
  explicit PcdHeaderReader(LineReader& lines) : lines_(lines) {}

  PcdHeader read() {
    while (header_.form.empty()) {
      if (!lines_.next(line_)) refuse("the PCD header is cut short: its line DATA is missing");
      words_ = wordsOf(line_);
      if (words_.empty() || words_[0].starts_with('#')) continue;
      const std::string_view key = words_[0];
      words_.erase(words_.begin());
      if (key == "FIELDS" || key == "COLUMNS") {
        if (!header_.fields.empty()) lines_.refuseLine("the fields are named twice");
        if (words_.size() > mostCloudColumns) lines_.refuseLine("more than 4,096 fields");
        for (const std::string_view name : words_)
          header_.fields.push_back({.name = std::string(name)});
      } else if (key == "SIZE") {
        forEach(key, [&](PcdField& field, std::string_view word) {
          field.bytes = headerCount(lines_, line_, word);
        });
      } else if (key == "TYPE") {
        forEach(key, [&](PcdField& field, std::string_view word) {
          if (word != "F" && word != "I" && word != "U")
            lines_.refuseAt(line_, word, "expected the type F, I or U, found " + quoted(word));
          field.kind = static_cast<char>(word[0] - 'A' + 'a');
        });
      } else if (key == "COUNT") {
        forEach(key, [&](PcdField& field, std::string_view word) {
          field.count = headerCount(lines_, line_, word);
        });
      } else if (key == "WIDTH") {
        header_.width = one();
      } else if (key == "HEIGHT") {
        header_.height = one();
      } else if (key == "POINTS") {
        header_.points = one();
      } else if (key == "DATA") {
        header_.form = words_.size() == 1 ? words_[0] : std::string_view();
        if (header_.form != "ascii" && header_.form != "binary" && header_.form != "binary_compressed")
          lines_.refuseLine("expected the data to be ascii, binary or binary_compressed, found " +
                            quoted(header_.form));
      } else if (key != "VERSION" && key != "VIEWPOINT") {
        lines_.refuseAt(line_, key,
                        "expected a line of a PCD header, such as FIELDS, SIZE or DATA, found " +
                            quoted(key));
      }
    }
    return std::move(header_);
  }

private:
  template <class Set>
  void forEach(std::string_view key, const Set& set) {
    if (words_.size() != header_.fields.size() || words_.empty())
      lines_.refuseLine(std::string(key) + " has " + counted(words_.size(), "value") + ", but there are " +
                        counted(header_.fields.size(), "field"));
    for (std::size_t f = 0; f < words_.size(); ++f)
      set(header_.fields[f], words_[f]);
  }
  [[nodiscard]] std::uint64_t one() const {
    if (words_.size() != 1) lines_.refuseLine("expected one count");
    return headerCount(lines_, line_, words_[0]);
  }

  LineReader& lines_;
  std::string_view line_;
  std::vector<std::string_view> words_;
  PcdHeader header_;
};

bool isColour(const PcdField& field) {
  return (field.name == "rgb" || field.name == "rgba") && field.bytes == 4 && field.count == 1;
}

/// Where the columns lie: point after point, or field after field as in packed data.
CloudTable tableOf(const PcdHeader& header, std::uint64_t rows) {
  CloudTable table{.rows = rows};
  const bool byField = header.form == "binary_compressed";
  for (const PcdField& field : header.fields) {
    const bool whole = field.kind != 'f';
    const bool known =
        field.bytes == 4 || field.bytes == 8 || (whole && (field.bytes == 1 || field.bytes == 2));
    if (!known)
      refuse("values of the field " + quoted(field.name) + " are said to have " +
             counted(field.bytes, "byte") + "; expected 4 or 8, and of whole numbers 1 or 2 as well");
    if (field.count == 0 || field.count > mostCloudColumns - std::min(mostCloudColumns, table.words))
      refuse("the field " + quoted(field.name) + " is said to have " + counted(field.count, "value") +
             "; expected 1 to 4,096 in all fields");
    const auto bytes = static_cast<int>(field.bytes);
    for (std::uint64_t c = 0; c < field.count; ++c) {
      CloudColumn column{.name = field.name,
                         .kind = field.kind,
                         .bytes = bytes,
                         .word = table.words++,
                         .first = (byField ? table.rowBytes * rows : table.rowBytes) + c * field.bytes};
      if (byField) column.step = field.bytes * field.count;
      if (field.count > 1) column.name += ' ' + std::to_string(c);
      if (field.name == "_") continue; // fills a gap
      if (!isColour(field)) {
        table.columns.push_back(std::move(column));
        continue;
      }
      for (const auto& [name, shift] : {std::pair("red", 16), {"green", 8}, {"blue", 0}}) {
        column.name = name;
        column.shift = shift;
        table.columns.push_back(column);
      }
    }
    table.rowBytes += field.bytes * field.count;
  }
  if (!byField)
    for (CloudColumn& column : table.columns)
      column.step = table.rowBytes;
  return table;
}

std::uint64_t rowsOf(const PcdHeader& header) {
  std::uint64_t rows = header.points.value_or(0);
  if (!header.width) {
    if (!header.points) refuse("the PCD header says neither POINTS nor WIDTH and HEIGHT");
    return rows;
  }
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(*header.width, header.height.value_or(1), &product) ||
      (header.points && product != rows))
    refuse("the PCD header contradicts itself: WIDTH " + std::to_string(*header.width) + " times HEIGHT " +
           std::to_string(header.height.value_or(1)) + " is not POINTS " + std::to_string(rows));
  return product;
}

[[noreturn]] void refusePromise(const CloudTable& table, std::uint64_t present) {
  refuse("the PCD header promises " + counted(table.rows, "point") + " of " +
         counted(table.rowBytes, "byte") + ", but " + counted(present, "byte") + " follow it");
}

/// Two sizes, then as many packed bytes.
std::vector<char> unpackedBytes(const InputFile& file, std::uint64_t start, const CloudTable& table) {
  const std::uint64_t present = file.size() - std::min(file.size(), start);
  std::array<char, 8> sizes{};
  if (present < sizes.size() || file.readAt(start, sizes) < sizes.size()) refusePromise(table, present);
  const std::uint64_t packed = qFromLittleEndian<quint32>(sizes.data());
  const std::uint64_t whole = qFromLittleEndian<quint32>(sizes.data() + 4);
  if (packed > present - sizes.size())
    refuse("the PCD file is cut short: " + counted(packed, "packed byte") + " are promised, and " +
           counted(present - sizes.size(), "byte") + " are there");
  if (table.rows > whole / table.rowBytes || table.rows * table.rowBytes != whole)
    refuse("the PCD file contradicts itself: " + counted(table.rows, "point") + " of " +
           counted(table.rowBytes, "byte") + " are promised, and " + counted(whole, "byte") +
           " are said to be packed");
  if (whole / lzfMostRatio > packed)
    refuse("the PCD file promises " + counted(whole, "byte") + ", which " + counted(packed, "packed byte") +
           " cannot hold");
  refuseTooLarge(static_cast<double>(packed) + static_cast<double>(whole));
  std::vector<char> in(packed);
  std::vector<char> out(whole);
  if (file.readAt(start + sizes.size(), in) < in.size()) refuse("the file became shorter while it was read");
  if (!unpackLzf(in, out)) refuse("the packed data of the PCD file are damaged");
  return out;
}

} // namespace

bool isPcd(std::string_view head) {
  return head.starts_with("# .PCD") || head.starts_with("VERSION .7") || head.starts_with("VERSION 0.7");
}

PointSet readPcd(const InputFile& file, const std::vector<std::string>& columns, const ReadControl& control) {
  LineReader lines(file);
  const PcdHeader header = PcdHeaderReader(lines).read();
  if (header.fields.empty()) refuse("the PCD header names no FIELDS");
  CloudTable table = tableOf(header, rowsOf(header));
  const std::uint64_t start = lines.offset();
  const std::uint64_t present = file.size() - std::min(file.size(), start);
  if (header.form == "ascii") {
    refuseTooFewBytes(file, lines, table.rows, table.words);
    PointCloud cloud(file, std::move(table), columns, control);
    cloud.readText(lines);
    std::string_view line;
    while (lines.next(line))
      if (!wordsOf(line).empty()) lines.refuseLine("there are more lines than the header promises");
    return cloud.finish();
  }
  if (header.form == "binary_compressed") {
    const std::vector<char> bytes = unpackedBytes(file, start, table);
    PointCloud cloud(file, std::move(table), columns, control);
    cloud.takeBytes(bytes);
    return cloud.finish();
  }
  if (table.rows > present / table.rowBytes || table.rows * table.rowBytes != present)
    refusePromise(table, present);
  PointCloud cloud(file, std::move(table), columns, control);
  cloud.readBytes(start);
  return cloud.finish();
}

} // namespace lloyd
