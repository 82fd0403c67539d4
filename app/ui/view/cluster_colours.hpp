// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/render/points/colour.hpp"
#include "gpu/engine/clustering.hpp"

#include <QColor>

#include <vector>

namespace lloyd {

/// Which colour each cluster has. Neighbours at the start of a run contrast, and keep their colours while it
/// goes on; or, for data that are colours themselves, a cluster has the colour of its centroid.
class ClusterColours {
public:
  enum class By { palette, centroid };

  void setBy(By by) { by_ = by; }
  [[nodiscard]] By by() const { return by_; }
  /// A run starts: colours are assigned afresh with the first result.
  void startRun() { assignment_.clear(); }
  /// The colours for a result, as the light or dark theme needs them.
  [[nodiscard]] const std::vector<Rgb>& take(const IterationResult& result, const PointSet& data, bool dark);
  [[nodiscard]] const std::vector<Rgb>& colours() const { return colours_; }

private:
  By by_ = By::palette;
  std::vector<std::size_t> assignment_;
  std::vector<Rgb> colours_;
};

[[nodiscard]] inline QColor toQColor(Rgb colour) { return {colour.r, colour.g, colour.b}; }
/// A centroid of a photograph's data as the colour it stands for, in the file's units.
[[nodiscard]] Rgb colourOfCentroid(const float* centroid, const PointSet& data);

} // namespace lloyd
