// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/lane/lane.hpp"

#include <bit>

namespace lloyd::simt {

std::string describeLanes(std::uint32_t mask) {
  std::string text = std::popcount(mask) == 1 ? "lane " : "lanes ";
  const std::size_t start = text.size();
  for (unsigned first = 0; first < warpSize; ++first) {
    if ((mask >> first & 1) == 0) continue;
    unsigned last = first;
    while (last + 1 < warpSize && (mask >> (last + 1) & 1) != 0)
      ++last;
    if (text.size() > start) text += ", ";
    text += std::to_string(first);
    if (last > first) text.append("-").append(std::to_string(last));
    first = last;
  }
  return mask == 0 ? "no lane" : text;
}

const char* nameOf(Collective::Kind kind) {
  switch (kind) {
  case Collective::Kind::sync:
    return "__syncwarp";
  case Collective::Kind::shuffle:
    return "__shfl_sync";
  case Collective::Kind::shuffleUp:
    return "__shfl_up_sync";
  case Collective::Kind::shuffleDown:
    return "__shfl_down_sync";
  case Collective::Kind::shuffleXor:
    return "__shfl_xor_sync";
  case Collective::Kind::ballot:
    return "a vote";
  case Collective::Kind::reduceAdd:
    return "__reduce_add_sync";
  case Collective::Kind::reduceMinUnsigned:
  case Collective::Kind::reduceMinSigned:
    return "__reduce_min_sync";
  case Collective::Kind::reduceMaxUnsigned:
  case Collective::Kind::reduceMaxSigned:
    return "__reduce_max_sync";
  case Collective::Kind::reduceAnd:
    return "__reduce_and_sync";
  case Collective::Kind::reduceOr:
    return "__reduce_or_sync";
  case Collective::Kind::reduceXor:
    return "__reduce_xor_sync";
  case Collective::Kind::activeMask:
    return "__activemask";
  }
  return "";
}

} // namespace lloyd::simt
