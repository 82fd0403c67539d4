// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/saved/moment.hpp"

#include "app/model/projection/axes_finder.hpp"
#include "app/model/session/session.hpp"

namespace lloyd {

Moment momentOf(const Session& session, const AxesFinder& axes) {
  return {session.request(), session.settings(), axes.axes(), session.runState()};
}

void playOrRest(Session& session, const Moment& moment, bool playing) {
  const auto& run = moment.run;
  const bool over = run && !run->result.halfway && run->result.iteration > 0 && run->usedLast.empty() &&
                    !session.data()->drift && converged(run->result, moment.settings.tolerance);
  const bool plays = playing && over;
  if (plays == session.playing()) return;
  plays ? session.play() : session.pause();
}

std::size_t bytesOf(const Moment& moment) {
  std::size_t values = moment.settings.init.given.size();
  if (const auto& run = moment.run)
    values += run->result.usedCentroids.size() + run->result.centroids.size() + run->result.sizes.size() +
              run->usedBefore.size() + run->usedLast.size();
  return sizeof(Moment) + values * sizeof(float);
}

} // namespace lloyd
