// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/reference/cases.hpp"

#include "gpu/core/math/random.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace lloyd {
namespace {

/// Numbers of one case: the index-th of a named stream.
class Numbers {
public:
  explicit Numbers(const CaseRecipe& recipe)
      : seed_(randomBits(recipe.problem.n,
                         static_cast<std::uint64_t>(recipe.problem.d) << 32 |
                             static_cast<unsigned>(recipe.problem.k),
                         static_cast<std::uint64_t>(recipe.kind))) {}
  [[nodiscard]] std::uint64_t bits(std::uint64_t stream, std::uint64_t index) const {
    return randomBits(seed_, stream, index);
  }
  /// 0 <= value < 1, a multiple of 2^-24.
  [[nodiscard]] float uniform(std::uint64_t stream, std::uint64_t index) const {
    return static_cast<float>(bits(stream, index) >> 40) * 0x1p-24f;
  }
  /// A bell of mean 0 and standard deviation 1, without tails.
  [[nodiscard]] float bell(std::uint64_t stream, std::uint64_t index) const {
    float sum = -2.0f;
    for (std::uint64_t part = 0; part < 4; ++part)
      sum += uniform(stream * 4 + part + 100, index);
    return sum * 1.7320508f;
  }

private:
  std::uint64_t seed_;
};

constexpr std::uint64_t pointStream = 0;
constexpr std::uint64_t centroidStream = 1;
constexpr std::uint64_t labelStream = 2;

float pointValue(const CaseRecipe& recipe, const Numbers& numbers, std::size_t i, std::size_t j) {
  const std::size_t index = j * recipe.problem.n + i;
  const float u = numbers.uniform(pointStream, index);
  switch (recipe.kind) {
  case CaseKind::equal:
    return 3.1f + static_cast<float>(j);
  case CaseKind::ties:
    return static_cast<float>(numbers.bits(pointStream, index) >> 32 & 7);
  case CaseKind::farAway:
    return i % 8 == 3 ? 1e7f + 100 * u : 100 * u;
  case CaseKind::distant:
    return 1e5f + 100 * u;
  case CaseKind::offset:
    return 1e4f + numbers.bell(pointStream, index);
  case CaseKind::sorted: {
    const auto k = static_cast<std::size_t>(recipe.problem.k);
    const std::size_t band = i * k / recipe.problem.n;
    return 100.0f * static_cast<float>(band) + u;
  }
  default:
    return 100 * u;
  }
}

float centroidValue(const CaseRecipe& recipe, const Numbers& numbers, std::size_t cluster, std::size_t j) {
  const std::size_t index = cluster * static_cast<std::size_t>(recipe.problem.d) + j;
  const bool last = cluster + 1 == static_cast<std::size_t>(recipe.problem.k);
  switch (recipe.kind) {
  case CaseKind::ties: {
    // The last centroid lies on the first one, and must never be chosen when there are two or more.
    const std::size_t source = last ? j : index;
    return static_cast<float>(numbers.bits(centroidStream, source) >> 32 & 3) * 2;
  }
  case CaseKind::farAway:
    return last && cluster > 0 ? 1e7f : 100 * numbers.uniform(centroidStream, index);
  case CaseKind::offset:
    return 1e4f + numbers.bell(centroidStream, index);
  case CaseKind::sorted:
    return 100.0f * static_cast<float>(cluster) + 10;
  default:
    return 100 * numbers.uniform(centroidStream, index);
  }
}

/// Every n meets every k; going round the dimensions meanwhile, from shift on, each d meets every n and every
/// k.
void addPairwise(std::vector<CaseRecipe>& cases, const std::vector<std::size_t>& sizes,
                 const std::vector<int>& dimensions, const std::vector<int>& clusters, std::size_t shift) {
  for (std::size_t a = 0; a < sizes.size(); ++a)
    for (std::size_t b = 0; b < clusters.size(); ++b)
      cases.push_back({.problem = {sizes[a], dimensions[(a + b + shift) % dimensions.size()], clusters[b]}});
}

void addHostile(std::vector<CaseRecipe>& cases, std::size_t n, std::initializer_list<int> dimensions, int k) {
  for (const int d : dimensions)
    for (const CaseKind kind : {CaseKind::settled, CaseKind::equal, CaseKind::ties, CaseKind::farAway,
                                CaseKind::distant, CaseKind::offset, CaseKind::sorted})
      cases.push_back({.kind = kind, .problem = {n, d, k}});
}

/// What a kernel is compiled for is a combination of parameters and dimensions: each may hide a mistake of
/// its own.
void addTunings(std::vector<CaseRecipe>& cases) {
  for (const Problem& problem : {Problem{1023, 1, 10}, Problem{1025, 2, 16}, Problem{1023, 3, 17}})
    cases.push_back({.problem = problem, .tunings = Tunings::all});
  cases.push_back({.problem = {515, 64, 33}, .tunings = Tunings::each});
}

void addLarge(std::vector<CaseRecipe>& cases) {
  constexpr std::size_t prime = 99991;
  constexpr std::size_t million = std::size_t{1} << 20;
  constexpr std::size_t eightMillion = std::size_t{1} << 23;
  // The shift is the one with which the most points, the most dimensions and the most clusters meet only two
  // at a time: all three would take the reference seconds.
  addPairwise(cases, {0, 1, 31, 32, 33, 127, 128, 129, 1023, 65537, prime}, {1, 2, 3, 5, 64},
              {1, 2, 10, 16, 17, 256, 1000}, 2);
  for (const Problem& problem :
       {Problem{65537, 2, 16}, Problem{65537, 3, 256}, Problem{65537, 64, 16}, Problem{4096, 64, 256},
        Problem{prime, 1, 17}, Problem{prime, 2, 1000}, Problem{prime, 3, 1}, Problem{prime, 5, 32},
        Problem{million, 1, 16}, Problem{million, 2, 16}, Problem{million, 3, 10},
        Problem{eightMillion, 2, 16}})
    cases.push_back({.problem = problem});
  addHostile(cases, 65537, {1, 2, 3}, 16);
  addHostile(cases, prime, {2}, 256);
  addHostile(cases, eightMillion, {2}, 16);
  // One cluster gets all of them, far from its centre: where sums that stand still are off the most.
  cases.push_back(
      {.kind = CaseKind::distant, .problem = {std::size_t{1} << 27, 1, 16}, .only = Backend::cuda});
}

} // namespace

