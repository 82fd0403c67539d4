// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of races as pictures of the page.
#include "app/model/report/html/html_plots.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/plot/ladder_figures.hpp"
#include "app/model/plot/paper_answer.hpp"
#include "app/model/plot/race_figures.hpp"
#include "app/model/plot/race_sweeps.hpp"
#include "app/model/plot/sweep_figure.hpp"
#include "app/model/report/html/svg_chart.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QString>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t mostPictures = 12; ///< of one stage
constexpr std::size_t mostMapsBesideLines = 4;
constexpr double width = 1060;
constexpr double leastMap = 720; ///< the width that the page gives a map, which would enlarge a smaller one

std::map<Stage, RaceRows, ReportOrder> byStage(const RaceRows& rows) {
  std::map<Stage, RaceRows, ReportOrder> stages;
  for (const RaceRow& row : rows)
    stages[row.measured->candidate.stage].push_back(row);
  return stages;
}

QString stageOf(const RaceRows& rows) { return qtext(name(rows.front().measured->candidate.stage)); }

/// The rows apart by their values of some parameters, which are the keys.
std::map<std::vector<std::uint64_t>, RaceRows> slicesOf(const RaceRows& rows,
                                                        const std::vector<SweepParameter>& parameters) {
  std::map<std::vector<std::uint64_t>, RaceRows> slices;
  for (const RaceRow& row : rows) {
    std::vector<std::uint64_t> values;
    values.reserve(parameters.size());
    for (const SweepParameter parameter : parameters)
      values.push_back(valueIn(row, parameter));
    slices[values].push_back(row);
  }
  return slices;
}

/// "spread = 5, skew = 1"
QString placeText(const std::vector<SweepParameter>& parameters, const std::vector<std::uint64_t>& values) {
  QStringList parts;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    parts << QStringLiteral("%1 = %2").arg(qtext(name(parameters[i])), sweptText(parameters[i], values[i]));
  return parts.join(QStringLiteral(", "));
}

QString pictureOf(const Figure& figure, const SvgSize& size, const char* classes) {
  return svgFigure(figure.panels.front(), size, figure.summary, QString::fromLatin1(classes));
}

/// A figure of rows, each so many pixels high.
void writeRows(Markup& page, const Figure& figure, double rowHeight, const char* classes) {
  if (!figure.empty.isEmpty()) return;
  const SvgSize size{
      .width = width, .height = figure.panels.front().y.low * rowHeight + 58, .left = 78, .top = 6};
  writeFigure(page, figure.title, figure.note, {pictureOf(figure, size, classes)});
}

/// Paper has no button for it: the axes themselves say how they are divided.
void nameScales(Figure& figure) {
  for (PlotAxis* axis : {&figure.panels.front().x, &figure.panels.front().y})
    axis->title = axis->log ? ReportStrings::tr("%1, logarithmic").arg(axis->title)
                            : ReportStrings::tr("%1, linear").arg(axis->title);
}

constexpr SvgSize linesSize{.width = width, .height = 400, .left = 78, .right = 190, .top = 16, .bottom = 48};

void writeLines(Markup& page, const RaceRows& rows, SweepParameter over, const QString& caption) {
  const SweepResult sweep = sweepOf(rows, {over});
  Figure figure = sweepLines(sweep, SweepMetric::median, spansMuch(sweep, SweepMetric::median));
  nameScales(figure);
  writeFigure(page, ReportStrings::tr("%1 over %2").arg(stageOf(rows), axisTitle(over)),
              caption + u' ' + figure.note + u'.', {pictureOf(figure, linesSize, "sweep lines")});
}

