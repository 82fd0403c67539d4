// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"
#include "app/render/gl/gl.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/colour.hpp"
#include "app/render/points/compute_depth_splat.hpp"
#include "app/render/points/palette_texture.hpp"
#include "app/render/points/pixel_histogram.hpp"
#include "app/render/points/point_buffers.hpp"
#include "app/render/points/sample_order.hpp"

#include <QDebug>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lloyd {

/// How points look.
struct PointLook {
  float size =
      3; ///< diameter in device pixels; up to 2 a square, above a soft disc (flat) or a shaded ball (3-D)
  float largest = 48;   ///< that nearness makes of it, in space
  bool density = false; ///< count as lightness, for crowds; flat drawings only
  Rgb background;
  Rgb unlabelled; ///< points without a cluster
  /// Whether there are so many that CrowdDrawing says how they are drawn.
  [[nodiscard]] bool crowd(int dimensions) const { return dimensions < 3 ? density : size <= 2; }
  bool operator==(const PointLook&) const = default;
};

/// How the colour of a pixel in a crowd comes about.
enum class CrowdDrawing {
  computed, ///< compute shaders: flat, the majority of the points gives it; in space, the nearest point
  drawn     ///< any OpenGL 3.3: flat, the point drawn last, which in a scattered order is a fair draw; in
            ///< space, the depth test finds the nearest
};

/// One stretch of drawing into a picture.
struct PointPass {
  bool byLabels = false; ///< in the colours of their clusters even while they are grouped
  bool fresh = true;     ///< the picture is empty; otherwise points come on top of those drawn before
  CrowdDrawing crowds = CrowdDrawing::computed; ///< if it can be had; the same until the next fresh one
};

/// Draws points into the framebuffer that is bound, whose first colour attachment takes premultiplied colour,
/// whose second (density only) takes counts, and which has a depth buffer. All calls need the context
/// current.
class PointRenderer {
public:
  /// most: what crowds may be drawn by at most; the context may be able to do less.
  explicit PointRenderer(CrowdDrawing most = CrowdDrawing::computed)
      : square_(loadShaders("points", "point_square")), disc_(loadShaders("points", "point_disc")),
        ball_(loadShaders("points", "point_ball")), density_(loadShaders("points", "point_density")) {
    const auto compute = computeOf(QOpenGLContext::currentContext());
    if (compute && most == CrowdDrawing::computed) {
      // A driver that promises compute shaders and then refuses these can still draw.
      try {
        computed_.emplace(ComputedCrowds{PixelHistogram(*compute, {}), ComputeDepthSplat(*compute)});
      } catch (const std::runtime_error& error) {
        qWarning("Crowds are drawn point by point, not computed: %s", error.what());
      }
    }
    setColours({});
  }
  /// What crowds can be drawn by.
  [[nodiscard]] CrowdDrawing crowdDrawing() const {
    return computed_ ? CrowdDrawing::computed : CrowdDrawing::drawn;
  }

