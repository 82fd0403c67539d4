// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/teach_workspace.hpp"

#include "app/model/compute/settings.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/model/teach/lesson/experiment.hpp"
#include "app/model/teach/lesson/lesson.hpp"
#include "app/model/teach/steps/step_texts.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/common/keyboard.hpp"
#include "app/ui/teach/block/block_view.hpp"
#include "app/ui/teach/colour_by_bar.hpp"
#include "app/ui/teach/counter_table.hpp"
#include "app/ui/teach/half_step_bar.hpp"
#include "app/ui/teach/lesson_view.hpp"
#include "app/ui/teach/memory_view.hpp"
#include "app/ui/teach/predict_panel.hpp"
#include "app/ui/teach/source_view.hpp"
#include "app/ui/teach/teach_panel.hpp"
#include "app/ui/teach/variant_chooser.hpp"
#include "app/ui/view/viewport.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <QAction>
#include <QApplication>
#include <QFontDatabase>
#include <QLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lloyd {

namespace {

constexpr double leastPoints = 11;   ///< of the text: legible from the back row of a small room
constexpr double largePoints = 13.5; ///< in a window that has the room
constexpr int largeFrom = 2200;      ///< pixels of the window's width
constexpr double titleSize = 1.25;   ///< of a title, times the text's
constexpr int mostSteps = 8;
constexpr double barsPart = 0.235; ///< of the window's width, at the most
constexpr double leastBarPoints = 9;

/// What iterates where no pass does all: "classify.v7 and reduce.v7".
QString passesText(const Plan& plan) {
  const Variant* classify = plan.of(Stage::classify);
  const Variant* reduce = plan.of(Stage::reduce);
  if (!classify || !reduce) return {};
  return QObject::tr("%1 and %2")
      .arg(QString::fromStdString(classify->id()), QString::fromStdString(reduce->id()));
}

const DeviceInfo& simulator() {
  static const DeviceInfo info = simt::createSimtDevice()->info();
  return info;
}

QString sheetOf(double points) {
  return QStringLiteral(
             "QWidget { font-size: %1pt; } QLabel#teachTitle { font-size: %2pt; font-weight: bold; }"
             "QPlainTextEdit#source { font-family: '%3'; }")
      .arg(points)
      .arg(points * titleSize)
      .arg(QFontDatabase::systemFont(QFontDatabase::FixedFont).family());
}

/// Whether an iteration of the session has the stage.
bool isIterated(Stage stage) {
  return stage != Stage::layout && stage != Stage::iterate && stage != Stage::sets;
}

bool isListed(Stage stage, const Variant& variant) {
  const std::vector<const Variant*> variants = taughtVariants(stage);
  return std::ranges::find(variants, &variant) != variants.end();
}

bool iteratesKernels(Backend backend) { return backend == Backend::cuda || backend == Backend::simt; }

/// A trial's verdict names one of its many inputs; what is gone through is another, and always the same.
/// key: of what shows its text again.
QString trialNote(const CountInput* input, const QString& key) {
  if (!input) return {};
  const Problem& problem = input->problem;
  return TeachWorkspace::tr(
             "On the trial's own %1 points, D = %2, K = %3; the verdict's case may be another. "
             "%4 leads back to the text")
      .arg(countText(problem.n))
      .arg(problem.d)
      .arg(problem.k)
      .arg(key);
}

/// What each line of the shown files asked, by its place in the view.
std::map<int, simt::Counters> linesOf(const StageCount& count) {
  std::map<int, simt::Counters> lines;
  if (!count.trace) return lines;
  const SourceText source = sourceOf(*count.variant);
  for (const simt::Trace::Line& line : count.trace->lines) {
    const int at = source.lineOf(QString::fromStdString(line.file), line.line);
    if (at >= 0) lines[at + 1] += line.counters;
  }
  return lines;
}

} // namespace

