// SPDX-License-Identifier: GPL-3.0-or-later
// The part of StageBench that holds a variant's results against double precision.
#include "app/model/measure_stage.hpp"
#include "gpu/reference/compare.hpp"
#include "gpu/reference/reference.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

/// What the variant says of changes against what did change, by its own meaning of the word.
std::string compareChanged(Changed meaning, std::uint32_t said, std::size_t truth) {
  if (meaning == Changed::none) return {};
  const bool right = meaning == Changed::points ? said == truth : (said != 0) == (truth != 0);
  if (right) return {};
  return "it says that " + std::to_string(said) + " labels changed, but " + std::to_string(truth) + " did";
}

/// How wrong labels are as a whole, before one of them is named.
std::string labelsInWords(const Problem& problem, const std::vector<float>& points,
                          const std::vector<double>& centroids, const std::vector<Label>& labels,
                          const std::vector<Label>& expected, const reference::Comparison& found) {
  std::string words = std::to_string(found.wrong) + " of " + std::to_string(problem.n) + " labels are wrong";
  const bool named =
      std::all_of(labels.begin(), labels.end(), [&](Label label) { return label >= 0 && label < problem.k; });
  if (named)
    words += ", inertia is " + reference::inWords(reference::inertia(problem, points, centroids, labels)) +
             " instead of " + reference::inWords(reference::inertia(problem, points, centroids, expected));
  return words + "; " + found.firstFailure;
}

/// How far the worst coordinate of a centroid would be from where it must be.
std::string sumsInWords(const Problem& problem, const std::vector<double>& sums,
                        const std::vector<std::uint32_t>& counts, const std::vector<double>& expectedSums,
                        const std::vector<std::uint32_t>& expectedCounts,
                        const reference::Comparison& found) {
  const auto d = static_cast<std::size_t>(problem.d);
  double largest = 0;
  for (std::size_t at = 0; at < sums.size(); ++at) {
    const auto mean = [&](double sum, std::uint32_t count) { return count > 0 ? sum / count : sum; };
    const double error =
        std::abs(mean(sums[at], counts[at / d]) - mean(expectedSums[at], expectedCounts[at / d]));
    if (!(error <= largest) && !std::isnan(largest)) largest = error; // NaN is the worst, and stays
  }
  return "the largest centroid error is " + reference::inWords(largest) + "; " + found.firstFailure;
}

} // namespace

std::optional<std::string> StageBench::check(const Candidate& candidate) {
  clear();
  rows_.fill(0xff); // NaN, so that a value that another variant left there is not taken for this one's
  if (candidate.stage != Stage::iterate) launch(candidate);
  std::string difference;
  switch (candidate.stage) {
  case Stage::order:
  case Stage::labels:
    difference = compareTiled(candidate);
    break;
  case Stage::fused:
    // Tiles keep their labels; what they had before comes back, for every launch to find the same.
    if (candidate.variant->info.tileSize) {
      tiled(candidate).keepPass();
      tiled(candidate).writeLabels(memory_.labelsOf(LabelWidth::one));
      tiled(candidate).keepPass();
    }
    difference = compareLabelled(candidate);
    break;
  case Stage::classify:
    difference = compareLabelled(candidate);
    break;
  case Stage::reduce:
    difference = compareSummed(labels_);
    break;
  case Stage::iterate:
    difference = checkIterated(candidate);
    break;
  case Stage::layout:
    difference = compareLaidOut();
    break;
  default:
    difference = compareUpdated();
    break;
  }
  if (difference.empty()) return std::nullopt;
  return difference;
}

std::string StageBench::compareLaidOut() {
  const std::vector<float> rows = rows_.download();
  for (int j = 0; j < problem_.d; ++j) {
    const float* right = points_.row(j);
    const float* found = rows.data() + static_cast<std::size_t>(j) * memory_.stride;
    for (std::size_t i = 0; i < problem_.n; ++i)
      if (found[i] != right[i])
        return "point " + std::to_string(i) + ", dimension " + std::to_string(j) + " is " +
               reference::inWords(static_cast<double>(found[i])) + ", but must be " +
               reference::inWords(static_cast<double>(right[i]));
  }
  return {};
}

/// The labels that went into the tiles come out of them again, each at its own point.
std::string StageBench::compareTiled(const Candidate& candidate) {
  tiled(candidate).writeLabels(memory_.labelsOf(LabelWidth::one));
  std::vector<Label> labels(problem_.n);
  downloadLabels(device_, *memory_.labels, labels);
  const auto [found, right] = std::mismatch(labels.begin(), labels.end(), oldLabels_.begin());
  if (found == labels.end()) return {};
  return "point " + std::to_string(found - labels.begin()) + " has label " + std::to_string(*found) +
         ", but went in with " + std::to_string(*right);
}

std::string StageBench::compareLabelled(const Candidate& candidate) {
  std::vector<Label> labels(problem_.n);
  downloadLabels(device_, *memory_.labels, labels);
  const auto found = reference::compareLabels(problem_, points_.values, pivots_, labels, labels_);
  if (!found.ok()) return labelsInWords(problem_, points_.values, pivots_, labels, labels_, found);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < labels.size(); ++i)
    changed += labels[i] != oldLabels_[i] ? 1 : 0;
  std::string wrongChange =
      compareChanged(candidate.variant->info.changed, changed_.download().front(), changed);
  if (!wrongChange.empty() || candidate.stage == Stage::classify) return wrongChange;
  return compareSummed(labels);
}

std::string StageBench::compareSummed(const std::vector<Label>& labels) {
  const auto ranges = reference::ranges(problem_, points_.values, pivots_);
  const auto sums = sums_.download();
  const auto counts = counts_.download();
  const auto compare = [&](const std::vector<double>& right, const std::vector<std::uint32_t>& rightCounts) {
    const auto found = reference::compareSums(problem_, ranges, sums, counts, right, rightCounts);
    return found.ok() ? std::string() : sumsInWords(problem_, sums, counts, right, rightCounts, found);
  };
  if (labels == labels_) return compare(expectedSums_, expectedCounts_);
  // A tie that rounding decided otherwise moves a point to another sum, which is as right.
  const auto own = reference::reduce(problem_, points_.values, labels, pivots_);
  return compare(own.sums, own.counts);
}

std::string StageBench::compareUpdated() {
  const auto expected = reference::update(problem_, {expectedSums_, expectedCounts_}, pivots_);
  const auto ranges = reference::ranges(problem_, points_.values, pivots_);
  const auto found = reference::compareCentroids(problem_, ranges, moved_.download(), expected.centroids);
  if (!found.ok()) return found.firstFailure;
  const UpdateOutcome outcome = outcome_.download().front();
  if (outcome.emptyClusters == expected.emptyClusters) return {};
  return "it counts " + std::to_string(outcome.emptyClusters) + " empty clusters, but there are " +
         std::to_string(expected.emptyClusters);
}

} // namespace lloyd