/// Lines over one parameter, a picture for each combination of the others' values, all on one scale; at least
/// one other. No more than so many; how many there are.
std::size_t writeSlicedLines(Markup& page, const RaceRows& rows, SweepParameter over,
                             const std::vector<SweepParameter>& others, std::size_t most) {
  std::vector<double> medians;
  for (const RaceRow& row : rows)
    if (const auto median = valueOf(row.measured, SweepMetric::median)) medians.push_back(*median);
  const bool logarithmic = PlotAxis::around({}, medians).log;
  std::vector<std::pair<QString, Figure>> figures;
  for (const auto& [values, part] : slicesOf(rows, others))
    if (figures.size() < most)
      figures.emplace_back(placeText(others, values),
                           sweepLines(sweepOf(part, {over}), SweepMetric::median, logarithmic));
  PlotAxis up = figures.front().second.panels.front().y;
  for (const auto& [place, figure] : figures) {
    up.low = std::min(up.low, figure.panels.front().y.low);
    up.high = std::max(up.high, figure.panels.front().y.high);
  }
  page.element("h3", ReportStrings::tr("%1 over %2").arg(stageOf(rows), axisTitle(over)));
  page.element("p",
               ReportStrings::tr("Medians of every verified variant, with its fastest tuning parameters; all "
                                 "pictures have one scale."),
               {{"class", QStringLiteral("dim")}});
  page.open("div", {{"class", QStringLiteral("plots")}});
  constexpr SvgSize size{.width = 540, .height = 300, .left = 66, .right = 104, .top = 14, .bottom = 46};
  for (auto& [place, figure] : figures) {
    figure.panels.front().y = up;
    nameScales(figure);
    writeFigure(page, place, figure.note + u'.', {pictureOf(figure, size, "sweep lines")});
  }
  page.close();
  return figures.size();
}

/// The scale of a map's colours, for a place below it; nothing where they mean nothing.
QString scaleOf(const Figure& map, double left) {
  const Figure scale = colourScale(*map.panels.front().cells);
  if (!scale.empty.isEmpty()) return {};
  return pictureOf(scale,
                   {.width = leastMap, .height = 56, .left = left, .right = 24, .top = 4, .bottom = 38},
                   "scale small");
}

/// With the scale of its colours. candidate: as sweepMap() has it.
QString mapPicture(const RaceRows& rows, const std::vector<SweepParameter>& over,
                   std::optional<std::size_t> candidate) {
  const SweepResult sweep = sweepOf(rows, {over[0], over[1]});
  const SvgSize size{.width =
                         std::clamp(96 + 104.0 * static_cast<double>(sweep.plan.columns()), leastMap, width),
                     .height = 62 + std::max((candidate ? 34 : 46) * static_cast<double>(sweep.plan.rows()),
                                             7.0 * static_cast<double>(axisTitle(over[1]).size())),
                     .left = 82,
                     .right = 14,
                     .bottom = 48};
  const Figure map = sweepMap(sweep, SweepMetric::median, candidate);
  return pictureOf(map, size, "sweep map small") + scaleOf(map, size.left);
}

/// Maps of one stage over its first two parameters, one for each combination of the others' values; how many.
std::size_t writeMaps(Markup& page, const RaceRows& rows, const std::vector<SweepParameter>& over,
                      std::size_t most) {
  const std::vector<SweepParameter> others(over.begin() + 2, over.end());
  QStringList maps;
  QStringList values;
  for (const auto& [place, part] : slicesOf(rows, others)) {
    if (static_cast<std::size_t>(maps.size()) == most) break;
    maps << mapPicture(part, over, std::nullopt);
    values << (others.size() == 1 ? sweptText(others.front(), place.front()) : placeText(others, place));
  }
  const bool data = std::ranges::any_of(over, isDataParameter);
  QString caption = data
                        ? ReportStrings::tr("The fastest verified variant at every place, with its median in "
                                            "µs; bright is fast.")
                        : ReportStrings::tr("The fastest verified variant at every size, with its median in "
                                            "µs; bright is fast.");
  if (others.size() == 1)
    caption += u' ' + ReportStrings::tr("From top to bottom: %1 = %2.")
                          .arg(qtext(name(others.front())), values.join(QStringLiteral(", ")));
  else if (others.size() > 1)
    caption += u' ' + ReportStrings::tr("From top to bottom: %1.").arg(values.join(QStringLiteral("; ")));
  writeFigure(
      page,
      data ? ReportStrings::tr("%1 over %2 and %3").arg(stageOf(rows), axisTitle(over[0]), axisTitle(over[1]))
           : ReportStrings::tr("%1 over the sizes").arg(stageOf(rows)),
      caption, maps);
  return static_cast<std::size_t>(maps.size());
}

