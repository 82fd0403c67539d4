// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/crossings.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/numbers.hpp"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <optional>

namespace lloyd {
namespace {

bool measuresSpeed(SweepMetric metric) {
  return metric == SweepMetric::median || metric == SweepMetric::bandwidth ||
         metric == SweepMetric::ofLimit || metric == SweepMetric::pointRate;
}

/// Whether the better one is the faster one: of GB/s it may be the one that moves more.
bool isTime(SweepMetric metric) { return metric == SweepMetric::median || metric == SweepMetric::pointRate; }

/// Lines of candidates over the places of the one axis that has several.
class Lines {
public:
  Lines(const SweepResult& result, SweepMetric metric)
      : result_(result), metric_(metric), columns_(std::max<std::size_t>(1, result.plan.columns())) {}

  [[nodiscard]] std::size_t places() const { return result_.plan.columns() * result_.plan.rows(); }
  [[nodiscard]] std::optional<std::size_t> bestAt(std::size_t place) const {
    return lloyd::bestAt(result_, column(place), row(place), metric_);
  }
  [[nodiscard]] std::optional<double> value(std::size_t place, std::size_t candidate) const {
    return valueOf(measured(place, candidate), metric_);
  }
  [[nodiscard]] bool both(std::size_t place, std::size_t a, std::size_t b) const {
    return value(place, a) && value(place, b);
  }
  /// Both have values there.
  [[nodiscard]] bool better(std::size_t place, std::size_t one, std::size_t other) const {
    return gain(place, one, other) > 0;
  }
  /// Better by more than noise.
  [[nodiscard]] bool ahead(std::size_t place, std::size_t one, std::size_t other) const {
    return both(place, one, other) && gain(place, one, other) > half(place, one) + half(place, other);
  }

private:
  [[nodiscard]] double gain(std::size_t place, std::size_t one, std::size_t other) const {
    const double more = *value(place, one) - *value(place, other);
    return lessIsBetter(metric_) ? -more : more;
  }
  /// Half of the interquartile range, in the metric's unit.
  [[nodiscard]] double half(std::size_t place, std::size_t candidate) const {
    return *value(place, candidate) * measured(place, candidate)->times.noise / 2;
  }
  [[nodiscard]] const Measurement* measured(std::size_t place, std::size_t candidate) const {
    return result_.at(column(place), row(place), candidate);
  }
  [[nodiscard]] std::size_t column(std::size_t place) const { return place % columns_; }
  [[nodiscard]] std::size_t row(std::size_t place) const { return place / columns_; }