  /// The points to draw from now on; they must outlive their use here.
  void setPoints(const PointBuffers& points) {
    Gl& gl = currentGl();
    points_ = &points;
    order_ = SampleOrder(points.size());
    const std::vector<std::uint32_t> table = order_.indices();
    indices_ = GlBuffer::create();
    gl.glBindVertexArray(0);
    gl.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.id());
    gl.glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(table.size() * sizeof(std::uint32_t)),
                    table.data(), GL_STATIC_DRAW);
    arrays_ = {}; // made when they are first drawn from
    throwOnGlError(gl, "Preparing to draw the points");
  }
  /// The colour of each cluster, or of each group while the points are grouped; labels and groups beyond it
  /// are drawn as unlabelled.
  void setColours(std::span<const Rgb> colours) {
    clusters_ = static_cast<int>(colours.size());
    fillPaletteTexture<Rgb>(palette_, colours);
    if (computed_) computed_->histogram.setColours(colours);
  }

  /// Everything but the points themselves, once before the draw calls of a frame.
  void begin(const CameraView& view, const PointLook& look, const PointPass& pass = {}) {
    if (!points_) return;
    const bool grouped = points_->grouped() && !pass.byLabels;
    const std::size_t source = grouped ? kGroups : static_cast<std::size_t>(points_->frontLabels());
    const bool flat = view.dimensions < 3;
    const bool crowd = look.crowd(view.dimensions);
    const float size = std::max(look.size, 1.0F);
    unlabelled_ = look.unlabelled;
    way_ = Way::drawn;
    if (computed_) {
      if (!crowd || !flat) computed_->histogram.release();
      if (!crowd || flat) computed_->splat.release();
      if (crowd && pass.crowds == CrowdDrawing::computed) way_ = flat ? Way::counted : Way::nearest;
    }
    switch (way_) {
    case Way::drawn:
      return beginDrawing(view, look, source);
    case Way::counted:
      return computed_->histogram.begin(ComputePointSource::Points::of(*points_, grouped), view, size,
                                        pass.fresh);
    case Way::nearest:
      return computed_->splat.begin(
          ComputePointSource::Points::of(*points_, grouped), view,
          {size, palette_.id(), clusters_, look.unlabelled, look.background, look.largest}, pass.fresh);
    }
  }
  /// Points as they lie in memory.
  void drawRange(std::size_t first, std::size_t count) {
    if (!points_ || first >= points_->size()) return;
    count = std::min(count, points_->size() - first);
    if (count == 0) return;
    if (way_ == Way::counted) return computed_->histogram.countRange(first, count);
    if (way_ == Way::nearest) return computed_->splat.addRange(first, count);
    currentGl().glDrawArrays(GL_POINTS, static_cast<GLint>(first), static_cast<GLsizei>(count));
  }
  /// Positions of the sample order (SampleOrder): a prefix shows the whole picture thinly.
  void drawOrdered(std::size_t first, std::size_t count) {
    if (!points_) return;
    Gl& gl = currentGl();
    for (const SampleOrder::Piece& piece : order_.pieces(first, count)) {
      if (way_ == Way::counted) {
        computed_->histogram.countOrdered(indices_.id(), piece);
      } else if (way_ == Way::nearest) {
        computed_->splat.addOrdered(indices_.id(), piece);
      } else if (piece.indexed) {
        gl.glDrawElementsBaseVertex(GL_POINTS, static_cast<GLsizei>(piece.count), GL_UNSIGNED_INT,
                                    glOffset(piece.first * sizeof(std::uint32_t)),
                                    static_cast<GLint>(piece.base));
      } else {
        gl.glDrawArrays(GL_POINTS, static_cast<GLint>(piece.first), static_cast<GLsizei>(piece.count));
      }
    }
  }
  void end() {
    const Way way = std::exchange(way_, Way::drawn);
    if (way == Way::counted) return computed_->histogram.finish(unlabelled_);
    if (way == Way::nearest) return computed_->splat.finish();
    Gl& gl = currentGl();
    gl.glBindVertexArray(0);
    gl.glBindTexture(GL_TEXTURE_2D, 0);
    gl.glUseProgram(0);
    gl.glDisable(GL_DEPTH_TEST);
    gl.glDisable(GL_BLEND);
    gl.glDisable(GL_PROGRAM_POINT_SIZE);
  }

