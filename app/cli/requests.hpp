// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/arguments.hpp"
#include "app/cli/messages.hpp"
#include "app/data/point_set.hpp"
#include "app/model/compute/settings.hpp"

#include <optional>

namespace lloyd {

/// --scale. Throws RequestError that names what there is.
[[nodiscard]] Scale scaleFrom(const Arguments& arguments);
/// Where the points come from: FILE or --points, with --columns and --scale. Nothing when neither was given.
/// Throws RequestError when both were.
[[nodiscard]] std::optional<DataRequest> dataRequest(const Arguments& arguments);
/// Every setting of a run. For --init file: only the path is set; readInitialCentroids() adds the values.
/// Throws RequestError naming the option that is wrong; absent for the simt backend.
[[nodiscard]] Settings settingsFrom(const Arguments& arguments);
/// --backend alone.
[[nodiscard]] BackendRequest backendFrom(const Arguments& arguments);

/// Loads. Throws RequestError with the reader's sentence, and Cancelled.
[[nodiscard]] SharedPointSet loadForCommand(const DataRequest& request, Messages& messages);
/// Says what a person should know of the points. Called once nothing can be wrong with the request any more,
/// so that a refusal is one sentence.
void sayRemarks(const PointSet& points, const Messages& messages);
/// Reads the file of --init file: into settings, in the points' scaled units; its rows set k. Throws
/// RequestError when it does not fit the points or an explicit --k.
void readInitialCentroids(Settings& settings, const PointSet& points, bool kGiven);

} // namespace lloyd
