// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/render/camera/camera.hpp"
#include "app/render/overlay/scene_renderer.hpp"
#include "app/render/points/colour.hpp"
#include "app/ui/view/centroid_trails.hpp"
#include "app/ui/view/colour_key.hpp"

#include <QFont>
#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QString>

#include <array>
#include <optional>
#include <span>
#include <vector>

class QPainter;

namespace lloyd {

/// What is written over the points in one frame. Pixels are device pixels, as cameras give them.
struct OverlayContent {
  const PointSet* data = nullptr;
  const ProjectedPoints* projection = nullptr; ///< null: first columns are drawn
  const Camera* camera = nullptr;
  double pixelRatio = 1;
  double enlarged = 1; ///< as the scene has it
  std::vector<std::optional<glm::dvec2>> centroids;
  std::vector<Rgb> colours;
  std::vector<bool> empty;     ///< clusters without points, drawn hollow
  std::optional<int> selected; ///< a centroid that keys move
  Drawn drawn;
  QImage posterised; ///< of a photograph; null otherwise
  const ColourKey* key =
      nullptr;                 ///< what the points' colours mean; null: those of their clusters, or nothing
  QString hoverText;           ///< of the point under the pointer; empty for none
  QPointF hoverAt;             ///< logical pixels
  std::vector<QRectF> covered; ///< by what stands over the view, logical pixels
  bool transparent = false;    ///< nothing is behind the points, and texts have no ground either
};

/// Everything over the points that is text: axes, centroid numbers, how many points are drawn, what is under
/// the pointer; and the posterised photograph.
class Overlay {
public:
  /// The painter works in logical pixels on a surface of this size.
  static void paint(QPainter& painter, QSize size, const OverlayContent& content);
};

/// What a view of so many logical pixels says of the drawn points: drawnText(), or in a low or narrow
/// view the number alone where not all points are drawn, else nothing.
[[nodiscard]] QString drawnTextIn(QSize view, const PointSet& data, const Drawn& drawn,
                                  const ProjectedPoints* projection = nullptr);
/// Where a text stands in the corner of a view of that width, in logical pixels; empty for no text.
[[nodiscard]] QRectF cornerPlate(const QFont& font, int width, const QString& text);

/// What an axis of a view shows: the name of a column, which is cut where it is long; or that of a
/// projection's axis. Empty for none.
[[nodiscard]] QString axisName(const PointSet& data, int axis, const ProjectedPoints* projection = nullptr);
/// The numbers on the axes: those of the file for columns, also where they are scaled.
[[nodiscard]] std::array<AxisFigures, 3> axisFigures(const PointSet& data,
                                                     const ProjectedPoints* projection = nullptr);

/// "65,536 of 1,000,000 points drawn; all are clustered", what crowds show, and what of more than three
/// columns is shown where no axes were chosen.
[[nodiscard]] QString drawnText(const PointSet& data, const Drawn& drawn,
                                const ProjectedPoints* projection = nullptr);

/// What a person wants to know of one point: its name where rows have one, its row in the file (counted from
/// 1), its values in all columns of the file as they stand there, its cluster and the distance to that
/// cluster's centroid. position: its coordinates now, which for a drifting one are not those of the data;
/// empty: not known, as label -1 is.
[[nodiscard]] QString pointText(const PointSet& data, std::span<const float> position, std::size_t point,
                                Label label, const CentroidTrails& centroids);

/// The photograph with every pixel in its centroid's colour.
[[nodiscard]] QImage posterise(const PointSet& data, std::span<const Label> labels,
                               const CentroidTrails& centroids);

} // namespace lloyd
