// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/generate/generators.hpp"

#include "app/data/generate/sampler.hpp"
#include "app/data/input/parse_number.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/parallel_ranges.hpp"
#include "app/data/random/random_draws.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>

namespace lloyd {
namespace {

/// A random-looking order of 0 ... n - 1 whose i-th entry is found without the others: a Feistel network on
/// the next power of two, walked until it lands below n (Black and Rogaway, 2002).
class Shuffle {
public:
  Shuffle(std::uint64_t n, std::uint64_t seed) : n_(n), draws_(seed) {
    const int bits = n > 1 ? static_cast<int>(std::bit_width(n - 1)) : 0;
    lowBits_ = bits / 2;
    lowMask_ = (std::uint64_t{1} << lowBits_) - 1;
    highMask_ = (std::uint64_t{1} << (bits - lowBits_)) - 1;
  }
  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const {
    do {
      std::uint64_t low = i & lowMask_;
      std::uint64_t high = i >> lowBits_;
      for (std::size_t round = 0; round < rounds; round += 2) {
        high ^= mask(round, low) & highMask_;
        low ^= mask(round + 1, high) & lowMask_;
      }
      i = high << lowBits_ | low;
    } while (i >= n_);
    return i;
  }
  /// Where i stands in that order.
  [[nodiscard]] std::uint64_t placeOf(std::uint64_t i) const {
    do {
      std::uint64_t low = i & lowMask_;
      std::uint64_t high = i >> lowBits_;
      for (std::size_t round = rounds; round > 0; round -= 2) {
        low ^= mask(round - 1, high) & lowMask_;
        high ^= mask(round - 2, low) & highMask_;
      }
      i = high << lowBits_ | low;
    } while (i >= n_);
    return i;
  }

private:
  static constexpr std::size_t rounds = 6;
  /// The upper half of a random word: the lower bits of a product are its weaker ones.
  [[nodiscard]] std::uint64_t mask(std::size_t round, std::uint64_t half) const {
    return draws_.bits(Draw::shuffle, round, half) >> 32;
  }

