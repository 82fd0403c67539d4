// SPDX-License-Identifier: GPL-3.0-or-later
// One reader for libFuzzer, which calls this with bytes of its own making: scripts/fuzz.sh.
#include "tests/fuzz/readers.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const lloyd::fuzz::Reader& reader : lloyd::fuzz::readers())
    if (reader.name == LLOYD_FUZZ_READER) reader.feed({reinterpret_cast<const char*>(data), size});
  return 0;
}
