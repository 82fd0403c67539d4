// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/math/random.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lloyd::test {

inline Candidate candidateOf(const std::string& id, Stage stage) {
  const Variant* variant = Registry::instance().find(id);
  return {variant, stage, variant->complete({})};
}

/// A verified row with the given samples; its limit is a copy at bytesPerUs.
inline Measurement rowOf(const Candidate& candidate, const Problem& problem, std::vector<double> us,
                         double bytesPerUs) {
  Measurement row;
  row.candidate = candidate;
  row.problem = problem;
  row.times = summarise(us);
  row.us = std::move(us);
  row.bytes = leastBytes(candidate.stage, problem, candidate.variant->labelWidth(problem.k));
  row.limitUs = static_cast<double>(row.bytes) / bytesPerUs;
  row.verified = true;
  return row;
}

/// count samples around median, a bell with a slow wave in it that every such series shares.
inline std::vector<double> wave(double median, double spread, std::size_t count, std::size_t series = 0) {
  std::vector<double> us;
  for (std::size_t i = 0; i < count; ++i) {
    double bell = 0; // four even draws make one
    for (std::uint64_t draw = 0; draw < 4; ++draw)
      bell += static_cast<double>(randomBits(series + 1, draw, i) % 1000) / 1000 - 0.5;
    us.push_back(median * (1 + spread * (0.5 * bell + 0.2 * std::sin(static_cast<double>(i) / 9))));
  }
  return us;
}

} // namespace lloyd::test
