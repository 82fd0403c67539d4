// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/initial_centroids.hpp"

#include "app/data/input/wording.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read/read_points.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "gpu/interop/shared_points.hpp"

#include <string>

namespace lloyd {

Problem problemOf(const PointSet& points, int k) {
  if (k < 1 || static_cast<std::size_t>(k) > points.n)
    throw RequestError("k is " + std::to_string(k) + ", but must be from 1 to the number of points, " +
                       std::to_string(points.n));
  return {.n = points.n, .d = points.d, .k = k};
}

PointReader readerOf(const PointSet& points) {
  return [&points](std::size_t i, float* out) {
    for (int j = 0; j < points.d; ++j)
      out[j] = points.row(j)[i];
  };
}

Init initOn(const PointSet& points, const Init& init, int k) {
  if (init.kind != InitKind::bands || !points.shifted()) return init;
  Init given{.kind = InitKind::given, .given = {}, .path = {}};
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < points.d; ++j) {
      const ColumnScale scale = points.scaleOf(static_cast<std::size_t>(j));
      // Of a scaled column bands are numbers of its scale.
      given.given.push_back(static_cast<float>(100.0 * i + 10 - (scale.scaled() ? 0 : scale.shift)));
    }
  return given;
}

std::vector<float> startingCentroids(const PointSet& points, const Problem& problem, const Init& init,
                                     std::uint64_t seed, const std::atomic<bool>* cancel) {
  const std::unique_ptr<Device> cpu = createCpuDevice();
  cpu->setCancel(cancel);
  DevicePoints onDevice(*cpu, points.n, points.d, points.values.data(), false);
  const PointMemory memory = onDevice.map();
  std::vector<float> centroids = seedCentroids(*cpu, problem, {memory.positions, memory.stride},
                                               readerOf(points), initOn(points, init, problem.k), seed);
  onDevice.unmap(false);
  return centroids;
}

void readGivenCentroids(Settings& settings, const PointSet& points) {
  const std::string& path = settings.init.path;
  const auto read = readMatrix(path, points.columns);
  if (!read) throw RequestError(read.error().sentence());
  const auto d = static_cast<std::size_t>(points.d);
  if (read->columns != d)
    throw RequestError(path + " has centroids of " + counted(read->columns, "dimension") +
                       ", but the points have " + std::to_string(d));
  if (read->rows == 0 || read->rows > points.n)
    throw RequestError(path + " has " + counted(read->rows, "centroid") + " for " +
                       counted(points.n, "point"));
  settings.k = static_cast<int>(read->rows);
  settings.init.given = fromFileUnits(read->values, points.scales);
}

} // namespace lloyd
