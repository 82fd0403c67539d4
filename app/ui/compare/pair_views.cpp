// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/pair_views.hpp"

#include "app/model/compute/settings.hpp"
#include "app/model/race/race_runner.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/render/points/palette.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/pair_metrics_view.hpp"
#include "app/ui/compare/split_divider.hpp"
#include "app/ui/view/overlay.hpp"
#include "app/ui/view/viewport.hpp"

#include <QEvent>
#include <QLabel>
#include <QStackedLayout>
#include <QStringList>

#include <algorithm>
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
BackendRequest backendFor(const Variant& variant, Stage stage, BackendRequest asked, Backend present,
                          Backend ofA) {
  if (variant.on(present).has(stage)) return asked;
  if (variant.on(Backend::cuda).has(stage) && ofA == Backend::cuda) return BackendRequest::cuda;
  if (variant.on(Backend::cpu).has(stage)) return BackendRequest::cpu;
  return BackendRequest::simt;
}

constexpr int captionMargin = 8;
constexpr std::size_t fewPoints = 20'000; ///< up to which all are drawn at once, and no crowd
constexpr double pixelsAPoint = 16;       ///< where they have as much room

QString backendWord(const DeviceInfo& device) {
  switch (device.backend) {
  case Backend::cuda:
    return PairViews::tr("CUDA");
  case Backend::simt:
    return PairViews::tr("SIMT simulator");
  default:
    return PairViews::tr("CPU");
  }
}

/// "A  classify.v7 + reduce.v7 · CUDA"
QString captionOf(const QString& side, const Session* session) {
  if (!session || session->device().name.empty()) return side;
  QStringList names;
  const Plan& plan = session->plan();
  for (const Variant* variant : {plan.fused, plan.classify, plan.reduce})
    if (variant) names << QString::fromStdString(variant->id());
  names.removeDuplicates();
  if (names.isEmpty()) return side;
  return QStringLiteral("%1  %2 \u00b7 %3")
      .arg(side, names.join(QStringLiteral(" + ")), backendWord(session->device()));
}

constexpr auto captionSheet =
    "QLabel#pairCaption { background: %panel; color: %text; border: 1px solid %line; "
    "border-radius: 5px; padding: 2px 7px; font-weight: bold; }";

Theme themeNow() { return UiTheme::current().dark ? Theme::dark : Theme::light; }

} // namespace

