// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the parts are there, and who tells whom. What they show is in pair_views_show.cpp.
#include "app/ui/pair_views.hpp"

#include "app/model/ladder_model.hpp"
#include "app/model/race_runner.hpp"
#include "app/ui/pair_bar.hpp"
#include "app/ui/pair_beside.hpp"
#include "app/ui/pair_divider.hpp"
#include "app/ui/pair_figures.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/viewport.hpp"

#include <QEvent>
#include <QLabel>
#include <QStackedLayout>

#include <utility>

namespace lloyd {

namespace {

QLabel* captionOn(QWidget* view) {
  auto* label = new QLabel(view);
  label->setObjectName(QStringLiteral("pairCaption"));
  label->setAttribute(Qt::WA_TransparentForMouseEvents);
  label->setTextFormat(Qt::PlainText);
  label->hide();
  return label;
}

/// What a candidate asks for beyond the variant's own values.
Tuning tuningOf(const Candidate& candidate) {
  return candidate.tuning == candidate.variant->complete({}) ? Tuning{} : candidate.tuning;
}

/// The backend on which a side takes a variant up: its own where it can, else one that has the variant.
BackendChoice backendFor(const Variant& variant, Stage stage, BackendChoice asked, Backend present,
                         Backend ofA) {
  if (variant.on(present).has(stage)) return asked;
  if (variant.on(Backend::cuda).has(stage) && ofA == Backend::cuda) return BackendChoice::cuda;
  if (variant.on(Backend::cpu).has(stage)) return BackendChoice::cpu;
  return BackendChoice::simt;
}

} // namespace

PairViews::PairViews(Session& a, RaceRunner& races, Viewport* viewA, QWidget* parent,
                     Computer::DeviceFactory factory)
    : QObject(parent), a_(a), races_(races), viewA_(viewA), run_(a, nullptr, std::move(factory)), counts_(a),
      beside_(new PairBeside(parent)), besideStack_(new QStackedLayout(beside_)),
      besideWords_(new QLabel(beside_)), bar_(new PairBar(a, run_, parent)),
      figures_(new PairFiguresView(parent)) {
  beside_->setObjectName(QStringLiteral("pairBeside"));
  beside_->setMinimumSize(1, 1);
  besideWords_->setObjectName(QStringLiteral("pairWords"));
  besideWords_->setWordWrap(true);
  besideWords_->setAlignment(Qt::AlignCenter);
  besideWords_->setMargin(24);
  besideWords_->setAccessibleName(tr("Why side B is not drawn"));
  besideStack_->addWidget(besideWords_);
  beside_->hide();
  bar_->setDrawing(viewA != nullptr);
  run_.wantDifferences(true);
  SideChoice side;
  side.backend = a.settings().backend;
  side.selection = a.settings().selection;
  run_.setSide(side);
  run_.setLabelReaders([this] { return viewA_ ? viewA_->drawnLabels() : std::vector<Label>(); },
                       [this] { return viewB_ ? viewB_->drawnLabels() : std::vector<Label>(); });

  connect(beside_, &PairBeside::closing, this, [this] {
    if (Session* b = run_.other()) b->setSurface(nullptr);
  });
  connect(bar_, &PairBar::modeWanted, this, &PairViews::setMode);
  connect(bar_, &PairBar::sideAWanted, this, &PairViews::setSideA);
  connect(bar_, &PairBar::sideBWanted, this, [this](const SideChoice& wanted) {
    run_.setSide(wanted);
    showSides();
  });
  connect(bar_, &PairBar::swapWanted, this, &PairViews::swap);
  connect(&run_, &PairedRun::otherChanged, this, &PairViews::connectOther);
  connect(&run_, &PairedRun::compared, this, [this] {
    showDifference();
    showSentence();
  });
  connect(&run_, &PairedRun::caughtUp, this, &PairViews::showSentence);
  connect(&run_, &PairedRun::message, this, &PairViews::message);
  connect(&counts_, &PairCounts::changed, this, &PairViews::refresh);
  // Nothing may run beside a race: what is counted or compared waits for its end.
  const auto rest = [this] {
    counts_.setActive(active() && !races_.running());
    run_.wantDifferences(!races_.running());
  };
  connect(&races_, &RaceRunner::started, this, rest);
  connect(&races_, &RaceRunner::ended, this, rest);
  for (const auto signal : {&Session::pathChanged, &Session::settingsChanged, &Session::dataChanged})
    connect(&a_, signal, this, &PairViews::showSides);
  connect(&a_, &Session::stateChanged, this, [this] {
    if (viewB_) viewB_->setPlaying(playing());
  });
  if (viewA_) connectViewA();
}

PairViews::~PairViews() {
  run_.disconnect(this);
  if (Session* b = run_.other(); b && !viewB_.isNull()) b->setSurface(nullptr);
}

QWidget* PairViews::beside() const { return beside_; }
QWidget* PairViews::bar() const { return bar_; }
QWidget* PairViews::figures() const { return figures_; }

void PairViews::connectViewA() {
  divider_ = new PairDivider(viewA_);
  divider_->hide();
  captionA_ = captionOn(viewA_);
  captionSplit_ = captionOn(viewA_);
  viewA_->installEventFilter(this);
  connect(divider_, &PairDivider::moved, this, [this](double share) {
    viewA_->setDivider(share);
    placeCaptions();
  });
  connect(viewA_, &Viewport::cameraChanged, this, [this] {
    if (viewB_) viewB_->setCamera(viewA_->camera());
  });
  connect(viewA_, &Viewport::pointed, this, [this](std::optional<std::size_t> point) {
    if (viewB_ && run_.other() && run_.other()->data() == a_.data()) viewB_->setPointed(point);
  });
  connect(viewA_, &Viewport::lookChanged, this, [this] {
    if (!viewB_) return;
    viewB_->setTrails(viewA_->trails());
    viewB_->setSizeFactor(viewA_->sizeFactor());
  });
}

void PairViews::makeViewB() {
  if (viewB_ || !viewA_ || !beside_) return;
  viewB_ = new Viewport(beside_);
  viewB_->setMinimumSize(1, 1);
  viewB_->setAccessibleName(tr("Points of side B"));
  viewB_->setDark(UiTheme::current().dark);
  viewB_->setTrails(viewA_->trails());
  viewB_->setSizeFactor(viewA_->sizeFactor());
  viewB_->setPlaying(playing());
  viewB_->installEventFilter(this);
  besideStack_->addWidget(viewB_);
  captionB_ = captionOn(viewB_);
  connect(viewB_, &Viewport::ready, this, &PairViews::placeSurface);
  connect(viewB_, &Viewport::lost, this, [this] {
    // Only buffers that CUDA writes must come back; copies survive on the host side.
    Session* b = run_.other();
    if (b && b->sharing() == Sharing::shared) b->setSurface(nullptr);
  });
  connect(viewB_, &Viewport::shown, this, [this](double paintUs, double uploadUs) {
    if (Session* b = run_.other()) b->frameShown(paintUs, uploadUs);
  });
  // A leads: B moves its centroid when A has.
  connect(viewB_, &Viewport::centroidMoved, &a_, &Session::moveCentroid);
  connect(viewB_, &Viewport::cameraChanged, this, [this] {
    if (viewA_) viewA_->setCamera(viewB_->camera());
  });
  connect(viewB_, &Viewport::pointed, this, [this](std::optional<std::size_t> point) {
    if (viewA_ && run_.other() && run_.other()->data() == a_.data()) viewA_->setPointed(point);
  });
  // Queued: it is said in the middle of a paint, whose context must stay current.
  connect(viewB_, &Viewport::failed, this, &PairViews::placeSurface, Qt::QueuedConnection);
}

void PairViews::connectOther() {
  if (Session* b = run_.other()) {
    connect(b, &Session::iterated, this, &PairViews::showResultOfB);
    connect(b, &Session::seeded, this, [this] {
      if (viewB_) viewB_->forgetRun();
    });
    connect(b, &Session::pathChanged, this, &PairViews::showSides);
    connect(b, &Session::dataChanged, this, &PairViews::showSides);
  } else {
    if (viewA_) viewA_->setOther(std::nullopt, 0);
    if (viewB_) viewB_->forgetData();
  }
  placeSurface();
  showSides();
  Q_EMIT otherChanged();
}

/// B draws into its own view while that is on the screen; in the other ways of showing its labels go to A's,
/// and come as copies because nobody lends it buffers.
void PairViews::placeSurface() {
  const bool drawn =
      active() && mode_ == PairMode::beside && viewB_ && viewB_->isValid() && viewB_->failure().isEmpty();
  if (Session* b = run_.other()) b->setSurface(drawn ? viewB_.data() : nullptr);
  showBeside();
}

void PairViews::setShown(bool shown) {
  if (shown_ == shown) return;
  shown_ = shown;
  apply();
}

void PairViews::setMode(PairMode mode) {
  if (!viewA_ && (mode == PairMode::split || mode == PairMode::difference)) mode = PairMode::alone;
  if (mode_ == mode) return bar_->showMode(mode);
  mode_ = mode;
  apply();
}

void PairViews::nextMode() {
  constexpr int count = static_cast<int>(PairMode::alone) + 1;
  setMode(static_cast<PairMode>((static_cast<int>(mode_) + 1) % count));
}

void PairViews::apply() {
  bar_->showMode(mode_);
  const bool side = active() && mode_ == PairMode::beside;
  if (side) makeViewB();
  run_.setActive(active());
  counts_.setActive(active() && !races_.running());
  if (beside_) beside_->setVisible(side);
  placeSurface();
  if (viewA_) {
    const bool split = active() && mode_ == PairMode::split;
    if (!split) viewA_->setOther(std::nullopt, 0);
    divider_->setShare(viewA_->divider());
    divider_->setVisible(split);
    giveOther();
    showDifference();
  }
  showSides();
}

void PairViews::setSideA(BackendChoice backend, const Selection& selection) {
  Settings settings = a_.settings();
  settings.backend = backend;
  settings.selection = selection;
  a_.setSettings(settings);
}

void PairViews::swap() {
  const SideChoice b = run_.side();
  SideChoice next = b;
  next.backend = a_.settings().backend;
  next.selection = a_.settings().selection;
  setSideA(b.backend, b.selection);
  run_.setSide(next);
  showSides();
}

void PairViews::setCompared(const Candidate& a, const Candidate& b, bool changeA) {
  const SharedPointSet data = a_.data();
  if (changeA && a.variant && data && !a_.device().name.empty()) {
    const Problem problem{data->n, data->d, a_.settings().k};
    const auto whyNot = a.variant->whyNot(a.stage, problem, a_.device(), a.variant->complete(a.tuning));
    Selection selection = withVariant(a_.settings().selection, a_.plan(), a.stage, *a.variant);
    selection.tuning = tuningOf(a);
    if (whyNot)
      Q_EMIT message(tr("Side A stays as it is: %1").arg(QString::fromStdString(*whyNot)), false);
    else if (a_.plan().of(a.stage) != a.variant || selection.tuning != a_.settings().selection.tuning)
      setSideA(a_.settings().backend, selection);
  }
  if (!b.variant) return;
  SideChoice side = run_.side();
  const Session* other = run_.other();
  const bool known = other && !other->device().name.empty();
  const Backend present = known ? other->device().backend : a_.device().backend;
  const BackendChoice backend = backendFor(*b.variant, b.stage, side.backend, present, a_.device().backend);
  const bool moves = backend != side.backend;
  side.selection = moves ? withVariant({}, {}, b.stage, *b.variant)
                         : withVariant(side.selection, known ? other->plan() : Plan{}, b.stage, *b.variant);
  side.selection.tuning = tuningOf(b);
  side.backend = backend;
  run_.setSide(side);
  showSides();
}

bool PairViews::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) placeCaptions();
  return QObject::eventFilter(watched, event);
}

} // namespace lloyd
