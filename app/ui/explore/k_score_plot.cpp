// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/k_score_plot.hpp"

#include "app/model/plot/k_curve_figure.hpp"
#include "app/text/strings.hpp"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace lloyd {

KScorePlot::KScorePlot(Score score, QWidget* parent)
    : PlotPane(qtext(lloyd::title(score)), parent), score_(score) {
  setSmall(tr("Silhouette: k = 88"));
  setMinimumWidth(1); // beside others, its title is cut where there is no room
  connect(&plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || points_.empty()) return;
    const QCPAxisRect& rect = *plot().axisRect();
    if (!rect.rect().contains(event->position().toPoint())) return;
    const auto k =
        static_cast<int>(std::lround(rect.axis(QCPAxis::atBottom)->pixelToCoord(event->position().x())));
    if (std::ranges::find(points_, k, &KPoint::k) != points_.end()) Q_EMIT chosen(k);
  });
  show({}, 0);
}

void KScorePlot::show(const std::vector<KPoint>& points, int shownK) {
  points_ = points;
  setFigure(kCurveFigure(points_, score_, shownK));
}

PlotTable KScorePlot::table() const { return kCurveTable(points_); }

} // namespace lloyd
