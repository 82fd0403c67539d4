// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/view_picture.hpp"

#include "app/render/gl/gl.hpp"
#include "app/ui/view/unhovered.hpp"

#include <QCoreApplication>
#include <QOpenGLFramebufferObject>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace lloyd {

namespace {

constexpr int mostSide = 32'000;    ///< of what QPainter can write on
constexpr double mostRadius = 24;   ///< of a point, pixels of a picture as large as the view
constexpr qsizetype pixelBytes = 4; ///< of the formats used here

QString words(const char* text) { return QCoreApplication::translate("ViewPicture", text); }

/// The largest side that this OpenGL draws at once.
int largestSide() {
  Gl& gl = currentGl();
  GLint texture = 0;
  std::array<GLint, 2> viewport{};
  gl.glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
  gl.glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport.data());
  return std::min({texture, viewport[0], viewport[1]});
}

} // namespace

QString ViewPicture::whyNot(QSize devicePixels, int scale) {
  const QSize size = devicePixels * scale;
  if (size.width() <= mostSide && size.height() <= mostSide) return {};
  return words(
             "A picture of %1 x %2 pixels is too large: a side can have %3; a smaller window or fewer times "
             "its size helps")
      .arg(size.width())
      .arg(size.height())
      .arg(mostSide);
}

ViewPicture::ViewPicture(const ViewState& state, QSize size, double ratio, QFont font, bool software,
                         PictureWish wish)
    : wish_(wish), camera_(state.camera.enlarged(wish.scale)), font_(std::move(font)), painter_(software) {
  canvas_ = {.size = size,
             .ratio = ratio * wish.scale,
             .enlarged = static_cast<double>(wish.scale),
             .part = std::nullopt,
             .transparent = wish.transparent,
             .pointsAlone = wish.pointsAlone,
             .atOnce = true};
  const glm::ivec2 pixels = camera_.view().viewport;
  const glm::ivec2 asShown = state.camera.view().viewport;
  if (const QString why = whyNot({asShown.x, asShown.y}, wish.scale); !why.isEmpty())
    throw std::runtime_error(why.toStdString());
  image_ = QImage(pixels.x, pixels.y, QImage::Format_ARGB32_Premultiplied);
  if (image_.isNull())
    throw std::runtime_error(words("There is not enough memory for a picture of %1 x %2 pixels")
                                 .arg(pixels.x)
                                 .arg(pixels.y)
                                 .toStdString());
  margin_ = static_cast<int>(mostRadius * wish.scale) + 2;
  const int most = std::min(wish.mostTile, largestSide());
  // What fits in one needs no margins: nothing of it lies beyond.
  if (std::max(pixels.x, pixels.y) <= most) margin_ = 0;
  inner_ = std::max(1, most - 2 * margin_);
  columns_ = (pixels.x + inner_ - 1) / inner_;
  rows_ = (pixels.y + inner_ - 1) / inner_;
}

ViewPicture::~ViewPicture() = default;

bool ViewPicture::advance(ViewState& state) {
  if (next_ >= tiles()) return false;
  const Unhovered unhovered(state);
  drawTile(state, {next_ % columns_ * inner_, next_ / columns_ * inner_});
  ++next_;
  if (next_ < tiles()) return true;
  framebuffer_.reset();
  if (!wish_.pointsAlone) write(state);
  if (!wish_.transparent) image_.convertTo(QImage::Format_RGB32);
  return false;
}

void ViewPicture::drawTile(const ViewState& state, glm::ivec2 at) {
  const glm::ivec2 left = camera_.view().viewport - at;
  const glm::ivec2 kept = glm::min(glm::ivec2(inner_), left);
  const glm::ivec2 size = kept + 2 * margin_;
  if (!framebuffer_ || framebuffer_->size() != QSize(size.x, size.y)) {
    framebuffer_ = std::make_unique<QOpenGLFramebufferObject>(QSize(size.x, size.y));
    if (!framebuffer_->isValid())
      throw std::runtime_error(words("This OpenGL has no room for a picture of %1 x %2 pixels")
                                   .arg(size.x)
                                   .arg(size.y)
                                   .toStdString());
  }
  canvas_.part = ScenePart{at - margin_, size};
  drawn_ = painter_.drawScenes(state, camera_, framebuffer_->handle(), canvas_);
  const QImage tile = framebuffer_->toImage().convertToFormat(image_.format());
  for (int y = 0; y < kept.y; ++y)
    std::memcpy(image_.scanLine(at.y + y) + at.x * pixelBytes,
                tile.constScanLine(margin_ + y) + margin_ * pixelBytes,
                static_cast<std::size_t>(kept.x * pixelBytes));
}

/// By Qt's own painter, whose large letters are as smooth as small ones.
void ViewPicture::write(const ViewState& state) {
  if (!state.points.data()) return;
  image_.setDevicePixelRatio(canvas_.ratio);
  {
    QPainter painter(&image_);
    painter.setFont(font_);
    ViewPainter::write(painter, state, camera_, canvas_, drawn_);
  }
  image_.setDevicePixelRatio(1);
}

} // namespace lloyd
