// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/pair/pair_metrics_model.hpp"

#include "app/model/measure/baseline.hpp"
#include "app/model/teach/counter_model.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lloyd {

namespace {

constexpr double little = 0.01;
constexpr std::array stages{Stage::classify, Stage::reduce, Stage::fused, Stage::update};

std::optional<double> medianOf(const PairMetrics::Side& side, Stage stage) {
  const Variant* variant = side.plan.of(stage);
  if (!side.timings || !variant) return std::nullopt;
  const Summary times = side.timings->snapshot()->timesOf(stage, variant->id());
  return times.samples > 0 ? std::optional(times.median) : std::nullopt;
}

std::optional<double> wholeOf(const PairMetrics::Side& side) {
  if (!side.timings) return std::nullopt;
  const Summary whole = side.timings->snapshot()->iteration;
  return whole.samples > 0 ? std::optional(whole.median) : std::nullopt;
}

/// What labels and sums take together: two stages, or one pass.
std::optional<double> passOf(const PairMetrics::Side& side) {
  if (side.plan.fused) return medianOf(side, Stage::fused);
  const auto classify = medianOf(side, Stage::classify);
  const auto reduce = medianOf(side, Stage::reduce);
  return classify && reduce ? std::optional(*classify + *reduce) : std::nullopt;
}

/// Whether both sides do the stage with the same code on the same device: their times differ by chance alone.
bool sameAt(Stage stage, const PairMetrics::Side& a, const PairMetrics::Side& b) {
  return a.backend == b.backend && a.plan.of(stage) == b.plan.of(stage) &&
         a.plan.tuningOf(stage) == b.plan.tuningOf(stage);
}

QString idOf(const PairMetrics::Side& side, Stage stage) {
  const Variant* variant = side.plan.of(stage);
  return variant ? QString::fromStdString(variant->id()) : QString();
}

} // namespace

const Measurement* PairMetrics::raced(const Side& side, Stage stage) const {
  const Variant* variant = side.plan.of(stage);
  if (!variant || !race) return nullptr;
  const auto& rows = race->rows;
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Measurement& row) {
    return row.candidate.variant == variant && row.candidate.stage == stage && row.ran() && row.verified &&
           row.problem == problem;
  });
  return found == rows.end() ? nullptr : &*found;
}

QString timeDifferenceText(double aUs, double bUs) {
  if (!(aUs > 0) || !(bUs >= 0) || !std::isfinite(aUs) || !std::isfinite(bUs)) return unknownText();
  const double share = bUs / aUs - 1;
  // "The same" is a verdict, and a median alone gives none.
  if (std::abs(share) < little) return PairMetricsModel::tr("less than 1 % apart");
  // Beyond twice the time a factor says more than hundreds of per cent.
  if (share > 1)
    return PairMetricsModel::tr("%1 the time (%2)").arg(factorText(bUs / aUs), signedText(bUs - aUs));
  return (share < 0 ? PairMetricsModel::tr("%1 % less (%2)") : PairMetricsModel::tr("%1 % more (%2)"))
      .arg(significantText(100 * std::abs(share)), signedText(bUs - aUs));
}

void PairMetricsModel::addHeading(const QString& title, const QString& tip) {
  Row row;
  row.heading = true;
  row.texts[nameColumn] = title;
  row.tips[nameColumn] = tip;
  rows_.push_back(row);
}

void PairMetricsModel::addRow(const QString& title, const QString& tip, const QString& a, const QString& b,
                              const QString& difference, const QString& differenceTip) {
  Row row;
  row.texts[nameColumn] = title;
  row.texts[aColumn] = a;
  row.texts[bColumn] = b;
  row.texts[differenceColumn] = difference;
  for (QString& cell : row.tips)
    cell = tip;
  if (!differenceTip.isEmpty()) row.tips[differenceColumn] = differenceTip;
  rows_.push_back(row);
}

