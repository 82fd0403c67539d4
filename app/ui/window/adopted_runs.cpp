// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/adopted_runs.hpp"

#include "app/model/compute/centroid_edit.hpp"
#include "app/model/session/session.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/explore/k_curve_panel.hpp"
#include "app/ui/explore/restarts_strip.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/view/viewport.hpp"
#include "app/ui/window/window_settings.hpp"
#include "app/ui/window/workspace_layout.hpp"

#include <utility>

namespace lloyd {
namespace {

/// Where a person looks at the points, and at nothing that the run is part of.
bool explores(const WorkspaceLayout& arrangement) {
  return arrangement.workspace() == Workspace::explore && !arrangement.presenting();
}

/// Two numbers that differ, with as many digits as tell them apart.
std::pair<QString, QString> toldApart(double a, double b) {
  constexpr int least = 4;
  constexpr int most = 15;
  for (int digits = least;; ++digits) {
    std::pair<QString, QString> texts(significantText(a, digits), significantText(b, digits));
    if (texts.first != texts.second || digits == most) return texts;
  }
}

} // namespace

AdoptedRuns::AdoptedRuns(Session& session, const DeviceLease& lease, ClusterColours& colours,
                         const Parts& parts, QObject* parent)
    : QObject(parent), session_(session), colours_(colours), strip_(parts.strip),
      clustering_(parts.clustering),
      others_(session, lease, [arrangement = &parts.arrangement] { return explores(*arrangement); }) {
  connect(&strip_, &RestartsStrip::taking, this, &AdoptedRuns::begin);
  connect(&strip_, &RestartsStrip::taking, this, &AdoptedRuns::chosen);
  connect(&parts.kCurve, &KCurvePanel::taking, this, &AdoptedRuns::chosen);
  connect(&parts.kCurve, &KCurvePanel::taking, this, [this](const KRunPtr& run) { begin(coloursOf(*run)); });
  connect(&strip_, &RestartsStrip::message, this, &AdoptedRuns::pass);
  connect(&parts.kCurve, &KCurvePanel::message, this, &AdoptedRuns::pass);
  connect(&session, &Session::stateAdopted, this, &AdoptedRuns::adopted);
  connect(&others_, &OtherStarts::tried, this, &AdoptedRuns::take);
  connect(&others_, &OtherStarts::changed, this, &AdoptedRuns::showOthers);
  connect(&clustering_, &ClusteringPanel::seedChosen, &others_, &OtherStarts::seedChosen);
  connect(&clustering_, &ClusteringPanel::otherStartsWanted, this, [this](bool on) {
    others_.setEnabled(on);
    if (on) others_.seedReturned();
    showOthers();
  });
  connect(&parts.arrangement, &WorkspaceLayout::changed, this, [this, arrangement = &parts.arrangement] {
    if (!explores(*arrangement)) others_.cancel();
  });
  if (parts.viewport) connect(parts.viewport, &Viewport::centroidMoved, &others_, &OtherStarts::runTouched);
}

void AdoptedRuns::restore(const WindowSettings& past, bool unasked) {
  strip_.setCount(past.restartCount);
  unasked_ = unasked;
  remembered_ = past.otherStarts;
  others_.setEnabled(unasked && remembered_);
  showOthers();
}

/// What looks ticked is done.
void AdoptedRuns::showOthers() {
  const QString whyNot = others_.whyNot();
  const bool chosen = others_.seedIsChosen();
  QString tip =
      tr("Once a run that was played has ended, and others are quick, try the seeds %1 to %2 and take "
         "the best over. A seed that you choose stays")
          .arg(others_.firstSeed())
          .arg(others_.firstSeed() + OtherStarts::starts - 1);
  if (!whyNot.isEmpty())
    tip = whyNot;
  else if (chosen)
    tip = tr("Seed %1 was chosen, and stays. Tick to try the seeds %2 to %3 as well, and take the best over")
              .arg(session_.settings().seed)
              .arg(others_.firstSeed())
              .arg(others_.firstSeed() + OtherStarts::starts - 1);
  clustering_.showOtherStarts(others_.enabled() && whyNot.isEmpty() && !chosen, whyNot.isEmpty(), tip);
}

void AdoptedRuns::remember(WindowSettings& settings) const {
  settings.restartCount = strip_.count();
  settings.otherStarts = unasked_ ? others_.enabled() : remembered_;
}

void AdoptedRuns::begin(const std::vector<std::size_t>& colours) {
  next_ = colours;
  pending_ = true;
  said_.clear();
}

void AdoptedRuns::renumber(const std::vector<int>& before) {
  begin(renumberedColours(pending_ ? next_ : colours_.assignment(), before));
}

void AdoptedRuns::pass(const QString& text, bool error) {
  if (pending_ && !error)
    said_ = text;
  else
    Q_EMIT message(text, error);
}

/// A cluster that goes on about where it was keeps its colour.
std::vector<std::size_t> AdoptedRuns::coloursOf(const KRun& run) const {
  const IterationPtr last = session_.last();
  if (!last || !session_.data() || last->centroids.size() != run.result.centroids.size()) return {};
  return coloursByNearest(last->centroids, colours_.assignment(), run.result.centroids, session_.data()->d);
}

void AdoptedRuns::adopted() {
  pending_ = false;
  colours_.startRun(std::exchange(next_, {}));
  // Queued: others take back what they said of the run before.
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (!said_.isEmpty()) Q_EMIT message(std::exchange(said_, {}), false);
      },
      Qt::QueuedConnection);
}

void AdoptedRuns::take(const KRunPtr& better, int starts) {
  if (!better) return pass(tr("Best of %1 starts: none of the others ends lower").arg(starts), false);
  const IterationPtr last = session_.last();
  const auto [now, before] = toldApart(better->inertia(), last->inertia.value_or(0));
  const QString said = tr("Best of %1 starts: seed %2 at inertia %3, seed %4 at %5")
                           .arg(starts)
                           .arg(better->seed)
                           .arg(now)
                           .arg(session_.settings().seed)
                           .arg(before);
  begin(coloursOf(*better));
  takesUnasked_ = true;
  adopt(session_, *better);
  takesUnasked_ = false;
  Q_EMIT unasked();
  pass(said, false);
}

} // namespace lloyd
