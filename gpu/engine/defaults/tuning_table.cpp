// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/defaults/tuning_table.hpp"

#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

namespace lloyd {
namespace {

double doublings(double a, double b) { return std::abs(std::log2(a) - std::log2(b)); }

/// A kind of processor is nearer than any number of cores.
double distance(const MeasuredDevice& a, const MeasuredDevice& b) {
  if (a == b) return 0;
  constexpr double otherTarget = 1000;
  const double cores = doublings(std::max(1, a.cores), std::max(1, b.cores));
  return 1 + cores + (a.target == b.target ? 0 : otherTarget);
}

double distance(const Problem& a, const Problem& b) {
  return std::hypot(doublings(static_cast<double>(a.n), static_cast<double>(b.n)), doublings(a.k, b.k));
}

/// Times at a few dimensions say nothing of many, where other variants are the fast ones.
constexpr double farthestDimensions = 1; // doublings

} // namespace

MeasuredDevice measuredDevice(const DeviceInfo& device) {
  return {.backend = device.backend,
          .name = device.name,
          .target = device.backend == Backend::cpu ? device.runtime : device.computeCapability,
          .cores = device.multiprocessors};
}

const MeasuredVariant& TuningEntry::of(Stage stage) const {
  return stage == Stage::classify ? classify
         : stage == Stage::reduce ? reduce
         : stage == Stage::fused  ? fused
                                  : update;
}

void TuningTable::add(std::vector<TuningEntry> entries, Owner owner) {
  for (TuningEntry& entry : entries)
    entries_.push_back({std::move(entry), owner});
}

std::vector<TuningTable::Ranked> TuningTable::ranked(const Problem& problem, const DeviceInfo& device) const {
  using Place = std::tuple<double, double, double, bool>; // device, d, n and k, not the user's own
  std::vector<std::pair<Place, Ranked>> placed;
  const MeasuredDevice here = measuredDevice(device);
  for (const Owned& owned : entries_) {
    const TuningEntry& entry = owned.entry;
    if (entry.device.backend != device.backend || device.backend == Backend::simt) continue;
    if (doublings(entry.problem.d, problem.d) > farthestDimensions) continue;
    const bool own = owned.owner == Owner::user;
    const bool same = entry.device == here;
    placed.emplace_back(Place{distance(entry.device, here), doublings(entry.problem.d, problem.d),
                              distance(entry.problem, problem), !own},
                        Ranked{&entry, !same ? TuningOrigin::similar
                                       : own ? TuningOrigin::here
                                             : TuningOrigin::shipped});
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Ranked> ranked;
  ranked.reserve(placed.size());
  for (const auto& one : placed)
    ranked.push_back(one.second);
  return ranked;
}

TuningTable TuningTable::shipped() {
  TuningTable table;
  for (const ShippedTable& file : shippedTables())
    table.add(readTuning(file.text, file.name), Owner::shipped);
  return table;
}

TuningTable& TuningTable::present() {
  static TuningTable table = shipped();
  return table;
}

namespace {

constexpr std::array<std::string_view, 19> tuningColumns{
    "backend",   "device",    "target",   "cores",     "n",        "d",        "k",
    "iteration", "fused",     "fused_us", "tiled",     "tiled_us", "classify", "classify_us",
    "reduce",    "reduce_us", "update",   "update_us", "measured"};
/// Those that a table may lack, both of them: what no variant of tiles was raced for.
constexpr std::array<std::string_view, 2> tiledColumns{"tiled", "tiled_us"};

std::vector<std::string_view> columnsWithoutTiled() {
  std::vector<std::string_view> columns(tuningColumns.begin(), tuningColumns.end());
  std::erase_if(columns, [](std::string_view column) {
    return std::find(tiledColumns.begin(), tiledColumns.end(), column) != tiledColumns.end();
  });
  return columns;
}

std::string tuningHeadings(const auto& columns) {
  std::string line;
  for (const std::string_view column : columns)
    line.append(line.empty() ? "" : ",").append(column);
  return line;
}

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field)
    text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

/// Four digits, or all before the point: more than a measurement repeats.
std::string timeText(double us) {
  std::array<char, 400> buffer{};
  const int decimals = std::max(0, 3 - static_cast<int>(std::floor(std::log10(us))));
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), us, std::chars_format::fixed, decimals);
  return {buffer.data(), result.ptr};
}

} // namespace

