// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"
#include "app/render/gl/gl_handle.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/colour.hpp"
#include "app/render/points/compute_depth_splat.hpp"
#include "app/render/points/pixel_histogram.hpp"
#include "app/render/points/point_buffers.hpp"
#include "app/render/points/sample_order.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace lloyd {

/// How points look.
struct PointLook {
  float size =
      3; ///< diameter in device pixels; up to 2 a square, above a soft disc (flat) or a shaded ball (3-D)
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
  explicit PointRenderer(CrowdDrawing most = CrowdDrawing::computed);
  /// What crowds can be drawn by.
  [[nodiscard]] CrowdDrawing crowdDrawing() const {
    return computed_ ? CrowdDrawing::computed : CrowdDrawing::drawn;
  }

  /// The points to draw from now on; they must outlive their use here.
  void setPoints(const PointBuffers& points);
  /// The colour of each cluster, or of each group while the points are grouped; labels and groups beyond it
  /// are drawn as unlabelled.
  void setColours(std::span<const Rgb> colours);

  /// Everything but the points themselves, once before the draw calls of a frame.
  void begin(const CameraView& view, const PointLook& look, const PointPass& pass = {});
  /// Points as they lie in memory.
  void drawRange(std::size_t first, std::size_t count);
  /// Positions of the sample order (SampleOrder): a prefix shows the whole picture thinly.
  void drawOrdered(std::size_t first, std::size_t count);
  void drawSample(std::size_t count) { drawOrdered(0, count); }
  void end();

private:
  /// Of the colours' sources: labels 0 and 1, and groups.
  static constexpr std::size_t kGroups = 2;
  void makeVertexArray(std::size_t positions, std::size_t source);
  void beginDrawing(const CameraView& view, const PointLook& look, std::size_t positions, std::size_t source);
  [[nodiscard]] LabelWidth widthOf(std::size_t source) const;

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
  /// A vertex array, and the width of the labels it was made for.
  struct Array {
    GlVertexArray array;
    LabelWidth width = LabelWidth::four;
  };
  std::array<std::array<Array, 3>, 2> arrays_; ///< [positions][labels 0, labels 1, groups]
};

} // namespace lloyd
