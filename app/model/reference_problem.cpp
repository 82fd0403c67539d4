// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/reference_problem.hpp"

#include "app/model/load.hpp"
#include "gpu/core/request_error.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "gpu/engine/seeding.hpp"
#include "gpu/interop/shared_points.hpp"

namespace lloyd {

ReferenceProblem referenceProblem(const Problem& problem, const std::atomic<bool>* cancel) {
  DataRequest request;
  request.generator = "uniform:n=" + std::to_string(problem.n) + ",d=" + std::to_string(problem.d);
  request.seed = 1;
  const auto loaded = loadPoints(
      request, [](const LoadProgress&) {}, cancel);
  if (!loaded) throw RequestError(loaded.error());
  ReferenceProblem made{*loaded, {}};
  const PointSet& points = *made.points;
  const std::unique_ptr<Device> cpu = createCpuDevice();
  cpu->setCancel(cancel);
  DevicePoints onDevice(*cpu, points.n, points.d, points.values.data(), false);
  const PointMemory memory = onDevice.map();
  const PointReader reader = [&](std::size_t i, float* out) {
    for (int j = 0; j < points.d; ++j)
      out[j] = points.row(j)[i];
  };
  made.centroids = seedCentroids(*cpu, problem, {memory.positions, memory.stride}, reader, Init{}, 1);
  onDevice.unmap(false);
  return made;
}

} // namespace lloyd
