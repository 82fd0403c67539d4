// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/colour_by_bar.hpp"

#include "app/render/points/palette.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/view/viewport.hpp"

#include <QAction>
#include <QActionGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace lloyd {

namespace {

struct Choice {
  ColourBy by;
  ActionId id;
  const char* word;
  const char* tip;
};

constexpr Choice choices[] = {
    {ColourBy::cluster, ActionId::colourCluster, QT_TRANSLATE_NOOP("TeachColours", "cluster"),
     QT_TRANSLATE_NOOP("TeachColours", "The cluster that a point has now")},
    {ColourBy::thread, ActionId::colourThread, QT_TRANSLATE_NOOP("TeachColours", "thread"),
     QT_TRANSLATE_NOOP("TeachColours", "The place in its warp of the thread that handles a point")},
    {ColourBy::warp, ActionId::colourWarp, QT_TRANSLATE_NOOP("TeachColours", "warp"),
     QT_TRANSLATE_NOOP("TeachColours", "The warp, 32 threads that go together, that handles a point")},
    {ColourBy::block, ActionId::colourBlock, QT_TRANSLATE_NOOP("TeachColours", "block"),
     QT_TRANSLATE_NOOP("TeachColours", "The block, threads that share memory, that handles a point")},
    {ColourBy::changed, ActionId::colourChanged, QT_TRANSLATE_NOOP("TeachColours", "changed"),
     QT_TRANSLATE_NOOP("TeachColours", "Whether a point got another label in the last classification")}};

std::vector<Rgb> coloursOf(const PointGroups& groups) {
  const Theme theme = UiTheme::current().dark ? Theme::dark : Theme::light;
  switch (groups.colours) {
  case GroupColours::ramp:
    return rampColours(groups.count, theme);
  case GroupColours::change:
    return changeColours(theme);
  default:
    return groupColours(groups.count, theme);
  }
}

} // namespace

ColourByBar::ColourByBar(Session& session, CounterService& trace, const Actions& actions, Viewport* viewport,
                         QWidget* parent)
    : QWidget(parent), session_(session), trace_(trace), actions_(actions), viewport_(viewport),
      legend_(new QLabel(this)) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  legend_->setObjectName(QStringLiteral("legend"));
  legend_->setAccessibleName(tr("What the colours mean"));
  legend_->setWordWrap(true);
  legend_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  auto* row = new QHBoxLayout;
  row->setSpacing(3);
  auto* group = new QActionGroup(this);
  for (const Choice& choice : choices) {
    QAction* action = actions[choice.id];
    action->setToolTip(
        tr("%1 (%2)").arg(tr(choice.tip), action->shortcut().toString(QKeySequence::NativeText)));
    group->addAction(action);
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("colourBy"));
    button->setDefaultAction(action);
    button->setText(tr(choice.word));
    button->setAccessibleName(action->text());
    button->setFocusPolicy(Qt::TabFocus);
    row->addWidget(button);
    // The action's own words are for the menu.
    connect(action, &QAction::changed, button, [button, word = choice.word] { button->setText(tr(word)); });
    connect(action, &QAction::triggered, this, [this, by = choice.by] { setBy(by); });
    if (by_ == choice.by) action->setChecked(true);
  }
  row->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 4);
  column->setSpacing(2);
  column->addLayout(row);
  column->addWidget(legend_);
  connect(&session_, &Session::iterated, this, &ColourByBar::iterated);
  connect(&session_, &Session::seeded, this, [this] { labels_.clear(); });
  connect(&session_, &Session::dataChanged, this, [this] {
    labels_.clear();
    apply();
  });
  if (viewport_) {
    viewport_->setPointNote([this](std::size_t point) { return active_ ? noteOf(point) : QString(); });
    connect(viewport_, &Viewport::pointed, this, [this](std::optional<std::size_t> point) {
      if (!active_ || !point || pointed_) return;
      pointed_ = true;
      wantOwners();
    });
  }
  connect(&trace_, &CounterService::owned, this, &ColourByBar::apply);
  connect(&trace_, &CounterService::counting, this, &ColourByBar::apply);
}