std::string CaseRecipe::name() const {
  constexpr std::array<const char*, 9> kinds{"uniform points",     "settled labels", "all points equal",
                                             "exact ties",         "a far cluster",  "distant centroids",
                                             "unit spread at 1e4", "sorted points",  "centroids on points"};
  return std::string(kinds[static_cast<std::size_t>(kind)]) + ", n " + std::to_string(problem.n) + ", d " +
         std::to_string(problem.d) + ", k " + std::to_string(problem.k);
}

std::vector<CaseRecipe> verifyCases(bool thorough) {
  std::vector<CaseRecipe> cases;
  addPairwise(cases, {0, 1, 31, 32, 33, 127, 128, 129, 1023, 4096}, {1, 2, 3, 5}, {1, 2, 10, 16, 17, 32}, 0);
  addHostile(cases, 1000, {1, 2, 3}, 16);
  cases.push_back({.kind = CaseKind::equal, .problem = {4096, 2, 1}});
  cases.push_back({.kind = CaseKind::ownCentres, .problem = {1, 3, 1}});
  cases.push_back({.kind = CaseKind::ownCentres, .problem = {32, 2, 32}});
  cases.push_back({.problem = {65, 3, 1000}, .stage = Stage::update}); // which it gives to many blocks
  cases.push_back({.problem = {1001, 2, 8}}); // for 8 clusters, as for 16, some have a kernel of their own
  cases.push_back({.kind = CaseKind::sorted, .problem = {4095, 1, 10}, .tunings = Tunings::each});
  cases.push_back({.problem = {3001, 2, 16}, .tunings = Tunings::each});
  cases.push_back({.problem = {1501, 3, 17}, .tunings = Tunings::each});
  if (thorough) {
    addTunings(cases);
    addLarge(cases);
  }
  return cases;
}

std::vector<Tuning> tuningsOf(const Variant& variant, Tunings which) {
  std::vector<Tuning> tunings{Tuning{}};
  if (which == Tunings::usual) return tunings;
  const Tuning usual = variant.complete({});
  const auto add = [&](const Tuning& tuning) {
    if (!(tuning == usual)) tunings.push_back(tuning);
  };
  const auto& parameters = variant.info.parameters;
  if (which == Tunings::each || variant.info.family == "schedule") {
    for (const Parameter& parameter : parameters) {
      for (const int value : parameter.values) {
        Tuning tuning = usual;
        tuning.set(parameter.name, value);
        add(tuning);
      }
    }
    return tunings;
  }
  std::vector<Tuning> all{usual};
  for (const Parameter& parameter : parameters) {
    const std::vector<Tuning> before = std::exchange(all, {});
    for (const Tuning& tuning : before) {
      for (const int value : parameter.values) {
        all.push_back(tuning);
        all.back().set(parameter.name, value);
      }
    }
  }
  std::ranges::for_each(all, add);
  return tunings;
}

Reason memoryShortage(const CaseRecipe& recipe, std::size_t hostFree, std::size_t deviceFree) {
  const auto d = static_cast<std::size_t>(recipe.problem.d);
  // On the host: the points three times, three sets of labels, and two distances each while the reference
  // classifies. On the device: the points twice, two sets of labels, and what a variant writes.
  const std::size_t host =
      recipe.problem.n * (3 * d * sizeof(float) + 3 * sizeof(Label) + 2 * sizeof(double));
  const std::size_t device = recipe.problem.n * (3 * d * sizeof(float) + 3 * sizeof(Label));
  const auto lacks = [&](const char* where, std::size_t needed, std::size_t free) {
    return recipe.name() + " needs " + std::to_string(needed >> 20) + " MiB of " + where + ", and " +
           std::to_string(free >> 20) + " are free";
  };
  if (host > hostFree) return lacks("this machine's memory", host, hostFree);
  if (device > deviceFree) return lacks("the device's memory", device, deviceFree);
  return std::nullopt;
}

CaseInputs build(const CaseRecipe& recipe) {
  const auto [n, dimensions, clusters] = recipe.problem;
  const auto d = static_cast<std::size_t>(dimensions);
  const auto k = static_cast<std::size_t>(clusters);
  const Numbers numbers(recipe);
  CaseInputs inputs{std::vector<float>(n * d), std::vector<float>(k * d), std::vector<Label>(n, -1)};
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < n; ++i)
      inputs.points[j * n + i] = pointValue(recipe, numbers, i, j);
  for (std::size_t cluster = 0; cluster < k; ++cluster)
    for (std::size_t j = 0; j < d; ++j)
      inputs.centroids[cluster * d + j] = recipe.kind == CaseKind::ownCentres
                                              ? inputs.points[j * n + cluster]
                                              : centroidValue(recipe, numbers, cluster, j);
  if (recipe.kind == CaseKind::settled) return inputs;
  for (std::size_t i = 0; i < n; ++i) // -1 .. k-1: what a first iteration and a change of k leave behind
    inputs.oldLabels[i] = static_cast<Label>(numbers.bits(labelStream, i) % (k + 1)) - 1;
  return inputs;
}

} // namespace lloyd
