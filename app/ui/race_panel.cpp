// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/race_panel.hpp"

#include "app/model/number_text.hpp"
#include "app/model/race_words.hpp"
#include "app/ui/elided_label.hpp"
#include "app/ui/race_baseline_menu.hpp"
#include "app/ui/race_table.hpp"
#include "app/ui/theme.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lloyd {

namespace {

constexpr int progressHeight = 3; ///< pixels

/// The button that the workspace is there for, and the thin line of its progress.
QString styleSheetOf(const UiTheme& theme) {
  QString sheet = QStringLiteral(R"(
QPushButton#race { background: %accent; color: %onAccent; border: 2px solid %accent; border-radius: 4px;
                   padding: 4px 14px; font-weight: bold; }
QPushButton#race:hover, QPushButton#race:focus { border-color: %text; }
QPushButton#race:disabled { background: %control; color: %dim; border-color: %line; }
QPushButton#race[running="true"] { background: %control; color: %text; border-color: %accent; }
QProgressBar { background: %line; border: none; }
QProgressBar::chunk { background: %accent; }
QToolButton#baseline { padding: 4px 18px 4px 8px; border: 1px solid %line; border-radius: 4px; background: %control; }
QToolButton#baseline:hover, QToolButton#baseline:focus { border-color: %accent; }
QToolButton#baseline::menu-indicator { subcontrol-position: right center; right: 5px; }
)");
  const std::pair<const char*, QColor> names[] = {{"%onAccent", theme.onAccent}, {"%line", theme.line},
                                                  {"%control", theme.control},   {"%accent", theme.accent},
                                                  {"%text", theme.text},         {"%dim", theme.dim}};
  for (const auto& [name, colour] : names)
    sheet.replace(QLatin1String(name), colour.name());
  return sheet;
}

QString idOf(const std::optional<Candidate>& candidate) {
  return candidate ? Baseline::ofVariant(*candidate).title : unknownText();
}

} // namespace

