// SPDX-License-Identifier: GPL-3.0-or-later
// The plots of sweeps: lines over one swept axis, maps over two.
#include "app/model/report/html/html_sweep.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/report/html/html_parts.hpp"
#include "app/model/report/html/svg_chart.hpp"
#include "app/model/report/html/swept_rows.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace lloyd {
namespace {

constexpr std::size_t mostMaps = 12;
constexpr std::size_t seriesCount = 8; ///< of the style sheet

using RowList = std::vector<const Measurement*>;

double least(const Measurement* m) { return m->times.median; }

/// The fastest of the rows for each key.
template <class Key>
std::map<Key, const Measurement*> fastestBy(const RowList& rows,
                                            const std::function<Key(const Measurement&)>& key) {
  std::map<Key, const Measurement*> fastest;
  for (const Measurement* m : rows) {
    const auto [found, isNew] = fastest.emplace(key(*m), m);
    if (!isNew && least(m) < least(found->second)) found->second = m;
  }
  return fastest;
}

std::map<Stage, RowList, ReportOrder> byStage(const RowList& rows) {
  std::map<Stage, RowList, ReportOrder> stages;
  for (const Measurement* m : rows)
    stages[m->candidate.stage].push_back(m);
  return stages;
}

/// Moves the texts at the lines' ends apart, so that none lies on another and all stay near their lines: the
/// middle between pushing them up and pushing them down, each of which keeps them space apart. places:
/// fractions from the bottom.
std::vector<double> apart(std::vector<double> places, double space) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  std::vector<double> up = places;
  std::vector<double> down = places;
  for (std::size_t i = 1; i < order.size(); ++i)
    up[order[i]] = std::max(up[order[i]], up[order[i - 1]] + space);
  for (std::size_t i = order.size(); i-- > 1;)
    down[order[i - 1]] = std::min(down[order[i - 1]], down[order[i]] - space);
  double top = 1;
  for (std::size_t i = order.size(); i-- > 0; top = places[order[i]] - space)
    places[order[i]] = std::min((up[order[i]] + down[order[i]]) / 2, top);
  return places;
}

/// A line for each variant of one stage; the fastest row where several stand at one place.
QString linePlot(const RowList& rows, const Swept& swept, const QString& title) {
  std::map<QString, std::map<double, const Measurement*>> lines;
  std::vector<double> times;
  using Key = std::pair<QString, double>;
  for (const auto& [key, m] : fastestBy<Key>(rows, [&](const Measurement& row) {
         return Key{qtext(row.candidate.variant->id()), swept.of(row)};
       })) {
    lines[key.first][key.second] = m;
    times.push_back(m->times.median);
  }
  const PlotAxis x = swept.axis();
  const PlotAxis y = PlotAxis::around(ReportStrings::tr("median, µs"), times);
  const SvgChart::Size size{.width = 1060, .height = 400, .left = 78, .right = 190, .top = 16, .bottom = 48};
  SvgChart chart(size, title, x, y);
  std::vector<double> ends;
  ends.reserve(lines.size());
  for (const auto& [id, points] : lines)
    ends.push_back(y.fraction(points.rbegin()->second->times.median));
  const double height = size.height - size.top - size.bottom;
  const std::vector<double> labels = apart(ends, 14 / height);
  std::size_t series = 0;
  for (const auto& [id, points] : lines) {
    // Past eight lines the colours come again, with another shape and dashed.
    const std::size_t lap = series / seriesCount;
    const QString marks = QStringLiteral("s%1").arg(series % seriesCount) +
                          (lap % 2 == 1 ? QStringLiteral(" again") : QString());
    std::vector<QPointF> path;
    for (const auto& [value, m] : points)
      path.emplace_back(value, m->times.median);
    chart.line(path, marks, id);
    for (const auto& [value, m] : points)
      chart.point(value, m->times.median, static_cast<int>(series + lap), marks,
                  ReportStrings::tr("%1: %2 µs at %3 %4")
                      .arg(wholeCandidateText(m->candidate), microsecondsText(m->times.median), swept.title,
                           swept.text(value)));
    chart.text(x.high, points.rbegin()->second->times.median, id, marks, 8,
               4 - (labels[series] - ends[series]) * height);
    ++series;
  }
  return chart.toSvg(QStringLiteral("sweep lines"));
}