void ColourByBar::setActive(bool active) {
  active_ = active;
  apply();
}

void ColourByBar::setBy(ColourBy by) {
  by_ = by;
  for (const Choice& choice : choices)
    if (choice.by == by) actions_[choice.id]->setChecked(true);
  apply();
}

QString ColourByBar::legend() const { return legend_->text(); }

void ColourByBar::explain(const QString& legend) {
  // Two lines are kept free for it, so that the points below do not jump.
  legend_->setMinimumHeight(2 * legend_->fontMetrics().lineSpacing() + 2);
  legend_->setText(legend);
}

void ColourByBar::iterated(const IterationPtr& result) {
  const bool unknown = labels_.follow(*result);
  if (!active_ || !viewport_ || !session_.data() || session_.data()->n > mostOwned) return;
  // Reading labels back from a shared buffer waits for the card, so a run that plays is not asked for it
  // unless they are to be seen.
  const bool costly = session_.sharing() == Sharing::shared && session_.playing();
  if (unknown && (!costly || by_ == ColourBy::changed)) {
    const ShownLabels shown = session_.labels();
    labels_.take({shown.labels.begin(), shown.labels.end()});
  }
  if (by_ == ColourBy::changed) applyChanged();
}

bool ColourByBar::byOwner() const {
  return by_ == ColourBy::thread || by_ == ColourBy::warp || by_ == ColourBy::block;
}

void ColourByBar::wantOwners() { trace_.wantOwners(active_ && viewport_ && (byOwner() || pointed_)); }

void ColourByBar::apply() {
  wantOwners();
  if (!viewport_) return explain(tr("No points are drawn here"));
  if (!active_ || by_ == ColourBy::cluster) {
    viewport_->setGroups(nullptr, {});
    return explain(tr("colour = cluster; numbered markers are centroids"));
  }
  byOwner() ? applyOwners() : applyChanged();
}

/// Of the present subject and points; null while nobody knows.
const TeachOwners* ColourByBar::knownOwners() const {
  const TeachOwners* owners = trace_.owners().get();
  return owners && owners->subject == trace_.subject() && owners->points == session_.data() ? owners
                                                                                            : nullptr;
}

QString ColourByBar::noteOf(std::size_t point) const {
  const TeachOwners* owners = knownOwners();
  if (!owners || point >= owners->owners.size()) return {};
  const Problem problem{owners->points->n, owners->points->d, 0};
  return handlerText(owners->owners[point], point, problem, owners->subject.variant->info.layout);
}

void ColourByBar::applyOwners() {
  const TeachOwners* owners = knownOwners();
  if (!owners) {
    viewport_->setGroups(nullptr, {});
    return explain(tr("Finding out which thread handles which point ..."));
  }
  if (!owners->why.isEmpty()) {
    viewport_->setGroups(nullptr, {});
    return explain(owners->why);
  }
  give(groupsOf(by_, owners->owners, 1));
}

void ColourByBar::applyChanged() {
  if (session_.data() && session_.data()->n > mostOwned) {
    viewport_->setGroups(nullptr, {});
    return explain(tr("Changes are shown for up to %1 points").arg(countText(mostOwned)));
  }
  const LabelHistory::Labels now = labels_.now(), before = labels_.before();
  if (!now || now->empty() || (!before && !labels_.first())) {
    viewport_->setGroups(nullptr, {});
    return explain(tr("Take a step: then it can be told which points changed their label"));
  }
  give(changedGroups(before ? std::span<const Label>(*before) : std::span<const Label>(), *now));
}

void ColourByBar::give(const PointGroups& groups) {
  if (!viewport_->setGroups(groups.groups, coloursOf(groups))) return; // of points shown before
  explain(groups.legend);
}

} // namespace lloyd
