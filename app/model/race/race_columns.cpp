// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/race/race_columns.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lloyd {

namespace {

struct Heading {
  const char* title;
  const char* definition;
};

/// What stands over the columns, in the order of RaceColumn.
struct Headings {
  Q_DECLARE_TR_FUNCTIONS(RaceTableModel)
public:
  static constexpr std::array<Heading, raceColumns> all{{
      {QT_TR_NOOP("variant"),
       QT_TR_NOOP("A way of writing the stage. Tick some to race these alone. Bold: in use now")},
      {QT_TR_NOOP("rank"),
       QT_TR_NOOP("One more than the number of variants of the stage that are decidedly faster. Those that "
                  "cannot be told apart share a rank, marked =. Only verified variants have one")},
      {QT_TR_NOOP("time of one launch\nµs"),
       QT_TR_NOOP("The median as a bar, in microseconds, on one axis from 0 that the stage shares. The "
                  "whisker reaches from the 5th to the 95th percentile; an end without a stroke lies beyond "
                  "the axis. The upright line is the baseline")},
      {QT_TR_NOOP("median\nµs"), QT_TR_NOOP("Half of the kept samples are below, in microseconds a launch. "
                                            "Italic: live, measured while playing, not in a race")},
      {QT_TR_NOOP("against the\nbaseline"),
       QT_TR_NOOP("The verdict on this variant and the baseline: faster, slower, the same within 1 %, or "
                  "undecided. From the ratios of samples taken in turns, with an interval that allows for "
                  "all comparisons of the race")},
      {QT_TR_NOOP("Δ\nµs"),
       QT_TR_NOOP("Δ % of the baseline's median, in microseconds: how much longer one launch takes")},
      {QT_TR_NOOP("Δ\n%"), QT_TR_NOOP("The time against the baseline's, in per cent more or less: the middle "
                                      "of the ratios of samples taken in turns")},
      {QT_TR_NOOP("×\nbaseline"),
       QT_TR_NOOP("Speed-up: the baseline's time over this one's, a ratio; 2 is twice as fast")},
      {QT_TR_NOOP("×\nfirst"), QT_TR_NOOP("Speed-up against the first of the family at this stage that was "
                                          "raced, a ratio, as the texts count their gains")},
      {QT_TR_NOOP("p95\nµs"), QT_TR_NOOP("95 % of the kept samples are below, in microseconds a launch")},
      {QT_TR_NOOP("min\nµs"), QT_TR_NOOP("The fastest kept sample, in microseconds a launch")},
      {QT_TR_NOOP("noise\n%"),
       QT_TR_NOOP("The width of the middle half of the samples over the median, in per cent. Marked above "
                  "10 %, where a median says little")},
      {QT_TR_NOOP("samples"),
       QT_TR_NOOP("How many samples were kept, one a round. A sample repeats a short kernel between two "
                  "events; those taken while the clock was low are thrown away")},
      {QT_TR_NOOP("GB/s"), QT_TR_NOOP("The bytes that the stage has to move, inputs read once and outputs "
                                      "written once, over the median, in 10⁹ bytes a second")},
      {QT_TR_NOOP("limit\n%"),
       QT_TR_NOOP(
           "How near it comes to the fastest possible, in per cent: the time of a copy of as many bytes on "
           "this device, or of the arithmetic at its peak, over the median. Never above 100; an en dash "
           "where a copy of so few "
           "bytes takes as long as its launch")},
      {QT_TR_NOOP("registers"), QT_TR_NOOP("Registers of one thread, as the compiler gave them; a count")},
      {QT_TR_NOOP("shared\nB"), QT_TR_NOOP("Shared memory of one block, in bytes")},
      {QT_TR_NOOP("local\nB"), QT_TR_NOOP("Local memory of one thread, in bytes; more than 0 means that "
                                          "registers were spilled or an array is indexed")},
      {QT_TR_NOOP("occupancy\n%"),
       QT_TR_NOOP("Resident warps over the most that fit on a multiprocessor, in per cent")},
      {QT_TR_NOOP("rechecked\n%"),
       QT_TR_NOOP("Points whose scores were too near to tell the nearest centroid, and whose "
                  "distances were computed besides, in per cent of all; an en dash for "
                  "a variant that computes every distance")},
      {QT_TR_NOOP("paper\nµs"),
       QT_TR_NOOP("The time that the variant's paper publishes, in microseconds, measured on the paper's own "
                  "card; the row's tooltip has its conditions")},
      {QT_TR_NOOP("verified"), QT_TR_NOOP("Whether the results agreed with double precision before the race: "
                                          "labels, sums or centroids. What differs is never ranked")},
  }};
};

const Heading& headingOf(RaceColumn column) { return Headings::all[static_cast<std::size_t>(column)]; }

/// Numbers of a race alone, not of live times.
std::optional<double> measuredNumber(const RaceEntry& entry, RaceColumn column) {
  const Measurement* m = entry.measured;
  if (!m || !m->ran()) return std::nullopt;
  const bool known = m->resources.has_value();
  switch (column) {
  case RaceColumn::rank:
    return m->rank > 0 ? std::optional<double>(m->rank) : std::nullopt;
  case RaceColumn::deltaUs:
    return entry.delta ? std::optional(entry.delta->us) : std::nullopt;
  case RaceColumn::deltaPercent:
    return entry.delta ? std::optional(entry.delta->comparison.ratio - 1) : std::nullopt;
  case RaceColumn::againstBaseline:
    if (entry.isBaseline) return 1;
    return entry.delta ? std::optional(1 / entry.delta->comparison.ratio) : std::nullopt;
  case RaceColumn::againstFirst:
    if (m->againstFirst) return 1 / m->againstFirst->ratio;
    return m->rank > 0 ? std::optional<double>(1) : std::nullopt;
  case RaceColumn::bandwidth:
    return m->gigabytesPerSecond();
  case RaceColumn::ofLimit:
    return m->ofLimit();
  case RaceColumn::registers:
    return known ? std::optional<double>(m->resources->registers) : std::nullopt;
  case RaceColumn::shared:
    return known ? std::optional(static_cast<double>(m->resources->sharedBytes)) : std::nullopt;
  case RaceColumn::local:
    return known ? std::optional(static_cast<double>(m->resources->localBytes)) : std::nullopt;
  case RaceColumn::occupancy:
    return known ? std::optional(m->resources->occupancy) : std::nullopt;
  case RaceColumn::rechecked:
    return m->rechecked;
  default:
    return std::nullopt;
  }
}

std::optional<double> number(const RaceEntry& entry, RaceColumn column) {
  if (column == RaceColumn::published) return entry.candidate.variant->info.publishedUs;
  const Summary* times = entry.times();
  switch (column) {
  case RaceColumn::bar:
  case RaceColumn::median:
    return times ? std::optional(times->median) : std::nullopt;
  case RaceColumn::p95:
    return times ? std::optional(times->p95) : std::nullopt;
  case RaceColumn::min:
    return times ? std::optional(times->min) : std::nullopt;
  case RaceColumn::noise:
    return times && times->samples > 1 ? std::optional(times->noise) : std::nullopt;
  case RaceColumn::samples:
    return times ? std::optional(static_cast<double>(times->samples)) : std::nullopt;
  default:
    return measuredNumber(entry, column);
  }
}

QString verdictCell(const RaceEntry& entry) {
  if (entry.state == RaceEntry::State::differs) return Headings::tr("differs: %1").arg(entry.reason);
  if (entry.state == RaceEntry::State::cannot) return Headings::tr("cannot run: %1").arg(entry.reason);
  if (entry.isLive())
    return entry.simulated ? Headings::tr("simulated, no GPU's time") : Headings::tr("live");
  if (entry.isBaseline) return Headings::tr("baseline");
  if (entry.delta) return entry.delta->text;
  return unknownText();
}

QString recheckedText(double share) {
  return Headings::tr("Rechecked: of %1 % of the points scores were too near to tell, and distances decided")
      .arg(percentText(share));
}

QString verifiedCell(const RaceEntry& entry) {
  switch (entry.state) {
  case RaceEntry::State::ranked:
  case RaceEntry::State::unranked:
    return Headings::tr("verified");
  case RaceEntry::State::differs:
    return Headings::tr("differs: %1").arg(entry.reason);
  case RaceEntry::State::cannot:
    return Headings::tr("cannot run: %1").arg(entry.reason);
  case RaceEntry::State::waiting:
    break;
  }
  return unknownText();
}

} // namespace

