// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/pair_metrics_view.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/copy_table.hpp"
#include "app/ui/common/theme.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <QBoxLayout>
#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

constexpr int wideFrom = 560;
constexpr int stripFrom = 700; ///< below, the table needs all of the width
constexpr int widestTable = 640;
constexpr int cellMargin = 8; ///< pixels, left and right of a text together
constexpr int tallFrom = 200; ///< pixels of height below which the table needs all of it

/// Headings stand out by weight and colour of the surface's own text.
class PairDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(PairMetricsModel::headingRole).toBool()) {
      option->font.setBold(true);
      option->palette.setColor(QPalette::Text, UiTheme::current().dim);
    }
  }
};

constexpr int margin = 10;

} // namespace

PairMetricsView::PairMetricsView(QWidget* parent)
    : QWidget(parent), strip_(new BoxPlotStrip(this)), table_(new QTableView(this)),
      layout_(new QBoxLayout(QBoxLayout::TopToBottom, this)) {
  setObjectName(QStringLiteral("pairMetrics"));
  table_->setObjectName(QStringLiteral("pairTable"));
  table_->setAccessibleName(tr("Metrics of A and B"));
  table_->setModel(&model_);
  offerCopy(*table_);
  table_->setItemDelegate(new PairDelegate(table_));
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setMinimumSectionSize(1);
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  QHeaderView* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setMinimumSectionSize(20);
  header->setSectionResizeMode(QHeaderView::Fixed);
  table_->viewport()->installEventFilter(this);
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(0);
  table_->setMinimumHeight(3 * table_->verticalHeader()->defaultSectionSize());
  layout_->addWidget(table_, 3);
  layout_->addWidget(strip_, 2);
  connect(&model_, &QAbstractItemModel::modelReset, this, &PairMetricsView::spanHeadings);
}

/// Beside each other where there is room: numbers that belong together must not stand far apart.
void PairMetricsView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool wide = width() >= wideFrom;
  strip_->setVisible(wide ? width() >= stripFrom : height() >= tallFrom);
  layout_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::BottomToTop);
  table_->setMaximumWidth(wide ? widestTable : QWIDGETSIZE_MAX);
}

void PairMetricsView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
  widths_ = {};
  fitColumns();
}

bool PairMetricsView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) fitColumns();
  return QWidget::eventFilter(watched, event);
}

/// Columns are as wide as their texts, and only grow while the rows stay, because numbers that change all the
/// time must not move each other. Where there is no room for all, the difference gives way, and what is
/// longer there takes a second line.
void PairMetricsView::fitColumns() {
  using Column = PairMetricsModel::Column;
  const QFontMetrics metrics = table_->fontMetrics();
  const auto widthOf = [&](int row, int column) {
    return metrics.horizontalAdvance(model_.index(row, column).data().toString()) + cellMargin;
  };
  const auto isHeading = [&](int row) {
    return model_.index(row, 0).data(PairMetricsModel::headingRole).toBool();
  };
  for (int column = 0; column < PairMetricsModel::columnCount_; ++column) {
    int& width = widths_[static_cast<std::size_t>(column)];
    width = std::max(width, table_->horizontalHeader()->sectionSizeHint(column));
    for (int row = 0; row < model_.rowCount(); ++row)
      if (!isHeading(row)) width = std::max(width, widthOf(row, column));
  }
  const int room = table_->viewport()->width();
  const int least = table_->horizontalHeader()->sectionSizeHint(Column::differenceColumn);
  const int sides = widths_[Column::aColumn] + widths_[Column::bColumn];
  const int difference = std::clamp(room - sides - widths_[Column::nameColumn], least,
                                    std::max(least, widths_[Column::differenceColumn]));
  table_->setColumnWidth(Column::aColumn, widths_[Column::aColumn]);
  table_->setColumnWidth(Column::bColumn, widths_[Column::bColumn]);
  table_->setColumnWidth(Column::differenceColumn, difference);
  table_->setColumnWidth(Column::nameColumn,
                         std::max(widths_[Column::nameColumn], room - sides - difference));
  const int line = table_->verticalHeader()->defaultSectionSize();
  for (int row = 0; row < model_.rowCount(); ++row) {
    const bool two = !isHeading(row) && widthOf(row, Column::differenceColumn) > difference;
    table_->setRowHeight(row, two ? line + metrics.height() : line);
  }
}

void PairMetricsView::spanHeadings() {
  widths_ = {};
  table_->clearSpans();
  for (int row = 0; row < model_.rowCount(); ++row)
    if (model_.index(row, 0).data(PairMetricsModel::headingRole).toBool())
      table_->setSpan(row, 0, 1, PairMetricsModel::columnCount_);
}

void PairMetricsView::showSpread(const PairMetrics& metrics) {
  // Raced samples say more than live ones, of a stage in which the sides differ.
  for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused}) {
    if (metrics.a.plan.of(stage) == metrics.b.plan.of(stage)) continue;
    const Measurement* a = metrics.raced(metrics.a, stage);
    const Measurement* b = metrics.raced(metrics.b, stage);
    if (!a || !b || a->us.empty() || b->us.empty()) continue;
    strip_->show(tr("%1, raced, µs").arg(qtext(name(stage))), a->us, b->us);
    return;
  }
  const auto live = [](const PairMetrics::Side& side) {
    return side.timings ? side.timings->iteration().samples() : std::vector<double>();
  };
  const bool simulated = metrics.a.simulated || metrics.b.simulated;
  strip_->show(simulated ? tr("Iteration, live, µs; a simulator's time is no GPU's")
                         : tr("Iteration, live, µs"),
               live(metrics.a), live(metrics.b));
}