/// A cell for each pair of values, coloured by its time; the fastest row where several stand at one place.
QString mapPlot(const RowList& rows, const Swept& across, const Swept& up, bool nameVariants,
                const QString& title) {
  using Key = std::pair<double, double>;
  const auto cells = fastestBy<Key>(rows, [&](const Measurement& m) { return Key{across.of(m), up.of(m)}; });
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const auto& [key, m] : cells) {
    low = std::min(low, m->times.median);
    high = std::max(high, m->times.median);
  }
  const PlotAxis x = PlotAxis::categories(across.title, across.labels());
  const PlotAxis y = PlotAxis::categories(up.title, up.labels());
  const double cellHeight = nameVariants ? 46 : 34;
  SvgChart chart({.width = std::min(1060.0, 96 + 104.0 * static_cast<double>(across.values.size())),
                  .height = 62 + cellHeight * static_cast<double>(up.values.size()),
                  .left = 82,
                  .right = 14,
                  .top = 12,
                  .bottom = 48},
                 title, x, y);
  for (const auto& [key, m] : cells) {
    const double fraction = high > low ? std::log(m->times.median / low) / std::log(high / low) : 0;
    // Fast is bright: what is looked for stands out on the dark scale.
    const RampColour colour = rampColour(1 - fraction);
    const double column = across.index(key.first);
    const double row = up.index(key.second);
    QStringList text{microsecondsText(m->times.median)};
    if (nameVariants) text.prepend(qtext(m->candidate.variant->id()));
    chart.cell(column, column + 1, row, row + 1, colour.fill, text, colour.darkText,
               ReportStrings::tr("%1: %2 µs at %3 %4, %5 %6")
                   .arg(wholeCandidateText(m->candidate), microsecondsText(m->times.median), across.title,
                        across.text(key.first), up.title, up.text(key.second)));
  }
  return chart.toSvg(QStringLiteral("sweep map small"));
}

std::vector<Swept> sweptProblems(const RowList& rows) {
  std::vector<Swept> axes{
      {ReportStrings::tr("points, N"), {}, [](const Problem& p) { return static_cast<double>(p.n); }, {}},
      {ReportStrings::tr("dimensions, D"), {}, [](const Problem& p) { return static_cast<double>(p.d); }, {}},
      {ReportStrings::tr("clusters, K"), {}, [](const Problem& p) { return static_cast<double>(p.k); }, {}}};
  for (Swept& axis : axes)
    for (const Measurement* m : rows)
      axis.values.insert(axis.of(*m));
  std::erase_if(axes, [](const Swept& axis) { return axis.values.size() < 2; });
  return axes;
}

std::vector<Swept> sweptParameterAxes(const RowList& rows) {
  std::vector<Swept> axes;
  for (const std::string_view parameterName : tuningParameters) {
    Swept axis{qtext(parameterName), parameterName, nullptr, {}};
    for (const Measurement* m : rows)
      if (m->candidate.variant->parameter(parameterName)) axis.values.insert(axis.of(*m));
    if (axis.values.size() > 1) axes.push_back(axis);
  }
  return axes;
}

void addRanked(RowList& rows, const RaceResult& race) {
  for (const Measurement& m : race.rows)
    if (m.rank > 0) rows.push_back(&m);
}

