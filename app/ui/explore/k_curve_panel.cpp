// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/k_curve_panel.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/copy_table.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/explore/k_score_plot.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace lloyd {
namespace {

constexpr int leastPlotWidth = 150; ///< pixels below which a curve shows nothing

/// What a score would choose is bold, and the row that is shown has the colour of what is chosen.
class KCurveDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(KCurveModel::suggestedRole).toBool()) option->font.setBold(true);
    if (index.data(KCurveModel::shownRole).toBool())
      option->palette.setColor(QPalette::Text, UiTheme::current().accent);
  }
};

QSpinBox* numberField(QWidget* parent, const QString& name, int low, int high, int value,
                      const QString& accessible, const QString& toolTip) {
  auto* field = new QSpinBox(parent);
  field->setObjectName(name);
  field->setRange(low, high);
  field->setValue(value);
  field->setKeyboardTracking(false);
  field->setAccessibleName(accessible);
  field->setToolTip(toolTip);
  return field;
}

} // namespace

KCurvePanel::KCurvePanel(Session& session, DeviceLease& lease, QWidget* parent)
    : QWidget(parent), session_(session), runner_(session, lease, this), model_(runner_),
      low_(numberField(this, QStringLiteral("kLow"), 1, KCurveRunner::mostK, KCurveRequest().low,
                       tr("Fewest clusters"), tr("The fewest clusters to try"))),
      high_(numberField(this, QStringLiteral("kHigh"), 1, KCurveRunner::mostK, KCurveRequest().high,
                        tr("Most clusters"), tr("The most clusters to try; never more than points"))),
      restarts_(numberField(this, QStringLiteral("kRestarts"), 1, KCurveRunner::mostRestarts,
                            KCurveRequest().restarts, tr("Runs of each number of clusters"),
                            tr("Runs of each number of clusters, from other first centroids each time; the "
                               "best counts"))),
      go_(new QPushButton(this)), progress_(new QProgressBar(this)), words_(new ElidedLabel(this)),
      table_(new QTableView(this)), curves_(new QWidget(this)) {
  setObjectName(QStringLiteral("kCurve"));
  go_->setObjectName(QStringLiteral("kGo"));
  words_->setObjectName(QStringLiteral("kSentence"));
  words_->setMostLines(2);
  progress_->setAccessibleName(tr("Progress of the search for k"));
  progress_->setMaximumHeight(progress_->fontMetrics().height() + 4);
  // Whoever follows it reads how far it is; a bar that is squeezed would wrap that out of sight.
  progress_->setMinimumWidth(progress_->fontMetrics().horizontalAdvance(tr("k = 888, run 88 of 88")) + 16);
  progress_->setMaximumWidth(220);
  auto* from = new QLabel(tr("&Clusters"), this);
  from->setBuddy(low_);
  auto* to = new QLabel(tr("t&o"), this);
  to->setBuddy(high_);
  auto* runs = new QLabel(tr("&Runs each"), this);
  runs->setBuddy(restarts_);

  table_->setObjectName(QStringLiteral("kTable"));
  table_->setModel(&model_);
  table_->setItemDelegate(new KCurveDelegate(table_));
  table_->setShowGrid(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);
  table_->setAccessibleName(tr("Scores by number of clusters"));
  table_->setAccessibleDescription(tr("A click or Enter takes the best run of a row over"));
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 3);
  table_->verticalHeader()->setMinimumSectionSize(table_->fontMetrics().height() + 2);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setMinimumSectionSize(20);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  offerCopy(*table_);

  auto* side = new QHBoxLayout(curves_);
  side->setContentsMargins(0, 0, 0, 0);
  side->setSpacing(4);
  for (const Score score : allScores) {
    auto* plot = new KScorePlot(score, curves_);
    plots_.push_back(plot);
    side->addWidget(plot, 1);
    connect(plot, &KScorePlot::chosen, this, &KCurvePanel::take);
    connect(plot, &PlotPane::said, this, &KCurvePanel::message);
  }
  curves_->setMinimumWidth(1);

  auto* bar = new QHBoxLayout;
  for (QWidget* part :
       std::initializer_list<QWidget*>{from, low_, to, high_, runs, restarts_, go_, progress_})
    bar->addWidget(part);
  bar->addWidget(words_, 1);
  auto* below = new QHBoxLayout;
  below->addWidget(table_);
  below->addWidget(curves_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 2);
  layout->setSpacing(3);
  layout->addLayout(bar);
  layout->addLayout(below, 1);
  setMinimumWidth(1);

  connect(go_, &QPushButton::clicked, this, &KCurvePanel::startOrStop);
  connect(low_, &QSpinBox::valueChanged, this,
          [this](int low) { high_->setValue(std::max(low, high_->value())); });
  connect(high_, &QSpinBox::valueChanged, this,
          [this](int high) { low_->setValue(std::min(high, low_->value())); });
  connect(table_, &QTableView::clicked, this,
          [this](const QModelIndex& index) { take(model_.kAt(index.row())); });
  connect(table_, &QTableView::activated, this,
          [this](const QModelIndex& index) { take(model_.kAt(index.row())); });
  connect(&runner_, &KCurveRunner::message, this, &KCurvePanel::message);
  for (const auto signal : {&MeasuringTask::started, &MeasuringTask::ended})
    connect(&runner_, signal, this, &KCurvePanel::showState);
  connect(&runner_, &KCurveRunner::presentChanged, this, &KCurvePanel::showState);
  connect(&runner_, &KCurveRunner::changed, this, &KCurvePanel::showCurve);
  // Queued: while the runner itself takes the lease, it is not running yet.
  connect(&lease, &DeviceLease::changed, this, &KCurvePanel::showState, Qt::QueuedConnection);
  for (const auto signal : {&Session::dataChanged, &Session::settingsChanged, &Session::pathChanged})
    connect(&session_, signal, this, &KCurvePanel::showCurve);
  showCurve();
}

