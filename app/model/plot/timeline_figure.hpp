// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/plot/plot_table.hpp"
#include "app/model/timeline/named_timeline.hpp"
#include "app/plot/figure.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace lloyd {

/// A bar of one of several timelines, by its place among theirs.
struct TimelinePlace {
  std::size_t timeline = 0;
  std::size_t bar = 0;
};

/// Where the rows of timelines stand below one another: a row is one unit high, and a heading as well. The
/// first is at y = 0.
class TimelineRows {
public:
  explicit TimelineRows(const NamedTimelines& timelines);

  struct Row {
    std::size_t timeline = 0;
    std::size_t row = 0;
    double y = 0; ///< its middle
  };
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<PlotTick>& names() const { return names_; }
  [[nodiscard]] double height() const { return height_; }
  /// The row around y.
  [[nodiscard]] const Row* at(double y) const;

private:
  std::vector<Row> rows_;
  std::vector<PlotTick> names_;
  double height_ = 0;
};

/// The runs on one axis above each other, each from its own begin on: rows as bands, bars coloured by kind.
/// merged: for pictures that many pixels wide, bars narrower than one of them are one, and each mark carries
/// what it says; without it all bars are there, and the panel reads the one under the pointer.
/// Figure::empty where there are no timelines.
[[nodiscard]] Figure timelineFigure(const NamedTimelines& timelines,
                                    std::optional<double> merged = std::nullopt);

/// One row a bar, those of the chosen places or all. Times since the run's begin; sets count from 1.
[[nodiscard]] PlotTable timelineTable(const NamedTimelines& timelines);
[[nodiscard]] QStringList timelineFields(const NamedTimelines& timelines, const TimelinePlace& place);
[[nodiscard]] QStringList timelineHeadings(const NamedTimelines& timelines);
/// The bars that lie, if only in part, between two moments since their runs began, engines' copies of them
/// left out; in the order of their begins.
[[nodiscard]] std::vector<TimelinePlace> barsBetween(const NamedTimelines& timelines, double from, double to);

} // namespace lloyd