/// Maps of one stage, one for each value of the third axis where there is one.
void writeMaps(Markup& page, const RowList& rows, const std::vector<Swept>& axes, const QString& stage) {
  QStringList maps;
  const std::set<double> slices = axes.size() > 2 ? axes[2].values : std::set<double>{0};
  for (const double slice : slices) {
    RowList part = rows;
    if (axes.size() > 2) std::erase_if(part, [&](const Measurement* m) { return axes[2].of(*m) != slice; });
    if (part.empty()) continue;
    maps << mapPlot(part, axes[0], axes[1], true,
                    ReportStrings::tr("%1: the fastest variant by size").arg(stage));
  }
  QString caption =
      ReportStrings::tr("The fastest verified variant at every size, with its median in µs; bright is fast "
                        "(logarithmic).");
  if (axes.size() > 2) {
    QStringList texts;
    for (const double slice : slices)
      texts << axes[2].text(slice);
    caption +=
        u' ' +
        ReportStrings::tr("From top to bottom: %1 %2.").arg(axes[2].title, texts.join(QStringLiteral(", ")));
  }
  writeFigure(page, ReportStrings::tr("%1 over the sizes").arg(stage), caption, maps);
}

} // namespace

void writeProblemSweeps(Markup& page, const std::vector<RaceResultPtr>& races) {
  RowList rows;
  for (const RaceResultPtr& race : races)
    addRanked(rows, *race);
  const std::vector<Swept> axes = sweptProblems(rows);
  if (axes.empty()) return;
  page.element("h2", ReportStrings::tr("Over all problems"));
  for (const auto& [stage, part] : byStage(rows)) {
    const QString who = qtext(name(stage));
    if (axes.size() == 1)
      writeFigure(
          page, ReportStrings::tr("%1 over %2").arg(who, axes[0].title),
          ReportStrings::tr(
              "Medians of every verified variant, with its fastest tuning parameters; an axis is logarithmic "
              "where its values span much."),
          {linePlot(part, axes[0], ReportStrings::tr("%1: time over %2").arg(who, axes[0].title))});
    else
      writeMaps(page, part, axes, who);
  }
}

void writeParameterSweeps(Markup& page, const RaceResult& race) {
  RowList rows;
  addRanked(rows, race);
  for (const auto& [stage, part] : byStage(rows)) {
    const QString who = qtext(name(stage));
    // Only what differs within a variant is a sweep; variants differ in their own values without one.
    std::map<const Variant*, RowList> variants;
    for (const Measurement* m : part)
      variants[m->candidate.variant].push_back(m);
    QStringList maps;
    QStringList names;
    std::map<QString, RowList> lines;
    for (const auto& [variant, own] : variants) {
      const std::vector<Swept> axes = sweptParameterAxes(own);
      if (axes.size() == 1) {
        RowList& list = lines[axes[0].title];
        list.insert(list.end(), own.begin(), own.end());
      } else if (axes.size() > 1 && static_cast<std::size_t>(maps.size()) < mostMaps) {
        maps << mapPlot(
            own, axes[0], axes[1], false,
            ReportStrings::tr("%1 over %2 and %3").arg(qtext(variant->id()), axes[0].title, axes[1].title));
        names << qtext(variant->id());
      }
    }
    for (const auto& [parameterName, list] : lines)
      for (const Swept& axis : sweptParameterAxes(list))
        if (axis.title == parameterName)
          writeFigure(page, ReportStrings::tr("%1 over %2").arg(who, parameterName),
                      ReportStrings::tr("Medians of the verified variants that have this tuning parameter."),
                      {linePlot(list, axis, ReportStrings::tr("%1: time over %2").arg(who, parameterName))});
    if (!maps.isEmpty())
      writeFigure(page, ReportStrings::tr("%1 over two tuning parameters").arg(who),
                  ReportStrings::tr("Medians in µs, bright is fast (logarithmic); where more than two tuning "
                                    "parameters were swept, "
                                    "the fastest of the rest. From top to bottom: %1.")
                      .arg(names.join(QStringLiteral(", "))),
                  maps);
  }
}

} // namespace lloyd