TeachWorkspace::TeachWorkspace(Session& session, const DeviceLease& lease, const Actions& actions,
                               Viewport* viewport, QWidget* window)
    : QObject(window), session_(session), trace_(session, lease), requests_(lease),
      replays_(requests_, lease), window_(window), viewport_(viewport),
      chooser_(
          new VariantChooser(actions[ActionId::previousVariant], actions[ActionId::nextVariant], window)),
      source_(new SourceView(window)), counters_(new CounterTable(window)), memory_(new MemoryView(window)),
      block_(new BlockView(window)), lesson_(new LessonView(window)),
      predict_(new PredictPanel(lease, window)), steps_(new HalfStepBar(session, actions, window)),
      colours_(new ColourByBar(session, trace_, actions, viewport, window)),
      panel_(new TeachPanel(chooser_, source_, counters_, memory_, lesson_, actions, window)) {
  connect(chooser_, &VariantChooser::chosen, this,
          [this](Stage stage, const Variant* variant) { choose(stage, *variant); });
  connect(chooser_, &VariantChooser::simulatorRequested, this, &TeachWorkspace::useSimulator);
  connect(counters_, &CounterTable::chosen, this,
          [this](const Variant* variant) { choose(trace_.subject().stage, *variant); });
  connect(&trace_, &CounterService::counted, this, &TeachWorkspace::showCounts);
  editKey_ = actions[ActionId::editKernel]->shortcut().toString(QKeySequence::NativeText);
  connect(actions[ActionId::countAgain], &QAction::triggered, &trace_, &CounterService::countAgain);
  connect(actions[ActionId::largerText], &QAction::triggered, this, [this] { setTextStep(textStep_ + 1); });
  connect(actions[ActionId::smallerText], &QAction::triggered, this, [this] { setTextStep(textStep_ - 1); });
  connect(panel_, &TeachPanel::arranged, this, &TeachWorkspace::arranged);
  connect(lesson_, &LessonView::setupAsked, this, &TeachWorkspace::setUp);
  connect(actions[ActionId::dataLesson], &QAction::triggered, this, [this, &actions] {
    lesson_->showPage(QStringLiteral("data"));
    if (!actions[ActionId::lessonPane]->isChecked()) actions[ActionId::lessonPane]->trigger();
  });
  chooser_->setWhyNot([this](Stage stage, const Variant& variant) {
    const auto why =
        session_.device().name.empty() ? std::nullopt : whyNot(stage, variant, session_.device());
    return why ? QString::fromStdString(*why) : QString();
  });
  connectSession();
  connectMemory();
  connectBlock(actions[ActionId::blockTab]);
  connectPredict(*actions[ActionId::hideCounters], actions[ActionId::predictTab]);
  applyFont();
  const Stage first = taughtStages().front();
  setSubject(first, *taughtVariants(first).front());
}

void TeachWorkspace::connectSession() {
  for (const auto signal : {&Session::pathChanged, &Session::settingsChanged, &Session::dataChanged})
    connect(&session_, signal, this, &TeachWorkspace::renewReasons);
  connect(&session_, &Session::pathChanged, this, [this] {
    if (std::exchange(pending_, false)) useInSession();
    counters_->showCard(session_.device().name, trace_.subject());
    followPlan();
    showUse();
    showFigures();
  });
  connect(&session_, &Session::settingsChanged, this, [this] {
    TeachSubject subject = trace_.subject();
    subject.tuning = launch();
    if (!showsWrong()) trace_.setSubject(subject);
    showUse();
  });
  connect(&session_, &Session::dataChanged, this, [this] {
    if (!(session_.request() == experimentRequest_)) experimentLaunch_ = {};
    counters_->showPoints(session_.data() || showsWrong());
    showUse();
  });
}

void TeachWorkspace::connectMemory() {
  connect(source_, &SourceView::lineAsked, this, &TeachWorkspace::showMemoryOf);
  connect(memory_, &MemoryView::wanted, this, [this](std::uint32_t block) {
    const std::shared_ptr<const TeachCounts> counts = trace_.counts();
    if (counts && counts->subject == trace_.subject()) requests_.look(counts->input, block);
  });
  connect(&requests_, &MemoryService::looking, memory_, &MemoryView::showLooking);
  connect(&requests_, &MemoryService::looked, this, [this] { memory_->showFound(requests_.found()); });
}

