// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/projection/principal_components.hpp"

#include "app/data/parallel_ranges.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace lloyd {
namespace {

constexpr std::size_t rowsAtOnce = 2048; // whose doubles stay in a core's cache with some tens of columns

/// Sums of the products of each two columns about their means; the lower half.
std::optional<Eigen::MatrixXd> scatter(const PointSet& points, const Eigen::RowVectorXd& mean,
                                       const ReadControl& control) {
  const auto d = static_cast<Eigen::Index>(points.d);
  const Eigen::Map<const Eigen::MatrixXf> all(points.values.data(), static_cast<Eigen::Index>(points.n), d);
  oneapi::tbb::enumerable_thread_specific<Eigen::MatrixXd> sums(Eigen::MatrixXd(Eigen::MatrixXd::Zero(d, d)));
  const bool whole = parallelRanges(
      points.n, control,
      [&](std::size_t begin, std::size_t end) {
        const Eigen::MatrixXd rows =
            all.middleRows(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(end - begin))
                .cast<double>()
                .rowwise() -
            mean;
        sums.local().selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose());
      },
      rowsAtOnce);
  if (!whole) return std::nullopt;
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(d, d);
  for (const Eigen::MatrixXd& part : sums)
    sum += part;
  return sum;
}

std::optional<Eigen::RowVectorXd> meanOf(const PointSet& points, const ReadControl& control) {
  Eigen::RowVectorXd mean(points.d);
  const auto by = static_cast<double>(std::max<std::size_t>(points.n, 1));
  const auto column = [&](std::size_t j) {
    const float* row = points.row(static_cast<int>(j));
    mean[static_cast<Eigen::Index>(j)] = std::accumulate(row, row + points.n, 0.0) / by;
  };
  // Its share of the work is small: only the sums of products are told of.
  const bool whole = parallelRanges(
      static_cast<std::size_t>(points.d), {.progress = {}, .cancel = control.cancel},
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t j = begin; j < end; ++j)
          column(j);
      },
      1);
  if (!whole) return std::nullopt;
  return mean;
}

} // namespace

double PrincipalComponents::share(std::size_t which) const {
  const double all = std::accumulate(variances.begin(), variances.end(), 0.0);
  return all > 0 ? variances[which] / all : 0.0;
}

tl::expected<std::optional<PrincipalComponents>, std::string>
principalComponents(const PointSet& points, const ReadControl& control) {
  if (points.d > mostComponentColumns)
    return tl::make_unexpected("principal components are found of at most " +
                               std::to_string(mostComponentColumns) + " columns, and these are " +
                               std::to_string(points.d));
  const auto mean = meanOf(points, control);
  if (!mean) return std::nullopt;
  const auto sums = scatter(points, *mean, control);
  if (!sums) return std::nullopt;
  const double by = points.n > 1 ? static_cast<double>(points.n - 1) : 1.0;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(*sums / by);
  if (solver.info() != Eigen::Success)
    return tl::make_unexpected(std::string("the principal components of these points could not be found"));

  PrincipalComponents found;
  found.mean.assign(mean->data(), mean->data() + mean->size());
  // The solver has them in ascending order.
  for (Eigen::Index i = points.d - 1; i >= 0; --i) {
    found.variances.push_back(std::max(0.0, solver.eigenvalues()[i]));
    Eigen::VectorXd direction = solver.eigenvectors().col(i);
    Eigen::Index greatest = 0;
    direction.cwiseAbs().maxCoeff(&greatest);
    if (direction[greatest] < 0) direction = -direction;
    found.directions.insert(found.directions.end(), direction.begin(), direction.end());
  }
  return found;
}

} // namespace lloyd
