// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/projection/projection.hpp"

#include "app/data/parallel_ranges.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <charconv>

namespace lloyd {
namespace {

constexpr std::string_view componentWord = "PC";
constexpr std::size_t mostAxes = 3;

std::optional<int> wholeNumber(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A column's own name comes first: a table may have a column called PC1.
std::optional<Axis> axisFrom(std::string_view word, const PointSet& points) {
  const auto named = std::ranges::find(points.columns, word);
  if (named != points.columns.end())
    return Axis{Axis::Kind::column, static_cast<int>(named - points.columns.begin())};
  if (word.size() > componentWord.size() &&
      QString::fromUtf8(word.data(), 2).compare(QLatin1String("PC"), Qt::CaseInsensitive) == 0)
    if (const auto number = wholeNumber(word.substr(componentWord.size()));
        number && *number >= 1 && *number <= points.d)
      return Axis{Axis::Kind::component, *number - 1};
  if (const auto index = wholeNumber(word); index && *index >= 0 && *index < points.d)
    return Axis{Axis::Kind::column, *index};
  return std::nullopt;
}

} // namespace

std::string axisText(const Axis& axis, const PointSet& points) {
  if (axis.kind == Axis::Kind::component) {
    std::string text(componentWord);
    text += std::to_string(axis.index + 1);
    return text;
  }
  const auto column = static_cast<std::size_t>(axis.index);
  return column < points.columns.size() ? points.columns[column] : std::to_string(axis.index);
}

tl::expected<Axes, std::string> axesFrom(std::string_view text, const PointSet& points) {
  Axes axes;
  for (const std::string& word : splitList(std::string(text))) {
    const auto axis = axisFrom(word, points);
    if (!axis)
      return tl::make_unexpected(
          "'" + word + "' is no axis of these points: a column by its name or its index " + "from 0 to " +
          std::to_string(points.d - 1) + ", or PC1 to PC" + std::to_string(points.d) + ", was expected");
    if (std::ranges::find(axes, *axis) != axes.end())
      return tl::make_unexpected("'" + word + "' is named twice, but each axis shows something else");
    axes.push_back(*axis);
  }
  if (axes.size() < 2 || axes.size() > mostAxes) {
    std::string error = "'";
    error.append(text).append("' names ").append(std::to_string(axes.size()));
    error.append(axes.size() == 1 ? " axis" : " axes").append(", but two or three were expected");
    return tl::make_unexpected(error);
  }
  return axes;
}

std::string whyNoAxes(const PointSet& points) {
  if (points.d < 2) return "these points have one column";
  if (points.drift) return "these points move, and are drawn where they are computed";
  return {};
}

std::string whyNoRegions(int d, const Axes& axes) {
  if (d != 2)
    return "Regions are drawn of points with two columns; these have " +
           (d == 1 ? std::string("one") : std::to_string(d)) + ".";
  if (axes.empty()) return {};
  const bool whole = axes.size() == 2 && axes[0].kind == axes[1].kind && axes[0].index != axes[1].index;
  return whole ? "" : "Regions are drawn where the axes are both columns or both principal components.";
}

Projection::Projection(Axes axes, const PointSet& points, const PrincipalComponents* components)
    : axes_(std::move(axes)), d_(static_cast<std::size_t>(points.d)), forth_(axes_.size() * d_, 0.0),
      back_(axes_.size() * d_, 0.0), origin_(axes_.size(), 0.0) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto m = static_cast<Eigen::Index>(axes_.size());
  const auto d = static_cast<Eigen::Index>(d_);
  Eigen::Map<RowMajor> forth(forth_.data(), m, d);
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const Axis& axis = axes_[a];
    const auto which = static_cast<std::size_t>(axis.index);
    const auto row = static_cast<Eigen::Index>(a);
    names_.push_back(axisText(axis, points));
    if (axis.kind == Axis::Kind::column) {
      forth(row, axis.index) = 1;
      continue;
    }
    const std::span<const double> direction = components->direction(which);
    std::ranges::copy(direction, forth_.begin() + static_cast<std::ptrdiff_t>(a * d_));
    for (std::size_t j = 0; j < d_; ++j)
      origin_[a] += direction[j] * components->mean[j];
    names_.back() += " (" + significantText(100 * components->share(which), 3).toStdString() + " %)";
  }
  Eigen::Map<RowMajor>(back_.data(), d, m) =
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(forth).pseudoInverse();
}

std::array<double, 3> Projection::place(std::span<const float> coordinates) const {
  std::array<double, 3> at{};
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    at[a] = -origin_[a];
    for (std::size_t j = 0; j < std::min(d_, coordinates.size()); ++j)
      at[a] += forth_[a * d_ + j] * static_cast<double>(coordinates[j]);
  }
  return at;
}

std::vector<float> Projection::moved(std::span<const float> coordinates,
                                     const std::array<double, 3>& place) const {
  const std::array<double, 3> from = this->place(coordinates);
  std::vector<float> moved(coordinates.begin(), coordinates.end());
  for (std::size_t j = 0; j < std::min(d_, moved.size()); ++j) {
    double by = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a)
      by += back_[j * axes_.size() + a] * (place[a] - from[a]);
    moved[j] = static_cast<float>(static_cast<double>(moved[j]) + by);
  }
  return moved;
}

std::optional<std::vector<float>> Projection::rows(const PointSet& points, const ReadControl& control) const {
  std::vector<float> rows(axes_.size() * points.n);
  const bool whole = parallelRanges(points.n, control, [&](std::size_t begin, std::size_t end) {
    std::vector<double> sums(end - begin);
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      float* to = rows.data() + a * points.n + begin;
      if (axes_[a].kind == Axis::Kind::column) {
        const float* from = points.row(axes_[a].index);
        std::copy(from + begin, from + end, to);
        continue;
      }
      std::ranges::fill(sums, -origin_[a]);
      for (std::size_t j = 0; j < d_; ++j) {
        const float* from = points.row(static_cast<int>(j)) + begin;
        const double by = forth_[a * d_ + j];
        for (std::size_t i = 0; i < sums.size(); ++i)
          sums[i] += by * static_cast<double>(from[i]);
      }
      std::ranges::transform(sums, to, [](double sum) { return static_cast<float>(sum); });
    }
  });
  if (!whole) return std::nullopt;
  return rows;
}

} // namespace lloyd