/// Combinations of the values that rows have of parameters.
std::size_t combinations(const RaceRows& rows, const std::vector<SweepParameter>& parameters) {
  return slicesOf(rows, parameters).size();
}

/// Of one stage what is fastest where, and then every variant over each parameter of the data and over k.
void writeDataSweeps(Markup& page, const RaceRows& rows, std::vector<SweepParameter> over) {
  // What points are like comes first, and what has the most values before the others.
  std::ranges::stable_sort(over, [&](SweepParameter a, SweepParameter b) {
    const auto key = [&](SweepParameter one) {
      return std::pair(isDataParameter(one), combinations(rows, {one}));
    };
    return key(a) > key(b);
  });
  std::size_t room = mostPictures - writeMaps(page, rows, over, mostMapsBesideLines);
  std::size_t missing = combinations(rows, {over.begin() + 2, over.end()});
  missing -= std::min(missing, mostMapsBesideLines);
  // Lines tell where one passes another: over everything that points are like, and over the clusters.
  std::vector<SweepParameter> lines = over;
  std::erase_if(lines, [](SweepParameter one) { return !isDataParameter(one) && one != SweepParameter::k; });
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const SweepParameter along = lines[i];
    std::vector<SweepParameter> others = over;
    std::erase(others, along);
    const std::size_t all = combinations(rows, others);
    // Every parameter has its share of the room, and what one leaves the next ones have.
    const std::size_t share = room / (lines.size() - i);
    const std::size_t drawn = share > 0 ? writeSlicedLines(page, rows, along, others, share) : 0;
    room -= drawn;
    missing += all - drawn;
  }
  if (missing > 0)
    page.element("p",
                 ReportStrings::tr("%1 more pictures of this stage are left out; a benchmark over fewer "
                                   "values has them.")
                     .arg(missing),
                 {{"class", QStringLiteral("dim")}});
}

/// A variant over three tuning parameters and more: maps over two for each combination of the others' values,
/// of the time, how it is relative to one point a thread, and the occupancy; each in one range of colours.
void writeShapes(Markup& page, const RaceRows& rows, const std::vector<SweepParameter>& over) {
  const std::vector<SweepParameter> others(over.begin() + 2, over.end());
  const SweepResult all = sweepOf(rows, {over[0], over[1]});
  const QString answer = paperAnswer(all);
  page.element("h3", ReportStrings::tr("%1 over %2 and %3")
                         .arg(qtext(rows.front().measured->candidate.variant->id()), axisTitle(over[0]),
                              axisTitle(over[1])));
  page.element("p",
               ReportStrings::tr("Bright is fast, or much; maps of the same have one range of colours, and a "
                                 "dash stands where a shape cannot run.") +
                   (answer.isEmpty() ? QString() : u' ' + answer),
               {{"class", QStringLiteral("dim")}});
  const auto slices = slicesOf(rows, others);
  std::size_t drawn = 0;
  for (const SweepMetric metric : {SweepMetric::median, SweepMetric::relative, SweepMetric::occupancy}) {
    std::vector<std::pair<QString, SweepResult>> maps;
    std::optional<std::pair<double, double>> range;
    for (const auto& [values, part] : slices) {
      SweepResult map = sweepOf(part, {over[0], over[1]});
      const auto own = mapRange(map, metric, {0});
      if (!own) continue;
      range =
          range ? std::pair(std::min(range->first, own->first), std::max(range->second, own->second)) : *own;
      maps.emplace_back(placeText(others, values), std::move(map));
    }
    if (maps.empty() || drawn + maps.size() > mostPictures) continue;
    drawn += maps.size();
    page.open("div", {{"class", QStringLiteral("plots three")}});
    QString scale; // one for all of them
    for (const auto& [place, map] : maps) {
      const Figure figure = linkedMap(map, metric, 0, range);
      if (scale.isEmpty()) scale = scaleOf(figure, 62);
      writeFigure(page, place, metricTitle(metric),
                  {pictureOf(figure,
                             {.width = 350,
                              .height = 62 + 30 * static_cast<double>(map.plan.rows()),
                              .left = 62,
                              .right = 8,
                              .bottom = 48},
                             "sweep map")});
    }
    page.close();
    if (!scale.isEmpty())
      writeFigure(page, metricTitle(metric), ReportStrings::tr("The colours of the maps above."), {scale});
  }
}

} // namespace