void PairMetricsModel::addLive(const PairMetrics& metrics) {
  addHeading(tr("Live medians, µs"),
             tr("Microseconds of each stage, median of the last iterations of both runs, which compute in "
                "turns. Live times are not a verdict: race the variants for one."));
  const bool simulated = metrics.a.simulated || metrics.b.simulated;
  const auto add = [&](const QString& title, const QString& tip, std::optional<double> a,
                       std::optional<double> b, bool one, const QString& sameText) {
    const auto text = [&](const PairMetrics::Side& side, std::optional<double> us) {
      if (!us) return unknownText();
      return side.simulated ? tr("%1 (simulated)").arg(microsecondsText(us)) : microsecondsText(us);
    };
    QString difference = unknownText();
    QString why;
    if (simulated)
      why = tr("A simulator's time is held against none");
    else if (a && b && !sameText.isEmpty())
      difference = sameText;
    else if (a && b)
      difference = timeDifferenceText(*a, *b);
    else if (one)
      why = tr("Only one side has this stage: see labels and sums");
    else
      why = tr("Not timed on both sides yet: play or step");
    addRow(title, tip, text(metrics.a, a), text(metrics.b, b), difference, why);
  };
  for (const Stage stage : stages) {
    const QString a = idOf(metrics.a, stage);
    const QString b = idOf(metrics.b, stage);
    if (a.isEmpty() && b.isEmpty()) continue;
    const QString tip =
        tr("%1, µs. A: %2. B: %3")
            .arg(qtext(name(stage)), a.isEmpty() ? unknownText() : a, b.isEmpty() ? unknownText() : b);
    add(qtext(name(stage)), tip, medianOf(metrics.a, stage), medianOf(metrics.b, stage),
        a.isEmpty() || b.isEmpty(), sameAt(stage, metrics.a, metrics.b) ? tr("the same variant") : QString());
    if (stage == Stage::fused && (a.isEmpty() || b.isEmpty()))
      add(tr("labels and sums"), tr("Classify and reduce, or the one pass that does both, µs"),
          passOf(metrics.a), passOf(metrics.b), false, {});
  }
  const bool allSame = std::all_of(stages.begin(), stages.end(),
                                   [&](Stage stage) { return sameAt(stage, metrics.a, metrics.b); });
  add(tr("whole iteration"), tr("All of an iteration as its thread sees it, copies and waiting included, µs"),
      wholeOf(metrics.a), wholeOf(metrics.b), false, allSame ? tr("the same variants") : QString());
}

void PairMetricsModel::addRaced(const PairMetrics& metrics) {
  bool headed = false;
  for (const Stage stage : stages) {
    const Measurement* a = metrics.raced(metrics.a, stage);
    const Measurement* b = metrics.raced(metrics.b, stage);
    if (!a || !b) continue;
    if (!std::exchange(headed, true))
      addHeading(tr("Raced medians, µs"),
                 tr("Microseconds of one launch, measured in turns with drawing paused; the verdict is of "
                    "paired samples"));
    if (a == b) {
      addRow(qtext(name(stage)), tr("%1, µs: both sides use it").arg(idOf(metrics.a, stage)),
             microsecondsText(a->times.median), microsecondsText(b->times.median), tr("the same variant"));
      continue;
    }
    QString text = unknownText();
    QString tip;
    if (!a->us.empty() && a->us.size() == b->us.size()) {
      const Comparison comparison = compareRows(*b, *a, metrics.race->conditions);
      text = verdictText(comparison, metrics.race->conditions.rules.sameWithin);
      tip = tr("Of %n pair(s) of samples", nullptr, static_cast<int>(comparison.pairs));
    }
    addRow(qtext(name(stage)),
           tr("%1, µs. A: %2. B: %3").arg(qtext(name(stage)), idOf(metrics.a, stage), idOf(metrics.b, stage)),
           microsecondsText(a->times.median), microsecondsText(b->times.median), text, tip);
  }
}

void PairMetricsModel::addFound(const PairMetrics& metrics) {
  addHeading(tr("Found"), tr("What the two runs have found at the iteration that both show"));
  const IterationPtr a = metrics.a.result;
  const IterationPtr b = metrics.b.result;
  const PairDifference* difference = metrics.difference.get();
  const auto count = [](const IterationPtr& result) {
    return result ? countText(static_cast<std::uint64_t>(result->iteration)) : unknownText();
  };
  const auto inertia = [](const IterationPtr& result) {
    return result && result->inertia ? significantText(*result->inertia, 6) : unknownText();
  };
  addRow(tr("iteration"), tr("Iterations since both runs began"), count(a), count(b),
         a && b && a->iteration == b->iteration ? tr("the same") : unknownText());
  // The two sides are compared while they go on, so what is compared may be older than what is shown.
  const auto judged = [&](const QString& text) {
    const bool shown = a && b && a->iteration == difference->iteration && b->iteration == a->iteration;
    if (shown) return text;
    return tr("%1 in iteration %2").arg(text, countText(static_cast<std::uint64_t>(difference->iteration)));
  };
  const QString asOf =
      difference ? tr("As of iteration %1").arg(countText(static_cast<std::uint64_t>(difference->iteration)))
                 : metrics.whyNotCompared;
  QString off = unknownText();
  if (difference && difference->inertia)
    off = judged(*difference->inertia == 0 ? tr("the same")
                                           : tr("%1 % (%2)")
                                                 .arg(signedText(100 * *difference->inertia),
                                                      *difference->inertia < 0 ? tr("lower") : tr("higher")));
  addRow(tr("inertia"), tr("Sum of squared distances of points to their centroids, in squared data units"),
         inertia(a), inertia(b), off, asOf);
  addRow(
      tr("labels"), tr("Points whose label is not the same on both sides, of all points"), {}, {},
      difference
          ? judged(tr("%1 of %2 differ").arg(countText(difference->differing), countText(difference->points)))
          : unknownText(),
      asOf);
  addRow(tr("centroids"), tr("The largest distance between a centroid of A and the same of B, in data units"),
         {}, {},
         !difference
             ? unknownText()
             : judged(difference->centroidDistance == 0
                          ? tr("the same")
                          : tr("%1 apart at most").arg(significantText(difference->centroidDistance))),
         asOf);
}

