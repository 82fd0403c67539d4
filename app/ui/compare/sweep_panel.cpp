// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/sweep_panel.hpp"

#include "app/model/plot/paper_answer.hpp"
#include "app/model/plot/sweep_figure.hpp"
#include "app/model/sweep/cell_run.hpp"
#include "app/model/sweep/sweep_plan.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/collapsible_section.hpp"
#include "app/ui/compare/sweep_maps.hpp"
#include "app/ui/plot/plot_kinds.hpp"
#include "gpu/core/contract/error.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidgetAction>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

namespace lloyd {

namespace {

QString secondsText(double seconds) {
  if (seconds >= 90) return SweepPanel::tr("%1 min").arg(static_cast<int>(std::ceil(seconds / 60)));
  return SweepPanel::tr("%1 s").arg(static_cast<int>(std::ceil(seconds)));
}

/// The candidate with each value of a parameter; as it is where it has none.
std::vector<Candidate> withEach(const Candidate& candidate, const std::optional<SweepAxis>& each) {
  if (!each || !candidate.variant->parameter(name(each->parameter))) return {candidate};
  std::vector<Candidate> all;
  for (const std::uint64_t value : each->values) {
    all.push_back(candidate);
    all.back().tuning.set(name(each->parameter), static_cast<int>(value));
  }
  return all;
}

} // namespace

SweepPanel::SweepPanel(Session& session, SweepRunner& sweeps, QWidget* parent)
    : QWidget(parent), session_(session), sweeps_(sweeps), progress_(new QProgressBar(this)),
      plots_(new QStackedWidget(this)), lines_(new SweepPlot(this)), maps_(new SweepMaps(this)),
      answer_(quietLabel(this)) {
  plots_->addWidget(lines_);
  plots_->addWidget(maps_);
  connect(lines_, &PlotPane::said, this, &SweepPanel::said);
  connect(lines_, &SweepPlot::chosen, this, &SweepPanel::goOnWith);
  connect(maps_, &SweepMaps::said, this, &SweepPanel::said);
  connect(maps_, &SweepMaps::chosen, this,
          [this](SweepPlace place, std::size_t candidate) { goOnWith(place.column, place.row, candidate); });
  answer_->setObjectName(QStringLiteral("paperAnswer"));
  answer_->setContentsMargins(6, 0, 6, 2);
  answer_->hide();
  progress_->setAccessibleName(tr("Progress of the sweep"));
  progress_->setMaximumHeight(progress_->fontMetrics().height() + 4);
  progress_->hide();
  auto* right = new QWidget(this);
  auto* rightLayout = new QVBoxLayout(right);
  rightLayout->setContentsMargins(0, 0, 0, 0);
  rightLayout->setSpacing(2);
  rightLayout->addWidget(plots_, 1);
  rightLayout->addWidget(answer_);
  rightLayout->addWidget(progress_);
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setHandleWidth(5);
  splitter->addWidget(makeSetUp());
  splitter->addWidget(right);
  splitter->setStretchFactor(1, 1);
  splitter->setCollapsible(1, false);
  splitter->setSizes({190, 430});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);

  connect(&sweeps_, &SweepRunner::updated, this, &SweepPanel::show);
  connect(&sweeps_, &SweepRunner::progressed, this, &SweepPanel::showProgress);
  connect(&sweeps_, &SweepRunner::started, this, &SweepPanel::showRunning);
  connect(&sweeps_, &SweepRunner::ended, this, &SweepPanel::showRunning);
  connect(&session_, &Session::pathChanged, this, &SweepPanel::renewVariants);
  connect(&session_, &Session::dataChanged, this, &SweepPanel::offerParameters);
  offerParameters();
  renewVariants();
  showRunning();
}

PlotPane& SweepPanel::plot() const {
  return plots_->currentWidget() == maps_ ? static_cast<PlotPane&>(*maps_->maps().front()) : *lines_;
}

void SweepPanel::show(const SweepResultPtr& result) {
  result_ = result;
  const bool plane = result && result->plan.columns() > 1 && result->plan.rows() > 1;
  plots_->setCurrentWidget(plane ? static_cast<QWidget*>(maps_) : lines_);
  if (plane) {
    maps_->show(result, plotted());
  } else {
    lines_->show(result, plotted());
  }
  answer_->setText(result ? paperAnswer(*result) : QString());
  answer_->setVisible(!answer_->text().isEmpty());
}

