// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/race_panel.hpp"

#include "app/model/compute/settings.hpp"
#include "app/model/measure/whole_iteration.hpp"
#include "app/model/race/race_summary_text.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/baseline_menu.hpp"
#include "app/ui/compare/race_table.hpp"

#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lloyd {

namespace {

constexpr int progressHeight = 3; ///< pixels
constexpr int tallFrom = 230;     ///< pixels of height in which there is room for all sentences

/// The button that the workspace is there for, and the thin line of its progress.
constexpr auto barSheet = R"(
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
)";

QString idOf(const std::optional<Candidate>& candidate) {
  return candidate ? Baseline::ofVariant(*candidate).title : unknownText();
}

} // namespace

RacePanel::RacePanel(Session& session, RaceRunner& runner, QWidget* parent)
    : QWidget(parent), session_(session), runner_(runner), table_(new RaceTable(model_, this)),
      raceButton_(new QPushButton(this)), cache_(new QComboBox(this)), budget_(new QDoubleSpinBox(this)),
      baseline_(new BaselineMenu(
          runner, [this] { return currentCandidate(); }, this)),
      pair_(new ElidedLabel(this)), progress_(new QProgressBar(this)), headline_(new ElidedLabel(this)),
      stale_(new ElidedLabel(this)), conditions_(new ElidedLabel(this)) {
  setObjectName(QStringLiteral("racePanel"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  headline_->setHeadline();
  headline_->setObjectName(QStringLiteral("raceHeadline"));
  headline_->setAccessibleName(tr("The race's result"));
  stale_->setObjectName(QStringLiteral("raceStale"));
  conditions_->setObjectName(QStringLiteral("raceConditions"));
  for (ElidedLabel* label : {headline_, stale_, conditions_})
    label->setMostLines(2);
  conditions_->setProperty("dim", true);
  conditions_->setAccessibleName(tr("How the race was run"));
  progress_->setTextVisible(false);
  progress_->setFixedHeight(progressHeight);
  progress_->setAccessibleName(tr("Progress of the race"));

  auto* texts = new QVBoxLayout;
  texts->setContentsMargins(10, 4, 10, 4);
  texts->setSpacing(1);
  auto* first = new QHBoxLayout;
  first->setSpacing(16);
  first->addWidget(headline_, 1);
  first->addWidget(pair_);
  texts->addLayout(first);
  texts->addWidget(stale_);
  texts->addWidget(conditions_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeBar());
  column->addWidget(progress_);
  column->addLayout(texts);
  column->addWidget(table_, 1);
  table_->setMinimumHeight(1);

  connect(&runner_, &RaceRunner::started, this, [this] {
    progress_->setRange(0, 0);
    showState();
    conditions_->setText(tr("Verifying the variants and warming the clock up ..."));
  });
  connect(&runner_, &RaceRunner::progressed, this, &RacePanel::showProgress);
  connect(&runner_, &RaceRunner::updated, this, &RacePanel::takeResult);
  connect(&runner_, &RaceRunner::ended, this, [this] {
    showState();
    showText();
  });
  connect(&model_, &RaceTableModel::ticksChanged, this, &RacePanel::showState);
  connect(baseline_, &BaselineMenu::message, this, &RacePanel::message);
  connect(baseline_, &BaselineMenu::changed, this, [this] {
    model_.setBaseline(baseline_->baseline());
    table_->setBaselineApart(baseline_->baseline().kind > Baseline::Kind::first);
    showText();
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
  bar_->insertWidget(bar_->count() - 1, button);
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
  pair_->setAlignment(Qt::AlignRight | Qt::AlignTop);
  pair_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  pair_->setObjectName(QStringLiteral("racePair"));
  pair_->setAccessibleName(tr("The compared pair"));
  pair_->setToolTip(tr(
      "What the two runs below compute with, A left and B right. Shift+A and Shift+B, or the menu of a row, "
      "choose the pair"));
  auto* row = bar_ = new QHBoxLayout(bar);
  row->setContentsMargins(10, 6, 10, 5);
  row->setSpacing(8);
  for (QWidget* part : std::initializer_list<QWidget*>{raceButton_, cache_, budget_, baseline_})
    row->addWidget(part);
  row->addStretch(1);
  return bar;
}

/// In a low panel the table is worth more than a sentence that the tooltip has, too.
void RacePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  conditions_->setMostLines(height() < tallFrom ? 1 : 2);
}

void RacePanel::renewColours() {
  setStyleSheet(UiTheme::current().styleSheet(barSheet));
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
  model_.setLive(session_.timings().snapshot(), session_.plan());
  showState();
  if (!runner_.running()) showText();
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
  std::vector<Candidate> field = runner_.raceable();
  std::ranges::copy(runner_.schedules(), std::back_inserter(field));
  model_.setField(field, problem, device, session_.why());
  choosePair();
}

void RacePanel::takeResult(const RaceResultPtr& result) {
  model_.setRace(result);
  if (!runner_.running()) choosePair(); // a look on the way may think otherwise a moment later
  showText();
}

void RacePanel::race() {
  if (runner_.running()) return;
  RaceRequest request;
  request.candidates = model_.ticked();
  if (request.candidates.empty()) request.candidates = runner_.raceable();
  request.options.cache = cache_->currentIndex() == 0 ? CacheState::hot : CacheState::cold;
  request.options.budgetSeconds = budget_->value();
  runner_.start(request);
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
  if (progress.toCheck > 0) {
    progress_->setRange(0, 0);
    conditions_->setText(tr("Checking variant %1 of %2 against double precision")
                             .arg(countText(progress.checked + 1), countText(progress.toCheck)));
    return;
  }
  progress_->setRange(0, static_cast<int>(std::max<std::size_t>(1, progress.rounds)));
  progress_->setValue(static_cast<int>(progress.round));
  QString text = tr("Round %1 of %2").arg(countText(progress.round), countText(progress.rounds));
  if (progress.undecided > 0) text += tr(", undecided: %1").arg(countText(progress.undecided));
  text +=
      tr(", at most %1 s left").arg(countText(static_cast<std::uint64_t>(std::ceil(progress.secondsLeft))));
  conditions_->setText(text);
}

QString RacePanel::headline() const { return headline_->text(); }

void RacePanel::showText() {
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
  if (const QString whole = wholeIterationText(*result); !whole.isEmpty())
    conditions = whole + QStringLiteral(". ") + conditions;
  const auto held = [](const RaceEntry& entry) { return entry.delta || entry.isBaseline; };
  if (baseline().kind > Baseline::Kind::first &&
      std::none_of(model_.entries().begin(), model_.entries().end(), held))
    conditions += tr("; nothing here can be held against %1").arg(baseline().title);
  conditions_->setText(conditions);
}

// What a person does with a row of the race: pins it, compares it, uses it, copies it.

namespace {

/// A run in the window has neither a layout nor sets.
bool isOfARun(Stage stage) { return stage != Stage::layout && stage != Stage::sets; }

bool same(const std::optional<Candidate>& a, const std::optional<Candidate>& b) {
  return a.has_value() == b.has_value() && (!a || sameCandidate(*a, *b));
}

} // namespace

const Baseline& RacePanel::baseline() const { return baseline_->baseline(); }

void RacePanel::setBaseline(const Baseline& baseline) { baseline_->choose(baseline); }

void RacePanel::openReport(const QString& path) { baseline_->openReport(path); }

void RacePanel::pinCurrent() { baseline_->pinCurrent(); }

std::optional<Candidate> RacePanel::currentCandidate() const {
  const RaceEntry* entry = table_->currentEntry();
  if (!entry || entry->state == RaceEntry::State::cannot) return std::nullopt;
  return entry->measured ? entry->measured->candidate : entry->candidate;
}

namespace {

/// The fastest of the other variants that were compared at a measurement's stage; null where there is none.
const Measurement* nearestRival(const RaceResult& race, const Measurement& of) {
  const Measurement* nearest = nullptr;
  for (const Measurement& row : race.rows)
    if (row.comparable() && row.candidate.stage == of.candidate.stage &&
        row.candidate.variant != of.candidate.variant &&
        (!nearest || row.times.median < nearest->times.median))
      nearest = &row;
  return nearest;
}

} // namespace

/// A is what the session runs, since nobody asked for another: its one pass, where it has one. B is the
/// fastest of A's stage, where that has a rival, else of the stage where there is most to gain, or what that
/// is held against when A is the fastest itself; before a race the first that can run. What a person chose
/// stays as long as it can run.
void RacePanel::choosePair() {
  const auto runs = [&](const std::optional<Candidate>& wanted) {
    return wanted &&
           std::any_of(model_.entries().begin(), model_.entries().end(), [&](const RaceEntry& entry) {
             return entry.state != RaceEntry::State::cannot && entry.candidate.stage == wanted->stage &&
                    entry.candidate.variant == wanted->variant;
           });
  };
  if (byHand_ && runs(a_) && runs(b_)) return model_.setCompared(a_, b_);
  byHand_ = false;
  if (const RaceResultPtr& result = model_.race()) {
    const auto passes =
        std::count_if(model_.entries().begin(), model_.entries().end(), [](const RaceEntry& entry) {
          return entry.state != RaceEntry::State::cannot && entry.candidate.stage == Stage::fused;
        });
    const bool onePass =
        inUse(Stage::fused).has_value() && passes > 1 && !fastestOf(*result, Stage::fused).empty();
    if (const auto stage = onePass ? Stage::fused : stageOfLargestGain(*result)) {
      const Measurement* best = fastestOf(*result, *stage).front();
      const Measurement* first = firstOfFamily(*best, *result);
      auto own = inUse(*stage);
      if (!own) own = inUse(Stage::fused); // it does that stage, too
      const Measurement* rival = best;
      if (own && own->variant == best->candidate.variant) rival = first;
      // The first of its family, too: then the next behind it.
      if (own && own->variant == rival->candidate.variant) rival = nearestRival(*result, *rival);
      if (own && rival && runs(rival->candidate)) return setPair(own, rival->candidate);
    }
  }
  std::optional<Candidate> a;
  for (const Stage stage : {Stage::fused, Stage::classify, Stage::reduce})
    if (!a) a = inUse(stage);
  std::optional<Candidate> b = a;
  for (const RaceEntry& entry : model_.entries())
    if (a && entry.state != RaceEntry::State::cannot && entry.candidate.stage == a->stage &&
        entry.candidate.variant != a->variant && b->variant == a->variant)
      b = entry.candidate;
  setPair(a, b);
}

namespace {

/// What a side asks for at a stage; empty: it leaves the variant to the program.
const std::string& askedAt(const Selection& asked, Stage stage) {
  static const std::string open;
  switch (stage) {
  case Stage::classify:
    return asked.classify;
  case Stage::reduce:
    return asked.reduce;
  case Stage::fused:
    return asked.fused;
  case Stage::update:
    return asked.update;
  default:
    return open;
  }
}

/// Whether a side computes with the candidate, or will once it has taken up what it asks for.
bool computesWith(const SideRun& side, const Candidate& candidate) {
  const std::string& asked = askedAt(side.asked, candidate.stage);
  return asked.empty() ? side.plan.of(candidate.stage) == candidate.variant
                       : asked == candidate.variant->id();
}

} // namespace

void RacePanel::followRuns(const SideRun& a, const SideRun& b) {
  const auto follow = [&](const std::optional<Candidate>& shown, const SideRun& side) {
    if (!shown || side.plan == Plan{} || computesWith(side, *shown)) return shown;
    for (const Stage stage : {shown->stage, Stage::fused, Stage::classify, Stage::reduce})
      if (const auto runs = candidateOf(stage, side.plan.of(stage)); runs && computesWith(side, *runs))
        return runs;
    return shown;
  };
  const auto nextA = follow(a_, a);
  const auto nextB = follow(b_, b);
  if (same(nextA, a_) && same(nextB, b_)) return;
  byHand_ = true; // the choosers of the two runs are a person's hand, too
  a_ = nextA;
  b_ = nextB;
  model_.setCompared(a_, b_);
  showText();
  if (a_ && b_) Q_EMIT followed(*a_, *b_);
}

/// The candidate that the session runs at a stage; none before it has a plan.
std::optional<Candidate> RacePanel::inUse(Stage stage) const {
  return candidateOf(stage, session_.plan().of(stage));
}

std::optional<Candidate> RacePanel::candidateOf(Stage stage, const Variant* variant) const {
  for (const RaceEntry& entry : model_.entries())
    if (variant && entry.state != RaceEntry::State::cannot && entry.candidate.stage == stage &&
        entry.candidate.variant == variant)
      return entry.candidate;
  return std::nullopt;
}

void RacePanel::setPair(const std::optional<Candidate>& a, const std::optional<Candidate>& b) {
  const bool isNew = !same(a, a_) || !same(b, b_);
  a_ = a;
  b_ = b;
  model_.setCompared(a_, b_);
  if (!isNew) return;
  showText();
  if (a_ && b_) Q_EMIT compared(*a_, *b_);
}

void RacePanel::setA(const Candidate& candidate) {
  byHand_ = true;
  setPair(candidate, b_ ? b_ : candidate);
}

void RacePanel::setB(const Candidate& candidate) {
  byHand_ = true;
  setPair(a_ ? a_ : candidate, candidate);
}

void RacePanel::compareCurrentAs(QChar letter) {
  const auto candidate = currentCandidate();
  if (!candidate) return Q_EMIT message(tr("This row cannot be compared"), false);
  letter == QLatin1Char('A') ? setA(*candidate) : setB(*candidate);
}

/// The session goes on with the variant. A race would be disturbed by the iterations that this may start.
void RacePanel::useCurrent() {
  const auto candidate = currentCandidate();
  if (!candidate || !isOfARun(candidate->stage) || runner_.running()) return;
  Settings settings = session_.settings();
  settings.selection =
      withVariant(settings.selection, session_.plan(), candidate->stage, *candidate->variant);
  session_.setSettings(settings);
}

void RacePanel::copy() {
  QGuiApplication::clipboard()->setText(model_.text());
  Q_EMIT message(tr("The race's table was copied, tab-separated"), false);
}

void RacePanel::openMenu(const QPoint& place) {
  const QModelIndex at = table_->indexAt(place);
  if (at.isValid()) table_->setCurrentIndex(at.siblingAtColumn(0));
  const auto candidate = currentCandidate();
  const RaceEntry* entry = table_->currentEntry();
  QMenu menu(this);
  const auto add = [&](const QString& text, bool enabled, const auto& chosen) {
    QAction* action = menu.addAction(text);
    action->setEnabled(enabled);
    connect(action, &QAction::triggered, this, chosen);
    return action;
  };
  const bool can = candidate.has_value();
  add(tr("Compare as A") + QStringLiteral("\tShift+A"), can, [this] { compareCurrentAs(QLatin1Char('A')); });
  add(tr("Compare as B") + QStringLiteral("\tShift+B"), can, [this] { compareCurrentAs(QLatin1Char('B')); });
  add(tr("Pin as baseline, or let go") + QStringLiteral("\tB"), can, [this] { pinCurrent(); });
  add(tr("Use in the run") + QStringLiteral("\tEnter"),
      can && isOfARun(candidate->stage) && !runner_.running(), [this] { useCurrent(); });
  menu.addSeparator();
  if (entry)
    add(tr("Tick this stage alone"), can,
        [this, stage = entry->candidate.stage] { model_.tickStage(stage); });
  add(tr("Tick all"), true, [this] { model_.tickAll(true); });
  add(tr("Tick none"), true, [this] { model_.tickAll(false); });
  menu.addSeparator();
  QAction* all = add(tr("Show all columns"), true, [this] { table_->setShowsAll(!table_->showsAll()); });
  all->setCheckable(true);
  all->setChecked(table_->showsAll());
  add(tr("Copy the table") + QStringLiteral("\tCtrl+C"), true, [this] { copy(); });
  menu.exec(table_->viewport()->mapToGlobal(place));
}

} // namespace lloyd