  std::uint64_t n_;
  RandomDraws draws_;
  int lowBits_ = 0;
  std::uint64_t lowMask_ = 0;
  std::uint64_t highMask_ = 0;
};

/// Sorted, but for a share of the points, which change places among themselves.
class PartlyShuffled {
public:
  PartlyShuffled(std::uint64_t n, double share, std::uint64_t seed)
      : share_(share), movers_(static_cast<std::uint64_t>(static_cast<double>(n) * share)), whole_(n, seed),
        among_(movers_, seed + 1) {}
  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const {
    if (share_ >= 1) return whole_(i);
    // Those move that the order of all has in its first places.
    const std::uint64_t rank = share_ > 0 ? whole_.placeOf(i) : movers_;
    return rank < movers_ ? whole_(among_(rank)) : i;
  }

private:
  double share_;
  std::uint64_t movers_;
  Shuffle whole_;
  Shuffle among_;
};

constexpr double mostPoints = 4294967295;
constexpr double mostSpread = 1e6;

constexpr GeneratorKey n{"n", "given", 1, mostPoints, "points; 1e6 and 2^20 are understood"};
constexpr GeneratorKey seed{"seed", "given", 0, 0x1p64, "random seed"};
constexpr double mostSkew = 8;

constexpr GeneratorKey shuffled{"order", "shuffled", 0, 0,
                                "shuffled, sorted (by cluster), or the share of shuffled points, 0 to 1"};
constexpr GeneratorKey byCluster{"order", "sorted", 0, 0,
                                 "sorted (by band), shuffled, or the share of shuffled points, 0 to 1"};
constexpr GeneratorKey byFirst{
    "order", "shuffled", 0, 0,
    "shuffled, sorted (by the first coordinate), or the share of shuffled points, 0 to 1"};
constexpr GeneratorKey skewed{"skew", "0", 0, mostSkew,
                              "cluster c has (c + 1)^-skew times the points of the first; 0 is equal sizes"};

constexpr GeneratorKey dims(double least, double most, std::string_view fallback) {
  return {"d", fallback, least, most, "dimensions"};
}
constexpr GeneratorKey clusters(std::string_view fallback, double most) {
  return {"k", fallback, 1, most, "clusters in the data"};
}
constexpr GeneratorKey width(std::string_view name, std::string_view fallback, std::string_view meaning) {
  return {name, fallback, 0, mostSpread, meaning};
}

const std::vector<Generator>& all() {
  static const std::vector<Generator> list{
      {drift,
       "drift",
       "clouds of different size and width that wander on closed paths, meet and part",
       {n, dims(1, 64, "2"), clusters("given", 256), seed,
        width("spread", "3.2", "standard deviation of a middling cloud"),
        width("reach", "28", "how far a cloud strays from its home"), shuffled}},
      {blobs,
       "blobs",
       "round normal clouds of one size in a box of 100",
       {n, dims(1, 1024, "2"), clusters("given", 65536), seed,
        width("spread", "4", "standard deviation of each cloud"), shuffled, skewed}},
      {uniform,
       "uniform",
       "no clusters at all: a box of 100, evenly filled",
       {n, dims(1, 1024, "2"), seed, byFirst}},
      {rings,
       "rings",
       "rings (or shells) around one centre, which no straight border separates",
       {n, dims(2, 3, "2"), clusters("3", 65536), seed,
        width("noise", "1.5", "standard deviation across a ring"), shuffled}},
      {moons,
       "moons",
       "two half moons that reach into each other",
       {n, dims(2, 3, "2"), seed, width("noise", "2", "standard deviation across a moon"), shuffled}},
      {anisotropic,
       "anisotropic",
       "normal clouds stretched along one direction each, where k-means cuts across",
       {n, dims(2, 1024, "2"), clusters("given", 65536), seed,
        width("spread", "4", "standard deviation before stretching"), shuffled, skewed}},
      {bands,
       "bands",
       "the papers' data: on a line, cluster i at 100 i + 0.5",
       {n, dims(1, 1, "1"), clusters("given", 65536), seed,
        width("spread", "0", "standard deviation of each band"), byCluster, skewed}},
  };
  return list;
}

std::string shortest(double value) {
  std::array<char, 32> room{};
  return {room.data(), std::to_chars(room.data(), room.data() + room.size(), value).ptr};
}

tl::expected<const Generator*, std::string> findGenerator(std::string_view name) {
  std::vector<std::string> names;
  for (const Generator& generator : all()) {
    if (generator.name == name) return &generator;
    names.emplace_back(generator.name);
  }
  return tl::unexpected("there is no generator " + quoted(name) + "; the generators are " + listed(names));
}

tl::unexpected<std::string> badValue(const GeneratorKey& key, std::string_view value) {
  if (key.name == "order")
    return tl::unexpected("order is " + quoted(value) +
                          "; expected sorted, shuffled or a number from 0 to 1");
  const bool whole = key.name == "n" || key.name == "d" || key.name == "k" || key.name == "seed";
  std::string range = " from " + shortest(key.least) + " to ";
  if (key.name == "n") {
    range += "4294967295";
  } else if (key.name == "seed") {
    range += "2^64 - 1";
  } else {
    range += shortest(key.most);
  }
  std::string error(key.name);
  error.append(" is ").append(quoted(value)).append("; expected ");
  if (key.least == key.most)
    error.append(shortest(key.least));
  else
    error.append(whole ? "a whole number" : "a number").append(range);
  return tl::unexpected(error);
}

tl::expected<void, std::string> assign(GeneratorSpec& spec, const GeneratorKey& key, std::string_view value) {
  if (key.name == "order") {
    const auto share = value == "sorted"     ? std::optional(0.0)
                       : value == "shuffled" ? std::optional(1.0)
                                             : parseReal(value);
    if (!share || !(*share >= 0 && *share <= 1)) return badValue(key, value);
    spec.mixed = *share;
    return {};
  }
  if (key.name == "spread" || key.name == "noise" || key.name == "reach" || key.name == "skew") {
    const auto real = parseReal(value);
    if (!real || !(*real >= key.least && *real <= key.most)) return badValue(key, value);
    (key.name == "spread"  ? spec.spread
     : key.name == "noise" ? spec.noise
     : key.name == "reach" ? spec.reach
                           : spec.skew) = *real;
    return {};
  }
  const auto count = parseCount(value);
  if (!count) return badValue(key, value);
  if (key.name == "seed") {
    spec.seed = *count;
    return {};
  }
  if (static_cast<double>(*count) < key.least || static_cast<double>(*count) > key.most)
    return badValue(key, value);
  if (key.name == "n") spec.n = *count;
  if (key.name == "d") spec.d = static_cast<int>(*count);
  if (key.name == "k") spec.k = static_cast<int>(*count);
  return {};
}

/// What follows the colon, as key=value between commas, into spec.
tl::expected<void, std::string> assignAll(GeneratorSpec& spec, std::string_view rest) {
  const std::vector<GeneratorKey>& keys = spec.generator->keys;
  std::vector<std::string_view> given;
  bool more = !rest.empty();
  while (more) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return tl::unexpected("expected key=value, found " + quoted(part));
    const std::string_view name = part.substr(0, equals);
    const auto key =
        std::find_if(keys.begin(), keys.end(), [&](const GeneratorKey& k) { return k.name == name; });
    if (key == keys.end()) {
      std::vector<std::string> names;
      names.reserve(keys.size());
      for (const GeneratorKey& k : keys)
        names.emplace_back(k.name);
      return tl::unexpected("there is no key " + quoted(name) + "; the keys are " + listed(names));
    }
    if (std::find(given.begin(), given.end(), name) != given.end())
      return tl::unexpected(std::string(name) + " is given twice");
    given.push_back(name);
    if (auto assigned = assign(spec, *key, part.substr(equals + 1)); !assigned) return assigned;
  }
  return {};
}

/// The generator's own values, and the caller's where it has none, held within the generator's limits.
GeneratorSpec startingSpec(const Generator& generator, const GeneratorDefaults& defaults) {
  GeneratorSpec spec{
      .generator = &generator, .n = std::max<std::size_t>(1, defaults.n), .seed = defaults.seed};
  for (const GeneratorKey& key : generator.keys) {
    if (key.fallback != "given") (void)assign(spec, key, key.fallback);
    if (key.name == "k" && key.fallback == "given")
      spec.k = std::clamp(defaults.k, 1, static_cast<int>(key.most));
  }
  return spec;
}

std::vector<std::string> axisNames(int d) {
  constexpr std::array letters{"x", "y", "z"};
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(d));
  for (int j = 0; j < d; ++j) {
    names.push_back(d <= 3 ? std::string(letters.at(static_cast<std::size_t>(j)))
                           : std::string("x").append(std::to_string(j)));
  }
  return names;
}

