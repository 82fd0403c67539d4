// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/npy_header.hpp"

#include "app/data/input/parse_number.hpp"
#include "app/data/input/read_error.hpp"
#include "app/data/input/wording.hpp"

#include <optional>
#include <utility>

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

[[noreturn]] void refuseDamaged(const std::string& what) { refuse("the NPY header is damaged: " + what); }

void setType(NpyHeader& header, std::string_view type) {
  const auto refuseValues = [](const std::string& what) {
    refuse("it holds " + what + "; expected float32, float64 or integers of 8 to 64 bits");
  };
  if (type.size() < 2 || std::string_view("<>|=").find(type.front()) == std::string_view::npos)
    refuseValues("values of type " + quoted(type));
  const char kind = type[1];
  const std::string_view digits = type.substr(2);
  const std::uint64_t bytes = parseCount(digits).value_or(0);
  constexpr std::pair<char, const char*> others[] = {{'O', "Python objects"},
                                                     {'c', "complex numbers"},
                                                     {'b', "true and false"},
                                                     {'S', "text"},
                                                     {'U', "text"},
                                                     {'a', "text"},
                                                     {'M', "dates or times"},
                                                     {'m', "dates or times"},
                                                     {'V', "raw bytes or structures"}};
  for (const auto& [letter, meaning] : others)
    if (kind == letter) refuseValues(meaning);
  if (kind == 'f' && bytes == 2) refuseValues("float16 values");
  if (kind == 'f' && bytes == 16) refuseValues("extended floating point values");
  const bool wide = bytes == 4 || bytes == 8;
  const bool narrow = bytes == 1 || bytes == 2;
  const bool known = kind == 'f' ? wide : (kind == 'i' || kind == 'u') && (wide || narrow);
  if (!known) refuseValues("values of type " + quoted(type));
  header.kind = kind;
  header.itemBytes = static_cast<int>(bytes);
  header.bigEndian = type.front() == '>';
}

void setShape(NpyHeader& header, Literals& literals) {
  if (!literals.take('(')) refuseDamaged("the shape is no tuple");
  while (!literals.take(')')) {
    std::string_view digits = literals.word();
    if (digits.ends_with('L')) digits.remove_suffix(1); // as Python 2 wrote it
    if (digits.find_first_not_of("0123456789") != std::string_view::npos)
      refuseDamaged("a length is no whole number");
    const auto length = parseCount(digits);
    if (!length) refuseDamaged("a length is no whole number of 64 bits");
    header.shape.push_back(*length);
    if (header.shape.size() > 32) refuseDamaged("more than 32 dimensions");
    if (!literals.take(',') && !literals.startsWith(')')) refuseDamaged("the shape does not end");
  }
  if (header.shape.empty() || header.shape.size() > 2)
    refuse("the array has " + std::to_string(header.shape.size()) +
           " dimensions; expected 1 (values) or 2 (points, columns)");
}

} // namespace

NpyDictionary npyDictionary(std::string_view prefix) {
  if (!prefix.starts_with(npyMagic))
    refuse("it is no NPY file, though it is called one: NumPy's signature is missing");
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(prefix[i]));
  };
  if (prefix.size() < 10) refuse("the NPY header is cut short");
  const std::uint64_t version = byte(6);
  if (version < 1 || version > 3)
    refuse("NPY version " + std::to_string(version) + " is not known; expected 1, 2 or 3");
  if (version == 1) return {10, byte(8) | byte(9) << 8};
  if (prefix.size() < 12) refuse("the NPY header is cut short");
  return {12, byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24};
}

NpyHeader parseNpyHeader(std::string_view dictionary) {
  NpyHeader header;
  Literals literals(dictionary);
  bool type = false;
  bool order = false;
  if (!literals.take('{')) refuseDamaged("it is no dictionary");
  while (!literals.take('}')) {
    const auto key = literals.string();
    if (!key || !literals.take(':')) refuseDamaged("a key is missing");
    if (*key == "descr") {
      if (literals.startsWith('[')) refuse("it holds structures; expected an array of plain numbers");
      const auto text = literals.string();
      if (!text) refuseDamaged("the type is no text");
      setType(header, *text);
      type = true;
    } else if (*key == "fortran_order") {
      const std::string_view word = literals.word();
      if (word != "True" && word != "False") refuseDamaged("fortran_order is neither True nor False");
      header.fortranOrder = word == "True";
      order = true;
    } else if (*key == "shape") {
      if (!header.shape.empty()) refuseDamaged("two shapes");
      setShape(header, literals);
    } else {
      refuseDamaged("unknown key " + quoted(*key));
    }
    if (!literals.take(',') && !literals.startsWith('}')) refuseDamaged("it does not end");
  }
  if (!literals.done()) refuseDamaged("something follows it");
  if (!type || !order || header.shape.empty()) refuseDamaged("a key is missing");
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
