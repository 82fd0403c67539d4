// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/measured/step_view.hpp"

#include "app/model/teach/steps/step_texts.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/teach/measured/ladder_strip.hpp"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

QString captionOf(const VersionLadder& ladder) {
  const bool gaps = std::ranges::any_of(ladder.rungs, [](const VersionLadder::Rung& rung) {
    return !std::isfinite(rung.us) && !isOwn(*rung.variant);
  });
  if (ladder.raced)
    return (ladder.card.isEmpty() ? StepView::tr("µs on the simulator, which is no card: %1")
                                  : StepView::tr("µs on %1: %2").arg(ladder.place()))
               .arg(ladder.meaning) +
           (gaps ? StepView::tr("; the rest were not in it") : QString());
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
  const QString sentence = step ? stepSentence(*step, here ? &*here : nullptr) : ladder.verdict;
  sentence_->setVisible(!sentence.isEmpty());
  sentence_->setText(sentence);
  isOfCards_ = step || (!ladder.rungs.empty() && !ladder.raced);
  QStringList more;
  if (step) more << stepRemark(*step) << judgementRule();
  more.removeAll(QString());
  sentence_->setToolTip(more.join(QLatin1Char('\n')));
  setVisible(!sentence.isEmpty() || !ladder.rungs.empty());
}

QString StepView::sentence() const { return sentence_->text(); }

} // namespace lloyd