/// Memory and steps are of one block, so that one run of the simulator serves both.
void TeachWorkspace::connectBlock(QAction* open) {
  panel_->addMeasure(block_, tr("Block"), open, true);
  connect(block_, &BlockView::wanted, this, [this](std::uint32_t block) {
    const std::shared_ptr<const TeachCounts> counts = trace_.counts();
    if (counts && counts->subject == trace_.subject()) replays_.look(counts->input, block);
  });
  connect(&replays_, &BlockService::looking, block_, &BlockView::showLooking);
  connect(&replays_, &BlockService::looked, this, [this] {
    block_->showFound(replays_.found());
    if (std::exchange(goingToTrouble_, false)) {
      block_->goToTrouble();
      keysOf(*block_)->setFocus(); // which an empty view could not take
    }
  });
  connect(block_, &BlockView::linesShown, source_, &SourceView::setMarked);
}

void TeachWorkspace::connectPredict(const QAction& hide, QAction* open) {
  panel_->addMeasure(predict_, tr("Predict"), open);
  connect(lesson_, &LessonView::pageShown, predict_, &PredictPanel::showPage);
  const auto apply = [this, &hide] {
    // Nothing is hidden where nothing is asked: of a wrong version, and of one without a lesson.
    const bool asks = predict_->asks() && !showsWrong();
    const bool switched = hide.isChecked() && asks;
    // Nor are answers to stand beside the questions; whoever would rather see them turns to another tab.
    const bool asked = panel_->isFront(predict_) && asks;
    predict_->setKept(hide.isChecked());
    counters_->setHidden(switched || asked);
    source_->setHidden(switched || asked);
    panel_->offerMemory(!switched);
  };
  connect(&hide, &QAction::toggled, this, apply);
  connect(predict_, &PredictPanel::openChanged, this, apply);
  connect(panel_, &TeachPanel::turned, this, apply);
  connect(panel_, &TeachPanel::arranged, this, apply);
  connect(panel_, &TeachPanel::arranged, predict_, &PredictPanel::orderKeys);
  connect(open, &QAction::triggered, predict_, &PredictPanel::takeKeys);
}

/// line: of the text, from 1.
void TeachWorkspace::showMemoryOf(int line) {
  const SourceText source = sourceOf(*trace_.subject().variant);
  for (const SourceText::Part& part : source.parts)
    if (line > part.first && line <= part.first + part.count)
      memory_->showLine({part.path, source.numberOf(line - 1), source.lines[line - 1]});
  panel_->showMemory();
}

QWidget* TeachWorkspace::side() const { return panel_; }
QWidget* TeachWorkspace::below() const { return panel_->lessonHome(); }
bool TeachWorkspace::belowEmpty() const { return panel_->lessonAway(); }
bool TeachWorkspace::alone() const { return panel_->alone().has_value(); }
QWidget* TeachWorkspace::above() const { return colours_; }
QWidget* TeachWorkspace::steps() const { return steps_; }

void TeachWorkspace::setShown(bool shown) {
  shown_ = shown;
  colours_->setActive(shown);
  trace_.setActive(shown);
  if (!shown) return fitCanvas();
  followPlan();
  refresh();
}

void TeachWorkspace::setSubject(Stage stage, const Variant& variant) {
  if (trace_.subject().variant != &variant) experimentLaunch_ = {}; // was the other's
  show({stage, &variant, versionBefore(stage, variant), launch()}, nullptr);
}

void TeachWorkspace::showWrong(std::shared_ptr<const CountInput> input, std::uint32_t block,
                               const Variant* copied) {
  const TeachSubject subject = input->subject;
  const bool known = copied && isListed(subject.stage, *copied);
  const Variant* shown = trace_.subject().stage == subject.stage ? &listed() : nullptr;
  home_ = known ? copied : shown ? shown : taughtVariants(subject.stage).front();
  show(subject, std::move(input));
  block_->setBlock(block);
  goingToTrouble_ = true;
}

void TeachWorkspace::leaveWrong() {
  if (!showsWrong()) return;
  const TeachSubject wrong = trace_.subject();
  const Variant* before = versionBefore(wrong.stage, *wrong.variant);
  setSubject(wrong.stage, before ? *before : *taughtVariants(wrong.stage).front());
}

void TeachWorkspace::sayWrongIsEarlier() {
  if (!showsWrong()) return;
  block_->setNote(tr("This is of an earlier text: what was saved last cannot be gone through. ") +
                  trialNote(trace_.ownInput().get(), editKey_));
}

