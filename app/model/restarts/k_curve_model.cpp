// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/restarts/k_curve_model.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QStringList>

#include <algorithm>

namespace lloyd {
namespace {

constexpr int digits = 4;
constexpr int inertiaDigits = 6;

/// Of a column of scores.
Score scoreOf(int column) { return allScores[static_cast<std::size_t>(column - 1)]; }

bool isScore(int column) { return column != KCurveModel::kColumn && column != KCurveModel::runsColumn; }

/// The digits that sentences have.
QString valueText(Score score, std::optional<double> value) {
  if (!value) return unknownText();
  return score == Score::inertia ? wholeDigitsText(*value, inertiaDigits) : significantText(*value, digits);
}

/// What the silhouette suggests, and where that is of a sample what it is worth, in the same brackets.
QString withSample(const QString& suggestion, const std::vector<KPoint>& points) {
  const auto k = suggestedK(points, Score::silhouette);
  const auto point = std::ranges::find(points, k.value_or(0), &KPoint::k);
  if (!k || point == points.end() || !point->best().scores) return suggestion;
  const auto& silhouette = point->best().scores->silhouette;
  if (!silhouette || silhouette->exact()) return suggestion;
  return KCurveModel::tr("%1, of a sample of %2 of %3, standard error %4)")
      .arg(suggestion.chopped(1), countText(silhouette->sampled), pointsText(silhouette->points),
           significantText(silhouette->error, 2));
}

} // namespace

KCurveModel::KCurveModel(const KCurveRunner& runner, QObject* parent)
    : QAbstractTableModel(parent), runner_(runner) {
  // A new run may be the best, and what is suggested another k, so that all that is said changes.
  connect(&runner, &KCurveRunner::changed, this, [this] {
    beginResetModel();
    endResetModel();
  });
}

void KCurveModel::setShown(int k) {
  if (shown_ == k) return;
  shown_ = k;
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

/// Runs of one number of clusters: those that ended, of those that were asked for.
QString KCurveModel::runsText(const KPoint& point) const {
  const auto asked = static_cast<std::size_t>(std::max(0, runner_.asked().restarts));
  const QString ended = countText(point.runs.size());
  return point.runs.size() < asked ? tr("%1 of %2").arg(ended, countText(asked)) : ended;
}

QString KCurveModel::toolTip(const KPoint& point, int column) const {
  const ScoredRun& best = point.best();
  if (!isScore(column))
    return tr("%1, best of %2: seed %3. A click or Enter takes it over")
        .arg(countedText(static_cast<std::uint64_t>(point.k), tr("%1 cluster"), tr("%1 clusters")),
             (runsText(point) == QLatin1String("1") ? tr("%1 run") : tr("%1 runs")).arg(runsText(point)))
        .arg(best.seed);
  const Score score = scoreOf(column);
  const auto value = best.of(score);
  if (!value) return tr("No score: it takes two clusters with points at least, and fewer than points");
  QString text = QStringLiteral("%1 %2").arg(qtext(title(score)), significantText(*value, 9));
  if (const auto spread = point.spread(score); spread && point.runs.size() > 1)
    text += tr("; %1 to %2 over %3 runs")
                .arg(valueText(score, spread->first), valueText(score, spread->second))
                .arg(point.runs.size());
  if (score == Score::silhouette)
    if (const QString sample = sampleText(*best.scores->silhouette); !sample.isEmpty())
      text += QStringLiteral("; ") + sample;
  if (suggestedK(runner_.points(), score) == point.k)
    text += QStringLiteral("; ") + suggestionText(runner_.points(), score);
  return text;
}

QVariant KCurveModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const KPoint& point = runner_.points()[static_cast<std::size_t>(index.row())];
  const int column = index.column();
  switch (role) {
  case Qt::DisplayRole:
    return column == kColumn      ? QString::number(point.k)
           : column == runsColumn ? runsText(point)
                                  : valueText(scoreOf(column), point.best().of(scoreOf(column)));
  case Qt::ToolTipRole:
    return toolTip(point, column);
  case Qt::TextAlignmentRole:
    return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  case suggestedRole:
    return isScore(column) && suggestedK(runner_.points(), scoreOf(column)) == point.k;
  case shownRole:
    return point.k == shown_;
  default:
    return {};
  }
}

QVariant KCurveModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columns) return {};
  const QString sample = section == silhouetteColumn ? samplesText(runner_.points()) : QString();
  if (role == Qt::DisplayRole) {
    if (!sample.isEmpty()) return tr("silh. (sample)");
    const QString titles[] = {tr("k"),         tr("inertia"),     tr("silhouette"),
                              tr("Davies-B."), tr("Calinski-H."), tr("runs")};
    return titles[section];
  }
  if (role == Qt::ToolTipRole) {
    const QString tips[] = {
        tr("Number of clusters"),
        tr("Sum of squared distances to the centroids, in squared units of the data. It falls with k "
           "whatever the points are: look where it is farthest below the straight line between its ends"),
        tr("How much nearer points are to their own cluster than to the next, -1 to 1: high is better"),
        tr("Davies-Bouldin: widths of neighbouring clusters over how far they are apart: low is better"),
        tr("Calinski-Harabasz: squared distances between clusters over those within: high is better"),
        tr("Runs that have ended, the best of which the row has; while there are fewer than were asked for, "
           "others may change it")};
    if (sample.isEmpty()) return tips[section];
    return QString(tips[section] + QStringLiteral(". ") + sample.at(0).toUpper() + sample.mid(1));
  }
  return {};
}

QString kCurveSentence(const KCurveRunner& runner) {
  QStringList parts;
  for (const Score score : allScores) {
    QString text = suggestionText(runner.points(), score);
    if (text.isEmpty()) continue;
    if (score == Score::silhouette) text = withSample(text, runner.points());
    parts << text;
  }
  if (parts.isEmpty()) return {};
  QString text = parts.join(QStringLiteral("; "));
  text[0] = text[0].toUpper();
  return text;
}

} // namespace lloyd
