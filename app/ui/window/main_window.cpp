// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/main_window.hpp"

#include "app/model/session/command_line_text.hpp"
#include "app/render/gl/resources.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/shortcut_guard.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/explore/appearance_panel.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/explore/clustering_panel.hpp"
#include "app/ui/explore/compute_panel.hpp"
#include "app/ui/explore/data_panel.hpp"
#include "app/ui/explore/variant_list_view.hpp"
#include "app/ui/teach/colour_by_bar.hpp"
#include "app/ui/teach/half_step_bar.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/view/opengl_check.hpp"
#include "app/ui/view/viewport.hpp"
#include "app/ui/window/message_bar.hpp"
#include "app/ui/window/present_bar.hpp"
#include "app/ui/window/simulated_band.hpp"
#include "app/ui/window/status_line.hpp"
#include "app/ui/window/tool_bar.hpp"
#include "app/ui/window/window_settings.hpp"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <utility>

namespace lloyd {

namespace {

constexpr int refreshMs = 200;
constexpr int sideWidth = 288;

/// A dock that only holds its panel: no title, no floating, so that nothing ever moves house.
QDockWidget* fixedDock(const QString& name, const QString& title, QWidget* panel, QMainWindow* window) {
  auto* dock = new QDockWidget(title, window);
  dock->setObjectName(name);
  dock->setFeatures(QDockWidget::NoDockWidgetFeatures);
  dock->setTitleBarWidget(new QWidget(dock));
  dock->setWidget(panel);
  return dock;
}

} // namespace

MainWindow::MainWindow(WindowOptions options, bool remembers)
    : options_(std::move(options)), remembers_(remembers), tour_(session_), exporter_(session_) {
  initResources();
  const WindowSettings past = remembers_ ? WindowSettings::read() : WindowSettings{};
  dark_ = options_.theme ? *options_.theme != QLatin1String("light") : past.dark;
  UiTheme::apply(*qApp, dark_);
  actions_ = new Actions(this);
  new ShortcutGuard(this);
  setWindowTitle(tr("Lloydscope"));
  setAcceptDrops(true);
  // Smaller than its parts would like is the person's choice; no part minds.
  setMinimumSize(1, 1);
  resize(1440, 900);
  refreshTimer_.setSingleShot(true);
  refreshTimer_.setInterval(refreshMs);
  connect(&refreshTimer_, &QTimer::timeout, this, &MainWindow::refreshNow);

  session_.setSettings(options_.settings);
  makeViewport();
  makePanels();
  makeTeach();
  makeCompare();
  makeMenus();
  connectSession();
  connectActions();
  connectWorkspaces();
  connectView();
  (*actions_)[ActionId::trails]->setChecked(past.trails);
  setDark(dark_);
  if (remembers_) {
    restoreWindow(*this, past);
    sized_ = !past.panels.isEmpty();
    teachSized_ = sized_ && past.workspace == Workspace::teach;
    compareSized_ = sized_ && past.workspace == Workspace::compare;
  }
  exploring_ = past.exploring;
  teaching_ = past.teaching;
  comparing_ = past.comparing;
  teach_->setTextStep(past.textStep);
  if (!options_.teach.isEmpty()) static_cast<void>(teach_->choose(options_.teach.toStdString()));
  if (options_.colourBy) teach_->colours().setBy(*options_.colourBy);
  raceDue_ = options_.race;
  setWorkspace(options_.race              ? Workspace::compare
               : options_.teach.isEmpty() ? options_.workspace.value_or(past.workspace)
                                          : Workspace::teach);
  refreshNow();
  showState();
  showData();
}

MainWindow::~MainWindow() {
  // The session goes before the widgets, which are children and outlive the members: it takes its surface's
  // buffers back itself, and nobody must be told about it any more.
  session_.disconnect();
  if (viewport_) viewport_->disconnect(this);
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
  teach_ = new TeachWorkspace(session_, *actions_, viewport_, this);
  compare_ = new CompareWorkspace(session_, *actions_, viewport_, this);
  views_->addWidget(compare_->beside());
  const int points = layout->indexOf(noDrawing_);
  layout->insertWidget(points, teach_->above());
  layout->insertWidget(points, compare_->bar());
  column_ = new QSplitter(Qt::Vertical, middle);
  column_->setObjectName(QStringLiteral("viewsAndFigures"));
  column_->setChildrenCollapsible(false);
  column_->setHandleWidth(5);
  column_->addWidget(views_);
  column_->addWidget(compare_->figures());
  layout->addWidget(column_, 1);
  layout->addWidget(teach_->steps());
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
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
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
  column->addWidget(dataPanel_);
  column->addWidget(new ClusteringPanel(session_, sections));
  column->addWidget(new ComputePanel(session_, ladder_, sections));
  column->addWidget(viewPanel_);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setObjectName(QStringLiteral("side"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(sections);
  scroll->setMinimumWidth(260);
  scroll->setMaximumWidth(320);
  scroll->setFocusPolicy(Qt::NoFocus);
  side_ = fixedDock(QStringLiteral("side"), tr("Side panel"), scroll, this);
  addDockWidget(Qt::LeftDockWidgetArea, side_);

  bottom_ = new BottomPanel(session_, ladder_, (*actions_)[ActionId::measure], this);
  lower_ = fixedDock(QStringLiteral("lower"), tr("Ladder, plots and times"), bottom_, this);
  addDockWidget(Qt::BottomDockWidgetArea, lower_);
}

void MainWindow::makeTeach() {
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  teachSide_ = fixedDock(QStringLiteral("teachSide"), tr("Source and counters"), teach_->side(), this);
  addDockWidget(Qt::RightDockWidgetArea, teachSide_);
  teachBelow_ = fixedDock(QStringLiteral("teachBelow"), tr("Lesson"), teach_->below(), this);
  addDockWidget(Qt::BottomDockWidgetArea, teachBelow_);
}

void MainWindow::makeCompare() {
  setCorner(Qt::TopLeftCorner, Qt::TopDockWidgetArea);
  setCorner(Qt::TopRightCorner, Qt::TopDockWidgetArea);
  compareAbove_ = fixedDock(QStringLiteral("compareAbove"), tr("Race"), compare_->ladder(), this);
  addDockWidget(Qt::TopDockWidgetArea, compareAbove_);
  compareSide_ = fixedDock(QStringLiteral("compareSide"), tr("Plots and sweeps"), compare_->plots(), this);
  addDockWidget(Qt::RightDockWidgetArea, compareSide_);
}

void MainWindow::makeMenus() {
  std::map<QString, QMenu*> menus;
  for (QAction* action : actions_->all()) {
    const QString group = Actions::group(*action);
    QMenu*& menu = menus[group];
    if (!menu) {
      menu = menuBar()->addMenu(group);
      menu->setToolTipsVisible(true);
    }
    menu->addAction(action);
  }
}

void MainWindow::showState() {
  const bool playing = session_.playing() && !session_.converged();
  QAction* play = (*actions_)[ActionId::play];
  play->setProperty("iconName", playing ? QStringLiteral("pause") : QStringLiteral("play"));
  play->setText(playing ? tr("Pause") : tr("Play"));
  play->setToolTip(tr("%1 (Space)").arg(play->text()));
  QAction* half = (*actions_)[ActionId::halfStep];
  const bool update = session_.nextHalf() == Half::update;
  half->setText(update ? tr("Update") : tr("Classify"));
  half->setToolTip(tr("%1 (Shift+Right)")
                       .arg(update ? tr("Update, the second half of an iteration: centroids move")
                                   : tr("Classify, the first half of an iteration: points are labelled")));
  QAction* back = (*actions_)[ActionId::stepBack];
  back->setEnabled(session_.canStepBack());
  back->setToolTip(session_.canStepBack() ? tr("Take the last half of an iteration back (Left)")
                                          : tr("There is nothing to take back"));
  actions_->renewIcons();
  tools_->showState();
  if (viewport_) viewport_->setPlaying(playing);
}

void MainWindow::refreshNow() {
  refreshTimer_.stop();
  bottom_->refresh(colours_.colours());
  tools_->showState();
  teach_->refresh();
  compare_->refresh();
  if (presenting_) {
    const IterationPtr last = session_.last();
    presentBar_->showWords(
        bottom_->headlineText(),
        {tr("%1 points").arg(session_.data() ? countText(session_.data()->n) : unknownText()),
         tr("k = %1").arg(session_.settings().k),
         tr("iteration %1")
             .arg(last ? countText(static_cast<std::uint64_t>(last->iteration)) : unknownText())});
  }
}

void MainWindow::say(const QString& text, bool error) {
  if (error) {
    messages_->showError(text);
  } else {
    status_->say(text);
  }
}

QString MainWindow::commandLine() const {
  QString text = commandText(session_.request(), session_.settings());
  if (workspace_ == Workspace::compare) text += QStringLiteral(" --workspace compare");
  if (workspace_ != Workspace::teach) return text;
  if (const Variant* variant = teach_->subject().variant)
    text += QStringLiteral(" --teach %1").arg(qtext(variant->id()));
  if (const ColourBy by = teach_->colours().by(); by != ColourBy::cluster)
    text += QStringLiteral(" --colour %1").arg(qtext(name(by)));
  return text;
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (std::exchange(sized_, true)) return;
  // The points get most of any window; the ladder its full height only where there is plenty.
  resizeDocks({side_}, {std::clamp(width() / 5, 260, sideWidth)}, Qt::Horizontal);
  resizeDocks({lower_}, {std::min(bottom_->sizeHint().height(), height() * 3 / 10)}, Qt::Vertical);
  arrangeTeach();
  arrangeCompare();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  if (event->oldSize().width() != width()) shareWidth();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (presenting_) setPresenting(false);
  if (remembers_) {
    WindowSettings now;
    now.dark = dark_;
    now.trails = (*actions_)[ActionId::trails]->isChecked();
    now.workspace = workspace_;
    now.exploring = exploring_;
    now.teaching = teaching_;
    now.comparing = comparing_;
    now.textStep = teach_->textStep();
    now.geometry = saveGeometry();
    now.panels = saveState(panelsVersion);
    now.write();
  }
  QMainWindow::closeEvent(event);
}

} // namespace lloyd
