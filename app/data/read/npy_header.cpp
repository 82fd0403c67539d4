// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/npy_header.hpp"

#include "app/data/input/parse_number.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/read_control.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t npyPrefix = 12; ///< bytes that always suffice for dictionaryOf()

/// Where the dictionary stands in the file.
struct Dictionary {
  std::size_t offset = 0;
  std::uint64_t length = 0;
};

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

/// From the first bytes of the file.
Dictionary dictionaryOf(std::string_view prefix) {
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

/// One or two dimensions, numbers only; anything else is refused by name.
NpyHeader parseHeader(std::string_view dictionary) {
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

constexpr std::uint64_t mostColumns = std::uint64_t{1} << 20;

template <typename T, bool swap>
T itemAt(const char* bytes) {
  std::array<char, sizeof(T)> item{};
  std::memcpy(item.data(), bytes, sizeof(T));
  if constexpr (swap) std::reverse(item.begin(), item.end());
  return std::bit_cast<T>(item);
}

template <typename T, bool swap>
void convert(const char* bytes, std::size_t step, std::size_t count, double shift, float* values) {
  for (std::size_t i = 0; i < count; ++i) {
    const T value = itemAt<T, swap>(bytes + i * step);
    values[i] =
        shift == 0 ? static_cast<float>(value) : static_cast<float>(static_cast<double>(value) - shift);
    // An infinity is left to the numbers that are too large for single precision.
    if constexpr (std::is_floating_point_v<T>)
      if (std::isinf(value)) values[i] = std::numeric_limits<float>::quiet_NaN();
  }
}

template <typename T, bool swap>
void widen(const char* bytes, std::size_t step, std::size_t count, double* values) {
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<double>(itemAt<T, swap>(bytes + i * step));
}

/// Calls use with a null pointer to the header's type, and whether its bytes are in the other order.
template <typename Use>
auto withType(const NpyHeader& header, const Use& use) {
  const auto in = [&]<typename T>(T* type) {
    const bool swap = header.bigEndian != (std::endian::native == std::endian::big);
    return swap ? use(type, std::true_type{}) : use(type, std::false_type{});
  };
  if (header.kind == 'f')
    return header.itemBytes == 4 ? in(static_cast<float*>(nullptr)) : in(static_cast<double*>(nullptr));
  const bool isSigned = header.kind == 'i';
  switch (header.itemBytes) {
  case 1:
    return isSigned ? in(static_cast<std::int8_t*>(nullptr)) : in(static_cast<std::uint8_t*>(nullptr));
  case 2:
    return isSigned ? in(static_cast<std::int16_t*>(nullptr)) : in(static_cast<std::uint16_t*>(nullptr));
  case 4:
    return isSigned ? in(static_cast<std::int32_t*>(nullptr)) : in(static_cast<std::uint32_t*>(nullptr));
  default:
    return isSigned ? in(static_cast<std::int64_t*>(nullptr)) : in(static_cast<std::uint64_t*>(nullptr));
  }
}

} // namespace

ConvertItems converterOf(const NpyHeader& header) {
  return withType(
      header, []<typename T, typename Swap>(T*, Swap) -> ConvertItems { return &convert<T, Swap::value>; });
}

WidenItems widenerOf(const NpyHeader& header) {
  return withType(header,
                  []<typename T, typename Swap>(T*, Swap) -> WidenItems { return &widen<T, Swap::value>; });
}

std::optional<double> unitOf(const NpyHeader& header) {
  if (header.itemBytes < 4 || (header.kind == 'f' && header.itemBytes == 4)) return std::nullopt;
  return header.kind == 'f' ? 0.0 : 1.0;
}

NpyHeader readNpyHeader(const InputFile& file) {
  const Dictionary place = dictionaryOf(file.head(npyPrefix));
  const std::uint64_t dataStart = place.offset + place.length;
  if (dataStart > file.size())
    refuse("the NPY header is said to end at byte " + std::to_string(dataStart) + ", but the file has " +
           std::to_string(file.size()));
  if (place.length > (1U << 20)) refuse("an NPY header of more than 1 MiB is damaged");
  std::string bytes(dataStart, '\0');
  const std::size_t got = file.read(bytes);
  NpyHeader header =
      parseHeader(std::string_view(bytes).substr(place.offset, got - std::min(got, place.offset)));

  std::uint64_t expected = 0;
  const bool overflow =
      __builtin_mul_overflow(header.rows(), header.columns(), &expected) ||
      __builtin_mul_overflow(expected, static_cast<std::uint64_t>(header.itemBytes), &expected);
  const std::uint64_t present = file.size() - dataStart;
  if (overflow || expected != present)
    refuse("the NPY header promises " + std::to_string(header.rows()) + " x " +
           std::to_string(header.columns()) + " values of " +
           counted(static_cast<std::uint64_t>(header.itemBytes), "byte") + ", but " +
           counted(present, "byte") + " follow it");
  if (header.columns() > mostColumns) refuse("more than 1,048,576 columns");
  if (expected == 0) refuse("the array has no values in it");
  header.dataStart = dataStart;
  return header;
}

} // namespace lloyd