void PairMetricsView::show(const PairMetrics& metrics) {
  model_.show(metrics);
  fitColumns();
  showSpread(metrics);
}

BoxPlotStrip::BoxPlotStrip(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("pairStrip"));
  setAccessibleName(tr("How the samples of A and B are spread"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

QSize BoxPlotStrip::sizeHint() const { return {200, 4 * fontMetrics().height() + 16}; }

BoxPlotStrip::Box BoxPlotStrip::boxOf(const std::vector<double>& samples) {
  const std::vector<double> sorted = sortedFinite(samples);
  if (sorted.empty()) return {};
  return {sorted.size(),         quantile(sorted, 0.05), quantile(sorted, 0.25),
          quantile(sorted, 0.5), quantile(sorted, 0.75), quantile(sorted, 0.95)};
}

QString BoxPlotStrip::summary(const QString& side, const Box& box) {
  if (box.samples == 0) return tr("%1: no samples yet").arg(side);
  return tr("%1: median %2 µs, middle half %3 to %4 µs, middle 90 % %5 to %6 µs, of %7")
      .arg(side, microsecondsText(box.median), microsecondsText(box.first), microsecondsText(box.third),
           microsecondsText(box.low), microsecondsText(box.high),
           countedText(box.samples, tr("%1 sample"), tr("%1 samples")));
}

void BoxPlotStrip::show(const QString& title, const std::vector<double>& a, const std::vector<double>& b) {
  title_ = title;
  a_ = boxOf(a);
  b_ = boxOf(b);
  const QString text =
      summary(QStringLiteral("A"), a_) + QLatin1Char('\n') + summary(QStringLiteral("B"), b_);
  setToolTip(text);
  setAccessibleDescription(title + QLatin1Char('\n') + text);
  update();
}

void BoxPlotStrip::paintEvent(QPaintEvent*) {
  const UiTheme& theme = UiTheme::current();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), theme.panel);
  const QFontMetrics metrics = fontMetrics();
  const int line = metrics.height();
  painter.setPen(theme.dim);
  painter.drawText(QRect(margin, 4, width() - 2 * margin, line), Qt::AlignLeft,
                   metrics.elidedText(title_, Qt::ElideRight, width() - 2 * margin));
  if (a_.samples + b_.samples == 0) {
    painter.drawText(QRect(margin, 4 + line, width() - 2 * margin, 2 * line),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("No samples yet: play or step"));
    return;
  }
  const Box& some = a_.samples > 0 ? a_ : b_;
  double low = some.low, high = some.high;
  for (const Box* box : {&a_, &b_}) {
    if (box->samples == 0) continue;
    low = std::min(low, box->low);
    high = std::max(high, box->high);
  }
  const double room = std::max((high - low) * 0.04, high * 1e-3);
  low -= room;
  high += room;
  const int left = margin + metrics.horizontalAdvance(QLatin1Char('B')) + 8;
  const int right = width() - margin;
  const auto at = [&](double us) { return left + (us - low) / (high - low) * (right - left); };
  const int tall = std::clamp((height() - 2 * line - 14) / 2, line, 3 * line);
  int top = 6 + line;
  for (const auto& [side, box] : {std::pair{QStringLiteral("A"), &a_}, std::pair{QStringLiteral("B"), &b_}}) {
    const double middle = top + tall / 2.0;
    painter.setPen(theme.text);
    painter.drawText(QRect(margin, top, left - margin, tall), Qt::AlignLeft | Qt::AlignVCenter, side);
    if (box->samples > 0) {
      painter.setPen(QPen(theme.dim, 1.5));
      painter.drawLine(QPointF(at(box->low), middle), QPointF(at(box->high), middle));
      painter.setPen(QPen(theme.accent, 1.2));
      painter.setBrush(theme.control);
      const double wide = std::max(2.0, at(box->third) - at(box->first));
      painter.drawRoundedRect(QRectF(at(box->first), middle - tall * 0.34, wide, tall * 0.68), 2, 2);
      painter.setPen(QPen(theme.text, 2.4));
      painter.drawLine(QPointF(at(box->median), middle - tall * 0.4),
                       QPointF(at(box->median), middle + tall * 0.4));
    } else {
      painter.setPen(theme.dim);
      painter.drawText(QRect(left, top, right - left, tall), Qt::AlignLeft | Qt::AlignVCenter, unknownText());
    }
    top += tall;
  }
  painter.setPen(theme.dim);
  painter.drawLine(left, top + 1, right, top + 1);
  painter.drawText(QRect(left, top + 2, right - left, line), Qt::AlignLeft,
                   microsecondsText(std::max(0.0, low)));
  painter.drawText(QRect(left, top + 2, right - left, line), Qt::AlignRight, microsecondsText(high));
}

} // namespace lloyd
