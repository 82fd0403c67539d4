// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/ply_reader.hpp"

#include "app/data/input/line_reader.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/read/point_cloud.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>

namespace lloyd {
namespace {

struct Type {
  std::string_view name;
  char kind;
  int bytes;
};

/// Both families of names that programs write.
constexpr std::array types{Type{"char", 'i', 1},    Type{"uchar", 'u', 1},  Type{"short", 'i', 2},
                           Type{"ushort", 'u', 2},  Type{"int", 'i', 4},    Type{"uint", 'u', 4},
                           Type{"float", 'f', 4},   Type{"double", 'f', 8}, Type{"int8", 'i', 1},
                           Type{"uint8", 'u', 1},   Type{"int16", 'i', 2},  Type{"uint16", 'u', 2},
                           Type{"int32", 'i', 4},   Type{"uint32", 'u', 4}, Type{"float32", 'f', 4},
                           Type{"float64", 'f', 8}, Type{"int64", 'i', 8},  Type{"uint64", 'u', 8}};

/// Vertices, faces and the like, in the order in which they follow the header.
struct Element {
  std::string name;
  std::string list = {}; ///< a property of it that is a list; empty: all are single values
  CloudTable table = {};
};

struct Header {
  bool text = false;
  std::vector<Element> elements = {};
};

constexpr std::size_t mostElements = 256;

class HeaderReader {
public:
  explicit HeaderReader(LineReader& lines) : lines_(lines) {}

  Header read() {
    if (!lines_.next(line_) || line_ != "ply") refuse("it is no PLY file, though it is called one");
    bool format = false;
    while (lines_.next(line_)) {
      words_ = wordsOf(line_);
      if (words_.empty() || words_[0] == "comment" || words_[0] == "obj_info") continue;
      if (words_[0] == "end_header") {
        if (!format) refuse("the PLY header does not say its format");
        return std::move(header_);
      }
      if (words_[0] == "format") {
        setFormat();
        format = true;
      } else if (words_[0] == "element") {
        addElement();
      } else if (words_[0] == "property") {
        addProperty();
      } else {
        lines_.refuseAt(line_, words_[0],
                        "expected format, element, property, comment or end_header, found " +
                            quoted(words_[0]));
      }
    }
    refuse("the PLY header is cut short: end_header is missing");
  }

private:
  void setFormat() {
    const std::string_view form = words_.size() > 1 ? words_[1] : std::string_view();
    header_.text = form == "ascii";
    bigEndian_ = form == "binary_big_endian";
    if (!header_.text && !bigEndian_ && form != "binary_little_endian")
      lines_.refuseLine("expected the format ascii, binary_little_endian or binary_big_endian, found " +
                        quoted(form));
    if (words_.size() != 3 || words_[2] != "1.0")
      lines_.refuseLine("expected version 1.0 of PLY, found " + quoted(words_.back()));
  }

  void addElement() {
    if (words_.size() != 3) lines_.refuseLine("expected element, a name and a count");
    if (header_.elements.size() == mostElements) lines_.refuseLine("more than 256 elements");
    const std::uint64_t rows = headerCount(lines_, line_, words_[2]);
    Element& element = header_.elements.emplace_back(Element{.name = std::string(words_[1])});
    element.table.rows = rows;
  }

  void addProperty() {
    if (header_.elements.empty()) lines_.refuseLine("a property before the first element");
    Element& element = header_.elements.back();
    if (words_.size() == 5 && words_[1] == "list") {
      static_cast<void>(typeOf(words_[2]));
      static_cast<void>(typeOf(words_[3]));
      if (element.list.empty()) element.list = words_[4];
      return;
    }
    if (words_.size() != 3) lines_.refuseLine("expected property, a type and a name");
    CloudTable& table = element.table;
    if (table.columns.size() == mostCloudColumns) lines_.refuseLine("more than 4,096 properties");
    const Type type = typeOf(words_[1]);
    table.columns.push_back({.name = std::string(words_[2]),
                             .kind = type.kind,
                             .bytes = type.bytes,
                             .word = table.words++,
                             .first = table.rowBytes});
    table.rowBytes += static_cast<std::uint64_t>(type.bytes);
  }

  [[nodiscard]] Type typeOf(std::string_view word) const {
    const auto* const found = std::ranges::find(types, word, &Type::name);
    if (found == types.end())
      lines_.refuseAt(line_, word,
                      "expected a type such as float, double, uchar or int, found " + quoted(word));
    return *found;
  }

public:
  [[nodiscard]] bool bigEndian() const { return bigEndian_; }

private:
  LineReader& lines_;
  std::string_view line_;
  std::vector<std::string_view> words_;
  Header header_;
  bool bigEndian_ = false;
};

/// What the elements before the vertices take: lines of text, or bytes.
std::uint64_t sizeBefore(const Header& header, std::size_t vertices, const InputFile& file) {
  std::uint64_t size = 0;
  for (std::size_t e = 0; e < vertices; ++e) {
    const Element& element = header.elements[e];
    if (!header.text && !element.list.empty())
      refuse("lists (" + quoted(element.list) +
             ") stand before the vertices; save it with the vertices first");
    std::uint64_t bytes = 0;
    const std::uint64_t rowBytes = header.text ? 1 : element.table.rowBytes;
    if (__builtin_mul_overflow(element.table.rows, rowBytes, &bytes) || bytes > file.size() - size)
      refuse("the PLY header promises " + counted(element.table.rows, "line") + " of " +
             quoted(element.name) + ", which " + counted(file.size(), "byte") + " cannot hold");
    size += bytes;
  }
  return size;
}

} // namespace

PointSet readPly(const InputFile& file, const std::vector<std::string>& columns, const ReadControl& control) {
  LineReader lines(file);
  HeaderReader reader(lines);
  Header header = reader.read();
  const auto found = std::ranges::find(header.elements, "vertex", &Element::name);
  if (found == header.elements.end()) refuse("there are no vertices in it: the header has no element vertex");
  const auto vertices = static_cast<std::size_t>(found - header.elements.begin());
  const bool last = vertices + 1 == header.elements.size();
  if (!found->list.empty())
    refuse("the property " + quoted(found->list) + " of the vertices is a list; expected one number");
  const std::uint64_t before = sizeBefore(header, vertices, file);
  CloudTable table = std::move(found->table);
  table.bigEndian = reader.bigEndian();
  for (CloudColumn& column : table.columns)
    column.step = table.rowBytes;
  if (table.columns.empty()) refuse("the vertices have no properties; expected x, y and z");

  std::string_view line;
  if (header.text) {
    refuseTooFewBytes(file, lines, table.rows, table.words);
    for (std::uint64_t i = 0; i < before; ++i)
      if (!lines.next(line)) refuse("the file ends before its vertices");
    PointCloud cloud(file, std::move(table), columns, control);
    cloud.readText(lines);
    while (last && lines.next(line))
      if (!wordsOf(line).empty()) lines.refuseLine("there are more lines than the header promises");
    return cloud.finish();
  }
  const std::uint64_t start = lines.offset() + before;
  const std::uint64_t present = file.size() - std::min(file.size(), start);
  const std::uint64_t rows = present / table.rowBytes;
  if (table.rows > rows || (last && table.rows * table.rowBytes != present))
    refuse("the PLY header promises " + counted(table.rows, "point") + " of " +
           counted(table.rowBytes, "byte") + ", but " + counted(present, "byte") + " follow it");
  PointCloud cloud(file, std::move(table), columns, control);
  cloud.readBytes(start);
  return cloud.finish();
}

} // namespace lloyd
