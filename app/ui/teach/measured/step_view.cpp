// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/measured/step_view.hpp"

#include "app/model/teach/steps/step_texts.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/teach/measured/ladder_strip.hpp"

#include <QVBoxLayout>

namespace lloyd {
namespace {

QString captionOf(const VersionLadder& ladder) {
  if (ladder.card.isEmpty())
    return StepView::tr("µs on the simulator, which is no card: %1").arg(ladder.meaning);
  if (ladder.raced) return StepView::tr("µs on %1: %2").arg(ladder.place(), ladder.meaning);
  return ladder.sameWork
             ? StepView::tr("µs on %1").arg(ladder.place())
             : StepView::tr("µs on %1, of launches that differ in N, D or K: such times cannot be compared")
                   .arg(ladder.place());
}

} // namespace

StepView::StepView(QWidget* parent)
    : QWidget(parent), caption_(wrappedLabel(this, true)), ladder_(new LadderStrip(this)),
      sentence_(wrappedLabel(this)) {
  setObjectName(QStringLiteral("step"));
  sentence_->setObjectName(QStringLiteral("stepSentence"));
  sentence_->setAccessibleName(tr("The step in the text and here"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 4);
  column->setSpacing(4);
  for (QWidget* part : std::initializer_list<QWidget*>{caption_, ladder_, sentence_})
    column->addWidget(part);
}

void StepView::showStep(const TeachSubject& subject, const std::string& card, const RaceResultPtr& race) {
  const VersionLadder ladder = versionLadder(subject, card, race.get());
  ladder_->showLadder(ladder);
  caption_->setVisible(!ladder.rungs.empty());
  caption_->setText(captionOf(ladder));
  caption_->setToolTip(ladder.meaning);
  const TextStep* step = subject.variant ? stepTo(*subject.variant) : nullptr;
  if (step && step->stage != subject.stage) step = nullptr;
  std::optional<StepHere> here;
  if (step && race) here = racedStep(*step, *race);
  if (step && !here) here = shippedStep(*step);
  sentence_->setVisible(step != nullptr);
  sentence_->setText(step ? stepSentence(*step, here ? &*here : nullptr) : QString());
  QStringList more;
  if (step) more << stepRemark(*step) << judgementRule();
  more.removeAll(QString());
  sentence_->setToolTip(more.join(QLatin1Char('\n')));
  setVisible(step || !ladder.rungs.empty());
}

QString StepView::sentence() const { return sentence_->text(); }

} // namespace lloyd