void TeachWorkspace::show(const TeachSubject& subject, std::shared_ptr<const CountInput> ownInput) {
  const TeachSubject before = trace_.subject();
  const bool sameInput = trace_.ownInput() == ownInput;
  trace_.setSubject(subject, std::move(ownInput));
  if (before.variant == subject.variant && before.stage == subject.stage && sameInput) return;
  goingToTrouble_ = false;
  const SourceComparison comparison = compareSources(*subject.variant, subject.before);
  source_->showSource(comparison);
  panel_->showDifference(comparison, subject);
  lesson_->showLesson(*subject.variant);
  renewVariants();
  counters_->showCounting(subject, session_.data() || showsWrong());
  predict_->showSubject(subject);
  requests_.forget();
  memory_->clear();
  replays_.forget();
  block_->clear();
  block_->setNote(trialNote(trace_.ownInput().get(), editKey_));
  showUse();
  showFigures();
}

void TeachWorkspace::choose(Stage stage, const Variant& variant) {
  setSubject(stage, variant);
  useInSession();
}

bool TeachWorkspace::choose(const std::string& id) {
  if (!lookAt(id)) return false;
  useInSession();
  return true;
}

bool TeachWorkspace::lookAt(const std::string& id, std::string_view stage) {
  std::optional<Stage> at;
  const Variant* found = nullptr;
  for (const Stage one : taughtStages()) {
    for (const Variant* variant : taughtVariants(one)) {
      if (variant->id() != id || (at && name(one) != stage)) continue;
      at = one;
      found = variant;
    }
  }
  if (!found) return false;
  named_ = true;
  setSubject(*at, *found);
  return true;
}

QString TeachWorkspace::use(Stage stage, const Variant& variant) {
  choose(stage, variant);
  const QString id = QString::fromStdString(variant.id());
  const bool kernels = iteratesKernels(session_.device().backend);
  if (!session_.data()) return tr("Teach shows %1 now; the run uses it once there are points").arg(id);
  if (!isIterated(stage)) return tr("Teach shows %1 now: it is no part of an iteration").arg(id);
  if (const auto why = whyNot(stage, variant, kernels ? session_.device() : simulator()))
    return tr("Teach shows %1 now, and the run goes on without it: %2").arg(id, QString::fromStdString(*why));
  if (!kernels) useSimulator();
  return kernels && session_.device().backend == Backend::cuda
             ? tr("The run uses %1 now").arg(id)
             : tr("The run uses %1 now, on the SIMT simulator").arg(id);
}

const Variant& TeachWorkspace::listed() const { return showsWrong() ? *home_ : *trace_.subject().variant; }

const Variant* TeachWorkspace::neighbour(int direction) const {
  const std::vector<const Variant*> variants = taughtVariants(trace_.subject().stage);
  const auto at = std::ranges::find(variants, &listed());
  if (at == variants.end()) return nullptr;
  const auto next = (at - variants.begin()) + direction;
  if (next < 0 || next >= static_cast<std::ptrdiff_t>(variants.size())) return nullptr;
  return variants[static_cast<std::size_t>(next)];
}

bool TeachWorkspace::step(int direction) {
  const Variant* next = neighbour(direction);
  if (next) choose(trace_.subject().stage, *next);
  return next != nullptr;
}

void TeachWorkspace::renewVariants() {
  chooser_->showSubject(trace_.subject());
  chooser_->offerSteps(neighbour(-1) != nullptr, neighbour(1) != nullptr);
  counters_->renewStep();
}

/// The reason why the session cannot iterate with the variant on a device.
std::optional<std::string> TeachWorkspace::whyNot(Stage stage, const Variant& variant,
                                                  const DeviceInfo& device) const {
  const SharedPointSet data = session_.data();
  if (!data) return std::nullopt;
  const std::size_t most = device.backend == Backend::simt ? Session::simulatorPoints : data->n;
  const Problem problem{std::min(data->n, most), data->d, session_.settings().k};
  return variant.whyNot(stage, problem, device, tuningParametersFor(variant, trace_.subject().tuning));
}