private:
  static GLenum typeOf(LabelWidth width) {
    return width == LabelWidth::one   ? GL_UNSIGNED_BYTE
           : width == LabelWidth::two ? GL_UNSIGNED_SHORT
                                      : GL_INT;
  }
  /// Of the colours' sources: labels 0 and 1, and groups.
  static constexpr std::size_t kGroups = 2;
  /// Of the positions': positions 0 and 1, and rows of other axes.
  static constexpr std::size_t kOtherAxes = 2;
  /// A vertex array, and the width of the labels and the rows that it was made for.
  struct Array {
    GlVertexArray array;
    LabelWidth width = LabelWidth::four;
    int rows = 0;
  };
  /// Positions 0 and 1 of points that move, and rows of other axes.
  [[nodiscard]] std::size_t placeOfPositions() const {
    return points_->drawsOtherAxes() ? kOtherAxes : static_cast<std::size_t>(points_->frontPositions());
  }
  void makeVertexArray(Array& made, std::size_t source) {
    Gl& gl = currentGl();
    const GlPointBuffers names = points_->names();
    const LabelWidth width = widthOf(source);
    made = {GlVertexArray::create(), width, points_->drawnRows()};
    gl.glBindVertexArray(made.array.id());
    gl.glBindBuffer(GL_ARRAY_BUFFER, points_->drawnName());
    for (int row = 0; row < points_->drawnRows(); ++row) {
      const auto attribute = static_cast<GLuint>(row);
      gl.glEnableVertexAttribArray(attribute);
      gl.glVertexAttribPointer(attribute, 1, GL_FLOAT, GL_FALSE, sizeof(float),
                               glOffset(static_cast<std::size_t>(row) * names.stride * sizeof(float)));
    }
    gl.glBindBuffer(GL_ARRAY_BUFFER, source == kGroups ? points_->groupsName() : names.labels[source]);
    gl.glEnableVertexAttribArray(3);
    gl.glVertexAttribIPointer(3, 1, typeOf(width), static_cast<GLsizei>(bytesOf(width)), glOffset(0));
    gl.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.id());
    gl.glBindVertexArray(0);
    gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
  }
  void beginDrawing(const CameraView& view, const PointLook& look, std::size_t source) {
    Gl& gl = currentGl();
    const bool flat = view.dimensions < 3;
    const bool blended = flat && look.density;
    const ShaderProgram& program = blended ? density_ : look.size <= 2 ? square_ : flat ? disc_ : ball_;
    program.use(gl);
    const ShaderCamera camera = shaderCamera(view);
    program.set(gl, "dimensions", view.dimensions);
    program.set(gl, "origin", camera.origin);
    program.set(gl, "clip_from_offset", camera.clipFromOffset);
    program.set(gl, "point_size", std::max(look.size, 1.0F));
    program.set(gl, "largest_size", look.largest);
    program.set(gl, "eye_range", glm::vec2(view.nearest, view.farthest));
    program.set(gl, "orthographic", view.orthographic ? 1 : 0);
    program.set(gl, "palette", 0);
    program.set(gl, "clusters", clusters_);
    program.set(gl, "unlabelled", toVec(look.unlabelled));
    program.set(gl, "background", toVec(look.background));
    gl.glActiveTexture(GL_TEXTURE0);
    gl.glBindTexture(GL_TEXTURE_2D, palette_.id());

    gl.glEnable(GL_PROGRAM_POINT_SIZE);
    gl.glDisable(GL_BLEND);
    if (blended) {
      gl.glDisable(GL_DEPTH_TEST);
      gl.glEnablei(GL_BLEND, 1);
      gl.glBlendFunc(GL_ONE, GL_ONE);
      gl.glBlendEquation(GL_FUNC_ADD);
    } else {
      gl.glEnable(GL_DEPTH_TEST);
      gl.glDepthMask(GL_TRUE);
      gl.glDepthFunc(GL_LESS);
    }
    Array& array = arrays_[placeOfPositions()][source];
    if (!array.array || array.width != widthOf(source) || array.rows != points_->drawnRows())
      makeVertexArray(array, source);
    gl.glBindVertexArray(array.array.id());
  }
  [[nodiscard]] LabelWidth widthOf(std::size_t source) const {
    return source == kGroups ? LabelWidth::four : points_->labelWidth(static_cast<int>(source));
  }

  ShaderProgram square_, disc_, ball_, density_;
  /// What computes crowds.
  struct ComputedCrowds {
    PixelHistogram histogram;
    ComputeDepthSplat splat;
  };
  std::optional<ComputedCrowds> computed_; ///< nothing: crowds are drawn
  enum class Way { drawn, counted, nearest };
  Way way_ = Way::drawn; ///< from begin() to end()
  Rgb unlabelled_;
  GlTexture palette_;
  int clusters_ = 0;
  const PointBuffers* points_ = nullptr;
  SampleOrder order_;
  GlBuffer indices_;
  std::array<std::array<Array, 3>, 3> arrays_; ///< [positions 0, 1, other axes][labels 0, labels 1, groups]
};

} // namespace lloyd