RacePanel::RacePanel(Session& session, RaceRunner& runner, QWidget* parent)
    : QWidget(parent), session_(session), runner_(runner), table_(new RaceTable(model_, this)),
      raceButton_(new QPushButton(this)), cache_(new QComboBox(this)), budget_(new QDoubleSpinBox(this)),
      baseline_(new RaceBaselineMenu(
          runner, [this] { return currentCandidate(); }, this)),
      pair_(new ElidedLabel(this)), progress_(new QProgressBar(this)), headline_(new ElidedLabel(this)),
      stale_(new ElidedLabel(this)), conditions_(new ElidedLabel(this)) {
  setObjectName(QStringLiteral("racePanel"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  QFont large = font();
  large.setBold(true);
  large.setPointSizeF(large.pointSizeF() * 1.15);
  headline_->setFont(large);
  headline_->setObjectName(QStringLiteral("raceHeadline"));
  headline_->setAccessibleName(tr("The race's result"));
  stale_->setObjectName(QStringLiteral("raceStale"));
  conditions_->setObjectName(QStringLiteral("raceConditions"));
  conditions_->setProperty("dim", true);
  conditions_->setAccessibleName(tr("How the race was run"));
  progress_->setTextVisible(false);
  progress_->setFixedHeight(progressHeight);
  progress_->setAccessibleName(tr("Progress of the race"));

  auto* words = new QVBoxLayout;
  words->setContentsMargins(10, 4, 10, 4);
  words->setSpacing(1);
  words->addWidget(headline_);
  words->addWidget(stale_);
  words->addWidget(conditions_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeBar());
  column->addWidget(progress_);
  column->addLayout(words);
  column->addWidget(table_, 1);

  connect(&runner_, &RaceRunner::started, this, [this] {
    progress_->setRange(0, 0);
    showState();
    conditions_->setText(tr("Verifying the variants and warming the clock up ..."));
  });
  connect(&runner_, &RaceRunner::progressed, this, &RacePanel::showProgress);
  connect(&runner_, &RaceRunner::updated, this, &RacePanel::takeResult);
  connect(&runner_, &RaceRunner::ended, this, [this] {
    showState();
    showWords();
  });
  connect(&model_, &RaceModel::ticksChanged, this, &RacePanel::showState);
  connect(baseline_, &RaceBaselineMenu::message, this, &RacePanel::message);
  connect(baseline_, &RaceBaselineMenu::changed, this, [this] {
    model_.setBaseline(baseline_->baseline());
    table_->setBaselineApart(baseline_->baseline().kind > Baseline::Kind::first);
    showWords();
    Q_EMIT baselineChanged();
  });
  connect(table_, &RaceTable::pinned, this, &RacePanel::pinCurrent);
  connect(table_, &RaceTable::compareAs, this, &RacePanel::compareCurrentAs);
  connect(table_, &RaceTable::used, this, &RacePanel::useCurrent);
  connect(table_, &RaceTable::copyWanted, this, &RacePanel::copy);
  connect(table_, &QWidget::customContextMenuRequested, this, &RacePanel::openMenu);
  renewColours();
  if (runner_.last()) takeResult(runner_.last());
  refresh();
  showState();
}

void RacePanel::addTool(QAction* action, const QString& label) {
  auto* button = new QPushButton(label, this);
  button->setToolTip(action->toolTip());
  button->setAccessibleName(action->text());
  button->setEnabled(action->isEnabled());
  connect(button, &QPushButton::clicked, action, &QAction::trigger);
  connect(action, &QAction::changed, button, [action, button] {
    button->setEnabled(action->isEnabled());
    button->setToolTip(action->toolTip());
  });
  bar_->insertWidget(bar_->indexOf(pair_), button);
}

QWidget* RacePanel::makeBar() {
  auto* bar = new QWidget(this);
  raceButton_->setObjectName(QStringLiteral("race"));
  connect(raceButton_, &QPushButton::clicked, this, [this] { runner_.running() ? cancel() : race(); });
  cache_->addItem(tr("Hot caches"));
  cache_->addItem(tr("Cold caches"));
  cache_->setAccessibleName(tr("Caches"));
  cache_->setToolTip(
      tr("Hot: the caches hold what the launch before left there, as in an iterating run. Cold: "
         "before each sample as much memory as fits in them is overwritten"));
  budget_->setRange(1, 3600);
  budget_->setDecimals(0);
  budget_->setValue(RaceOptions{}.budgetSeconds);
  budget_->setPrefix(tr("at most "));
  budget_->setSuffix(tr(" s"));
  budget_->setAccessibleName(tr("Budget in seconds"));
  budget_->setToolTip(
      tr("Variants that cannot be told apart yet are sampled on for at most this many seconds"));
  pair_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  pair_->setObjectName(QStringLiteral("racePair"));
  pair_->setAccessibleName(tr("The compared pair"));
  pair_->setToolTip(tr("What is compared below. Shift+A and Shift+B, or the menu of a row, choose the pair"));
  auto* row = bar_ = new QHBoxLayout(bar);
  row->setContentsMargins(10, 6, 10, 5);
  row->setSpacing(8);
  for (QWidget* part : std::initializer_list<QWidget*>{raceButton_, cache_, budget_, baseline_})
    row->addWidget(part);
  row->addWidget(pair_, 1);
  return bar;
}

void RacePanel::renewColours() {
  setStyleSheet(styleSheetOf(UiTheme::current()));
  QPalette alert = stale_->palette();
  alert.setColor(QPalette::WindowText, UiTheme::current().alert);
  stale_->setPalette(alert);
  table_->viewport()->update();
}

void RacePanel::setShown(bool shown) {
  shown_ = shown;
  if (shown) refresh();
}

void RacePanel::refresh() {
  if (!shown_) return;
  takeField();
  const bool otherPlan = session_.plan() != plan_;
  plan_ = session_.plan();
  if (otherPlan && !runner_.running()) choosePair();
  model_.setLive(session_.timings(), session_.plan());
  showState();
  if (!runner_.running()) showWords();
}

/// Lists the variants again where what can run may have become another thing.
void RacePanel::takeField() {
  const SharedPointSet points = session_.data();
  const Problem problem = points ? Problem{points->n, points->d, session_.settings().k} : Problem{};
  const DeviceInfo& device = session_.device();
  const Tuning& tuning = session_.settings().selection.tuning;
  const bool known = problem == problem_ && device.backend == device_.backend &&
                     device.name == device_.name && tuning == tuning_;
  if (!points || device.name.empty() || (known && model_.rowCount() > 0)) return;
  problem_ = problem;
  device_ = device;
  tuning_ = tuning;
  model_.setField(runner_.raceable(), problem, device, session_.why());
  choosePair();
}

void RacePanel::takeResult(const RaceResultPtr& result) {
  model_.setRace(result);
  if (!runner_.running()) choosePair(); // a look on the way may think otherwise a moment later
  showWords();
}

void RacePanel::race() {
  if (runner_.running()) return;
  RaceWish wish;
  wish.candidates = model_.ticked();
  if (wish.candidates.empty()) wish.candidates = runner_.raceable();
  wish.options.cache = cache_->currentIndex() == 0 ? CacheState::hot : CacheState::cold;
  wish.options.budgetSeconds = budget_->value();
  runner_.start(wish);
}

void RacePanel::cancel() { runner_.cancel(); }

void RacePanel::showState() {
  const bool running = runner_.running();
  const auto count = model_.ticked().size();
  raceButton_->setText(running      ? tr("Cancel")
                       : count == 0 ? tr("Race all")
                                    : tr("Race %1 ticked").arg(count));
  const QString why = running ? QString() : runner_.whyNot();
  raceButton_->setEnabled(why.isEmpty());
  raceButton_->setToolTip(
      running ? tr("Ends the race; what was measured is kept")
      : !why.isEmpty()
          ? why
          : tr("Times the variants in turns on these data, verifies them first, and ranks them"));
  if (raceButton_->property("running").toBool() != running) {
    raceButton_->setProperty("running", running);
    renewColours(); // a style sheet looks at properties only then
  }
  cache_->setEnabled(!running);
  budget_->setEnabled(!running);
  if (running) return;
  progress_->setRange(0, 1);
  progress_->setValue(0);
}

void RacePanel::showProgress(const RaceProgress& progress) {
  progress_->setRange(0, static_cast<int>(std::max<std::size_t>(1, progress.rounds)));
  progress_->setValue(static_cast<int>(progress.round));
  QString text = tr("Round %1 of %2").arg(countText(progress.round), countText(progress.rounds));
  if (progress.undecided > 0) text += tr(", undecided: %1").arg(countText(progress.undecided));
  text += tr(", %1 s left").arg(significantText(progress.secondsLeft, 2));
  conditions_->setText(text);
}

QString RacePanel::headline() const { return headline_->text(); }

void RacePanel::showWords() {
  const RaceResultPtr& result = model_.race();
  const QString changed = result ? runner_.whatChanged() : QString();
  stale_->setVisible(!changed.isEmpty());
  stale_->setText(
      tr("Not of what the window shows now: in this race %1. Race again for new times").arg(changed));
  pair_->setText(tr("A  %1     B  %2").arg(idOf(a_), idOf(b_)));
  if (!result) {
    const QString why = runner_.whyNot();
    headline_->setText(tr("No race yet"));
    if (runner_.running()) return;
    conditions_->setText(!why.isEmpty()
                             ? why
                             : tr("A race times the variants in turns, so that differences of a few "
                                  "per cent can be believed; times shown now are live"));
    return;
  }
  const auto stage = byHand_ && b_ && !fastestOf(*result, b_->stage).empty() ? std::optional(b_->stage)
                                                                             : stageOfLargestGain(*result);
  const QString text = stage ? raceHeadline(*result, *stage) : QString();
  headline_->setText(text.isEmpty() ? tr("No variant could be ranked") : text);
  if (runner_.running()) return;
  QString conditions = raceConditionsText(*result);
  const auto held = [](const RaceEntry& entry) { return entry.delta || entry.isBaseline; };
  if (baseline().kind > Baseline::Kind::first &&
      std::none_of(model_.entries().begin(), model_.entries().end(), held))
    conditions += tr("; nothing here can be held against %1").arg(baseline().title);
  conditions_->setText(conditions);
}

} // namespace lloyd
