// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace lloyd {

/// Spans that are drawn as one.
struct MergedSpan {
  double begin = 0;
  double end = 0;
  std::size_t first = 0; ///< of those in it
  std::size_t count = 0;
};

/// What there is to draw of the spans first to last, without the last, of one row: those narrower than least
/// become one with what is nearer than that. Pictures then have no more marks than a row has pixels, however
/// many spans there are. at: the begin and the end of a span by its number; begins ascend.
template <class At>
std::vector<MergedSpan> mergedSpans(std::size_t first, std::size_t last, const At& at, double least) {
  std::vector<MergedSpan> drawn;
  for (std::size_t i = first; i < last; ++i) {
    const std::pair<double, double> span = at(i);
    const bool narrow = span.second - span.first < least;
    if (!drawn.empty()) {
      MergedSpan& before = drawn.back();
      const bool beside = span.first - before.end < least;
      if (beside && (narrow || before.end - before.begin < least)) {
        before.end = std::max(before.end, span.second);
        ++before.count;
        continue;
      }
    }
    drawn.push_back({span.first, span.second, i, 1});
  }
  return drawn;
}

} // namespace lloyd
