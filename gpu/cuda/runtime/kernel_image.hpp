// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd {

/// Throws DeviceError (absent) when this build holds no code for the calling thread's CUDA device.
void requireKernelImage();

} // namespace lloyd
