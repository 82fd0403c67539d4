// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/adopted_runs.hpp"

#include "app/model/session/session.hpp"
#include "app/ui/explore/k_curve_panel.hpp"
#include "app/ui/explore/restarts_strip.hpp"

#include <utility>

namespace lloyd {

AdoptedRuns::AdoptedRuns(Session& session, ClusterColours& colours, RestartsStrip& strip, KCurvePanel& kCurve,
                         QObject* parent)
    : QObject(parent), colours_(colours) {
  connect(&strip, &RestartsStrip::taking, this,
          [this](const std::vector<std::size_t>& theirs) { next_ = theirs; });
  connect(&kCurve, &KCurvePanel::taking, this, [this] { next_.clear(); });
  connect(&strip, &RestartsStrip::message, this, &AdoptedRuns::message);
  connect(&kCurve, &KCurvePanel::message, this, &AdoptedRuns::message);
  connect(&session, &Session::stateAdopted, this, [this] { colours_.startRun(std::exchange(next_, {})); });
}

} // namespace lloyd