const Summary* RaceEntry::times() const {
  if (measured && measured->ran()) return &measured->times;
  return live.samples > 0 ? &live : nullptr;
}

double RaceEntry::lowUs() const {
  const Summary* shown = times();
  if (!shown) return 0;
  if (shown == &live || measured->us.empty()) return shown->min;
  std::vector<double> kept;
  std::copy_if(measured->us.begin(), measured->us.end(), std::back_inserter(kept),
               [](double us) { return std::isfinite(us); });
  if (kept.empty()) return shown->min;
  const auto at = static_cast<std::ptrdiff_t>((kept.size() - 1) / 20);
  std::nth_element(kept.begin(), kept.begin() + at, kept.end());
  return kept[static_cast<std::size_t>(at)];
}

QString raceHeader(RaceColumn column) { return Headings::tr(headingOf(column).title); }

QString raceDefinition(RaceColumn column) { return Headings::tr(headingOf(column).definition); }

bool isNumeric(RaceColumn column) {
  return column != RaceColumn::variant && column != RaceColumn::bar && column != RaceColumn::verdict &&
         column != RaceColumn::verified;
}

QString raceCell(const RaceEntry& entry, RaceColumn column) {
  const auto value = number(entry, column);
  switch (column) {
  case RaceColumn::variant:
    return QString::fromStdString(entry.candidate.variant->id());
  case RaceColumn::bar:
    return {};
  case RaceColumn::verdict:
    return verdictCell(entry);
  case RaceColumn::verified:
    return verifiedCell(entry);
  case RaceColumn::rank:
    if (!value || entry.measured->alone) return unknownText();
    return QString::number(entry.measured->rank) + (entry.rankShared ? QStringLiteral("=") : QString());
  case RaceColumn::deltaUs:
    return entry.delta ? entry.delta->absolute : unknownText();
  case RaceColumn::deltaPercent:
    return entry.delta ? entry.delta->relative : unknownText();
  case RaceColumn::againstBaseline:
  case RaceColumn::againstFirst:
    return value ? significantText(*value) + QChar(0x00d7) : unknownText();
  case RaceColumn::noise:
    return percentText(value) + (value && *value > 0.1 ? QStringLiteral(" !") : QString());
  case RaceColumn::ofLimit:
  case RaceColumn::occupancy:
  case RaceColumn::rechecked:
    return percentText(value);
  case RaceColumn::samples:
  case RaceColumn::registers:
  case RaceColumn::shared:
  case RaceColumn::local:
    return value ? countText(static_cast<std::uint64_t>(*value)) : unknownText();
  default:
    return value ? significantText(*value) : unknownText();
  }
}

