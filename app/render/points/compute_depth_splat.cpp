// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/compute_depth_splat.hpp"

#include <cstdint>

namespace lloyd {

namespace {

constexpr std::uint32_t kNoOwner =
    ~std::uint32_t{0}; ///< no_owner of compute_depth_splat.frag; farther than any point too

} // namespace

ComputeDepthSplat::ComputeDepthSplat(const GlCompute& compute, std::size_t windowPoints)
    : compute_(compute), source_(compute, windowPoints), find_(loadCompute("compute_depth_splat")),
      show_(loadShaders("picture", "compute_depth_splat")) {}

void ComputeDepthSplat::release() {
  nearest_.reset();
  owner_.reset();
  viewport_ = {0, 0};
}

void ComputeDepthSplat::begin(const ComputePointSource::Points& points, const CameraView& view,
                              const Look& look, bool fresh) {
  Gl& gl = currentGl();
  const glm::ivec2 viewport = glm::max(view.viewport, glm::ivec2(1));
  if (viewport != viewport_) {
    release();
    const std::size_t words = static_cast<std::size_t>(viewport.x) * static_cast<std::size_t>(viewport.y);
    nearest_ = makeStorage(words * sizeof(std::uint32_t));
    owner_ = makeStorage(words * sizeof(std::uint32_t));
    throwOnGlError(gl, "Making room to find the nearest points");
    viewport_ = viewport;
    fresh = true;
  }
  if (fresh) fillStorage(compute_, nearest_, kNoOwner);
  fillStorage(compute_, owner_, kNoOwner);
  added_.clear();
  look_ = look;
  eyeRange_ = glm::vec2(view.nearest, view.farthest);

  find_.use(gl);
  source_.begin(find_, points, view, look.clusters);
  find_.set(gl, "point_size", look.size);
  find_.set(gl, "eye_range", eyeRange_);
  find_.set(gl, "naming", 0);
  gl.glBindBufferBase(kShaderStorageBuffer, ComputePointSource::kOwnBinding, nearest_.id());
  gl.glBindBufferBase(kShaderStorageBuffer, ComputePointSource::kOwnBinding + 1, owner_.id());
}

void ComputeDepthSplat::addOrdered(GLuint order, const SampleOrder::Piece& piece) {
  source_.feed(order, piece);
  added_.push_back({order, piece});
}

void ComputeDepthSplat::finish() {
  Gl& gl = currentGl();
  compute_.barrier(kShaderStorageBarrier);
  find_.set(gl, "naming", 1);
  for (const Added& added : added_)
    source_.feed(added.order, added.piece);
  // What follows reads them, and the next frame may fill them anew.
  compute_.barrier(kShaderStorageBarrier | kBufferUpdateBarrier);
  show_.use(gl);
  show_.set(gl, "viewport", viewport_);
  show_.set(gl, "eye_range", eyeRange_);
  show_.set(gl, "palette", 0);
  show_.set(gl, "clusters", look_.clusters);
  show_.set(gl, "unlabelled", toVec(look_.unlabelled));
  show_.set(gl, "background", toVec(look_.background));
  gl.glActiveTexture(GL_TEXTURE0);
  gl.glBindTexture(GL_TEXTURE_2D, look_.palette);
  gl.glDisable(GL_BLEND);
  gl.glDisable(GL_DEPTH_TEST);
  screen_.draw();
  gl.glBindTexture(GL_TEXTURE_2D, 0);
  ComputePointSource::end();
  gl.glUseProgram(0);
}

} // namespace lloyd
