// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/tool_bar.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/actions.hpp"

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <chrono>

namespace lloyd {

namespace {

/// Iterations a second at each place of the slider; 0 is one a frame.
constexpr std::array rates{0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 0.0};
constexpr int betweenParts = 6; ///< pixels
/// From one number to the next at full speed. Each is drawn by the processor, which takes more than a
/// millisecond of a frame, and nobody reads a hundred in a second.
constexpr auto betweenFrames = std::chrono::milliseconds(100);
constexpr int fastest = static_cast<int>(rates.size()) - 1;

} // namespace

ToolBar::ToolBar(Session& session, const Actions& actions, QWidget* parent)
    : QToolBar(parent), session_(session), iteration_(new QLabel(this)), points_(new QLabel(this)),
      clusters_(new QLabel(this)), rate_(new QSlider(Qt::Horizontal, this)), rateText_(new QLabel(this)) {
  setObjectName(QStringLiteral("tools"));
  setWindowTitle(tr("Tool bar"));
  setMovable(false);
  setFloatable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  setIconSize(QSize(20, 20));
  for (const ActionId id : {ActionId::stepBack, ActionId::play, ActionId::step, ActionId::restart})
    addAction(actions[id]);
  addSeparator();
  iteration_->setToolTip(tr("Iterations of this run so far"));
  points_->setToolTip(tr("Points that are clustered"));
  clusters_->setToolTip(tr("Clusters"));
  for (QLabel* label : {iteration_, points_, clusters_}) {
    label->setContentsMargins(4, 0, 8, 0);
    QAction* place = addWidget(label);
    if (label != iteration_) spare_ << place;
  }
  addSeparator();
  rate_->setObjectName(QStringLiteral("rate"));
  rate_->setRange(0, fastest);
  rate_->setValue(fastest);
  rate_->setPageStep(1);
  rate_->setFixedWidth(110);
  rate_->setAccessibleName(tr("Iterations a second"));
  rate_->setToolTip(tr("How often an iteration is made, from one in 2 s to one every frame ([ and ])"));
  addWidget(rate_);
  rateText_->setContentsMargins(4, 0, 4, 0);
  rateText_->setMinimumWidth(fontMetrics().horizontalAdvance(tr("30 a second")) + 10);
  rateText_->setProperty("dim", true);
  spare_ << addWidget(rateText_);
  auto* space = new QWidget(this);
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(space);
  auto* workspaces = new QActionGroup(this);
  for (const ActionId id : {ActionId::explore, ActionId::teach, ActionId::compare}) {
    addAction(actions[id]);
    workspaces->addAction(actions[id]);
  }
  for (QToolButton* button : findChildren<QToolButton*>())
    button->setFocusPolicy(Qt::TabFocus);

  connect(rate_, &QSlider::valueChanged, this, &ToolBar::rateMoved);
  for (const auto signal :
       {&Session::stateChanged, &Session::seeded, &Session::dataChanged, &Session::settingsChanged})
    connect(&session_, signal, this, &ToolBar::showState);
  connect(&session_, &Session::iterated, this, &ToolBar::iterated);
  shown_.setSingleShot(true);
  shown_.setInterval(betweenFrames);
  connect(&shown_, &QTimer::timeout, this, &ToolBar::showIteration);
  rateMoved(rate_->value());
  showState();
  fixIteration();
}

/// What the side panel says too gives way to the workspaces.
void ToolBar::resizeEvent(QResizeEvent* event) {
  int wanted = 0;
  for (QAction* action : actions())
    if (const QWidget* part = widgetForAction(action))
      wanted += std::max(part->sizeHint().width(), part->minimumWidth()) + betweenParts;
  for (QAction* place : spare_)
    place->setVisible(width() > wanted);
  QToolBar::resizeEvent(event);
}

void ToolBar::changeRate(int direction) { rate_->setValue(rate_->value() + direction); }

void ToolBar::rateMoved(int step) {
  const double rate = rates[static_cast<std::size_t>(step)];
  session_.setRate(rate);
  rateText_->setText(rate == 0  ? tr("every frame")
                     : rate < 1 ? tr("one in %1 s").arg(1 / rate)
                                : tr("%1 a second").arg(rate));
}

void ToolBar::iterated() {
  if (session_.playing() && rate_->value() == fastest && !every_) {
    if (!shown_.isActive()) shown_.start();
  } else {
    showIteration();
  }
}

/// A label of no fixed size would have the whole window laid out and drawn anew with every iteration.
void ToolBar::showIteration() {
  const IterationPtr last = session_.last();
  const QString number = last ? countText(static_cast<std::uint64_t>(last->iteration)) : unknownText();
  const bool preparing = session_.state() == Session::State::preparing;
  iteration_->setText(preparing               ? tr("preparing")
                      : session_.converged()  ? tr("iteration %1, converged").arg(number)
                      : last && last->halfway ? tr("iteration %1, classified").arg(number)
                                              : tr("iteration %1").arg(number));
  if (iteration_->sizeHint().width() > iteration_->width()) fixIteration();
}

/// Wide enough for any number of iterations that a person waits for: what follows must not move.
void ToolBar::fixIteration() {
  const int usual = iteration_->fontMetrics().horizontalAdvance(
                        tr("iteration %1, converged").arg(QStringLiteral("88,888"))) +
                    14;
  const QSize hint = iteration_->sizeHint();
  iteration_->setFixedSize(std::max(hint.width(), usual), hint.height());
}

void ToolBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fixIteration();
  QToolBar::changeEvent(event);
}

void ToolBar::showState() {
  showIteration();
  points_->setText(session_.data() ? pointsText(session_.data()->n) : tr("no points"));
  clusters_->setText(tr("k = %1").arg(session_.settings().k));
}

} // namespace lloyd
