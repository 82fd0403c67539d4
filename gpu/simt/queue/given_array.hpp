// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>

namespace lloyd::simt {

/// What a launch was given with global(): an array of constants is read, any other may be written.
struct GivenArray {
  const void* first = nullptr;
  std::size_t bytes = 0;
  bool writes = false;
};

} // namespace lloyd::simt