QString KCurvePanel::sentence() const { return words_->text(); }

void KCurvePanel::startOrStop() {
  if (runner_.running()) return runner_.cancel();
  runner_.start({.low = low_->value(), .high = high_->value(), .restarts = restarts_->value()});
}

void KCurvePanel::take(int k) {
  const KRunPtr run = runner_.best(k);
  if (!run) return;
  Q_EMIT taking(run);
  adopt(session_, *run);
  followK(run->k);
  Q_EMIT message(tr("k = %1 is shown, from seed %2: %3")
                     .arg(run->k)
                     .arg(run->seed)
                     .arg(countedText(static_cast<std::uint64_t>(run->iterations),
                                      tr("its run took %1 iteration"), tr("its run took %1 iterations"))),
                 false);
}

/// Every number is whole. A column never gets narrower than usual numbers are, so that the table stands
/// still while runs end.
void KCurvePanel::fitTable() {
  const QAbstractItemView& view = *table_; // where hints are public
  tableWidth_ = table_->verticalScrollBar()->sizeHint().width() + 6;
  for (int column = 0; column < KCurveModel::columns; ++column) {
    const QString usual = column == KCurveModel::kColumn      ? QStringLiteral("8,888")
                          : column == KCurveModel::runsColumn ? tr("%1 of %2").arg(88).arg(88)
                                                              : QStringLiteral("888,888");
    const int width =
        std::max({table_->fontMetrics().horizontalAdvance(usual) + 12,
                  table_->horizontalHeader()->sectionSizeHint(column), view.sizeHintForColumn(column) + 4});
    table_->setColumnWidth(column, width);
    tableWidth_ += width;
  }
  fitWidths();
}

void KCurvePanel::showCurve() {
  const int k = session_.settings().k;
  model_.setShown(k);
  if (k != followed_) {
    followK(k);
  } else if (!table_->currentIndex().isValid()) {
    // A reset of the model has lost the row; what is looked at meanwhile stays in sight.
    table_->setAutoScroll(false);
    followK(k);
    table_->setAutoScroll(true);
  }
  fitTable();
  showPlots();
  showState();
}

/// The row of k is the table's current one; none where k was not tried.
void KCurvePanel::followK(int k) {
  followed_ = k;
  const std::vector<KPoint>& points = runner_.points();
  const auto found = std::ranges::find(points, k, &KPoint::k);
  const int column = std::max(0, table_->currentIndex().column());
  table_->setCurrentIndex(
      found == points.end() ? QModelIndex() : model_.index(static_cast<int>(found - points.begin()), column));
}

void KCurvePanel::showPlots() {
  for (KScorePlot* plot : plots_)
    if (plot->isVisibleTo(curves_)) plot->show(runner_.points(), session_.settings().k);
}

void KCurvePanel::showState() {
  const bool running = runner_.running();
  const QString why = running ? QString() : runner_.whyNotCurve();
  go_->setText(running ? tr("Cancel") : tr("S&tart"));
  go_->setEnabled(why.isEmpty());
  go_->setToolTip(!why.isEmpty() ? why
                  : running      ? tr("End it; the runs that have ended stay")
                                 : tr("Cluster the points in every one of these numbers, and score each run. "
                                           "Playing pauses meanwhile"));
  for (QSpinBox* field : {low_, high_, restarts_})
    field->setEnabled(!running);
  progress_->setVisible(running);
  if (running) {
    progress_->setMaximum(runner_.asked().runs());
    progress_->setValue(runner_.done());
    progress_->setFormat(runner_.present());
  }
  QString text = kCurveSentence(runner_);
  if (text.isEmpty())
    text = !why.isEmpty() ? why
                          : tr("Which k? Runs in several numbers of clusters are scored, and each score "
                               "suggests one");
  words_->setText(text);
  QStringList more; // a sentence that is cut is whole above it
  if (!runner_.points().empty()) more << suggestionsRemark() << samplesText(runner_.points());
  more.removeAll({});
  for (QString& line : more)
    line[0] = line[0].toUpper();
  words_->setToolTip(more.join(QLatin1Char('\n')));
}

void KCurvePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitWidths();
  showPlots();
}

/// As many curves as there is room for beside the table, which has all scores.
void KCurvePanel::fitWidths() {
  table_->setFixedWidth(std::min(tableWidth_, width() / 2));
  const int room = width() - table_->width();
  const auto fit = static_cast<std::size_t>(std::clamp(room / leastPlotWidth, 1, 4));
  // The silhouette stays longest, then inertia.
  constexpr std::size_t order[] = {1, 0, 3, 2};
  for (std::size_t i = 0; i < std::size(order); ++i)
    plots_[order[i]]->setVisible(i < fit);
}

} // namespace lloyd