void TeachWorkspace::useInSession() {
  const TeachSubject& subject = trace_.subject();
  if (showsWrong()) return;
  if (session_.device().name.empty()) {
    pending_ = true;
    return;
  }
  const bool can = isIterated(subject.stage) && session_.data() &&
                   !whyNot(subject.stage, *subject.variant, session_.device());
  if (can && session_.plan().of(subject.stage) != subject.variant) {
    Settings settings = session_.settings();
    settings.selection = withVariant(settings.selection, session_.plan(), subject.stage, *subject.variant);
    session_.setSettings(settings);
  }
  showUse();
}

void TeachWorkspace::useSimulator() {
  const TeachSubject& subject = trace_.subject();
  Settings settings = session_.settings();
  settings.backend = BackendRequest::simt;
  settings.selection = withVariant({}, {}, subject.stage, *subject.variant);
  session_.setSettings(settings);
}

/// Points, k and launch as the lesson speaks of them. A run that waits goes on waiting, so that the reader
/// sees its first step.
void TeachWorkspace::setUp(const QString& text) {
  const auto experiment = readExperiment(text);
  if (!experiment) return Q_EMIT session_.message(experiment.error(), true);
  const bool playing = session_.playing();
  experimentLaunch_ = experiment->tuning;
  experimentRequest_ = experiment->request;
  Settings settings = withExperiment(session_.settings(), *experiment);
  // What iterates on processors has no launch; the counters have it all the same.
  if (!iteratesKernels(session_.device().backend)) settings.selection.tuning = {};
  session_.setSettings(settings);
  session_.open(experiment->request);
  if (playing) session_.play();
}

/// The person's tuning, and the experiment's where the person has none.
Tuning TeachWorkspace::launch() const {
  Tuning tuning = session_.settings().selection.tuning;
  for (const std::string_view parameter : tuningParameters)
    if (tuning.value(parameter) == 0) tuning.set(parameter, experimentLaunch_.value(parameter));
  return tuning;
}

void TeachWorkspace::renewReasons() { chooser_->renewReasons(); }

/// A variant chosen elsewhere, on the ladder for example, is looked at here too.
void TeachWorkspace::followPlan() {
  if (!shown_ || !following_) return;
  const Stage stage = trace_.subject().stage;
  const Variant* used = session_.plan().of(stage);
  const Variant* before = std::exchange(seenPlan_, session_.plan()).of(stage);
  if (!used || used == before || used == trace_.subject().variant) return;
  if (!before && named_) return; // the first plan is nobody's choice, and the subject is
  if (!isListed(stage, *used)) return;
  if (iteratesKernels(session_.device().backend)) setSubject(stage, *used);
}

void TeachWorkspace::showCounts() {
  const std::shared_ptr<const TeachCounts> counts = trace_.counts();
  if (!counts || counts->subject.variant != trace_.subject().variant) return;
  predict_->showCounts(counts); // decides first whether the numbers are seen
  counters_->showCounts(*counts);
  source_->setCounters(linesOf(counts->now));
  panel_->fitPanes(); // badges are as wide as their numbers
  memory_->renew();
  block_->renew();
}

void TeachWorkspace::showRace(const RaceResultPtr& race) { counters_->showRace(race, trace_.subject()); }

