// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/lzf.hpp"

#include <algorithm>

namespace lloyd {

bool unpackLzf(std::span<const char> packed, std::span<char> to) {
  std::size_t in = 0;
  std::size_t out = 0;
  const auto byte = [&] { return static_cast<std::size_t>(static_cast<unsigned char>(packed[in++])); };
  while (in < packed.size()) {
    const std::size_t control = byte();
    if (control < 32) { // a run of bytes as they are
      const std::size_t count = control + 1;
      if (count > packed.size() - in || count > to.size() - out) return false;
      std::copy_n(packed.data() + in, count, to.data() + out);
      in += count;
      out += count;
      continue;
    }
    // A copy of what was unpacked before: three bits of length, more in a byte of its own when all are set.
    std::size_t count = control >> 5;
    if (count == 7) {
      if (in == packed.size()) return false;
      count += byte();
    }
    count += 2;
    if (in == packed.size()) return false;
    const std::size_t back = ((control & 31U) << 8 | byte()) + 1;
    if (back > out || count > to.size() - out) return false;
    for (std::size_t i = 0; i < count; ++i, ++out) // byte by byte: the two may overlap
      to[out] = to[out - back];
  }
  return out == to.size();
}

} // namespace lloyd