void writeLadder(Markup& page, const RaceResult& race) { writeRows(page, ladderFigure(race), 23, "ladder"); }

void writeDistribution(Markup& page, const RaceResult& race) {
  writeRows(page, ratiosFigure(race), 26, "distribution");
}

void writeRoofline(Markup& page, const RaceResult& race) {
  const Roofline roofline = rooflineOf(race);
  if (roofline.points.empty()) return;
  std::set<Stage, ReportOrder> stages;
  for (const RooflinePoint& point : roofline.points)
    stages.insert(race.rows[point.row].candidate.stage);
  const Figure figure = rooflineFigure(race, roofline, {stages.begin(), stages.end()});
  const SvgSize size{.width = width, .height = 450, .left = 78, .right = 40, .top = 30, .bottom = 48};
  writeFigure(page, ReportStrings::tr("Roofline"), QStringLiteral("%1 %2.").arg(figure.toolTip, figure.note),
              {pictureOf(figure, size, "roofline")});
}

void writeProblemSweeps(Markup& page, const std::vector<RaceResultPtr>& races) {
  std::vector<const RaceResult*> all;
  all.reserve(races.size());
  for (const RaceResultPtr& race : races)
    all.push_back(race.get());
  const RaceRows rows = rowsOfRanked(all);
  std::vector<SweepParameter> over = sweptIn(rows);
  std::erase_if(over, isTuningParameter);
  if (over.empty()) return;
  page.element("h2", ReportStrings::tr("Over all problems"));
  for (const auto& [stage, part] : byStage(rows)) {
    if (over.size() > 1 && std::ranges::any_of(over, isDataParameter))
      writeDataSweeps(page, part, over);
    else if (over.size() > 1)
      writeMaps(page, part, over, mostPictures);
    else
      writeLines(page, part, over[0],
                 ReportStrings::tr("Medians of every verified variant, with its fastest tuning parameters."));
  }
}

void writeParameterSweeps(Markup& page, const RaceResult& race) {
  for (const auto& [stage, part] : byStage(rowsOfRanked({&race}))) {
    // Only what differs within a variant is a sweep; variants differ in their own values without one.
    std::map<const Variant*, RaceRows> variants;
    for (const RaceRow& row : part)
      variants[row.measured->candidate.variant].push_back(row);
    QStringList maps;
    QStringList names;
    QString answers;
    std::map<SweepParameter, RaceRows> lines;
    for (const auto& [variant, own] : variants) {
      const std::vector<SweepParameter> over = sweptIn(own);
      if (over.size() == 1) {
        RaceRows& list = lines[over[0]];
        list.insert(list.end(), own.begin(), own.end());
      } else if (over.size() > 2) {
        writeShapes(page, own, over);
      } else if (over.size() > 1 && static_cast<std::size_t>(maps.size()) < mostPictures) {
        maps << mapPicture(own, over, 0);
        names << qtext(variant->id());
        if (const QString answer = paperAnswer(sweepOf(own, over)); !answer.isEmpty())
          answers += QStringLiteral(" %1: %2").arg(names.back(), answer);
      }
    }
    for (const auto& [over, list] : lines)
      writeLines(page, list, over,
                 ReportStrings::tr("Medians of the verified variants that have this tuning parameter."));
    if (!maps.isEmpty())
      writeFigure(page, ReportStrings::tr("%1 over two tuning parameters").arg(qtext(name(stage))),
                  ReportStrings::tr("Medians in µs, bright is fast. From top to bottom: %1.")
                          .arg(names.join(QStringLiteral(", "))) +
                      answers,
                  maps);
  }
}

} // namespace lloyd
