// SPDX-License-Identifier: GPL-3.0-or-later
// The plots of sweeps: lines over one swept axis, maps over two.
#include "app/model/report/html/html_sweep.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/report/html/html_parts.hpp"
#include "app/model/report/html/svg_figure.hpp"
#include "app/model/report/html/swept_rows.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace lloyd {
namespace {

constexpr std::size_t mostMaps = 12;

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

/// "cpu.v2: 12.3 µs at points, N 2,000"
QString placeText(const Measurement& m, const Swept& swept) {
  return ReportStrings::tr("%1: %2 µs at %3 %4")
      .arg(wholeCandidateText(m.candidate), microsecondsText(m.times.median), swept.title,
           swept.text(swept.of(m)));
}

/// A line for each variant of one stage; the fastest row where several stand at one place.
QString linePlot(const RowList& rows, const Swept& swept, const QString& title) {
  std::map<QString, std::vector<const Measurement*>> lines;
  std::vector<double> times;
  using Key = std::pair<QString, double>;
  for (const auto& [key, m] : fastestBy<Key>(rows, [&](const Measurement& row) {
         return Key{qtext(row.candidate.variant->id()), swept.of(row)};
       })) {
    lines[key.first].push_back(m);
    times.push_back(m->times.median);
  }
  PlotPanel panel{.x = swept.axis(), .y = PlotAxis::around(ReportStrings::tr("median, µs"), times)};
  for (const auto& [id, along] : lines) {
    const std::size_t series = panel.series.size();
    PlotSeries line{.name = id, .ink = PlotInk::series(series), .marker = markerOf(series)};
    for (const Measurement* m : along) {
      line.points.emplace_back(swept.of(*m), m->times.median);
      line.readings.push_back(placeText(*m, swept));
    }
    panel.series.push_back(std::move(line));
  }
  return svgFigure(panel, {.width = 1060, .height = 400, .left = 78, .right = 190, .top = 16, .bottom = 48},
                   title, QStringLiteral("sweep lines"));
}

/// A cell for each pair of values, coloured by its time; the fastest row where several stand at one place.
QString mapPlot(const RowList& rows, const Swept& across, const Swept& up, bool nameVariants,
                const QString& title) {
  using Key = std::pair<double, double>;
  PlotCells cells{
      .columns = across.values.size(),
      .cells = std::vector<PlotCells::Cell>(across.values.size() * up.values.size(), {.value = std::nan("")}),
      .title = {},
      .lowIsBright = true}; // fast is what is looked for
  for (const auto& [key, m] : fastestBy<Key>(rows, [&](const Measurement& one) {
         return Key{across.of(one), up.of(one)};
       })) {
    PlotCells::Cell& cell = cells.cells[up.index(key.second) * cells.columns + across.index(key.first)];
    cell.value = m->times.median;
    cell.text << microsecondsText(m->times.median);
    if (nameVariants) cell.text.prepend(qtext(m->candidate.variant->id()));
    cell.reading = placeText(*m, across) + QStringLiteral(", %1 %2").arg(up.title, up.text(key.second));
  }
  const double cellHeight = nameVariants ? 46 : 34;
  const SvgChart::Size size{.width = std::min(1060.0, 96 + 104.0 * static_cast<double>(across.values.size())),
                            .height = 62 + cellHeight * static_cast<double>(up.values.size()),
                            .left = 82,
                            .right = 14,
                            .top = 12,
                            .bottom = 48};
  return svgFigure({.x = PlotAxis::categories(across.title, across.labels()),
                    .y = PlotAxis::categories(up.title, up.labels()),
                    .cells = std::move(cells)},
                   size, title, QStringLiteral("sweep map small"));
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
