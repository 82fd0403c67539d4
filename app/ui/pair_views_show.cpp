// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of A | B show.
#include "app/model/race_runner.hpp"
#include "app/model/report_device.hpp"
#include "app/render/palette.hpp"
#include "app/ui/pair_bar.hpp"
#include "app/ui/pair_beside.hpp"
#include "app/ui/pair_divider.hpp"
#include "app/ui/pair_figures.hpp"
#include "app/ui/pair_views.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/viewport.hpp"

#include <QLabel>
#include <QStackedLayout>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace lloyd {

namespace {

constexpr int captionMargin = 8;

QString backendWord(const DeviceInfo& device) {
  switch (device.backend) {
  case Backend::cuda:
    return PairViews::tr("CUDA");
  case Backend::simt:
    return PairViews::tr("executor, simulated");
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

QString captionSheet() {
  const UiTheme& theme = UiTheme::current();
  return QStringLiteral("QLabel#pairCaption { background: %1; color: %2; border: 1px solid %3; "
                        "border-radius: 5px; padding: 2px 7px; font-weight: bold; }")
      .arg(theme.panel.name(), theme.text.name(), theme.line.name());
}

Theme themeNow() { return UiTheme::current().dark ? Theme::dark : Theme::light; }

} // namespace

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
    if (viewA_) viewB_->setCamera(viewA_->camera());
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
  if (mode_ == PairMode::alone)
    sentence = tr("Side B is not computed");
  else if (!active())
    sentence.clear();
  else if (!run_.whyNotCompared().isEmpty() && (!run_.other() || run_.inStep()))
    sentence = run_.whyNotCompared();
  else if (difference)
    sentence = differenceText(*difference);
  else
    sentence = tr("Side B gets ready\u2026");
  bar_->showSentence(sentence, difference && difference->differing > 0);
}

/// B's view, or why it is not there.
void PairViews::showBeside() {
  if (!beside_ || mode_ != PairMode::beside) return;
  QString words;
  if (!viewA_)
    words = tr("No points are drawn here. Side B is computed all the same: its figures are below.");
  else if (!run_.other())
    words = run_.why();
  else if (viewB_ && !viewB_->failure().isEmpty())
    words = viewB_->failure();
  besideWords_->setText(words);
  QWidget* shown = words.isEmpty() && viewB_ ? static_cast<QWidget*>(viewB_) : besideWords_;
  if (besideStack_->currentWidget() != shown) besideStack_->setCurrentWidget(shown);
}

void PairViews::showSides() {
  bar_->showSides();
  const Session* b = run_.other();
  counts_.setPlans(a_.plan(), b ? b->plan() : Plan{});
  showSentence();
  showBeside();
  showCaptions();
  refresh();
}

void PairViews::showCaptions() {
  if (!viewA_) return;
  const bool two = active() && mode_ != PairMode::alone;
  const bool split = two && mode_ == PairMode::split;
  const auto show = [](QLabel* label, const QString& text, bool shown) {
    if (!label) return;
    label->setStyleSheet(captionSheet());
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
  const auto atRight = [](QLabel* label, int edge) {
    // The number of points stands at the left; where both do not fit, the caption takes the line below.
    const QString longest = tr("1,000,000 points drawn, lightness is their number");
    const int taken = label->fontMetrics().horizontalAdvance(longest) + 3 * captionMargin;
    const bool fits = edge - label->width() - captionMargin > taken;
    label->move(std::max(captionMargin, edge - label->width() - captionMargin),
                fits ? captionMargin : 2 * captionMargin + label->height());
  };
  if (active() && mode_ == PairMode::split) {
    const int at = divider_->x() + divider_->width() / 2;
    // Below the plate with the number of points, which stands at the left.
    captionA_->move(std::min(at - captionMargin - captionA_->width(), at),
                    viewA_->height() - captionA_->height() - 3 * captionMargin);
    captionSplit_->move(at + captionMargin, viewA_->height() - captionSplit_->height() - 3 * captionMargin);
  } else {
    atRight(captionA_, viewA_->width());
  }
  if (viewB_ && captionB_) atRight(captionB_, viewB_->width());
}

void PairViews::refresh() {
  if (!shown_) return;
  showSentence();
  const Session* b = run_.other();
  PairFigures figures;
  const auto sideOf = [](const Session& session) {
    return PairFigures::Side{&session.timings(), session.plan(), session.simulated(), session.last()};
  };
  if (a_.data()) figures.problem = {a_.data()->n, a_.data()->d, a_.settings().k};
  figures.a = sideOf(a_);
  if (b) figures.b = sideOf(*b);
  figures.difference = run_.difference();
  figures.whyNotCompared = run_.whyNotCompared();
  figures.race = races_.last();
  const auto& counted = counts_.counted();
  if (b && counted && counted->problem.d == figures.problem.d && counted->problem.k == figures.problem.k)
    figures.counted = counted;
  figures_->show(figures);
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

} // namespace lloyd