std::string writeTuning(std::vector<TuningEntry> entries) {
  const auto key = [](const TuningEntry& entry) {
    return std::tuple(entry.device.backend, entry.device.name, entry.device.target, entry.device.cores,
                      entry.problem.d, entry.problem.n, entry.problem.k);
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::string text =
      "# The fastest verified variants by device and problem, in microseconds a launch; written by\n"
      "# lloydscope bench --tune, which measures them anew.\n" +
      tuningHeadings(tuningColumns) + '\n';
  for (const TuningEntry& entry : entries) {
    text.append(lloyd::name(entry.device.backend)).append(",");
    text += quoted(entry.device.name) + ',' + quoted(entry.device.target) + ',';
    text += std::to_string(entry.device.cores) + ',' + std::to_string(entry.problem.n) + ',' +
            std::to_string(entry.problem.d) + ',' + std::to_string(entry.problem.k) + ',' +
            (entry.fuses ? "fused" : "apart");
    for (const MeasuredVariant* one :
         {&entry.fused, &entry.tiled, &entry.classify, &entry.reduce, &entry.update})
      text += ',' + describe(*one) + ',' + (one->id.empty() ? std::string() : timeText(one->us));
    text += ',' + entry.date + '\n';
  }
  return text;
}

std::vector<TuningEntry> mergedTuning(std::vector<TuningEntry> kept, const std::vector<TuningEntry>& newer) {
  for (const TuningEntry& entry : newer) {
    std::erase_if(kept, [&](const TuningEntry& old) {
      return old.device == entry.device && old.problem == entry.problem;
    });
    kept.push_back(entry);
  }
  return kept;
}

std::string describe(const MeasuredVariant& variant) {
  std::string text = variant.id;
  for (const std::string_view parameterName : tuningParameters)
    if (const int value = variant.tuning.value(parameterName); value != 0)
      text.append(" ").append(parameterName).append("=").append(std::to_string(value));
  return text;
}

namespace {

/// One line as fields. A field in double quotes may hold commas, and quotes twice. Nothing when a quote is
/// left open or something follows a closed one.
std::optional<std::vector<std::string>> fieldsOf(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  bool closed = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quoted) {
      if (c != '"')
        fields.back() += c;
      else if (line.substr(at + 1).starts_with('"'))
        fields.back() += line[++at];
      else
        quoted = false, closed = true;
    } else if (c == ',') {
      fields.emplace_back();
      closed = false;
    } else if (c == '"' && fields.back().empty() && !closed) {
      quoted = true;
    } else if (closed) {
      return std::nullopt;
    } else {
      fields.back() += c;
    }
  }
  if (quoted) return std::nullopt;
  return fields;
}

