// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/overlay/voronoi.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace lloyd {
namespace {

constexpr int nobody = -1;            ///< a side of the rectangle
constexpr double shortestSide = 1e-9; ///< of a cell, in widths and heights of the rectangle

struct Site {
  glm::dvec2 at;
  int number;
};

double squareOf(glm::dvec2 by) { return glm::dot(by, by); }

/// The finite centroids about an origin, where coordinates are small; of equal ones the lowest number.
std::vector<Site> sitesOf(std::span<const glm::dvec3> centroids, glm::dvec2 origin) {
  std::vector<Site> sites;
  for (std::size_t c = 0; c < centroids.size(); ++c) {
    const glm::dvec2 at = glm::dvec2(centroids[c]) - origin;
    if (std::isfinite(at.x) && std::isfinite(at.y)) sites.push_back({at, static_cast<int>(c)});
  }
  const auto key = [](const Site& site) { return std::tuple(site.at.x, site.at.y, site.number); };
  std::ranges::sort(sites, {}, key);
  const auto same = [](const Site& a, const Site& b) { return a.at == b.at; };
  sites.erase(std::unique(sites.begin(), sites.end(), same), sites.end());
  return sites;
}

/// A convex part of the rectangle: side s goes from corner s to the next.
class Cell {
public:
  explicit Cell(glm::dvec2 half)
      : corners_{{-half.x, -half.y}, {half.x, -half.y}, {half.x, half.y}, {-half.x, half.y}},
        owners_{nobody, nobody, nobody, nobody} {}

  [[nodiscard]] bool empty() const { return corners_.empty(); }
  [[nodiscard]] std::size_t sides() const { return corners_.size(); }
  [[nodiscard]] glm::dvec2 corner(std::size_t side) const { return corners_[side % corners_.size()]; }
  /// The centroid beyond a side.
  [[nodiscard]] int owner(std::size_t side) const { return owners_[side]; }
  /// The square of how far it reaches from a place.
  [[nodiscard]] double reach(glm::dvec2 from) const {
    double farthest = 0;
    for (const glm::dvec2& corner : corners_)
      farthest = std::max(farthest, squareOf(corner - from));
    return farthest;
  }
  /// Keeps what is not nearer to the other than to own.
  void cut(glm::dvec2 own, const Site& other) {
    const glm::dvec2 across = other.at - own;
    const glm::dvec2 middle = own + across / 2.0;
    beyond_.clear();
    for (const glm::dvec2& corner : corners_)
      beyond_.push_back(glm::dot(corner - middle, across));
    if (std::ranges::none_of(beyond_, [](double by) { return by > 0; })) return;
    nextCorners_.clear();
    nextOwners_.clear();
    for (std::size_t side = 0; side < corners_.size(); ++side) {
      const std::size_t end = (side + 1) % corners_.size();
      const bool stays = !(beyond_[side] > 0), endStays = !(beyond_[end] > 0);
      if (stays) keep(corners_[side], owners_[side]);
      if (stays == endStays) continue;
      const double share = beyond_[side] / (beyond_[side] - beyond_[end]);
      keep(corners_[side] + share * (corners_[end] - corners_[side]), stays ? other.number : owners_[side]);
    }
    std::swap(corners_, nextCorners_);
    std::swap(owners_, nextOwners_);
  }

private:
  void keep(glm::dvec2 corner, int owner) {
    nextCorners_.push_back(corner);
    nextOwners_.push_back(owner);
  }

  std::vector<glm::dvec2> corners_, nextCorners_;
  std::vector<int> owners_, nextOwners_;
  std::vector<double> beyond_; ///< of each corner, how far beyond the bisector
};

/// The cell of a site: others from the nearest on, until none can reach it.
Cell cellOf(const Site& own, const std::vector<Site>& sites, const Site& central, glm::dvec2 half,
            std::vector<std::pair<double, const Site*>>& order) {
  Cell cell(half);
  // Most cells of an enlarged view are outside, which the site in its middle shows at once.
  if (central.number != own.number) cell.cut(own.at, central);
  if (cell.empty()) return cell;
  order.clear();
  for (const Site& other : sites)
    if (other.number != own.number) order.emplace_back(squareOf(other.at - own.at), &other);
  const auto farther = [](const auto& a, const auto& b) { return a.first > b.first; };
  std::ranges::make_heap(order, farther);
  while (!order.empty() && !cell.empty()) {
    std::ranges::pop_heap(order, farther);
    const auto [square, other] = order.back();
    order.pop_back();
    if (square > 4 * cell.reach(own.at)) break;
    cell.cut(own.at, *other);
  }
  return cell;
}

} // namespace

FlatRectangle seenRectangle(const CameraView& view, double marginPixels) {
  const glm::dmat4& matrix = view.clipFromOffset;
  const glm::dvec2 scale(matrix[0][0], matrix[1][1]);
  const glm::dvec2 shift(matrix[3][0], matrix[3][1]);
  const glm::dvec2 edge = 1.0 + 2 * marginPixels / glm::dvec2(view.viewport);
  return {glm::dvec2(view.origin) + (-edge - shift) / scale,
          glm::dvec2(view.origin) + (edge - shift) / scale};
}

std::vector<RegionBorder> regionBorders(std::span<const glm::dvec3> centroids, const FlatRectangle& within) {
  const glm::dvec2 half = (within.high - within.low) / 2.0;
  const glm::dvec2 middle = within.low + half;
  std::vector<RegionBorder> borders;
  if (!(half.x > 0 && half.y > 0)) return borders;
  const std::vector<Site> sites = sitesOf(centroids, middle);
  if (sites.size() < 2) return borders;
  const Site central =
      *std::ranges::min_element(sites, {}, [](const Site& site) { return squareOf(site.at); });
  std::vector<std::pair<double, const Site*>> order;
  for (const Site& own : sites) {
    const Cell cell = cellOf(own, sites, central, half, order);
    for (std::size_t side = 0; side < cell.sides(); ++side) {
      if (cell.owner(side) <= own.number) continue; // the other's cell has it, or nobody's
      const glm::dvec2 from = cell.corner(side), to = cell.corner(side + 1);
      const glm::dvec2 length = glm::abs(to - from) / half;
      // Where four cells meet in a corner, rounding makes a border of no length between two of them.
      if (std::max(length.x, length.y) < shortestSide) continue;
      borders.push_back({middle + from, middle + to, own.number, cell.owner(side)});
    }
  }
  return borders;
}

} // namespace lloyd