void PairMetricsModel::addCounters(const PairMetrics& metrics) {
  if (!metrics.counted) return;
  const PairCounted& counted = *metrics.counted;
  addHeading(
      tr("Asked of memory, first %1 points").arg(countText(counted.problem.n)),
      tr("What one launch of each kernel asks, labels and sums together, counted by the SIMT simulator. "
         "A: %1. B: %2")
          .arg(counted.a.variants, counted.b.variants));
  if (!counted.a.counters && !counted.b.counters) {
    addRow(tr("counters"), counted.a.why, unknownText(), unknownText(), unknownText());
    rows_.back().tips[bColumn] = counted.b.why;
    return;
  }
  CounterModel model;
  model.setAsked({QStringLiteral("A"), counted.a.counters}, {QStringLiteral("B"), counted.b.counters});
  const auto cell = [&](int row, int column, int role = Qt::DisplayRole) {
    return model.index(row, column).data(role).toString();
  };
  for (int row = 0; row < model.rowCount(); ++row) {
    addRow(cell(row, CounterModel::nameColumn), cell(row, CounterModel::nameColumn, Qt::ToolTipRole),
           cell(row, CounterModel::beforeColumn), cell(row, CounterModel::nowColumn),
           model.differenceInWords(row));
    if (!counted.a.counters) rows_.back().tips[aColumn] = counted.a.why;
    if (!counted.b.counters) rows_.back().tips[bColumn] = counted.b.why;
  }
}

void PairMetricsModel::show(const PairMetrics& metrics) {
  std::vector<Row> before = std::exchange(rows_, {});
  if (metrics.a.timings) {
    addRaced(metrics);
    addLive(metrics);
    addFound(metrics);
    addCounters(metrics);
  }
  const bool sameShape = before.size() == rows_.size() &&
                         std::equal(before.begin(), before.end(), rows_.begin(),
                                    [](const Row& was, const Row& is) { return was.heading == is.heading; });
  if (sameShape) {
    if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount_ - 1));
    return;
  }
  // Views must see the old rows until the reset begins.
  std::swap(before, rows_);
  beginResetModel();
  std::swap(before, rows_);
  endResetModel();
}

QVariant PairMetricsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  const auto column = static_cast<std::size_t>(index.column());
  switch (role) {
  case Qt::DisplayRole:
    return row.texts[column];
  case Qt::ToolTipRole:
    // A difference may be longer than its column.
    if (column != differenceColumn || row.texts[column] == unknownText() || row.texts[column].isEmpty())
      return row.tips[column];
    return row.tips[column].isEmpty() ? row.texts[column]
                                      : row.texts[column] + QLatin1Char('\n') + row.tips[column];
  case headingRole:
    return row.heading;
  case Qt::TextAlignmentRole:
    return static_cast<int>((column == nameColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  default:
    return {};
  }
}

QVariant PairMetricsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount_) return {};
  static constexpr const char* titles[] = {QT_TR_NOOP("figure"), QT_TR_NOOP("A"), QT_TR_NOOP("B"),
                                           QT_TR_NOOP("B against A")};
  static constexpr const char* tips[] = {
      QT_TR_NOOP("What is compared; units stand in the headings"),
      QT_TR_NOOP("Side A, the run of the window"), QT_TR_NOOP("Side B"),
      QT_TR_NOOP("Side B against side A, in words and with a sign; times in µs")};
  if (role == Qt::DisplayRole) return tr(titles[section]);
  if (role == Qt::ToolTipRole) return tr(tips[section]);
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((section == nameColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  return {};
}

} // namespace lloyd