template <class T>
std::optional<T> numberFrom(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A date as "2026-05-31".
bool isDate(std::string_view text) {
  constexpr std::string_view shape = "0000-00-00";
  return std::equal(text.begin(), text.end(), shape.begin(), shape.end(),
                    [](char c, char s) { return s == '0' ? c >= '0' && c <= '9' : c == s; });
}

/// The columns that a table's first line names, in their one order; none where it is no such line.
std::vector<std::string_view> columnsOf(std::string_view line) {
  const std::vector<std::string_view> all(tuningColumns.begin(), tuningColumns.end());
  for (const std::vector<std::string_view>& columns : {all, columnsWithoutTiled()})
    if (line == tuningHeadings(columns)) return columns;
  return {};
}

/// One line of a table that is being read.
class Line {
public:
  using Columns = std::vector<std::string_view>;
  /// As many fields as columns.
  Line(std::string_view name, std::size_t number, const Columns& columns, std::vector<std::string> fields)
      : name_(name), number_(number), columns_(columns), fields_(std::move(fields)) {}

  [[nodiscard]] TuningEntry entry() const {
    TuningEntry entry;
    entry.device = {backend(), text("device"), field("target"), static_cast<int>(count("cores", 0, most))};
    entry.problem = {static_cast<std::size_t>(count("n", 1, std::numeric_limits<std::uint32_t>::max())),
                     static_cast<int>(count("d", 1, most)), static_cast<int>(count("k", 1, most))};
    entry.fuses = fuses();
    entry.fused = variant("fused", entry.fuses);
    if (has("tiled")) entry.tiled = variant("tiled", false);
    entry.classify = variant("classify", !entry.fuses);
    entry.reduce = variant("reduce", !entry.fuses);
    entry.update = variant("update", true);
    entry.date = field("measured");
    if (!isDate(entry.date)) fail("measured", "a date as in 2026-05-31");
    return entry;
  }

  [[noreturn]] static void fail(std::string_view name, std::size_t number, const std::string& what) {
    throw RequestError(std::string(name) + ":" + std::to_string(number) + ": " + what);
  }

private:
  static constexpr std::uint64_t most = 1U << 30;

  [[nodiscard]] bool has(std::string_view column) const {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
  }
  [[nodiscard]] const std::string& field(std::string_view column) const {
    return fields_[static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) -
                                            columns_.begin())];
  }
  [[noreturn]] void fail(std::string_view column, const std::string& expected) const {
    const std::string& found = field(column);
    fail(name_, number_,
         std::string(column) + (found.empty() ? " is missing" : " is '" + found + "'") + ", but " + expected +
             " was expected");
  }
  [[nodiscard]] std::string text(std::string_view column) const {
    if (field(column).empty()) fail(column, "a name");
    return field(column);
  }
  [[nodiscard]] std::uint64_t count(std::string_view column, std::uint64_t low, std::uint64_t high) const {
    const auto value = numberFrom<std::uint64_t>(field(column));
    if (!value || *value < low || *value > high) fail(column, "a whole number from " + std::to_string(low));
    return *value;
  }
  [[nodiscard]] Backend backend() const {
    for (const Backend one : {Backend::cpu, Backend::cuda})
      if (field("backend") == lloyd::name(one)) return one;
    fail("backend", "cpu or cuda");
  }
  [[nodiscard]] bool fuses() const {
    const std::string& word = field("iteration");
    if (word != "fused" && word != "apart") fail("iteration", "fused or apart");
    return word == "fused";
  }

  [[nodiscard]] MeasuredVariant variant(const std::string& column, bool needed) const {
    MeasuredVariant found;
    std::string_view rest = field(column);
    found.id = std::string(rest.substr(0, rest.find(' ')));
    if (found.id.empty()) {
      if (needed || !rest.empty()) fail(column, "a variant, as in classify.v7 block=512,");
      return found;
    }
    rest.remove_prefix(found.id.size());
    while (!rest.empty()) {
      rest.remove_prefix(1);
      const std::string_view parameterName = rest.substr(0, rest.find(' '));
      rest.remove_prefix(parameterName.size());
      const auto equals = std::min(parameterName.find('='), parameterName.size());
      const std::string_view known = parameterName.substr(0, equals);
      const auto value = numberFrom<int>(parameterName.substr(std::min(equals + 1, parameterName.size())));
      if (std::find(tuningParameters.begin(), tuningParameters.end(), known) == tuningParameters.end() ||
          !value || *value < 1)
        fail(column, "a variant and its tuning parameters, as in classify.v7 block=512,");
      found.tuning.set(known, *value);
    }
    const auto us = numberFrom<double>(field(column + "_us"));
    if (!us || !(*us > 0) || !std::isfinite(*us)) fail(column + "_us", "a time in microseconds");
    found.us = *us;
    return found;
  }

  std::string_view name_;
  std::size_t number_;
  const Columns& columns_;
  std::vector<std::string> fields_;
};

} // namespace

std::vector<TuningEntry> readTuning(std::string_view text, std::string_view name) {
  std::vector<TuningEntry> entries;
  std::vector<std::string_view> columns;
  std::size_t number = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    if (columns.empty()) {
      columns = columnsOf(line);
      if (columns.empty())
        Line::fail(name, number,
                   "the names of a tuning table's columns were expected, \"" + tuningHeadings(tuningColumns) +
                       "\"");
      continue;
    }
    auto fields = fieldsOf(line);
    if (!fields || fields->size() != columns.size())
      Line::fail(
          name, number,
          std::to_string(columns.size()) + " values separated by commas were expected" +
              (fields ? ", but there are " + std::to_string(fields->size()) : ", but a quote is not closed"));
    entries.push_back(Line(name, number, columns, std::move(*fields)).entry());
  }
  if (columns.empty())
    Line::fail(name, number + 1, "the file ends where the names of a tuning table's columns were expected");
  return entries;
}

} // namespace lloyd
