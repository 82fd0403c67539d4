// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/render/points/colour.hpp"
#include "gpu/engine/clustering.hpp"

#include <QColor>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace lloyd {

/// Which colour each cluster has. Neighbours at the start of a run contrast, and keep their colours while it
/// goes on; or, for data that are colours themselves, a cluster has the colour of its centroid.
class ClusterColours {
public:
  enum class By { palette, centroid };

  void setBy(By by) { by_ = by; }
  [[nodiscard]] By by() const { return by_; }
  /// A run starts: colours are assigned afresh with the first result, or are these of the palette, one for
  /// each of k clusters.
  void startRun(std::vector<std::size_t> assignment = {}) { assignment_ = std::move(assignment); }
  /// Which of the palette's colours each cluster has; empty before the first result.
  [[nodiscard]] const std::vector<std::size_t>& assignment() const { return assignment_; }
  /// The colours that a result would have with these of the palette.
  [[nodiscard]] std::vector<Rgb> coloursWith(std::span<const std::size_t> assignment,
                                             const IterationResult& result, const PointSet& data,
                                             bool dark) const;
  /// The colours for a result, as the light or dark theme needs them.
  [[nodiscard]] const std::vector<Rgb>& take(const IterationResult& result, const PointSet& data, bool dark);
  [[nodiscard]] const std::vector<Rgb>& colours() const { return colours_; }

private:
  By by_ = By::palette;
  std::vector<std::size_t> assignment_;
  std::vector<Rgb> colours_;
};

[[nodiscard]] inline QColor toQColor(Rgb colour) { return {colour.r, colour.g, colour.b}; }
/// The palette's colours for a run's clusters, each of which gets that of the cluster of another run to which
/// it is nearest; of two that want the same, the nearer. Those of assignColours() where the other run has
/// none or another k, and beyond 256 clusters, whose colours nobody can tell apart. Centroids: [k][d].
[[nodiscard]] std::vector<std::size_t> coloursByNearest(std::span<const float> others,
                                                        std::span<const std::size_t> assignment,
                                                        std::span<const float> centroids, int d);
/// A centroid of a photograph's data as the colour it stands for, in the file's units.
[[nodiscard]] Rgb colourOfCentroid(const float* centroid, const PointSet& data);

} // namespace lloyd