/// Fills values (and drift's components) on all cores; false when cancelled.
bool fill(PointSet& points, const GeneratorSpec& spec, const ReadControl& control) {
  const Sampler sampler = spec.generator->sampler(spec);
  const PartlyShuffled order(spec.n, spec.mixed, spec.seed);
  return parallelRanges(spec.n, control, [&](std::size_t begin, std::size_t end) {
    std::vector<double> x(static_cast<std::size_t>(spec.d));
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t b = order(i);
      sampler.point(b, x);
      for (std::size_t j = 0; j < x.size(); ++j)
        points.values[j * spec.n + i] = static_cast<float>(x[j]);
      if (points.drift) points.drift->component[i] = static_cast<std::uint8_t>(sampler.component(b));
    }
  });
}

} // namespace

std::span<const Generator> generators() { return all(); }

std::string GeneratorSpec::value(std::string_view key) const {
  if (key == "n") return std::to_string(n);
  if (key == "d") return std::to_string(d);
  if (key == "k") return std::to_string(k);
  if (key == "seed") return std::to_string(seed);
  if (key == "spread") return shortest(spread);
  if (key == "noise") return shortest(noise);
  if (key == "reach") return shortest(reach);
  if (key == "skew") return shortest(skew);
  return mixed == 0 ? "sorted" : mixed == 1 ? "shuffled" : shortest(mixed);
}

std::string GeneratorSpec::text() const {
  std::string result(generator->name);
  for (const GeneratorKey& key : generator->keys) {
    if (key.name == "skew" && skew == 0) continue;
    result += &key == generator->keys.data() ? ':' : ',';
    result += std::string(key.name) + "=" + value(key.name);
  }
  return result;
}

tl::expected<GeneratorSpec, std::string> parseGenerator(std::string_view text,
                                                        const GeneratorDefaults& defaults) {
  const std::size_t colon = text.find(':');
  const auto generator = findGenerator(text.substr(0, colon));
  if (!generator) return tl::unexpected(generator.error());
  GeneratorSpec spec = startingSpec(**generator, defaults);
  const std::string_view rest = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  if (const auto assigned = assignAll(spec, rest); !assigned)
    return tl::unexpected(std::string((*generator)->name) + ": " + assigned.error());
  return spec;
}

tl::expected<PointSet, ReadError> generatePoints(const std::string& text, const GeneratorDefaults& defaults,
                                                 const ReadControl& control) {
  const auto spec = parseGenerator(text, defaults);
  if (!spec) return tl::unexpected(ReadError{.message = spec.error()}); // names the generator itself
  return orReadError(text, "there is not enough memory for these points", [&] {
    refuseTooLarge(pointBytes(spec->n, spec->d));
    PointSet points;
    points.n = spec->n;
    points.d = spec->d;
    points.columns = axisNames(spec->d);
    // A name without values may be followed by its colon, which says nothing.
    points.source = text.ends_with(':') ? text.substr(0, text.size() - 1) : text;
    points.inputRows = spec->n;
    points.scales.assign(static_cast<std::size_t>(spec->d), {});
    points.values.resize(spec->n * static_cast<std::size_t>(spec->d));
    if (spec->generator->name == "drift") {
      Drift& moving = points.drift.emplace();
      moving.components = spec->k;
      moving.reach = spec->reach;
      moving.seed = spec->seed;
      moving.component.resize(spec->n);
    }
    if (!fill(points, *spec, control))
      throw ReadFailure({.message = "making the points was cancelled", .cancelled = true});
    control.report(spec->n, 1);
    return points;
  });
}

} // namespace lloyd