void TeachWorkspace::showUse() {
  const TeachSubject& subject = trace_.subject();
  if (!subject.variant) return;
  if (showsWrong())
    return chooser_->showWrong(
        tr("This version is wrong: it is in no list, and nothing iterates or races with "
           "it. The next one that is saved and right takes its place here"));
  const Backend backend = session_.device().backend;
  const Variant* used = session_.plan().of(subject.stage);
  if (!used) used = session_.plan().fused;
  const QString id = used                            ? QString::fromStdString(used->id())
                     : subject.stage == Stage::fused ? passesText(session_.plan())
                                                     : QString();
  if (subject.stage == Stage::layout)
    return chooser_->showUse(tr("Layout happens once, when records arrive: it is no part of an iteration"),
                             false);
  if (subject.stage == Stage::sets)
    return chooser_->showUse(tr("The points here are one set; Compare races schedules of several, and "
                                "lloydscope run --schedule runs them"),
                             false);
  if (subject.stage == Stage::iterate)
    return chooser_->showUse(
        tr("The window makes one iteration a frame; lloydscope run --schedule has the device repeat them"),
        false);
  if (session_.device().name.empty() || id.isEmpty())
    return chooser_->showUse(tr("Nothing iterates yet"), false);
  if (used == subject.variant)
    return chooser_->showUse(
        backend == Backend::simt  ? tr("The points are iterated with this kernel, on the SIMT simulator")
        : backend == Backend::cpu ? tr("The points are iterated with this variant, on the processors")
                                  : tr("The points are iterated with this kernel"),
        false);
  if (!isCounted(*subject.variant, subject.stage))
    return chooser_->showUse(
        tr("This variant is for processors: set Backend to CPU. The points are iterated by %1").arg(id),
        false);
  const auto why =
      whyNot(subject.stage, *subject.variant, iteratesKernels(backend) ? session_.device() : simulator());
  if (why)
    return chooser_->showUse(tr("%1. The points are iterated by %2").arg(QString::fromStdString(*why), id),
                             false);
  if (!iteratesKernels(backend))
    return chooser_->showUse(
        tr("The points are iterated by %1; switch the backend to the SIMT simulator to iterate with "
           "this kernel")
            .arg(id),
        true);
  chooser_->showUse(tr("The points are iterated by %1").arg(id), false);
}

void TeachWorkspace::showFigures() {
  const TeachSubject& subject = trace_.subject();
  if (!subject.variant) return;
  if (showsWrong()) return chooser_->showFigures({}, {});
  const Summary times = session_.timings().snapshot()->timesOf(subject.stage, subject.variant->id());
  std::optional<double> us;
  if (times.samples > 0) us = times.median;
  chooser_->showFigures(figuresText(*subject.variant, us, session_.device().backend),
                        figuresMeaning(*subject.variant));
}

void TeachWorkspace::refresh() {
  if (!shown_) return;
  showFigures();
  applyFont();
}

void TeachWorkspace::renewColours() {
  colours_->apply();
  renewReasons(); // whose colour is the theme's
}

void TeachWorkspace::setTextStep(int step) {
  textStep_ = std::clamp(step, 0, mostSteps);
  applyFont();
}

/// What is written over the points grows with the rest, from its usual size on, and only while Teach is seen.
void TeachWorkspace::fitCanvas() {
  if (!viewport_) return;
  const int step = shown_ ? textStep_ : 0;
  const QString sheet =
      step == 0
          ? QString()
          : QStringLiteral("QWidget { font-size: %1pt; }").arg(QApplication::font().pointSizeF() + step);
  if (viewport_->styleSheet() == sheet) return;
  viewport_->setStyleSheet(sheet);
  viewport_->update();
}

/// By style sheets: the program's own takes fonts back that were set by hand whenever the theme changes.
void TeachWorkspace::applyFont() {
  fitCanvas();
  const double points = (window_->width() >= largeFrom ? largePoints : leastPoints) + textStep_;
  if (points == textPoints_ && window_->width() == textWidth_) return;
  textWidth_ = window_->width();
  fitBars(points);
  if (std::exchange(textPoints_, points) == points) return;
  for (QWidget* part : std::initializer_list<QWidget*>{panel_, lesson_})
    part->setStyleSheet(sheetOf(points));
  for (QWidget* part : std::initializer_list<QWidget*>{lesson_, counters_, source_})
    part->ensurePolished();
  lesson_->renew();
  counters_->fitAll();
  source_->fitFont();
  panel_->fitPanes();
  Q_EMIT arranged(); // larger text pushes borders away that smaller text leaves where they are
}

/// The bars above and below the points would push source and lesson away: they grow as far as their share of
/// the window allows.
void TeachWorkspace::fitBars(double points) {
  const double room = window_->width() * barsPart;
  for (QWidget* bar : std::initializer_list<QWidget*>{steps_, colours_}) {
    bar->setStyleSheet(sheetOf(points));
    bar->ensurePolished();
    bar->layout()->activate();
    const double wanted = bar->layout()->totalMinimumSize().width();
    if (wanted > room)
      bar->setStyleSheet(sheetOf(std::max(leastBarPoints, std::floor(2 * points * room / wanted) / 2)));
  }
}

} // namespace lloyd
