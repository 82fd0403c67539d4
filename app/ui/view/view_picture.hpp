// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/view/view_painter.hpp"

#include <QFont>
#include <QImage>
#include <QSize>
#include <QString>

#include <memory>

class QOpenGLFramebufferObject;

namespace lloyd {

/// How the picture of a view is drawn that a person takes away.
struct PictureWish {
  static constexpr int mostScale = 8;
  int scale = 1; ///< times the size of the view: points, markers and texts grow with it
  bool transparent = false;
  bool pointsAlone = false; ///< without grid, centroids and words
  int mostTile = 2048;      ///< the largest side that OpenGL is asked to draw at once, pixels
};

/// A picture of a view that is drawn anew, at its own size and with all points, into framebuffers of its
/// own: tile after tile, so that nobody waits long and the picture may be larger than OpenGL draws at once.
/// What hovers is not in it. The context must be current in all calls, the destructor's included, and the
/// points and labels of the state must stay as they are from one call to the next.
class ViewPicture {
public:
  /// size: of the view in logical pixels, ratio device pixels each. software: the CPU draws. Throws
  /// std::runtime_error with a sentence where the picture is too large or cannot be drawn.
  ViewPicture(const ViewState& state, QSize size, double ratio, QFont font, bool software, PictureWish wish);
  ~ViewPicture();
  ViewPicture(const ViewPicture&) = delete;
  ViewPicture& operator=(const ViewPicture&) = delete;

  /// Draws the next tile; false when the picture is complete.
  bool advance(ViewState& state);
  [[nodiscard]] int tiles() const { return columns_ * rows_; }
  [[nodiscard]] int drawnTiles() const { return next_; }
  /// Once it is complete.
  [[nodiscard]] const QImage& image() const { return image_; }
  [[nodiscard]] const Drawn& drawn() const { return drawn_; }
  /// What the picture of a view of so many device pixels has too many of; empty when it can be had.
  [[nodiscard]] static QString whyNot(QSize devicePixels, int scale);

private:
  void drawTile(const ViewState& state, glm::ivec2 at);
  void write(const ViewState& state);

  PictureWish wish_;
  Camera camera_;
  ViewCanvas canvas_;
  QFont font_;
  QImage image_;
  ViewPainter painter_;
  std::unique_ptr<QOpenGLFramebufferObject> framebuffer_;
  int margin_ = 0; ///< of a tile: points whose middle is beyond it reach into it
  int inner_ = 1;  ///< the side of a tile without its margins
  int columns_ = 1, rows_ = 1;
  int next_ = 0;
  Drawn drawn_;
};

} // namespace lloyd
