// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/main_window.hpp"

#include "app/model/compute/settings.hpp"
#include "app/model/tuning/user_tuning_table.hpp"
#include "app/render/gl/resources.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/keyboard.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/common/wheel_guard.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/compare/race_panel.hpp"
#include "app/ui/explore/axes_panel.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/explore/compute_panel.hpp"
#include "app/ui/explore/restarts_strip.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/explore/variant_list_view.hpp"
#include "app/ui/saved/session_files.hpp"
#include "app/ui/select/select_panel.hpp"
#include "app/ui/take_away/take_away.hpp"
#include "app/ui/teach/colour_by_bar.hpp"
#include "app/ui/teach/half_step_bar.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/view/opengl_check.hpp"
#include "app/ui/view/viewport.hpp"
#include "app/ui/window/actions/apart_actions.hpp"
#include "app/ui/window/actions/axes_actions.hpp"
#include "app/ui/window/actions/look_actions.hpp"
#include "app/ui/window/actions/run_actions.hpp"
#include "app/ui/window/actions/view_actions.hpp"
#include "app/ui/window/actions/workshop_actions.hpp"
#include "app/ui/window/adopted_runs.hpp"
#include "app/ui/window/bands.hpp"
#include "app/ui/window/centroid_actions.hpp"
#include "app/ui/window/copied_command.hpp"
#include "app/ui/window/help_dialogs.hpp"
#include "app/ui/window/menus.hpp"
#include "app/ui/window/selecting.hpp"
#include "app/ui/window/status_line.hpp"
#include "app/ui/window/tool_bar.hpp"
#include "app/ui/window/window_settings.hpp"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMenuBar>
#include <QResizeEvent>
#include <QScreen>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <utility>

