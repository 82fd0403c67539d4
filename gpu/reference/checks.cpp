// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/reference/checks.hpp"

#include "gpu/core/contract/registry.hpp"
#include "gpu/core/math/distance.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/reference/schedule_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace lloyd {
namespace {

using reference::Comparison;
using reference::describe;

constexpr int poison = reference::unwrittenByte;
constexpr std::size_t guardValues = 64;

/// Device memory that a stage writes, with a margin behind it that nobody may touch.
template <class T>
class Output {
public:
  /// zeroed: as a stage that adds to it expects. Otherwise the contents are poison, so that what was not
  /// written shows.
  Output(Device& device, std::size_t count, bool zeroed)
      : count_(count), memory_(device, count + guardValues) {
    memory_.fill(poison);
    if (zeroed && count > 0) device.fill(memory_.data(), 0, count * sizeof(T));
  }
  [[nodiscard]] T* data() { return memory_.data(); }
  /// The values written; takes note of a damaged margin.
  [[nodiscard]] std::vector<T> read(Comparison& result, std::string_view what) {
    std::vector<T> values = memory_.download();
    std::vector<unsigned char> margin(guardValues * sizeof(T));
    std::memcpy(margin.data(), values.data() + count_, margin.size());
    const bool clean =
        std::all_of(margin.begin(), margin.end(), [](unsigned char byte) { return byte == poison; });
    result.require(clean, [&] { return std::string(what) + " were written past their end"; });
    values.resize(count_);
    return values;
  }

private:
  std::size_t count_;
  Buffer<T> memory_;
};

void compareChanged(Comparison& result, Changed meaning, std::uint32_t counted,
                    const std::vector<Label>& oldLabels, const std::vector<Label>& labels) {
  std::size_t points = 0;
  for (std::size_t i = 0; i < labels.size(); ++i)
    points += labels[i] != oldLabels[i] ? 1 : 0;
  const auto say = [&] {
    return "the change count is " + std::to_string(counted) + ", but " + std::to_string(points) +
           " labels are new";
  };
  switch (meaning) {
  case Changed::points:
    result.require(counted == points, say);
    break;
  case Changed::threads:
    result.require((counted > 0) == (points > 0) && counted <= points, say);
    break;
  case Changed::flag:
    result.require((counted > 0) == (points > 0), say);
    break;
  case Changed::none:
    break;
  }
}

/// powf() rounds by itself, so with it even whole numbers do not tie exactly.
void compareAllLabels(Comparison& result, const PreparedCase& prepared, const std::vector<Label>& labels,
                      Arithmetic how = Arithmetic::multiply) {
  result.append(reference::compareLabels(prepared.problem, prepared.inputs.points,
                                         prepared.centroidsAsDoubles, labels, prepared.labels));
  if (!prepared.exact || how == Arithmetic::powf || !result.ok()) return;
  const auto [found, right] = std::mismatch(labels.begin(), labels.end(), prepared.labels.begin());
  result.require(found == labels.end(), [&, at = found, wanted = right] {
    return "point " + std::to_string(at - labels.begin()) + " lies exactly between clusters and has label " +
           std::to_string(*at) + "; the lowest index is " + std::to_string(*wanted);
  });
}

Comparison checkClassify(Device& device, const Variant& variant, const Tuning& tuning,
                         const PreparedCase& prepared) {
  Output<Label> labels(device, prepared.problem.n, false);
  Output<std::uint32_t> changed(device, 1, true);
  run(device, variant,
      ClassifyArgs{.problem = prepared.problem,
                   .points = prepared.points(variant.info.layout),
                   .centroids = prepared.centroids.data(),
                   .oldLabels = prepared.oldLabels.data(),
                   .labels = labels.data(),
                   .changed = changed.data(),
                   .tuning = tuning});
  Comparison result;
  const std::vector<Label> found = labels.read(result, "labels");
  compareAllLabels(result, prepared, found, tuning.arithmetic);
  compareChanged(result, variant.info.changed, changed.read(result, "changes").front(),
                 prepared.inputs.oldLabels, found);
  return result;
}

Comparison checkReduce(Device& device, const Variant& variant, const Tuning& tuning,
                       const PreparedCase& prepared) {
  Output<double> sums(device, prepared.problem.centroidValues(), true);
  Output<std::uint32_t> counts(device, static_cast<std::size_t>(prepared.problem.k), true);
  run(device, variant,
      ReduceArgs{.problem = prepared.problem,
                 .points = prepared.points(variant.info.layout),
                 .labels = prepared.rightLabels.data(),
                 .pivots = prepared.centroids.data(),
                 .sums = sums.data(),
                 .counts = counts.data(),
                 .tuning = tuning});
  Comparison result;
  const std::vector<double> foundSums = sums.read(result, "sums");
  const std::vector<std::uint32_t> foundCounts = counts.read(result, "counts");
  result.append(reference::compareSums(prepared.problem, prepared.ranges, foundSums, foundCounts,
                                       prepared.reduction.sums, prepared.reduction.counts));
  return result;
}

Comparison checkFused(Device& device, const Variant& variant, const Tuning& tuning,
                      const PreparedCase& prepared) {
  const std::size_t n = prepared.problem.n;
  const LabelWidth width = variant.labelWidth(prepared.problem.k);
  Output<std::byte> labels(device, n * bytesOf(width), false);
  Buffer<std::byte> oldLabels(device, n * bytesOf(width));
  device.convertLabels({n, {prepared.oldLabels.data()}, {oldLabels.data(), width}});
  PointView points = prepared.points(variant.info.layout);
  points.box = boxOf(prepared.inputs.points.data(), n, prepared.problem.d);
  Output<std::uint32_t> changed(device, 1, true);
  Output<double> sums(device, prepared.problem.centroidValues(), true);
  Output<std::uint32_t> counts(device, static_cast<std::size_t>(prepared.problem.k), true);
  run(device, variant,
      FusedArgs{.problem = prepared.problem,
                .points = points,
                .centroids = prepared.centroids.data(),
                .oldLabels = {oldLabels.data(), width},
                .labels = {labels.data(), width},
                .changed = changed.data(),
                .sums = sums.data(),
                .counts = counts.data(),
                .tuning = tuning});
  Comparison result;
  std::vector<Label> found(n);
  widen({labels.read(result, "labels").data(), width}, found);
  compareAllLabels(result, prepared, found);
  // "Not labelled yet" has no place in a narrow label, so what counts as old is what was stored.
  std::vector<Label> stored(n);
  widen({oldLabels.download().data(), width}, stored);
  compareChanged(result, variant.info.changed, changed.read(result, "changes").front(), stored, found);
  const std::vector<double> foundSums = sums.read(result, "sums");
  const std::vector<std::uint32_t> foundCounts = counts.read(result, "counts");
  if (!result.ok()) return result;
  // A tie may have gone the other way: the sums must be those of the labels written.
  const bool same = found == prepared.labels;
  const reference::Reduction own =
      same ? prepared.reduction
           : reference::reduce(prepared.problem, prepared.inputs.points, found, prepared.centroidsAsDoubles);
  result.append(reference::compareSums(prepared.problem, prepared.ranges, foundSums, foundCounts, own.sums,
                                       own.counts));
  return result;
}

/// The shift is a difference of rounded centroids, so their rounding is part of what it may be off by.
double shiftTolerance(const PreparedCase& prepared, const reference::Update& expected) {
  double largest = 0;
  for (const double value : expected.centroids)
    largest = std::max(largest, std::abs(value));
  return 1e-5 * expected.shift + 0x1p-22 * largest * std::sqrt(static_cast<double>(prepared.problem.d));
}

Comparison checkUpdate(Device& device, const Variant& variant, const PreparedCase& prepared) {
  const Buffer<double> sums(device, prepared.reduction.sums);
  const Buffer<std::uint32_t> counts(device, prepared.reduction.counts);
  Output<float> centroids(device, prepared.problem.centroidValues(), false);
  Output<UpdateOutcome> outcome(device, 1, false);
  run(device, variant,
      UpdateArgs{.problem = prepared.problem,
                 .sums = sums.data(),
                 .counts = counts.data(),
                 .oldCentroids = prepared.centroids.data(),
                 .centroids = centroids.data(),
                 .outcome = outcome.data()});
  const reference::Update expected =
      reference::update(prepared.problem, prepared.reduction, prepared.centroidsAsDoubles);
  Comparison result;
  const std::vector<float> found = centroids.read(result, "centroids");
  result.append(reference::compareCentroids(prepared.problem, prepared.ranges, found, expected.centroids));
  const auto d = static_cast<std::size_t>(prepared.problem.d);
  for (std::size_t at = 0; at < found.size(); ++at)
    result.require(prepared.reduction.counts[at / d] > 0 || found[at] == prepared.inputs.centroids[at], [&] {
      return "cluster " + std::to_string(at / d) + " is empty and was moved to " +
             describe(static_cast<double>(found[at]));
    });
  const UpdateOutcome said = outcome.read(result, "the outcome").front();
  result.require(said.emptyClusters == expected.emptyClusters, [&] {
    return std::to_string(said.emptyClusters) + " empty clusters were reported, expected " +
           std::to_string(expected.emptyClusters);
  });
  const double difference = std::abs(static_cast<double>(said.shift) - expected.shift);
  result.require(difference <= shiftTolerance(prepared, expected), [&] {
    return "the largest shift is " + describe(static_cast<double>(said.shift)) + ", expected " +
           describe(expected.shift);
  });
  return result;
}

/// A move of values has no tolerance: every bit must arrive, and what lies between the rows is nobody's.
Comparison checkLayout(Device& device, const Variant& variant, const Tuning& tuning,
                       const PreparedCase& prepared) {
  const auto d = static_cast<std::size_t>(prepared.problem.d);
  const std::size_t n = prepared.problem.n;
  const std::size_t stride = rowStride(n);
  Output<float> rows(device, stride * d, false);
  run(device, variant,
      LayoutArgs{.problem = prepared.problem,
                 .records = prepared.records.data(),
                 .rows = rows.data(),
                 .stride = stride,
                 .tuning = tuning});
  Comparison result;
  const std::vector<float> found = rows.read(result, "rows");
  std::vector<float> expected(stride * d);
  if (!expected.empty()) std::memset(expected.data(), poison, expected.size() * sizeof(float));
  for (std::size_t j = 0; j < d; ++j)
    std::copy_n(prepared.inputs.points.begin() + static_cast<std::ptrdiff_t>(j * n), n,
                expected.begin() + static_cast<std::ptrdiff_t>(j * stride));
  for (std::size_t at = 0; at < expected.size(); ++at)
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the bits are what must be the same
    result.require(std::memcmp(&found[at], &expected[at], sizeof(float)) == 0, [&] {
      const std::string where = "dimension " + std::to_string(at / stride);
      if (at % stride >= n) return where + " was written past its " + std::to_string(n) + " points";
      return "point " + std::to_string(at % stride) + ", " + where + " is " +
             describe(static_cast<double>(found[at])) + ", expected " +
             describe(static_cast<double>(expected[at]));
    });
  return result;
}

// Whole iterations that a device repeats, held against the same ones launched one by one and against double
// precision.

// What every device does besides variants.

Comparison checkInertia(Device& device, const PreparedCase& prepared) {
  Buffer<double> sum(device, 1);
  sum.fill(0);
  device.inertia({.problem = prepared.problem,
                  .points = prepared.points(Layout::soa),
                  .centroids = prepared.centroids.data(),
                  .labels = prepared.rightLabels.data(),
                  .inertia = sum.data()});
  const double found = sum.download().front();
  const double expected = reference::inertia(prepared.problem, prepared.inputs.points,
                                             prepared.centroidsAsDoubles, prepared.labels);
  Comparison result;
  result.take(found == expected ? 0 : std::abs(found - expected) / (1e-6 * expected),
              [&] { return "the inertia is " + describe(found) + ", expected " + describe(expected); });
  return result;
}

/// Three steps of the k-means++ race. Keys are defined to the bit, so the winner and every distance must be
/// the same.
Comparison checkSeed(Device& device, const PreparedCase& prepared) {
  const auto [n, dimensions, clusters] = prepared.problem;
  const auto d = static_cast<std::size_t>(dimensions);
  const std::vector<float>& points = prepared.inputs.points;
  constexpr std::uint64_t seed = 7;
  Buffer<float> nearest(device, n);
  Buffer<std::uint64_t> newest(device, 1);
  Buffer<std::uint64_t> winner(device, 1);
  nearest.fill(0xff); // before there is a centre, what lies here must not matter
  std::vector<float> expected(n, std::numeric_limits<float>::infinity());
  std::vector<float> centre;
  Comparison result;
  for (std::uint32_t step = 0; step < 3; ++step) {
    std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < n; ++i) {
      if (!centre.empty()) {
        float distance = 0;
        for (std::size_t j = 0; j < d; ++j)
          distance = addSquare(distance, points[j * n + i], centre[j]);
        expected[i] = std::min(expected[i], distance);
      }
      best = std::min(best, SeedRace(seed, step).entry(static_cast<std::uint32_t>(i), expected[i]));
    }
    winner.fill(0xff);
    device.seedStep({.problem = prepared.problem,
                     .points = prepared.points(Layout::soa),
                     .newest = centre.empty() ? nullptr : newest.data(),
                     .nearest = nearest.data(),
                     .seed = seed,
                     .step = step,
                     .winner = winner.data()});
    const std::uint64_t found = winner.download().front();
    result.require(found == best, [&] {
      return "step " + std::to_string(step) + " chose point " + std::to_string(found & 0xffffffffu) +
             ", expected " + std::to_string(best & 0xffffffffu);
    });
    result.require(step == 0 || nearest.download() == expected, [&] {
      return "distances to the nearest centre differ after step " + std::to_string(step);
    });
    if (n == 0 || !result.ok()) break;
    centre.resize(d);
    for (std::size_t j = 0; j < d; ++j)
      centre[j] = points[j * n + (best & 0xffffffffu)];
    newest.upload({&best, 1});
  }
  return result;
}