tl::expected<SweepRequest, QString> SweepPanel::request() const {
  SweepRequest request;
  request.plan.base = problem();
  request.cellSeconds = budget_->value();
  std::optional<SweepAxis> each;
  const auto axisOf = [this](const AxisFields& axis) -> std::optional<SweepAxis> {
    const auto parameter = parameterOf(axis);
    if (!parameter) return std::nullopt;
    return parseSweepAxis(*parameter, axis.values->text().trimmed().toStdString());
  };
  try {
    for (const AxisFields& fields : axes_)
      if (auto axis = axisOf(fields)) request.plan.axes.push_back(std::move(*axis));
    each = axisOf(each_);
  } catch (const RequestError& wrong) {
    return tl::unexpected(QString::fromUtf8(wrong.what()));
  }
  if (each && request.plan.sweeps(each->parameter))
    return tl::unexpected(tr("%1 is an axis already: choose another parameter for Each, or nothing")
                              .arg(qtext(name(each->parameter))));
  bool some = false; // of the variants has what there is to be a map for each value of
  for (int i = 0; i < variants_->count(); ++i)
    if (variants_->item(i)->checkState() == Qt::Checked) {
      const Candidate& candidate = candidates_[static_cast<std::size_t>(i)];
      some = some || (each && candidate.variant->parameter(name(each->parameter)));
      std::ranges::move(withEach(candidate, each), std::back_inserter(request.plan.candidates));
    }
  for (const SweepAxis& axis : request.plan.axes)
    if (const QString why = whyNoParameter(axis.parameter); !why.isEmpty()) return tl::unexpected(why);
  if (each && !some && !request.plan.candidates.empty())
    return tl::unexpected(tr("None of the chosen variants has the parameter %1: choose another for Each, or "
                             "nothing")
                              .arg(qtext(name(each->parameter))));
  if (const QString why = sweeps_.whyNot(request.plan); !why.isEmpty()) return tl::unexpected(why);
  return request;
}

/// Why none of the chosen variants can be swept over a tuning parameter; empty where one can.
QString SweepPanel::whyNoParameter(SweepParameter parameter) const {
  if (!isTuningParameter(parameter)) return {};
  bool chosen = false;
  for (int i = 0; i < variants_->count(); ++i) {
    if (variants_->item(i)->checkState() != Qt::Checked) continue;
    chosen = true;
    if (candidates_[static_cast<std::size_t>(i)].variant->parameter(name(parameter))) return {};
  }
  return chosen ? tr("None of the chosen variants has the parameter %1").arg(qtext(name(parameter)))
                : QString();
}

/// The session goes on with what was measured there: the variant with its tuning parameters, and as many
/// clusters and such points where they were swept.
void SweepPanel::goOnWith(std::size_t column, std::size_t row, std::size_t candidate) {
  if (sweeps_.running()) return Q_EMIT said(tr("The sweep goes on: cancel it, or wait for its end"), false);
  const auto run = runOfCell(result_->plan, column, row, candidate, session_.settings(), session_.plan(),
                             session_.request());
  if (!run) return Q_EMIT said(QString::fromStdString(run.error()), true);
  session_.setSettings(run->settings);
  if (run->points) session_.open(*run->points);
  session_.play();
  Q_EMIT said(tr("Going on with %1").arg(cellText(*result_, column, row, candidate, SweepMetric::median)),
              false);
}

void SweepPanel::startOrCancel() {
  cancelled_ = sweeps_.running();
  if (cancelled_) return sweeps_.cancel();
  if (const auto requested = request()) sweeps_.start(*requested);
  refresh();
}

void SweepPanel::showProgress(const SweepProgress& progress) {
  progress_->setMaximum(static_cast<int>(progress.total));
  progress_->setValue(static_cast<int>(progress.done));
  progress_->setFormat(
      tr("%1 of %2, about %3 left")
          .arg(countText(progress.done), countText(progress.total), secondsText(progress.secondsLeft)));
  progress_->setToolTip(tr("Measuring %1 points, %2 dimensions, %3 clusters")
                            .arg(countText(progress.problem.n))
                            .arg(progress.problem.d)
                            .arg(progress.problem.k));
}

