// SPDX-License-Identifier: GPL-3.0-or-later
// Sharing buffers with OpenGL in a build without CUDA.
#include "gpu/core/contract/error.hpp"
#include "gpu/interop/shared_points.hpp"

namespace lloyd {

namespace {

[[noreturn]] void refuse(std::string_view call) {
  throw DeviceError(0, Severity::noSharing, call,
                    "this program was built without CUDA, so there is nobody to share OpenGL's buffers with");
}

} // namespace

std::unique_ptr<RegisteredPoints> registerPoints(Device&, const GlPointBuffers&) { refuse("registerPoints"); }

void fillPositions(Device&, const GlPointBuffers&, const float*) { refuse("fillPositions"); }

} // namespace lloyd
