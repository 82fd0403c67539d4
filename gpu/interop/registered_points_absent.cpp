// SPDX-License-Identifier: GPL-3.0-or-later
// Sharing buffers with OpenGL in a build without CUDA.
#include "gpu/core/contract/error.hpp"
#include "gpu/interop/shared_points.hpp"

namespace lloyd {

std::unique_ptr<RegisteredPoints> registerPoints(Device&, const GlPointBuffers&) {
  throw DeviceError(0, Severity::noSharing, "registerPoints",
                    "this program was built without CUDA, so there is nobody to share OpenGL's buffers with");
}

} // namespace lloyd