namespace lloyd {

namespace {

constexpr int refreshMs = 200;
constexpr int tourAfter = 24; ///< iterations of the first picture

/// As large as is pleasant, with room for the window's frame on a small screen or on one of large pixels.
QSize firstSize(const QScreen& screen) {
  constexpr QSize pleasant(1760, 990);
  constexpr QSize frame(16, 48);
  return pleasant.boundedTo(screen.availableSize() - frame);
}

} // namespace

MainWindow::MainWindow(WindowOptions options, bool remembers)
    : options_(std::move(options)), remembers_(remembers), liveBenchmark_(session_, lease_),
      files_(session_, *this) {
  initResources();
  const WindowSettings past = remembers_ ? WindowSettings::read() : WindowSettings{};
  chosenDark_ = options_.theme ? std::optional(*options_.theme != QLatin1String("light")) : past.dark;
  // The palette that the desktop gives to programs is its theme, where it has one.
  dark_ = chosenDark_.value_or(QGuiApplication::palette().color(QPalette::Window).lightness() < 128);
  UiTheme::apply(*qApp, dark_);
  actions_ = new Actions(this);
  new ShortcutGuard(this);
  new PlainLabels(this);
  new WheelGuard(this);
  setWindowTitle(tr("Lloydscope"));
  // Smaller than its parts would like is the person's choice; no part minds.
  setMinimumSize(1, 1);
  resize(firstSize(*screen()));
  refreshTimer_.setSingleShot(true);
  refreshTimer_.setInterval(refreshMs);
  connect(&refreshTimer_, &QTimer::timeout, this, &MainWindow::refreshNow);

  session_.setSettings(options_.settings);
  makeViewport();
  makePanels();
  fillMenuBar(*menuBar(), *actions_, files_);
  connectSession();
  connectActions();
  connectView();
  connectTakeAway(*actions_, session_, axes_, selecting_->clusters(), viewport_, *this,
                  [this](const QString& text, bool error) { say(text, error); });
  connectAxes(*actions_, session_, axes_, *axesPanel_, viewport_);
  connect(&axes_, &AxesFinder::failed, this, [this](const QString& sentence) { say(sentence, true); });
  if (!options_.axes.empty()) axes_.chooseWords(options_.axes);
  const CentroidEdits* centroids = connectCentroids(
      {session_, lease_, *adopted_, *selecting_, compare_->pair(), *status_, viewport_, *this});
  savedSessions_ = connectSaved({session_, axes_, colours_, *actions_, files_, *arrangement_, *compare_,
                                 *teach_, *viewPanel_, liveBenchmark_, *adopted_, *centroids,
                                 selecting_->clusters(), viewport_, *this});
  connect(savedSessions_, &SessionFiles::message, this, &MainWindow::say);
  connect(savedSessions_, &SessionFiles::ended, this, &MainWindow::offerStart);
  adopted_->restore(past, options_.otherStarts);
  restoreLook(*actions_, past);
  setDark(dark_);
  if (remembers_) {
    arrangement_->restore(past);
    files_.setRecent(past.recent);
  }
  teach_->setTextStep(past.textStep);
  if (!options_.teach.isEmpty()) static_cast<void>(teach_->choose(options_.teach.toStdString()));
  if (options_.colourBy) teach_->colours().setBy(*options_.colourBy);
  bottom_->showPage(past.explorePage);
  raceDue_ = options_.race;
  arrangement_->setWorkspace(options_.race              ? Workspace::compare
                             : options_.teach.isEmpty() ? options_.workspace.value_or(past.workspace)
                                                        : Workspace::teach);
  refreshNow();
  showState();
  showData();
  for (QWidget* panel : findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
    tabInReadingOrder(*panel);
  // Single keys are for the points: Space would press the button that has the focus otherwise.
  if (viewport_) viewport_->setFocus();
}

MainWindow::~MainWindow() {
  // The session goes before the widgets, which are children and outlive the members: it takes its surface's
  // buffers back itself, and nobody must be told about it any more.
  session_.disconnect();
  lease_.disconnect();
  if (viewport_) viewport_->disconnect(this);
}

void MainWindow::begin() {
  // New data take messages away, and the first come at once: this one is for after them.
  if (!userTuningProblem().isEmpty())
    connect(
        &session_, &Session::dataChanged, this, [this] { say(userTuningProblem(), true); },
        Qt::SingleShotConnection);
  if (!options_.session.isEmpty()) return savedSessions_->open(options_.session);
  if (!options_.request) return files_.openFirstPicture();
  if (!options_.points) return files_.open(*options_.request);
  // Given away, so that they go once other data are opened.
  if (options_.whole)
    return selecting_->panel().selection().clusterPart(std::exchange(options_.whole, nullptr),
                                                       std::exchange(options_.points, nullptr),
                                                       *options_.request, options_.loadUs);
  session_.adopt(std::exchange(options_.points, nullptr), *options_.request, options_.loadUs);
  session_.play();
}

void MainWindow::makeViewport() {
  auto* middle = new QWidget(this);
  auto* layout = new QVBoxLayout(middle);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  messages_ = new MessageBar(middle);
  presentBar_ = new PresentBar(middle);
  layout->addWidget(messages_);
  layout->addWidget(new SimulatedBand(session_, middle));
  noDrawing_ = new QLabel(middle);
  noDrawing_->setObjectName(QStringLiteral("noDrawing"));
  noDrawing_->setWordWrap(true);
  noDrawing_->setAlignment(Qt::AlignCenter);
  noDrawing_->setMargin(48);
  noDrawing_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  noDrawing_->setAccessibleName(tr("Why no points are drawn"));
  noDrawing_->setMinimumSize(1, 1);
  noDrawing_->hide();
  layout->addWidget(noDrawing_, 1);
  start_ = new StartPage((*actions_)[ActionId::open], middle);
  layout->addWidget(start_);
  views_ = new QSplitter(Qt::Horizontal, middle);
  views_->setObjectName(QStringLiteral("views"));
  views_->setChildrenCollapsible(false);
  views_->setHandleWidth(5);
  const QString why = whyNoOpenGl();
  if (why.isEmpty()) {
    viewport_ = new Viewport(middle);
    viewport_->setMinimumSize(1, 1);
    views_->addWidget(viewport_);
  } else {
    explainDrawing(why);
  }
  teach_ = new TeachWorkspace(session_, lease_, *actions_, viewport_, this);
  compare_ = new CompareWorkspace(session_, lease_, *actions_, viewport_, this);
  views_->addWidget(compare_->beside());
  const int points = layout->indexOf(noDrawing_);
  layout->insertWidget(points, teach_->above());
  layout->insertWidget(points, compare_->bar());
  column_ = new QSplitter(Qt::Vertical, middle);
  column_->setObjectName(QStringLiteral("viewsAndMetrics"));
  column_->setChildrenCollapsible(false);
  column_->setHandleWidth(5);
  column_->addWidget(views_);
  column_->addWidget(compare_->metrics());
  layout->addWidget(column_, 1);
  layout->addWidget(teach_->steps());
  restarts_ = new RestartsStrip(session_, lease_, colours_, middle);
  layout->addWidget(restarts_);
  layout->addWidget(presentBar_);
  setCentralWidget(middle);
}

void MainWindow::explainDrawing(const QString& reason) {
  whyNoDrawing_ = reason;
  noDrawing_->setText(
      tr("%1\n\nEverything else works: points are clustered, and every stage is timed.").arg(reason));
  noDrawing_->show();
  if (viewport_) viewport_->hide();
  views_->hide();
}

void MainWindow::makePanels() {
  tools_ = new ToolBar(session_, *actions_, this);
  addToolBar(tools_);
  status_ = new StatusLine(session_, this);
  setStatusBar(status_);

  auto* sections = new QWidget;
  auto* column = new QVBoxLayout(sections);
  column->setContentsMargins(10, 6, 10, 6);
  column->setSpacing(6);
  dataPanel_ = new DataPanel(session_, sections);
  viewPanel_ = new AppearancePanel(sections);
  clusteringPanel_ = new ClusteringPanel(session_, (*actions_)[ActionId::restarts], sections);
  axesPanel_ = new AxesPanel(session_, axes_, sections);
  for (CollapsibleSection* part : std::initializer_list<CollapsibleSection*>{
           dataPanel_, clusteringPanel_, new ComputePanel(session_, ladder_, sections), axesPanel_,
           viewPanel_})
    column->addWidget(part);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setObjectName(QStringLiteral("side"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setWidget(sections);
  const int characters = fontMetrics().averageCharWidth();
  scroll->setMinimumWidth(std::max(260, 34 * characters));
  scroll->setMaximumWidth(std::max(320, 44 * characters));
  scroll->setFocusPolicy(Qt::NoFocus);

  bottom_ = new BottomPanel(session_, lease_, ladder_, (*actions_)[ActionId::measure], this);
  arrangement_ = new WorkspaceLayout(*this, *actions_,
                                     {.bars = {menuBar(), tools_, status_},
                                      .side = scroll,
                                      .bottom = bottom_,
                                      .presentBar = presentBar_,
                                      .column = column_,
                                      .views = views_,
                                      .notes = {messages_, start_},
                                      .teach = teach_,
                                      .compare = compare_,
                                      .draws = viewport_ != nullptr});
  selecting_ = new Selecting(session_, {*bottom_, *viewPanel_, viewport_, *arrangement_, *actions_}, *this);
  connect(selecting_, &Selecting::message, this, &MainWindow::say);
  connect(selecting_, &Selecting::outdated, status_, &StatusLine::retract);
}

void MainWindow::showState() {
  showRunActions(*actions_, session_);
  if (viewport_) viewport_->setPlaying(session_.playing() && !session_.converged());
}

void MainWindow::refreshNow() {
  refreshTimer_.stop();
  bottom_->refresh(colours_.colours());
  teach_->refresh();
  compare_->refresh();
  if (arrangement_->presenting()) {
    const IterationPtr last = session_.last();
    presentBar_->showText(
        bottom_->headlineText(),
        {session_.data() ? pointsText(session_.data()->n) : tr("no points"),
         tr("k = %1").arg(session_.settings().k),
         tr("iteration %1")
             .arg(last ? countText(static_cast<std::uint64_t>(last->iteration)) : unknownText())});
  }
}

void MainWindow::say(const QString& text, bool error) {
  error ? messages_->showError(text) : status_->tell(text);
}

QString MainWindow::commandLine() const { return copiedCommand(session_, axes_, *arrangement_, *teach_); }

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  arrangement_->windowShown();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  arrangement_->shareSizes();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!workshop_->mayClose()) return event->ignore();
  arrangement_->setPresenting(false);
  if (remembers_) {
    WindowSettings now;
    now.dark = chosenDark_;
    rememberLook(*actions_, now);
    adopted_->remember(now);
    arrangement_->remember(now);
    now.textStep = teach_->textStep();
    now.explorePage = bottom_->page();
    now.recent = files_.recent();
    now.write();
  }
  QMainWindow::closeEvent(event);
}

void MainWindow::connectSession() {
  connect(&session_, &Session::message, this, &MainWindow::say);
  connect(&files_, &FileActions::message, this, &MainWindow::say);
  connect(messages_, &MessageBar::gone, dataPanel_, &DataPanel::forgetRefused);
  // On the simulator a live benchmark takes a minute: it is left to be asked for.
  connect(&files_, &FileActions::firstPictureFound, this, [this](const DataRequest& request) {
    if (session_.settings().backend != BackendRequest::simt) firstPicture_ = request;
  });
  connect(compare_, &CompareWorkspace::message, this, &MainWindow::say);
  connect(&compare_->races(), &RaceRunner::updated, teach_, &TeachWorkspace::showRace);
  connect(&lease_, &DeviceLease::changed, this, &MainWindow::enableRunning);
  AdoptedRuns::Parts parts{*restarts_, bottom_->kCurve(), *clusteringPanel_, *arrangement_, viewport_};
  adopted_ = new AdoptedRuns(session_, lease_, colours_, parts, this);
  connect(adopted_, &AdoptedRuns::message, this, [this](const QString& text, bool error) {
    if (error) return say(text, true);
    converged_ = text; // true of this run alone
    status_->say(text);
  });
  for (const auto show : {&MainWindow::refreshNow, &MainWindow::showRestarts})
    connect(arrangement_, &WorkspaceLayout::changed, this, show);
  connect(&session_, &Session::iterated, this, &MainWindow::showResult);
  connect(&session_, &Session::stateChanged, this, &MainWindow::showState);
  connect(&session_, &Session::dataChanged, this, &MainWindow::showData);
  connect(&session_, &Session::loadEnded, this, &MainWindow::offerStart, Qt::QueuedConnection);
  const auto newProblem = [this] {
    const SharedPointSet points = session_.data();
    if (!points || session_.device().name.empty()) return;
    status_->retract(timed_);
    status_->setStanding(session_.limitsK()
                             ? tr("k is limited to %1, the number of points").arg(session_.settings().k)
                             : QString());
    ladder_.setProblem({points->n, points->d, session_.settings().k}, session_.device(),
                       session_.settings().selection.tuning);
    refreshNow();
  };
  for (const auto signal : {&Session::pathChanged, &Session::settingsChanged, &Session::dataChanged})
    connect(&session_, signal, this, newProblem);
  for (const auto signal : {&Session::settingsChanged, &Session::dataChanged})
    connect(&session_, signal, this, [this] {
      status_->retract(chosen_);
      status_->forgetAnswer();
      // What happens by itself makes no error untrue.
      if (!adopted_->takesUnasked() && !liveBenchmark_.changing()) messages_->supersede();
    });
  // The steps of Teach are numbered too, and two numbers in one window must not differ.
  connect(arrangement_, &WorkspaceLayout::changed, tools_, [this] {
    status_->forgetAnswer();
    tools_->showEvery(arrangement_->workspace() == Workspace::teach);
  });
  connect(&session_, &Session::seeded, this, [this] {
    // The same run again has the same colours.
    const Settings& now = session_.settings();
    if (now.k != coloured_.k || now.seed != coloured_.seed || now.init != coloured_.init) colours_.startRun();
    coloured_ = now;
    status_->retract(converged_);
    if (viewport_) viewport_->forgetRun();
    if (!refreshTimer_.isActive()) refreshTimer_.start();
  });
  connect(&session_, &Session::stateAdopted, this, [this] {
    status_->retract(converged_);
    if (viewport_) viewport_->forgetRun();
  });
  connect(&session_, &Session::convergedNow, this, [this](int iterations) {
    convergedAt_ = iterations;
    converged_ = iterations == 1 ? tr("Converged after 1 iteration")
                                 : tr("Converged after %1 iterations").arg(iterations);
    status_->say(converged_);
    showState();
    refreshNow();
  });
  connect(&liveBenchmark_, &LiveBenchmark::progressed, this,
          [this](int number, int total, const QString& variant) {
            status_->say(tr("Timing each variant: %1 of %2, %3").arg(number).arg(total).arg(variant));
            teach_->setFollowing(false); // what it has the session try is nobody's choice
          });
  connect(&liveBenchmark_, &LiveBenchmark::ended, teach_, [this] { teach_->setFollowing(true); });
  // Queued: what ended it may be a change that is still being told, and takes such sentences back.
  const auto sayTimed = [this](bool complete) {
    timed_ = complete ? tr("Every variant that can run here was timed on these data")
                      : tr("Not every variant was timed: something was changed meanwhile");
    status_->say(timed_);
    refreshNow();
  };
  connect(&liveBenchmark_, &LiveBenchmark::ended, this, sayTimed, Qt::QueuedConnection);
}

/// Only as long as nobody has opened other points or chosen a variant: the live benchmark would change what
/// they look at.
void MainWindow::timeFirstPicture(const IterationResult& result) {
  if (!firstPicture_) return;
  const bool untouched = session_.request() == *firstPicture_ && session_.settings().selection == Selection{};
  const bool early = result.iteration < tourAfter || lease_.held();
  if (untouched && (early || arrangement_->workspace() == Workspace::compare)) return;
  firstPicture_.reset();
  if (untouched) liveBenchmark_.start();
}

void MainWindow::showResult(const IterationPtr& result) {
  if (!session_.data()) return;
  if (!session_.converged() || result->iteration > convergedAt_) status_->retract(converged_);
  if (result->iteration > 0) status_->retract(chosen_);
  renewColours();
  if (viewport_) viewport_->setResult(result, session_.playing() ? session_.rate() : 1.0);
  if (std::exchange(raceDue_, false)) compare_->racePanel().race();
  timeFirstPicture(*result);
  if (!session_.playing()) return refreshNow();
  if (!refreshTimer_.isActive()) refreshTimer_.start();
}

void MainWindow::renewColours() {
  const IterationPtr last = session_.last();
  const SharedPointSet points = session_.data();
  if (!last || !points) return;
  selecting_->colours().setClusterColours(colours_.take(*last, *points, dark_), dark_);
}

void MainWindow::showData() {
  const SharedPointSet points = session_.data();
  const bool colours = points && points->colours;
  colours_.startRun();
  colours_.setBy(colours ? ClusterColours::By::centroid : ClusterColours::By::palette);
  viewPanel_->showColours(colours_.by(), colours);
  for (const ActionId id : {ActionId::save, ActionId::saveAs, ActionId::exportTable, ActionId::exportLabels,
                            ActionId::exportCentroids, ActionId::copyCommand})
    (*actions_)[id]->setEnabled(points != nullptr);
  enableRunning();
  if (!points) return;
  messages_->hide();
  start_->hide();
  setWindowTitle(titleOf(session_, savedSessions_ ? savedSessions_->path() : QString()));
}

/// Where nothing could be opened, something else can be.
void MainWindow::offerStart() {
  if (session_.data() || session_.loading()) return;
  start_->offer(files_.recent());
  start_->show();
}

/// What iterates would disturb a race, and be disturbed by it. A live benchmark iterates itself, so the run
/// is still the person's.
void MainWindow::enableRunning() {
  if (lease_.held()) messages_->supersede(); // "No race was begun" beside one
  const bool can = session_.data() != nullptr && (!lease_.held() || liveBenchmark_.running());
  for (const ActionId id :
       {ActionId::play, ActionId::step, ActionId::halfStep, ActionId::restart, ActionId::measure})
    (*actions_)[id]->setEnabled(can);
}

/// Beside the other workspaces' panels there is no room for the strip.
void MainWindow::showRestarts() {
  restarts_->setVisible((*actions_)[ActionId::restarts]->isChecked() && !arrangement_->presenting() &&
                        arrangement_->workspace() == Workspace::explore);
}

void MainWindow::connectActions() {
  const auto on = [this](ActionId id, auto work) {
    connect((*actions_)[id], &QAction::triggered, this, work);
  };
  on(ActionId::open, [this] { files_.chooseFile(); });
  on(ActionId::screenshot, [this] { files_.takeScreenshot(); });
  on(ActionId::exportTable, [this] { files_.chooseTable(); });
  on(ActionId::exportLabels, [this] { files_.chooseExport(true); });
  on(ActionId::exportCentroids, [this] { files_.chooseExport(false); });
  on(ActionId::quit, [this] { close(); });
  on(ActionId::copyCommand, [this] {
    QApplication::clipboard()->setText(commandLine());
    status_->say(copiedSentence(session_, commandLine()));
  });
  on(ActionId::play, [this] { session_.togglePlay(); });
  on(ActionId::step, [this] { session_.step(); });
  on(ActionId::halfStep, [this] { session_.halfStep(); });
  on(ActionId::stepBack, [this] { session_.stepBack(); });
  on(ActionId::restart, [this] { session_.restart(); });
  on(ActionId::measure,
     [this] { liveBenchmark_.running() ? liveBenchmark_.stop() : liveBenchmark_.start(); });
  on(ActionId::slower, [this] { tools_->changeRate(-1); });
  on(ActionId::faster, [this] { tools_->changeRate(1); });
  on(ActionId::previousVariant, [this] { stepVariant(-1); });
  on(ActionId::nextVariant, [this] { stepVariant(1); });
  on(ActionId::menus, [this] {
    menuBar()->setFocus(Qt::MenuBarFocusReason);
    menuBar()->setActiveAction(menuBar()->actions().front());
  });
  on(ActionId::about, [this] { showAbout(this, QString::fromStdString(session_.device().name)); });
  on(ActionId::theme, [this] {
    chosenDark_ = !dark_;
    setDark(!dark_);
  });
  on(ActionId::help, [this] { ShortcutsDialog(*actions_, this).exec(); });
  connectViewActions(*actions_, viewport_, *viewPanel_);
  connect((*actions_)[ActionId::restarts], &QAction::toggled, this, &MainWindow::showRestarts);
}

void MainWindow::connectView() {
  connect(start_, &StartPage::sampleWanted, &files_, &FileActions::openSample);
  connect(start_, &StartPage::fileWanted, this, [this](const QString& path) { files_.openFirst({path}); });
  connect(clusteringPanel_, &ClusteringPanel::fileWanted, &files_, &FileActions::chooseCentroids);
  if (options_.request) files_.setScaling(options_.request->scaling);
  files_.serve(*dataPanel_);
  offerVariantActions(bottom_->ladderView(), *actions_);
  connect(&bottom_->ladderView(), &VariantListView::chosen, this,
          [this](Stage stage, const Variant* variant) { chooseVariant(stage, *variant); });
  connect(viewPanel_, &AppearancePanel::darkWanted, this, &MainWindow::setDark);
  connect(viewPanel_, &AppearancePanel::coloursWanted, this, [this](ClusterColours::By by) {
    colours_.setBy(by);
    restarts_->renewColours();
    renewColours();
    refreshNow();
  });
  connectLook(*actions_, session_, axes_, *viewPanel_, viewport_);
  workshop_ =
      new WorkshopActions(*actions_, session_, *teach_, QCoreApplication::applicationFilePath(), this);
  connect(workshop_, &WorkshopActions::said, this, &MainWindow::say);
  new ApartActions(session_, lease_, *actions_, *teach_, this);
  if (!viewport_) return;
  offerPointActions(*viewport_, *actions_);
  connect(viewport_, &Viewport::ready, this, [this] { session_.setSurface(viewport_); });
  connect(viewport_, &Viewport::lost, this, [this] {
    // Only buffers that CUDA writes must come back; copies survive on the host side.
    if (session_.sharing() == Sharing::shared) session_.setSurface(nullptr);
  });
  connect(viewport_, &Viewport::shown, &session_, &Session::frameShown);
  connect(viewport_, &Viewport::centroidMoved, &session_, &Session::moveCentroid);
  // Queued: it is said in the middle of a paint, whose context must stay current.
  connect(
      viewport_, &Viewport::failed, this,
      [this](const QString& reason) {
        session_.setSurface(nullptr);
        explainDrawing(reason);
      },
      Qt::QueuedConnection);
}

void MainWindow::setDark(bool dark) {
  dark_ = dark;
  UiTheme::apply(*qApp, dark);
  actions_->renewIcons();
  viewPanel_->showDark(dark);
  if (viewport_) viewport_->setDark(dark);
  teach_->renewColours();
  compare_->renewColours();
  restarts_->renewColours();
  renewColours();
  refreshNow();
}

void MainWindow::chooseVariant(Stage stage, const Variant& variant) {
  Settings settings = session_.settings();
  settings.selection = withVariant(settings.selection, session_.plan(), stage, variant);
  session_.setSettings(settings);
  if (!session_.playing() && !session_.converged()) {
    chosen_ = tr("%1 is chosen; play or step to time it").arg(qtext(variant.id()));
    status_->say(chosen_);
  }
}

void MainWindow::stepVariant(int direction) {
  if (arrangement_->workspace() == Workspace::teach)
    return teach_->step(direction)
               ? status_->forgetAnswer()
               : status_->answer(tr("There is no other variant of the stage in this direction"));
  const Plan& plan = session_.plan();
  const Stage usual = plan.fused ? Stage::fused : Stage::classify;
  const Stage stage = bottom_->ladderView().focusedStage().value_or(usual);
  const Variant* present = plan.of(stage);
  const Variant* next = ladder_.neighbour(stage, present, direction);
  if (next && next != present) return chooseVariant(stage, *next);
  status_->answer(
      tr("There is no other variant of %1 in this direction that can run here").arg(qtext(name(stage))));
}

} // namespace lloyd
