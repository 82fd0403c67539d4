// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/half_step_bar.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/common/theme.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStyleOptionButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lloyd {

QFont StepButton::large() const {
  QFont font = this->font();
  font.setBold(true);
  font.setPointSizeF(font.pointSizeF() * 1.25);
  return font;
}

void StepButton::setTexts(const QString& what, const QString& meaning) {
  what_ = what;
  meaning_ = meaning;
  const QString all = QStringLiteral("%1: %2").arg(what, meaning);
  setText(all);
  setAccessibleName(all);
  updateGeometry();
  update();
}

QSize StepButton::sizeHint() const {
  const QFontMetrics first(large()), second = fontMetrics();
  return {std::max(first.horizontalAdvance(what_), second.horizontalAdvance(meaning_)) + 40,
          first.height() + second.height() + 16};
}

QSize StepButton::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 16, sizeHint().height()};
}

void StepButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const UiTheme& theme = UiTheme::current();
  const QRectF plate = QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5);
  const QColor fill = !isEnabled()   ? theme.control
                      : isDown()     ? theme.accent.darker(115)
                      : underMouse() ? theme.accent.lighter(108)
                                     : theme.accent;
  painter.setBrush(fill);
  painter.setPen(hasFocus() ? QPen(theme.text, 2) : QPen(Qt::NoPen));
  painter.drawRoundedRect(plate, 6, 6);
  painter.setPen(isEnabled() ? theme.onAccent : theme.dim);
  const QFontMetrics first(large());
  const int height = first.height() + fontMetrics().height();
  QRect line(rect().adjusted(8, 0, -8, 0));
  line.setTop((rect().height() - height) / 2);
  line.setHeight(first.height());
  painter.setFont(large());
  painter.drawText(line, Qt::AlignCenter, first.elidedText(what_, Qt::ElideRight, line.width()));
  line.translate(0, first.height());
  line.setHeight(fontMetrics().height());
  painter.setFont(font());
  painter.drawText(line, Qt::AlignCenter, fontMetrics().elidedText(meaning_, Qt::ElideRight, line.width()));
}

HalfStepBar::HalfStepBar(Session& session, const Actions& actions, QWidget* parent)
    : QWidget(parent), session_(session), play_(actions[ActionId::play]), next_(new StepButton(this)),
      back_(new QPushButton(tr("Back"), this)), playButton_(new QPushButton(this)), where_(new QLabel(this)) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  next_->setObjectName(QStringLiteral("nextHalf"));
  // A text that is longer than the other one must not push the border of the pane.
  next_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  back_->setObjectName(QStringLiteral("stepBack"));
  back_->setIcon(actions[ActionId::stepBack]->icon());
  where_->setAccessibleName(tr("Where the run stands"));
  where_->setAlignment(Qt::AlignCenter);
  where_->setWordWrap(true);
  for (QPushButton* button : std::initializer_list<QPushButton*>{next_, back_, playButton_})
    button->setFocusPolicy(Qt::TabFocus);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(back_);
  row->addWidget(where_, 1);
  row->addWidget(playButton_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 8, 10, 6);
  column->setSpacing(6);
  column->addWidget(next_);
  column->addLayout(row);
  connect(next_, &QPushButton::clicked, actions[ActionId::halfStep], &QAction::trigger);
  connect(back_, &QPushButton::clicked, actions[ActionId::stepBack], &QAction::trigger);
  connect(playButton_, &QPushButton::clicked, play_, &QAction::trigger);
  // With the theme the icon is another one.
  connect(actions[ActionId::stepBack], &QAction::changed, back_,
          [this, back = actions[ActionId::stepBack]] { back_->setIcon(back->icon()); });
  connect(play_, &QAction::changed, this, &HalfStepBar::showState);
  connect(&session_, &Session::iterated, this, &HalfStepBar::showState);
  connect(&session_, &Session::stateChanged, this, &HalfStepBar::showState);
  connect(&session_, &Session::seeded, this, &HalfStepBar::showState);
  next_->setToolTip(actions[ActionId::halfStep]->toolTip());
  back_->setToolTip(actions[ActionId::stepBack]->toolTip());
  showState();
}

void HalfStepBar::showState() {
  const bool some = session_.data() != nullptr;
  const IterationPtr last = session_.last();
  if (session_.nextHalf() == Half::classify) {
    next_->setTexts(tr("Classify"), tr("each point gets its nearest centroid"));
  } else {
    next_->setTexts(tr("Update"), tr("centroids move to their points' means"));
  }
  next_->setEnabled(some);
  back_->setEnabled(session_.canStepBack());
  playButton_->setText(play_->text());
  playButton_->setIcon(play_->icon());
  playButton_->setToolTip(play_->toolTip());
  playButton_->setEnabled(some);
  if (!last) return where_->setText(some ? tr("before the first iteration") : tr("no points yet"));
  const QString number = countText(static_cast<std::uint64_t>(std::max(0, last->iteration)));
  where_->setText(session_.converged()   ? tr("iteration %1: converged").arg(number)
                  : last->halfway        ? tr("iteration %1: half done").arg(number)
                  : last->iteration == 0 ? tr("before the first iteration")
                  : session_.playing()   ? tr("iteration %1").arg(number) // the next one is on its way
                                         : tr("iteration %1: done").arg(number));
}

} // namespace lloyd