Comparison checkAdvance(Device& device, const PreparedCase& prepared) {
  const auto [n, dimensions, clusters] = prepared.problem;
  const auto d = static_cast<std::size_t>(dimensions);
  constexpr std::size_t components = 3;
  const std::size_t stride = rowStride(n);
  std::vector<std::uint8_t> component(n);
  for (std::size_t i = 0; i < n; ++i)
    component[i] = static_cast<std::uint8_t>(i * 7 % components);
  std::vector<float> shifts(components * d);
  for (std::size_t at = 0; at < shifts.size(); ++at)
    shifts[at] = 0.37f * static_cast<float>(at) - 0.8f;
  const Buffer<std::uint8_t> deviceComponent(device, component);
  const Buffer<float> deviceShifts(device, shifts);
  Buffer<float> moved(device, stride * d);
  moved.fill(0xff);
  device.advance({.n = n,
                  .d = dimensions,
                  .stride = stride,
                  .base = prepared.rows.data(),
                  .out = moved.data(),
                  .component = deviceComponent.data(),
                  .shifts = deviceShifts.data()});
  const std::vector<float> found = moved.download();
  Comparison result;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      const float expected = prepared.inputs.points[j * n + i] + shifts[component[i] * d + j];
      result.require(found[j * stride + i] == expected, [&, i, j] {
        return "point " + std::to_string(i) + ", dimension " + std::to_string(j) + " moved to " +
               describe(static_cast<double>(found[j * stride + i])) + ", expected " +
               describe(static_cast<double>(expected));
      });
    }
  }
  return result;
}