PairViews::PairViews(Session& a, RaceRunner& races, const DeviceLease& lease, Viewport* viewA,
                     QWidget* parent, KMeansRunner::DeviceFactory factory)
    : QObject(parent), a_(a), races_(races), lease_(lease), viewA_(viewA),
      run_(a, nullptr, std::move(factory)), counts_(a), beside_(new PairBeside(parent)),
      bar_(new PairBar(a, run_, parent)), metrics_(new PairMetricsView(parent)) {
  bar_->setDrawing(viewA != nullptr);
  run_.wantDifferences(!lease_.held());
  SideChoice side;
  side.backend = a.settings().backend;
  side.selection = a.settings().selection;
  run_.setSide(side);

  connect(beside_, &PairBeside::closing, this, [this] {
    if (Session* b = run_.other()) b->setSurface(nullptr);
  });
  connect(bar_, &PairBar::modeWanted, this, &PairViews::setMode);
  connect(bar_, &PairBar::sideAWanted, this, &PairViews::setSideA);
  connect(bar_, &PairBar::sideBWanted, this, &PairViews::setSideB);
  connect(bar_, &PairBar::swapWanted, this, &PairViews::swap);
  connect(&run_, &PairedRun::otherChanged, this, &PairViews::connectOther);
  connect(&run_, &PairedRun::compared, this, [this] {
    showDifference();
    showSentence();
  });
  connect(&run_, &PairedRun::caughtUp, this, &PairViews::showSentence);
  connect(&run_, &PairedRun::message, this, &PairViews::message);
  connect(&counts_, &PairCounters::changed, this, &PairViews::refresh);
  connect(&lease_, &DeviceLease::changed, this, &PairViews::restWhileMeasured);
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
QWidget* PairViews::metrics() const { return metrics_; }

void PairViews::connectViewA() {
  divider_ = new SplitDivider(viewA_);
  divider_->hide();
  captionA_ = captionOn(viewA_);
  captionSplit_ = captionOn(viewA_);
  viewA_->installEventFilter(this);
  connect(divider_, &SplitDivider::moved, this, &PairViews::setDivider);
  connect(viewA_, &Viewport::cameraChanged, this, [this] {
    if (!viewB_) return;
    viewB_->setProjection(viewA_->projection());
    viewB_->setCamera(viewA_->camera());
  });
  connect(viewA_, &Viewport::pointed, this, [this](std::optional<std::size_t> point) {
    if (viewB_ && run_.other() && run_.other()->data() == a_.data()) viewB_->setPointed(point);
  });
  connect(viewA_, &Viewport::lookChanged, this, [this] {
    if (!viewB_) return;
    viewB_->setTrails(viewA_->trails());
    viewB_->setRegions(viewA_->regions());
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
  viewB_->setRegions(viewA_->regions());
  viewB_->setSizeFactor(viewA_->sizeFactor());
  viewB_->setPlaying(playing());
  viewB_->addActions(viewA_->actions());
  viewB_->setContextMenuPolicy(viewA_->contextMenuPolicy());
  viewB_->installEventFilter(this);
  beside_->setView(viewB_);
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
  connect(viewB_, &Viewport::centroidMoved, this,
          [this](int cluster) { Q_EMIT centroidMoved(cluster, viewB_->carrying()); });
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

/// Nothing may run beside a measurement: what is counted or compared waits for its end.
void PairViews::restWhileMeasured() {
  counts_.setActive(active() && !lease_.held());
  run_.wantDifferences(!lease_.held());
}

void PairViews::apply() {
  bar_->showMode(mode_);
  const bool side = active() && mode_ == PairMode::beside;
  if (side) makeViewB();
  run_.setActive(active());
  restWhileMeasured();
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

void PairViews::setSideA(BackendRequest backend, const Selection& selection) {
  Settings settings = a_.settings();
  settings.backend = backend;
  settings.selection = selection;
  a_.setSettings(settings);
}

void PairViews::setSideB(const SideChoice& side) {
  run_.setSide(side);
  showSides();
}

void PairViews::setDivider(double share) {
  if (!viewA_) return;
  viewA_->setDivider(share);
  divider_->setShare(viewA_->divider());
  placeCaptions();
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

/// Schedules of sets are raced and recorded; what runs side by side is one set.
void PairViews::setCompared(const Candidate& a, const Candidate& b, bool changeA) {
  if (a.stage == Stage::sets || b.stage == Stage::sets) return;
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
  // Until B has a device it is thought to get that of A.
  if (!known && side.backend == BackendRequest::automatic) side.backend = a_.settings().backend;
  const BackendRequest backend = backendFor(*b.variant, b.stage, side.backend, present, a_.device().backend);
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

// What the parts of A | B show.

bool PairViews::playing() const { return a_.playing() && !a_.converged(); }
double PairViews::shownRate() const { return a_.playing() ? a_.rate() : 1.0; }

/// A cluster of B has the colour of the cluster of A that it is held against.
std::vector<Rgb> PairViews::coloursOfB() const {
  if (!viewA_) return {};
  std::vector<Rgb> colours = viewA_->colours();
  const PairDifferencePtr difference = run_.difference();
  if (!run_.side().seed || !difference || difference->clusterOfA.size() != colours.size()) return colours;
  for (std::size_t c = 0; c < colours.size(); ++c)
    colours[c] = viewA_->colours()[static_cast<std::size_t>(difference->clusterOfA[c])];
  return colours;
}

void PairViews::showResultOfB() {
  const Session* b = run_.other();
  if (!b || !b->last()) return;
  if (mode_ == PairMode::beside && viewB_) {
    viewB_->setColours(coloursOfB());
    viewB_->setResult(b->last(), shownRate());
    if (viewA_) {
      viewB_->setProjection(viewA_->projection());
      viewB_->setCamera(viewA_->camera());
    }
    showBeside();
  }
  giveOther();
  if (!a_.playing()) refresh();
}

void PairViews::giveOther() {
  const Session* b = run_.other();
  if (!viewA_ || !active() || mode_ != PairMode::split) return;
  const bool same = b && b->last() && b->frame().labels && b->data() == a_.data();
  const bool taken =
      same && viewA_->setOther(OtherRun{b->frame().labels, b->last(), coloursOfB()}, shownRate());
  if (!taken) viewA_->setOther(std::nullopt, 0);
}

void PairViews::showDifference() {
  if (!viewA_) return;
  const bool wanted = active() && mode_ == PairMode::difference;
  const PairDifferencePtr difference = wanted ? run_.difference() : nullptr;
  if (!difference) {
    if (std::exchange(grouped_, false)) viewA_->setGroups(nullptr, {});
    viewA_->setRinged({}, {});
    return;
  }
  const std::vector<Rgb> colours = changeColours(themeNow());
  grouped_ = viewA_->setGroups(difference->groups, colours);
  std::vector<std::size_t> ringed;
  if (grouped_ && difference->differing <= Viewport::mostRinged) {
    const std::vector<std::int32_t>& groups = *difference->groups;
    for (std::size_t i = 0; i < groups.size() && ringed.size() < difference->differing; ++i)
      if (groups[i] != 0) ringed.push_back(i);
  }
  viewA_->setRinged(std::move(ringed), colours.back());
}

void PairViews::showSentence() {
  const PairDifferencePtr difference = run_.difference();
  QString sentence;
  bool matched = false;
  if (mode_ == PairMode::alone)
    sentence = tr("Side B is not computed");
  else if (!active())
    sentence.clear();
  else if (!a_.data())
    sentence = tr("There are no points to compare");
  else if (!run_.whyNotCompared().isEmpty() && (!run_.other() || run_.inStep()))
    sentence = run_.whyNotCompared();
  else if (!difference)
    sentence = tr("Side B gets ready\u2026");
  if (sentence.isEmpty() && active() && difference) {
    sentence = differenceText(*difference);
    matched = difference->matched;
  }
  bar_->showSentence(sentence, difference && difference->differing > 0, matched);
}

/// B's view, or why it is not there.
void PairViews::showBeside() {
  if (!beside_ || mode_ != PairMode::beside) return;
  QString text;
  if (!viewA_)
    text = tr("No points are drawn here. Side B is computed all the same: its metrics are below.");
  else if (!run_.other())
    text = run_.why();
  else if (viewB_ && !viewB_->failure().isEmpty())
    text = viewB_->failure();
  beside_->showText(text);
}

void PairViews::showSides() {
  bar_->showSides();
  const Session* b = run_.other();
  counts_.setPlans(a_.plan(), b ? b->plan() : Plan{});
  showSentence();
  showBeside();
  showCaptions();
  refresh();
  Q_EMIT sidesChanged();
}

void PairViews::showCaptions() {
  if (!viewA_) return;
  const bool two = active() && mode_ != PairMode::alone;
  const bool split = two && mode_ == PairMode::split;
  const auto show = [](QLabel* label, const QString& text, bool shown) {
    if (!label) return;
    label->setStyleSheet(UiTheme::current().styleSheet(captionSheet));
    label->setText(text);
    label->adjustSize();
    label->setVisible(shown);
    label->raise();
  };
  const QString a = captionOf(QStringLiteral("A"), &a_);
  const QString b = captionOf(QStringLiteral("B"), run_.other());
  show(captionA_, mode_ == PairMode::difference ? tr("%1   against   %2").arg(a, b) : a, two);
  show(captionSplit_, b, split);
  show(viewB_ ? captionB_ : nullptr, b, two);
  placeCaptions();
}

/// At the upper right of a view; at the divider where there is one, each on its own side.
void PairViews::placeCaptions() {
  if (!viewA_ || !captionA_) return;
  divider_->fit();
  // The number of points stands at the left; where both do not fit, a caption stands below it.
  const SharedPointSet points = a_.data();
  const auto plateOf = [&](const Viewport& view) {
    Drawn drawn{.points = 1'000'000, .total = 1'000'000, .density = true, .majority = true};
    const double pixels = view.width() * view.height();
    if (points && points->n <= fewPoints && pixels >= pixelsAPoint * static_cast<double>(points->n))
      drawn = {.points = points->n, .total = points->n};
    static const PointSet none;
    const PointSet& shown = points ? *points : none; // in place: a copy takes as long as its bytes
    return cornerPlate(view.font(), view.width(),
                       drawnTextIn(view.size(), shown, drawn, view.projection().get()));
  };
  const auto below = [](const QRectF& plate) {
    return plate.isEmpty() ? captionMargin : static_cast<int>(plate.bottom()) + captionMargin / 2;
  };
  const auto atRight = [&](QLabel* label, const Viewport& view) {
    const QRectF plate = plateOf(view);
    const int left = view.width() - label->width() - captionMargin;
    const bool fits = left > plate.right() + captionMargin;
    label->move(std::max(captionMargin, left), fits ? captionMargin : below(plate));
  };
  if (active() && mode_ == PairMode::split) {
    const int at = divider_->x() + divider_->width() / 2;
    // Where the divider stands changes how they stand beside each other, not how high.
    const int top = below(plateOf(*viewA_));
    captionA_->move(at - captionMargin - captionA_->width(), top);
    captionSplit_->move(at + captionMargin, top);
  } else {
    atRight(captionA_, *viewA_);
  }
  if (viewB_ && captionB_) atRight(captionB_, *viewB_);
}

void PairViews::refresh() {
  if (!shown_) return;
  showSentence();
  const Session* b = run_.other();
  PairMetrics metrics;
  const auto sideOf = [](const Session& session) {
    return PairMetrics::Side{&session.timings(), session.plan(), session.simulated(), session.last(),
                             session.device().backend};
  };
  if (a_.data()) metrics.problem = {a_.data()->n, a_.data()->d, a_.settings().k};
  metrics.a = sideOf(a_);
  if (b) metrics.b = sideOf(*b);
  metrics.difference = run_.difference();
  metrics.whyNotCompared = run_.whyNotCompared();
  metrics.race = races_.last();
  const auto& counted = counts_.counted();
  if (b && counted && counted->problem.d == metrics.problem.d && counted->problem.k == metrics.problem.k)
    metrics.counted = counted;
  metrics_->show(metrics);
}

void PairViews::renewColours() {
  if (viewB_) {
    viewB_->setDark(UiTheme::current().dark);
    viewB_->setColours(coloursOfB());
  }
  giveOther();
  showDifference();
  showCaptions();
}

PairBeside::PairBeside(QWidget* parent)
    : QWidget(parent), stack_(new QStackedLayout(this)), text_(new QLabel(this)) {
  setObjectName(QStringLiteral("pairBeside"));
  setMinimumSize(1, 1);
  text_->setObjectName(QStringLiteral("pairReason"));
  text_->setWordWrap(true);
  text_->setAlignment(Qt::AlignCenter);
  text_->setMargin(24);
  text_->setAccessibleName(tr("Why side B is not drawn"));
  stack_->addWidget(text_);
  hide();
}

void PairBeside::setView(QWidget* view) {
  view_ = view;
  stack_->addWidget(view);
}

void PairBeside::showText(const QString& text) {
  text_->setText(text);
  QWidget* shown = text.isEmpty() && view_ ? view_.data() : text_;
  if (stack_->currentWidget() != shown) stack_->setCurrentWidget(shown);
}

} // namespace lloyd