void SweepPanel::showRunning() {
  const bool running = sweeps_.running();
  start_->setText(running ? tr("Cancel") : tr("S&tart"));
  start_->setToolTip(running ? tr("What was measured stays") : tr("Measure every variant at every value"));
  progress_->setVisible(running);
  if (running) progress_->setValue(0);
  refresh();
}

void SweepPanel::refresh() {
  if (sweeps_.running()) {
    state_->setText(tr("Playing pauses meanwhile"));
    start_->setEnabled(true);
    return;
  }
  QString text = sweeps_.whyNot();
  const bool able = text.isEmpty();
  const auto requested = request();
  if (able && !requested) text = requested.error();
  if (able && requested) {
    const std::size_t cells = requested->plan.cells();
    text = tr("%1 measurements, about %2")
               .arg(countText(cells), secondsText(static_cast<double>(cells) * requested->cellSeconds));
  }
  if (cancelled_ && result_ && !result_->finished)
    text = tr("Cancelled: %1 of %2 measurements were made, and stay. %3")
               .arg(countText(static_cast<std::uint64_t>(std::ranges::count_if(
                        result_->cells, [](const auto& cell) { return cell != nullptr; }))),
                    countText(result_->cells.size()), text);
  start_->setEnabled(able && requested.has_value());
  if (state_->text() != text) state_->setText(text);
}

void SweepPanel::renewColours() {
  lines_->renewColours();
  maps_->renewColours();
}

std::optional<SweepParameter> SweepPanel::parameterOf(const AxisFields& axis) const {
  const QVariant chosen = axis.parameter->currentData();
  return chosen.isValid() ? std::optional(static_cast<SweepParameter>(chosen.toInt())) : std::nullopt;
}

Stage SweepPanel::stage() const { return static_cast<Stage>(stage_->currentData().toInt()); }

SweepMetric SweepPanel::plotted() const { return static_cast<SweepMetric>(metric_->currentData().toInt()); }

Problem SweepPanel::problem() const {
  const SharedPointSet points = session_.data();
  return {points ? points->n : 0, points ? points->d : 1, session_.settings().k};
}

// The fields of a sweep: what they offer, and what they propose.

namespace {

QLabel* caption(const QString& text, QWidget* control, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setProperty("dim", true);
  label->setBuddy(control);
  label->setToolTip(control->toolTip());
  if (control->accessibleName().isEmpty()) control->setAccessibleName(QString(text).remove(QLatin1Char('&')));
  return label;
}

} // namespace

namespace {

/// A list as narrow as its short texts: a field that is cut by the edge of a narrow panel has no arrow.
QComboBox* narrowList(QWidget* parent) {
  auto* list = new QComboBox(parent);
  list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  list->setMinimumContentsLength(6);
  return list;
}

} // namespace

