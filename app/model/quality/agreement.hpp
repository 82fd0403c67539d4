// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lloyd {

/// How often each cluster and each class meet: the confusion table of two labelings.
struct Confusion {
  int clusters = 0;
  int classes = 0;
  std::vector<std::uint64_t> counts; ///< [clusters][classes]
  std::uint64_t counted = 0;         ///< points with both
  std::uint64_t left = 0;            ///< points that lack one of them

  [[nodiscard]] std::uint64_t at(int cluster, int ofClass) const {
    return counts[static_cast<std::size_t>(cluster) * static_cast<std::size_t>(classes) +
                  static_cast<std::size_t>(ofClass)];
  }
  [[nodiscard]] std::uint64_t clusterSize(int cluster) const;
  [[nodiscard]] std::uint64_t classSize(int ofClass) const;
};

/// Labels from 0 on, one a point in both; a negative one means that the point has none, and leaves it out.
[[nodiscard]] Confusion confusionOf(std::span<const std::int32_t> clusters,
                                    std::span<const std::int32_t> classes, int clusterCount, int classCount);

/// For each class the cluster that stands for it: of all pairs that meet, the one that meets in most points
/// is taken first, and no class or cluster twice. -1 for a class that is left without one.
[[nodiscard]] std::vector<int> clustersOfClasses(const Confusion& confusion);

/// The share of pairs of points that both labelings treat alike, adjusted for chance (Hubert and Arabie,
/// 1985): 1 where they say the same, about 0 where they are independent, and less where they agree less than
/// that.
[[nodiscard]] double adjustedRand(const Confusion& confusion);

/// What one labeling tells of the other, over the arithmetic mean of what there is to tell: 0 to 1.
[[nodiscard]] double normalisedMutualInformation(const Confusion& confusion);

} // namespace lloyd
