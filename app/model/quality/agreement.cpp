// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/quality/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace lloyd {
namespace {

std::vector<double> clusterSizes(const Confusion& confusion) {
  std::vector<double> sizes;
  sizes.reserve(static_cast<std::size_t>(confusion.clusters));
  for (int cluster = 0; cluster < confusion.clusters; ++cluster)
    sizes.push_back(static_cast<double>(confusion.clusterSize(cluster)));
  return sizes;
}

std::vector<double> classSizes(const Confusion& confusion) {
  std::vector<double> sizes;
  sizes.reserve(static_cast<std::size_t>(confusion.classes));
  for (int ofClass = 0; ofClass < confusion.classes; ++ofClass)
    sizes.push_back(static_cast<double>(confusion.classSize(ofClass)));
  return sizes;
}

double sumOfSquares(const std::vector<double>& sizes) {
  double sum = 0;
  for (const double size : sizes)
    sum += size * size;
  return sum;
}

/// In nats.
double entropy(const std::vector<double>& sizes, double all) {
  double sum = 0;
  for (const double size : sizes)
    if (size > 0) sum -= size / all * std::log(size / all);
  return sum;
}

int filled(const std::vector<double>& sizes) {
  int count = 0;
  for (const double size : sizes)
    count += size > 0 ? 1 : 0;
  return count;
}

} // namespace

std::uint64_t Confusion::clusterSize(int cluster) const {
  std::uint64_t sum = 0;
  for (int ofClass = 0; ofClass < classes; ++ofClass)
    sum += at(cluster, ofClass);
  return sum;
}

std::uint64_t Confusion::classSize(int ofClass) const {
  std::uint64_t sum = 0;
  for (int cluster = 0; cluster < clusters; ++cluster)
    sum += at(cluster, ofClass);
  return sum;
}

Confusion confusionOf(std::span<const std::int32_t> clusters, std::span<const std::int32_t> classes,
                      int clusterCount, int classCount) {
  Confusion confusion{.clusters = clusterCount,
                      .classes = classCount,
                      .counts = std::vector<std::uint64_t>(static_cast<std::size_t>(clusterCount) *
                                                           static_cast<std::size_t>(classCount))};
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (clusters[i] < 0 || classes[i] < 0) {
      ++confusion.left;
      continue;
    }
    ++confusion.counted;
    ++confusion.counts[static_cast<std::size_t>(clusters[i]) * static_cast<std::size_t>(classCount) +
                       static_cast<std::size_t>(classes[i])];
  }
  return confusion;
}

std::vector<int> clustersOfClasses(const Confusion& confusion) {
  struct Meeting {
    std::uint64_t points = 0;
    int cluster = 0;
    int ofClass = 0;
  };
  std::vector<Meeting> meetings;
  for (int cluster = 0; cluster < confusion.clusters; ++cluster)
    for (int ofClass = 0; ofClass < confusion.classes; ++ofClass)
      if (const std::uint64_t points = confusion.at(cluster, ofClass); points > 0)
        meetings.push_back({points, cluster, ofClass});
  std::ranges::stable_sort(meetings, std::ranges::greater(), &Meeting::points);
  std::vector<int> clusters(static_cast<std::size_t>(confusion.classes), -1);
  std::vector<bool> taken(static_cast<std::size_t>(confusion.clusters));
  for (const Meeting& meeting : meetings) {
    int& its = clusters[static_cast<std::size_t>(meeting.ofClass)];
    if (its >= 0 || taken[static_cast<std::size_t>(meeting.cluster)]) continue;
    its = meeting.cluster;
    taken[static_cast<std::size_t>(meeting.cluster)] = true;
  }
  return clusters;
}

double adjustedRand(const Confusion& confusion) {
  const auto n = static_cast<double>(confusion.counted);
  double together = 0;
  for (const std::uint64_t count : confusion.counts)
    together += static_cast<double>(count) * static_cast<double>(count);
  // Ordered pairs by whether they are together in clusters and in classes.
  const double inBoth = together - n;
  const double inClusters = sumOfSquares(clusterSizes(confusion)) - together;
  const double inClasses = sumOfSquares(classSizes(confusion)) - together;
  const double inNone = n * n - inClusters - inClasses - together;
  if (!(inClusters > 0) && !(inClasses > 0)) return 1;
  return 2 * (inBoth * inNone - inClusters * inClasses) /
         ((inBoth + inClasses) * (inClasses + inNone) + (inBoth + inClusters) * (inClusters + inNone));
}

double normalisedMutualInformation(const Confusion& confusion) {
  const std::vector<double> clusters = clusterSizes(confusion);
  const std::vector<double> classes = classSizes(confusion);
  if (filled(clusters) <= 1 && filled(classes) <= 1) return 1;
  const auto n = static_cast<double>(confusion.counted);
  double information = 0;
  for (int cluster = 0; cluster < confusion.clusters; ++cluster)
    for (int ofClass = 0; ofClass < confusion.classes; ++ofClass) {
      const auto count = static_cast<double>(confusion.at(cluster, ofClass));
      if (count > 0)
        information += count / n *
                       std::log(count * n /
                                (clusters[static_cast<std::size_t>(cluster)] *
                                 classes[static_cast<std::size_t>(ofClass)]));
    }
  // Of independent labelings only what was rounded is left.
  if (information <= std::numeric_limits<double>::epsilon()) return 0;
  return information / ((entropy(clusters, n) + entropy(classes, n)) / 2);
}

} // namespace lloyd
