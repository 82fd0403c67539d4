// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/compute/settings.hpp"
#include "app/model/projection/projection.hpp"

#include <cstddef>
#include <optional>

namespace lloyd {

class AxesFinder;
class Session;

/// What a session shows at a moment, as far as all of it follows from these: the same moment has the same
/// labels, bit for bit.
struct Moment {
  DataRequest request;
  Settings settings;
  Axes axes;                   ///< of the drawing; empty for the first columns
  std::optional<RunState> run; ///< nothing before the first result
};

/// The present one.
[[nodiscard]] Moment momentOf(const Session& session, const AxesFinder& axes);
/// Plays a session that is about to come to a moment where a run that was played to its end has nothing left
/// to do; any other rests.
void playOrRest(Session& session, const Moment& moment, bool playing);
/// What a moment takes of memory, about.
[[nodiscard]] std::size_t bytesOf(const Moment& moment);

} // namespace lloyd
