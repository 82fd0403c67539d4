// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/selection/point_selection.hpp"

#include <QPolygonF>
#include <QWidget>

#include <optional>
#include <vector>

namespace lloyd {

class Viewport;

/// A sheet over a view on which a drag draws a lasso or a box around points. It is there while one of them is
/// chosen, and takes the left button; the wheel is the view's. GUI thread.
class Lasso : public QWidget {
  Q_OBJECT
public:
  enum class Shape { none, box, lasso };

  explicit Lasso(Viewport& view);

  void setShape(Shape shape);
  [[nodiscard]] Shape shape() const { return shape_; }

Q_SIGNALS:
  void shapeChanged();
  /// Places in device pixels of the view.
  void drawn(const std::vector<lloyd::ScreenPlace>& places, lloyd::Combine combine);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

private:
  [[nodiscard]] QPolygonF path() const;
  void forget();

  Viewport& view_;
  Shape shape_ = Shape::none;
  bool drawing_ = false;
  Combine combine_ = Combine::replace;
  QPolygonF places_; ///< logical pixels
};

/// What a view draws on the host as selections take it; nothing where only OpenGL has it. owner keeps the
/// rows.
[[nodiscard]] std::optional<DrawnRows> drawnRowsOf(const Viewport& view, std::shared_ptr<const void>& owner);

} // namespace lloyd