  const SweepResult& result_;
  SweepMetric metric_;
  std::size_t columns_;
};

double scaled(double value, bool log) { return log ? std::log(value) : value; }
double unscaled(double value, bool log) { return log ? std::exp(value) : value; }

/// The crossing narrowed to the two places between which the lines meet last, and where they do. At left and
/// right both have values, at left the one is the better and at right the other.
Crossing meeting(const Lines& lines, const SweepAxis& axis, Crossing crossing, const CrossingScales& scales) {
  for (std::size_t place = crossing.right; --place > crossing.left;) {
    if (!lines.both(place, crossing.from, crossing.to)) continue;
    if (lines.better(place, crossing.to, crossing.from))
      crossing.right = place;
    else
      crossing.left = place;
  }
  const auto along = [&](std::size_t place) {
    return scaled(static_cast<double>(axis.values[place]), scales.logAlong);
  };
  const auto up = [&](std::size_t place, std::size_t candidate) {
    return scaled(*lines.value(place, candidate), scales.logUp);
  };
  const double before = up(crossing.left, crossing.from) - up(crossing.left, crossing.to);
  const double behind = up(crossing.right, crossing.from) - up(crossing.right, crossing.to);
  const double part = before == behind ? 0 : before / (before - behind);
  const auto between = [&](double a, double b) { return a + part * (b - a); };
  crossing.at = unscaled(between(along(crossing.left), along(crossing.right)), scales.logAlong);
  crossing.value =
      unscaled(between(up(crossing.left, crossing.to), up(crossing.right, crossing.to)), scales.logUp);
  return crossing;
}

/// The last place of [begin, end) at which one is ahead of the other; end where there is none.
std::size_t lastAhead(const Lines& lines, std::size_t begin, std::size_t end, std::size_t one,
                      std::size_t other) {
  for (std::size_t place = end; place-- > begin;)
    if (lines.ahead(place, one, other)) return place;
  return end;
}

QString placeText(const SweepAxis& axis, double at) {
  return significantText(isDataParameter(axis.parameter) ? at / thousandths : at, 2);
}

/// "at about 0.42", "between 4 and 8"
QString whereText(const SweepAxis& axis, const Crossing& crossing) {
  if (!isTuningParameter(axis.parameter))
    return ReportStrings::tr("at about %1").arg(placeText(axis, crossing.at));
  return ReportStrings::tr("between %1 and %2")
      .arg(countText(axis.values[crossing.left]), countText(axis.values[crossing.right]));
}

} // namespace

namespace {

constexpr std::size_t mostInWords = 6;

/// Changes of the best.
std::vector<Crossing> changesOfBest(const Lines& lines, const SweepAxis& axis, const CrossingScales& scales) {
  std::vector<Crossing> crossings;
  std::optional<std::size_t> leader;
  std::size_t since = 0; // leader leads
  for (std::size_t place = 0; place < lines.places(); ++place) {
    const std::optional<std::size_t> best = lines.bestAt(place);
    if (!best || best == leader) continue;
    if (leader && lines.both(place, *leader, *best)) {
      if (!lines.ahead(place, *best, *leader)) continue;
      const std::size_t left = lastAhead(lines, since, place, *leader, *best);
      if (left < place)
        crossings.push_back(
            meeting(lines, axis, {.from = *leader, .to = *best, .left = left, .right = place, .ofBest = true},
                    scales));
    }
    leader = best;
    since = place;
  }
  return crossings;
}

/// Wherever one of two passes the other.
void addPasses(std::vector<Crossing>& crossings, const Lines& lines, std::size_t a, std::size_t b,
               const SweepAxis& axis, const CrossingScales& scales) {
  std::optional<std::size_t> leader;
  std::size_t left = 0;
  for (std::size_t place = 0; place < lines.places(); ++place) {
    const bool first = lines.ahead(place, a, b);
    if (!first && !lines.ahead(place, b, a)) continue;
    const std::size_t ahead = first ? a : b;
    if (leader && *leader != ahead)
      crossings.push_back(
          meeting(lines, axis, {.from = *leader, .to = ahead, .left = left, .right = place}, scales));
    leader = ahead;
    left = place;
  }
}

} // namespace

std::vector<Crossing> crossingsOf(const SweepResult& result, SweepMetric metric,
                                  const CrossingScales& scales) {
  const SweepPlan& plan = result.plan;
  if (!measuresSpeed(metric) || plan.axes.empty() || (plan.columns() > 1 && plan.rows() > 1)) return {};
  const SweepAxis& axis = plan.axes[plan.columns() == 1 && plan.rows() > 1 ? 1 : 0];
  if (axis.parameter == SweepParameter::arithmetic) return {};
  const Lines lines(result, metric);
  std::vector<Crossing> crossings = changesOfBest(lines, axis, scales);
  std::vector<Crossing> passes;
  for (std::size_t a = 0; a < plan.candidates.size(); ++a)
    for (std::size_t b = a + 1; b < plan.candidates.size(); ++b)
      addPasses(passes, lines, a, b, axis, scales);
  std::erase_if(passes, [&](const Crossing& pass) {
    return std::ranges::any_of(crossings, [&](const Crossing& best) {
      return best.from == pass.from && best.to == pass.to && best.right == pass.right;
    });
  });
  std::ranges::stable_sort(passes, {}, &Crossing::at);
  crossings.insert(crossings.end(), passes.begin(), passes.end());
  return crossings;
}

QString crossingsText(const std::vector<Crossing>& crossings, const SweepAxis& axis, SweepMetric metric,
                      const std::vector<QString>& names) {
  QStringList changes;
  QStringList passes;
  for (const Crossing& crossing : crossings) {
    if (static_cast<std::size_t>(changes.size() + passes.size()) == mostInWords) break;
    const QString where = whereText(axis, crossing);
    if (crossing.ofBest)
      changes << ReportStrings::tr("from %1 to %2 %3").arg(names[crossing.from], names[crossing.to], where);
    else
      passes << ReportStrings::tr("%1 passes %2 %3").arg(names[crossing.to], names[crossing.from], where);
  }
  QStringList parts;
  if (!changes.isEmpty())
    parts << (isTime(metric) ? ReportStrings::tr("the fastest changes %1")
                             : ReportStrings::tr("the best changes %1"))
                 .arg(changes.join(ReportStrings::tr(", and ")));
  if (!passes.isEmpty()) parts << passes.join(QStringLiteral(", "));
  if (crossings.size() > mostInWords)
    parts << ReportStrings::tr("%1 more rings").arg(crossings.size() - mostInWords);
  return parts.join(QStringLiteral("; "));
}

PlotSeries crossingMarks(const std::vector<Crossing>& crossings, const SweepAxis& axis, SweepMetric metric,
                         const std::vector<QString>& names) {
  PlotSeries rings{
      .style = PlotSeries::Style::marks, .ink = {PlotInk::Of::text}, .marker = PlotMarker::ring, .size = 11};
  for (const Crossing& crossing : crossings) {
    rings.points.emplace_back(crossing.at, crossing.value);
    const QString from = isTuningParameter(axis.parameter)
                             ? countText(axis.values[crossing.right])
                             : ReportStrings::tr("about %1").arg(placeText(axis, crossing.at));
    rings.readings.push_back((isTime(metric) ? ReportStrings::tr("%1 is faster than %2 from %3 on")
                                             : ReportStrings::tr("%1 is better than %2 from %3 on"))
                                 .arg(names[crossing.to], names[crossing.from], from));
  }
  return rings;
}

} // namespace lloyd
