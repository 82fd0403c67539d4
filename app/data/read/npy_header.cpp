// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/npy_header.hpp"

#include "app/data/input/parse_number.hpp"
#include "app/data/input/wording.hpp"

#include <optional>

namespace lloyd {
namespace {

/// Reads the few forms of Python literal that a header may hold, without recursion.
class Literals {
public:
  explicit Literals(std::string_view text) : text_(text) {}

  bool take(char expected) {
    skip();
    if (text_.empty() || text_.front() != expected) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool startsWith(char expected) {
    skip();
    return !text_.empty() && text_.front() == expected;
  }
  std::optional<std::string_view> string() {
    skip();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) return std::nullopt;
    const std::size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inner = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return inner;
  }
  std::string_view word() {
    skip();
    std::size_t end = 0;
    const auto belongs = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
             c == '+';
    };
    while (end < text_.size() && belongs(text_[end]))
      ++end;
    const std::string_view result = text_.substr(0, end);
    text_.remove_prefix(end);
    return result;
  }
  bool done() {
    skip();
    return text_.empty();
  }

private:
  void skip() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n' || text_.front() == '\t')) {
      text_.remove_prefix(1);
    }
  }
  std::string_view text_;
};

tl::unexpected<std::string> damaged(std::string_view what) {
  return tl::unexpected("the NPY header is damaged: " + std::string(what));
}

tl::expected<void, std::string> setType(NpyHeader& header, std::string_view type) {
  constexpr std::string_view wanted = "; expected float32, float64 or integers of 8 to 64 bits";
  const auto refused = [&](std::string_view what) {
    return tl::unexpected("it holds " + std::string(what) + std::string(wanted));
  };
  if (type.size() < 2 || std::string_view("<>|=").find(type.front()) == std::string_view::npos) {
    return refused("values of type " + quoted(type));
  }
  const char kind = type[1];
  const std::string_view digits = type.substr(2);
  const std::uint64_t bytes = parseCount(digits).value_or(0);
  switch (kind) {
  case 'O':
    return refused("Python objects");
  case 'c':
    return refused("complex numbers");
  case 'b':
    return refused("true and false");
  case 'S':
  case 'U':
  case 'a':
    return refused("text");
  case 'M':
  case 'm':
    return refused("dates or times");
  case 'V':
    return refused("raw bytes or structures");
  default:
    break;
  }
  if (kind == 'f' && bytes == 2) return refused("float16 values");
  if (kind == 'f' && bytes == 16) return refused("extended floating point values");
  const bool wide = bytes == 4 || bytes == 8;
  const bool narrow = bytes == 1 || bytes == 2;
  const bool known = kind == 'f' ? wide : (kind == 'i' || kind == 'u') && (wide || narrow);
  if (!known) return refused("values of type " + quoted(type));
  header.kind = kind;
  header.itemBytes = static_cast<int>(bytes);
  header.bigEndian = type.front() == '>';
  return {};
}

tl::expected<void, std::string> setShape(NpyHeader& header, Literals& literals) {
  if (!literals.take('(')) return damaged("the shape is no tuple");
  while (!literals.take(')')) {
    std::string_view digits = literals.word();
    if (digits.ends_with('L')) digits.remove_suffix(1); // as Python 2 wrote it
    if (digits.find_first_not_of("0123456789") != std::string_view::npos)
      return damaged("a length is no whole number");
    const auto length = parseCount(digits);
    if (!length) return damaged("a length is no whole number of 64 bits");
    header.shape.push_back(*length);
    if (header.shape.size() > 32) return damaged("more than 32 dimensions");
    if (!literals.take(',') && !literals.startsWith(')')) return damaged("the shape does not end");
  }
  if (header.shape.empty() || header.shape.size() > 2) {
    return tl::unexpected("the array has " + std::to_string(header.shape.size()) +
                          " dimensions; expected 1 (values) or 2 (points, columns)");
  }
  return {};
}

} // namespace

tl::expected<NpyDictionary, std::string> npyDictionary(std::string_view prefix) {
  if (!prefix.starts_with(npyMagic)) {
    return tl::unexpected(
        std::string("it is no NPY file, though it is called one: NumPy's signature is missing"));
  }
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(prefix[i]));
  };
  if (prefix.size() < 10) return tl::unexpected(std::string("the NPY header is cut short"));
  const std::uint64_t version = byte(6);
  if (version < 1 || version > 3) {
    return tl::unexpected("NPY version " + std::to_string(version) + " is not known; expected 1, 2 or 3");
  }
  if (version == 1) return NpyDictionary{10, byte(8) | byte(9) << 8};
  if (prefix.size() < 12) return tl::unexpected(std::string("the NPY header is cut short"));
  return NpyDictionary{12, byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24};
}

tl::expected<NpyHeader, std::string> parseNpyHeader(std::string_view dictionary) {
  NpyHeader header;
  Literals literals(dictionary);
  bool type = false;
  bool order = false;
  if (!literals.take('{')) return damaged("it is no dictionary");
  while (!literals.take('}')) {
    const auto key = literals.string();
    if (!key || !literals.take(':')) return damaged("a key is missing");
    if (*key == "descr") {
      if (literals.startsWith('['))
        return tl::unexpected(std::string("it holds structures; expected an array of plain numbers"));
      const auto text = literals.string();
      if (!text) return damaged("the type is no text");
      if (auto set = setType(header, *text); !set) return tl::unexpected(set.error());
      type = true;
    } else if (*key == "fortran_order") {
      const std::string_view word = literals.word();
      if (word != "True" && word != "False") return damaged("fortran_order is neither True nor False");
      header.fortranOrder = word == "True";
      order = true;
    } else if (*key == "shape") {
      if (!header.shape.empty()) return damaged("two shapes");
      if (auto set = setShape(header, literals); !set) return tl::unexpected(set.error());
    } else {
      return damaged("unknown key " + quoted(*key));
    }
    if (!literals.take(',') && !literals.startsWith('}')) return damaged("it does not end");
  }
  if (!literals.done()) return damaged("something follows it");
  if (!type || !order || header.shape.empty()) return damaged("a key is missing");
  return header;
}

std::string npyHeaderBytes(std::string_view type, std::span<const std::uint64_t> shape) {
  std::string text = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t length : shape)
    text.append(std::to_string(length)).append(",");
  if (shape.size() > 1) text.pop_back(); // a tuple of one keeps its comma
  text += "), }";
  constexpr std::size_t fixed = 10;
  text.append(63 - (fixed + text.size()) % 64, ' ');
  text += '\n';
  std::string bytes(npyMagic);
  bytes += '\x01';
  bytes += '\x00';
  bytes += static_cast<char>(text.size() & 0xFFU);
  bytes += static_cast<char>(text.size() >> 8);
  return bytes + text;
}

} // namespace lloyd