QVariant raceValue(const RaceEntry& entry, RaceColumn column) {
  if (column == RaceColumn::verdict)
    return entry.delta ? QVariant(entry.delta->comparison.ratio) : QVariant();
  if (!isNumeric(column) && column != RaceColumn::bar) return raceCell(entry, column);
  const auto value = number(entry, column);
  return value ? QVariant(*value) : QVariant();
}

QString raceToolTip(const RaceEntry& entry) {
  const VariantInfo& info = entry.candidate.variant->info;
  QStringList lines{
      QStringLiteral("%1: %2").arg(QString::fromStdString(entry.candidate.variant->id()), qtext(info.name))};
  if (!info.idea.empty()) lines << qtext(info.idea);
  QStringList parameters;
  for (const Parameter& parameter : info.parameters) {
    const int value = entry.candidate.tuning.value(parameter.name);
    parameters << QStringLiteral("%1 %2").arg(
        qtext(parameter.name), parameter.name == "arithmetic" ? qtext(name(entry.candidate.tuning.arithmetic))
                                                              : countText(static_cast<std::uint64_t>(value)));
  }
  if (!parameters.isEmpty()) lines << parameters.join(QStringLiteral(", "));
  if (entry.state == RaceEntry::State::differs || entry.state == RaceEntry::State::cannot)
    lines << verifiedCell(entry);
  if (entry.isLive())
    lines << (entry.simulated
                  ? countedText(entry.live.samples,
                                Headings::tr("Median of %1 simulated sample, which says nothing about a GPU"),
                                Headings::tr("Median of %1 simulated samples, which say nothing about a GPU"))
                  : countedText(
                        entry.live.samples,
                        Headings::tr("Live: the median of %1 sample while playing. A race replaces it"),
                        Headings::tr("Live: the median of %1 samples while playing. A race replaces it")));
  if (entry.measured && entry.measured->ran())
    lines << Headings::tr("%1 of %2 each, p95 %3 µs, fastest %4 µs")
                 .arg(countedText(entry.measured->times.samples, Headings::tr("%1 sample"),
                                  Headings::tr("%1 samples")),
                      countedText(entry.measured->launches, Headings::tr("%1 launch"),
                                  Headings::tr("%1 launches")),
                      microsecondsText(entry.measured->times.p95),
                      microsecondsText(entry.measured->times.min));
  if (entry.measured && entry.measured->rechecked) lines << recheckedText(*entry.measured->rechecked);
  if (entry.delta) {
    const Comparison& c = entry.delta->comparison;
    lines << Headings::tr(
                 "Against the baseline: %1, %2 µs, %3 %; the ratio of times is %4, between %5 and %6")
                 .arg(entry.delta->text, entry.delta->absolute, entry.delta->relative,
                      significantText(c.ratio, 4), significantText(c.low, 4), significantText(c.high, 4));
  }
  if (info.publishedUs)
    lines << Headings::tr("Published: %1 µs, %2")
                 .arg(microsecondsText(info.publishedUs), qtext(info.publishedIn));
  return lines.join(QLatin1Char('\n'));
}

} // namespace lloyd
