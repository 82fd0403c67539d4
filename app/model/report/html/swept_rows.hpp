// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/plot/plot_axis.hpp"

#include <QString>

#include <set>
#include <string_view>
#include <vector>

namespace lloyd {

/// One axis that a report's rows sweep, and how to read a row's place on it.
struct Swept {
  QString title;
  std::string_view parameterName; ///< empty for n, d and k
  double (*ofProblem)(const Problem&) = nullptr;
  std::set<double> values;

  [[nodiscard]] double of(const Measurement& m) const;
  /// "4,096", and from there on powers of two as such; the words of arithmetic.
  [[nodiscard]] QString text(double value) const;
  /// The values as places of an axis: their distances are those of the values, or of their logarithms.
  [[nodiscard]] PlotAxis axis() const;
  [[nodiscard]] std::vector<QString> labels() const;
  /// Its place among the values, from 0.
  [[nodiscard]] std::size_t index(double value) const;
};

} // namespace lloyd