QWidget* SweepPanel::makeSetUp() {
  auto* body = new QWidget(this);
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(6);
  form->setVerticalSpacing(4);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  stage_ = narrowList(body);
  stage_->setToolTip(tr("The stage whose variants are swept"));
  form->addRow(caption(tr("Stage"), stage_, body), stage_);
  connect(stage_, &QComboBox::currentIndexChanged, this, [this] {
    if (stage_->currentIndex() >= 0) nameVariants();
  });
  makeVariants(form);
  makeAxis(axes_[0], tr("Over"), false, form);
  makeAxis(axes_[1], tr("And"), true, form);
  makeAxis(each_, tr("Each"), true, form);
  metric_ = narrowList(body);
  for (std::size_t i = 0; i < sweepMetricCount; ++i)
    metric_->addItem(metricTitle(static_cast<SweepMetric>(i)), static_cast<int>(i));
  metric_->setToolTip(tr("What is plotted: the median time; the least bytes over it; how near that is to the "
                         "limit at this size; points over it; on a GPU the occupancy and the registers of a "
                         "thread; and how many times as fast it is as with one point a thread"));
  connect(metric_, &QComboBox::currentIndexChanged, this, [this] { show(result_); });
  form->addRow(caption(tr("Plot"), metric_, body), metric_);
  budget_ = new QDoubleSpinBox(body);
  budget_->setRange(0.1, 60);
  budget_->setSingleStep(0.1);
  budget_->setDecimals(1);
  budget_->setValue(0.5);
  budget_->setSuffix(tr(" s each"));
  budget_->setMinimumWidth(60);
  budget_->setToolTip(tr("Seconds given to each measurement; ten rounds are always run"));
  connect(budget_, &QDoubleSpinBox::valueChanged, this, &SweepPanel::refresh);
  form->addRow(caption(tr("Budget"), budget_, body), budget_);
  start_ = new QPushButton(body);
  connect(start_, &QPushButton::clicked, this, &SweepPanel::startOrCancel);
  state_ = quietLabel(body);
  state_->setObjectName(QStringLiteral("sweepState"));
  auto* layout = new QVBoxLayout(body);
  layout->setContentsMargins(8, 4, 6, 4);
  layout->setSpacing(4);
  layout->addLayout(form);
  layout->addWidget(start_);
  layout->addWidget(state_);
  layout->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setObjectName(QStringLiteral("side"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(body);
  scroll->setMinimumWidth(body->minimumSizeHint().width());
  return scroll;
}

void SweepPanel::makeAxis(AxisFields& axis, const QString& title, bool optional, QFormLayout* form) {
  const bool each = &axis == &each_;
  axis.parameter = narrowList(this);
  if (optional) axis.parameter->addItem(tr("nothing"));
  for (std::size_t i = 0; i < sweepParameterCount; ++i) {
    const auto parameter = static_cast<SweepParameter>(i);
    if (each && !isTuningParameter(parameter)) continue;
    axis.parameter->addItem(qtext(name(parameter)), static_cast<int>(i));
    axis.parameter->setItemData(axis.parameter->count() - 1, axisTitle(parameter), Qt::ToolTipRole);
  }
  axis.parameter->setToolTip(each ? tr("A tuning parameter with a map, or a line, for each of its values")
                             : optional ? tr("A second thing to sweep: the plot becomes a heat map")
                                        : tr("What is swept along the axis"));
  axis.values = new QLineEdit(this);
  axis.values->setToolTip(tr("Numbers and ranges: 1,2,4 or 2^12:2^20, which doubles"));
  axis.values->setAccessibleName(each       ? tr("Values that have a map each")
                                 : optional ? tr("Values of the second axis")
                                            : tr("Values of the axis"));
  axis.values->setMinimumWidth(60);
  connect(axis.parameter, &QComboBox::currentIndexChanged, this, [this, &axis] {
    proposeValues(axis);
    refresh();
  });
  connect(axis.values, &QLineEdit::textChanged, this, [this] {
    if (start_) refresh();
  });
  form->addRow(caption(title, axis.parameter, this), axis.parameter);
  form->addRow(QString(), axis.values);
}

void SweepPanel::makeVariants(QFormLayout* form) {
  variantsButton_ = new QToolButton(this);
  variantsButton_->setPopupMode(QToolButton::InstantPopup);
  variantsButton_->setToolTip(tr("Which variants are swept"));
  variantsButton_->setAccessibleName(tr("Variants to sweep"));
  variantsButton_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  variantsButton_->setFocusPolicy(Qt::StrongFocus);
  variants_ = new QListWidget(this);
  variants_->setAccessibleName(tr("Variants to sweep"));
  variants_->setMinimumWidth(220);
  auto* menu = new QMenu(variantsButton_);
  auto* list = new QWidgetAction(menu);
  list->setDefaultWidget(variants_);
  menu->addAction(list);
  connect(menu, &QMenu::aboutToShow, variants_, [this] { variants_->setFocus(); });
  variantsButton_->setMenu(menu);
  connect(variants_, &QListWidget::itemChanged, this, [this] {
    countVariants();
    if (start_) refresh();
  });
  form->addRow(caption(tr("Variants"), variantsButton_, this), variantsButton_);
}

/// A file's points have the dimensions that they have.
void SweepPanel::offerParameters() {
  for (AxisFields* fields : {&axes_[0], &axes_[1], &each_}) {
    AxisFields& axis = *fields;
    auto* items = qobject_cast<QStandardItemModel*>(axis.parameter->model());
    for (int i = 0; items && i < axis.parameter->count(); ++i) {
      const QVariant value = axis.parameter->itemData(i);
      if (!value.isValid()) continue;
      const auto parameter = static_cast<SweepParameter>(value.toInt());
      QString why = QString::fromStdString(whyNotSwept(session_.request(), parameter));
      if (why.isEmpty() && variants_) why = whyNoParameter(parameter);
      items->item(i)->setEnabled(why.isEmpty());
      items->item(i)->setToolTip(why.isEmpty() ? axisTitle(parameter) : why);
    }
    proposeValues(axis);
  }
  refresh();
}

/// The stages that this device has variants of, and with them the variants.
void SweepPanel::renewVariants() {
  const QVariant before = stage_->currentData();
  {
    const QSignalBlocker quiet(stage_);
    stage_->clear();
    for (const Stage stage : measuredStages)
      if (!sweeps_.sweepable(stage).empty()) stage_->addItem(qtext(name(stage)), static_cast<int>(stage));
    stage_->setCurrentIndex(std::max(0, stage_->findData(before)));
  }
  nameVariants();
}

/// What a person has left out stays left out.
void SweepPanel::nameVariants() {
  std::set<std::pair<Stage, const Variant*>> leftOut;
  for (int i = 0; i < variants_->count(); ++i)
    if (variants_->item(i)->checkState() != Qt::Checked) {
      const Candidate& candidate = candidates_[static_cast<std::size_t>(i)];
      leftOut.insert({candidate.stage, candidate.variant});
    }
  candidates_ = sweeps_.sweepable(stage());
  {
    const QSignalBlocker quiet(variants_);
    variants_->clear();
    for (const Candidate& candidate : candidates_) {
      auto* item = new QListWidgetItem(tunedName(candidate), variants_);
      item->setFlags(Qt::ItemIsUserCheckable | Qt::ItemIsEnabled | Qt::ItemIsSelectable);
      item->setCheckState(leftOut.contains({candidate.stage, candidate.variant}) ? Qt::Unchecked
                                                                                 : Qt::Checked);
      item->setToolTip(qtext(candidate.variant->info.idea));
    }
  }
  countVariants();
  if (start_) refresh();
}

void SweepPanel::countVariants() {
  int ticked = 0;
  for (int i = 0; i < variants_->count(); ++i)
    ticked += variants_->item(i)->checkState() == Qt::Checked;
  offerParameters();
  variantsButton_->setText(ticked == variants_->count() ? tr("all %1").arg(ticked)
                                                        : tr("%1 of %2").arg(ticked).arg(variants_->count()));
}

/// What is worth a look, unless a person has written something else.
void SweepPanel::proposeValues(AxisFields& axis) const {
  const auto parameter = parameterOf(axis);
  axis.values->setVisible(parameter.has_value());
  if (!parameter) return;
  const QString asked = axis.values->property("proposed").toString();
  const auto wasFor = axis.values->property("parameter");
  const bool ownText = axis.values->text() != asked && wasFor == QVariant(static_cast<int>(*parameter));
  if (ownText) return;
  QString text;
  const std::size_t n = problem().n;
  switch (*parameter) {
  case SweepParameter::n:
    text = session_.request().path.empty()
               ? QStringLiteral("2^12:2^18")
               : QStringLiteral("%1:%2").arg(std::max<std::size_t>(1, n / 64)).arg(n);
    break;
  case SweepParameter::d:
    text = QStringLiteral("1:16");
    break;
  case SweepParameter::k:
    text = QStringLiteral("2:64");
    break;
  case SweepParameter::block:
    text = QStringLiteral("32:1024");
    break;
  case SweepParameter::vector:
  case SweepParameter::unroll:
    text = QStringLiteral("1,2,4");
    break;
  case SweepParameter::arithmetic:
    text = QStringLiteral("multiply,pow");
    break;
  case SweepParameter::order:
    text = QStringLiteral("0,0.01,0.1,0.5,1");
    break;
  case SweepParameter::spread:
    text = QStringLiteral("0,1,2,5");
    break;
  case SweepParameter::skew:
    text = QStringLiteral("0,1,2");
    break;
  default:
    text = QStringLiteral("1:16");
    break;
  }
  axis.values->setProperty("proposed", text);
  axis.values->setProperty("parameter", static_cast<int>(*parameter));
  axis.values->setText(text);
}

} // namespace lloyd
