// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/cpu/blocks.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace lloyd::cpu {

/// The results of all parts of a problem, each part's own until the merge.
class Partials {
public:
  Partials(std::size_t parts, const Problem& problem)
      : values_(problem.centroidValues()), clusters_(static_cast<std::size_t>(problem.k)),
        sums_(std::make_unique_for_overwrite<double[]>(parts * values_)), counts_(parts * clusters_),
        changed_(parts) {}

  /// The part's sums [k][d], set to zero by the thread that is about to add to them.
  [[nodiscard]] double* clearedSums(std::size_t part) {
    double* const sums = sums_.get() + part * values_;
    std::fill_n(sums, values_, 0.0);
    return sums;
  }
  [[nodiscard]] std::uint32_t* counts(std::size_t part) { return counts_.data() + part * clusters_; }
  [[nodiscard]] std::uint32_t& changed(std::size_t part) { return changed_[part]; }

  /// Adds the parts up in their order, whichever thread made them. Each part's sums were asked for.
  void merge(const FusedArgs& args, const LaunchContext& context) const {
    const std::size_t parts = changed_.size();
    for (const std::uint32_t changed : changed_)
      *args.changed += changed;
    forChunks({values_, 4096}, context, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t part = 0; part < parts; ++part)
        for (std::size_t i = begin; i < end; ++i)
          args.sums[i] += sums_[part * values_ + i];
    });
    for (std::size_t part = 0; part < parts; ++part)
      for (std::size_t i = 0; i < clusters_; ++i)
        args.counts[i] += counts_[part * clusters_ + i];
  }

private:
  std::size_t values_;
  std::size_t clusters_;
  std::unique_ptr<double[]> sums_;     ///< [parts][k][d]
  std::vector<std::uint32_t> counts_;  ///< [parts][k]
  std::vector<std::uint32_t> changed_; ///< [parts]
};

} // namespace lloyd::cpu
