// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/reference_problem.hpp"

#include "app/model/compute/initial_centroids.hpp"
#include "app/model/compute/load_points.hpp"
#include "gpu/core/contract/error.hpp"

namespace lloyd {

ReferenceProblem referenceProblem(const Problem& problem, const std::atomic<bool>* cancel) {
  DataRequest request;
  request.generator = "uniform:n=" + std::to_string(problem.n) + ",d=" + std::to_string(problem.d);
  request.seed = 1;
  const auto loaded = loadPoints(
      request, [](const LoadProgress&) {}, cancel);
  if (!loaded) throw RequestError(loaded.error());
  ReferenceProblem made{*loaded, {}};
  made.centroids = startingCentroids(*made.points, problem, Init{}, 1, cancel);
  return made;
}

} // namespace lloyd
