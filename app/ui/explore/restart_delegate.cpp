// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/restart_delegate.hpp"

#include "app/model/restarts/restart_list_model.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/view/cluster_colours.hpp"

#include <QFontMetrics>
#include <QPainter>
#include <QPen>
#include <QPointF>

#include <cmath>
#include <utility>

namespace lloyd {
namespace {

constexpr QSize pictureSize(116, 78);
constexpr int margin = 5;
constexpr double inset = 3; ///< pixels between the outermost points and the picture's edge

/// Dots are smaller where there are more of them.
double dotOf(std::size_t points) { return points > 2000 ? 1.2 : points > 400 ? 1.8 : 2.8; }

} // namespace

RestartDelegate::RestartDelegate(Colours colours, QObject* parent)
    : QStyledItemDelegate(parent), colours_(std::move(colours)) {}

QSize RestartDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return pictureSize + QSize(2 * margin, 2 * margin + 2 * option.fontMetrics.height() + 2);
}

const QPixmap& RestartDelegate::pictureOf(const RestartRun& run, double scale) const {
  QPixmap& picture = pictures_[&run];
  if (!picture.isNull() && picture.devicePixelRatio() == scale) return picture;
  picture = QPixmap(pictureSize * scale);
  picture.setDevicePixelRatio(scale);
  picture.fill(UiTheme::current().view);
  const std::vector<Rgb> colours = colours_(run);
  // Points of one colour are drawn at once.
  std::vector<QList<QPointF>> dots(colours.size());
  const SketchPoints& points = *run.points;
  const double width = pictureSize.width() - 2 * inset;
  const double height = pictureSize.height() - 2 * inset;
  for (std::size_t i = 0; i < points.rows.size(); ++i) {
    const auto cluster = static_cast<std::size_t>(run.labels[i]);
    if (cluster < dots.size())
      dots[cluster] << QPointF(inset + width * static_cast<double>(points.x[i]),
                               inset + height * (1 - static_cast<double>(points.y[i])));
  }
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t c = 0; c < dots.size(); ++c) {
    painter.setPen(QPen(toQColor(colours[c]), dotOf(points.rows.size()), Qt::SolidLine, Qt::RoundCap));
    painter.drawPoints(dots[c].constData(), static_cast<int>(dots[c].size()));
  }
  return picture;
}

void RestartDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  const RestartRunPtr run = index.data(RestartListModel::runRole).value<RestartRunPtr>();
  if (!run) return;
  const UiTheme& theme = UiTheme::current();
  const bool best = index.data(RestartListModel::bestRole).toBool();
  const bool shown = index.data(RestartListModel::shownRole).toBool();
  painter->save();
  if (option.state & (QStyle::State_MouseOver | QStyle::State_HasFocus))
    painter->fillRect(option.rect, theme.control);
  const QRect picture(option.rect.topLeft() + QPoint(margin, margin), pictureSize);
  painter->drawPixmap(picture.topLeft(), pictureOf(*run, painter->device()->devicePixelRatioF()));
  painter->setPen(QPen(shown ? theme.accent : theme.line, shown ? 2 : 1));
  painter->setBrush(Qt::NoBrush);
  painter->drawRect(picture.adjusted(0, 0, -1, -1));
  const int line = option.fontMetrics.height();
  const QRect first(picture.left(), picture.bottom() + 3, picture.width(), line);
  const auto write = [&](const QRect& where, const QString& text, Qt::AlignmentFlag side,
                         const QColor& colour) {
    painter->setPen(colour);
    painter->drawText(where, int(side | Qt::AlignVCenter),
                      QFontMetrics(painter->font()).elidedText(text, Qt::ElideRight, where.width()));
  };
  QFont font = option.font;
  font.setBold(best);
  painter->setFont(font);
  write(first, index.data(Qt::DisplayRole).toString(), Qt::AlignLeft, theme.text);
  const QRect second = first.translated(0, line);
  write(second, index.data(RestartListModel::comparisonRole).toString(), Qt::AlignRight,
        best ? theme.text : theme.dim);
  painter->setFont(option.font);
  // The one that is shown has a frame and this in another colour.
  write(second, tr("seed %1").arg(run->seed), Qt::AlignLeft, shown ? theme.accent : theme.dim);
  painter->restore();
}

} // namespace lloyd
