// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace lloyd {

/// Times in microseconds, described without a mean: one slow sample must not move what is shown.
struct Summary {
  std::size_t samples = 0;
  double last = 0;
  double median = 0;
  double p95 = 0;
  double min = 0;
  double iqr = 0;   ///< third quartile - first quartile
  double noise = 0; ///< iqr / median, 0 to ...; 0.01 reads "1 %"
};

/// The q-quantile, 0 to 1, of at least one value in ascending order, by linear interpolation between order
/// statistics.
[[nodiscard]] double quantile(std::span<const double> sorted, double q);
/// The samples that are numbers, in ascending order: those that were thrown away are NaN.
[[nodiscard]] std::vector<double> sortedFinite(std::span<const double> samples);

/// Quantiles as quantile() has them. Empty samples give zeros with samples = 0.
[[nodiscard]] Summary summarise(std::span<const double> us);

/// The most recent samples of one row of the timing table. The first samples, which pay for start-up, are not
/// kept.
class SampleSeries {
public:
  explicit SampleSeries(std::size_t capacity = 512, std::size_t warmUp = 2)
      : capacity_(capacity), warmUp_(warmUp) {}
  void add(double us);
  void clear();
  [[nodiscard]] Summary summary() const { return summarise(samples_); }
  /// Oldest first.
  [[nodiscard]] const std::vector<double>& samples() const { return samples_; }

private:
  std::size_t capacity_;
  std::size_t warmUp_;
  std::size_t seen_ = 0;
  std::vector<double> samples_;
};

} // namespace lloyd
