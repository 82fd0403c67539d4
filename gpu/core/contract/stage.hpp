// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace lloyd {

/// What time is spent on. No stage contains another: the rows of a table can be added.
enum class Stage {
  load,       ///< reading a file or generating points
  upload,     ///< host to device, or host to OpenGL
  layout,     ///< an array of structures becomes a structure of arrays
  order,      ///< neighbours are put together, and cut into tiles
  map,        ///< lending OpenGL's buffers to CUDA, waiting for the last draw included
  seed,       ///< the initial centroids
  advance,    ///< drifting points take their next step
  classify,   ///< each point gets the label of its nearest centroid
  reduce,     ///< sums and counts by cluster
  fused,      ///< classify and reduce in one pass
  labels,     ///< the labels of tiles become those of points
  update,     ///< sums and counts become centroids
  iterate,    ///< whole iterations, in place of the four above
  sets,       ///< whole runs of several sets, from host memory to host memory
  inertia,    ///< sum of squared distances to the assigned centroids
  unmap,      ///< giving the buffers back; on the staged path the copy to pinned memory
  draw,       ///< OpenGL draws the points
  wait,       ///< the window waits for the screen
  unaccounted ///< what no other row explains
};
inline constexpr std::size_t stageCount = 19;

[[nodiscard]] constexpr std::string_view name(Stage stage) {
  constexpr std::array<std::string_view, stageCount> names{
      "load",     "upload", "layout", "order",  "map",        "seed",    "advance",
      "classify", "reduce", "fused",  "labels", "update",     "iterate", "sets",
      "inertia",  "unmap",  "draw",   "wait",   "unaccounted"};
  return names[static_cast<std::size_t>(stage)];
}

/// Microseconds by stage; a stage that did not run has none.
class StageTimes {
public:
  [[nodiscard]] std::optional<double> operator[](Stage stage) const {
    return us_[static_cast<std::size_t>(stage)];
  }
  void set(Stage stage, double us) { us_[static_cast<std::size_t>(stage)] = us; }
  void add(Stage stage, double us) { set(stage, (*this)[stage].value_or(0.0) + us); }
  [[nodiscard]] double sumUs() const {
    double sum = 0;
    for (const auto& us : us_)
      sum += us.value_or(0.0);
    return sum;
  }

private:
  std::array<std::optional<double>, stageCount> us_{};
};

} // namespace lloyd