Comparison checkInterleave(Device& device, const PreparedCase& prepared) {
  Buffer<float> records(device, prepared.problem.pointValues());
  records.fill(0xff);
  device.interleave({.n = prepared.problem.n,
                     .d = prepared.problem.d,
                     .points = prepared.points(Layout::soa),
                     .records = records.data()});
  Comparison result;
  result.require(records.download() == prepared.records.download(),
                 [] { return std::string("the records are not the points that the rows hold"); });
  return result;
}

} // namespace

Comparison checkStage(Device& device, const Variant& variant, Stage stage, const Tuning& tuning,
                      const PreparedCase& prepared) {
  switch (stage) {
  case Stage::classify:
    return checkClassify(device, variant, tuning, prepared);
  case Stage::reduce:
    return checkReduce(device, variant, tuning, prepared);
  case Stage::fused:
    return checkFused(device, variant, tuning, prepared);
  case Stage::iterate:
    return checkIterate(device, variant, prepared);
  case Stage::sets:
    return checkSets(device, variant, tuning, prepared);
  case Stage::layout:
    return checkLayout(device, variant, tuning, prepared);
  default:
    return checkUpdate(device, variant, prepared);
  }
}

const std::array<OperationCheck, 4>& operationChecks() {
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
  static const std::array<OperationCheck, 4> checks{{
      {"operations.seed", Stage::seed, std::size_t{1} << 20, checkSeed},
      {"operations.advance", Stage::advance, any, checkAdvance},
      {"operations.interleave", Stage::upload, any, checkInterleave},
      {"operations.inertia", Stage::inertia, any, checkInertia},
  }};
  return checks;
}

} // namespace lloyd
