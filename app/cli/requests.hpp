// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/messages.hpp"
#include "app/cli/options.hpp"
#include "app/data/generate/generators.hpp"
#include "app/data/point_set.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/model/compute/settings.hpp"
#include "app/model/measure/race_protocol.hpp"

#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// --scale. Throws RequestError that names what there is.
[[nodiscard]] Scale scaleFrom(const Arguments& arguments);
/// Throws RequestError where FILE is no file and reads like a generator that there is not, as nosuch: does.
void refuseUnknownGenerator(const std::string& file);
/// Where the points come from: FILE or --points, with --columns and --scale. Nothing when neither was given.
/// Throws RequestError when both were.
[[nodiscard]] std::optional<DataRequest> dataRequest(const Arguments& arguments);
/// The same of every FILE, for a subcommand that takes several; empty when neither was given.
[[nodiscard]] std::vector<DataRequest> dataRequests(const Arguments& arguments);
/// Every setting of a run. For --init file: only the path is set; readInitialCentroids() adds the values.
/// Throws RequestError naming the option that is wrong; absent for the simt backend.
[[nodiscard]] Settings settingsFrom(const Arguments& arguments);
/// --backend alone.
[[nodiscard]] BackendRequest backendFrom(const Arguments& arguments);

/// How reports name the points: the file or generator, and the scaling where there is one.
[[nodiscard]] std::string sourceText(const DataRequest& request);
/// Loads. Throws RequestError with the reader's sentence, and Cancelled.
[[nodiscard]] SharedPointSet loadForCommand(const DataRequest& request, Messages& messages);
/// The same, of a file that may be mapped: loadOrMapPoints().
[[nodiscard]] LoadedPoints loadOrMapForCommand(const DataRequest& request, double room, Messages& messages);
/// Says what a person should know of the points. Called once nothing can be wrong with the request any more,
/// so that a refusal is one sentence.
void sayRemarks(const PointSet& points, const Messages& messages);
/// Reads the file of --init file: into settings, in the points' scaled units; its rows set k. Throws
/// RequestError when it does not fit the points or an explicit --k.
void readInitialCentroids(Settings& settings, const PointSet& points, bool kGiven);

/// Everything that bench (or trace) is to run on a device: every stage of every variant that --variants
/// names, with every combination of the tuning parameters' values that were given. Variants of other devices
/// are among them, to be skipped with the reason. Throws RequestError: a pattern that matches nothing, or
/// only what this device lacks (absent); a tuning parameter that no variant has; a value that none allows.
[[nodiscard]] std::vector<Candidate> benchCandidates(const Arguments& arguments, const DeviceInfo& device);
/// The patterns of --variants, each of which must match a variant; at least one of them one that device has.
[[nodiscard]] std::vector<std::string> variantPatterns(const Arguments& arguments, const DeviceInfo& device);
/// What a command takes where neither FILE nor --points, or no --n, was given.
struct PointDefaults {
  std::string generator = "uniform:";
  std::size_t count = default_counts::raced;
};
/// The data sets to make or load, one for each size of --n and --d and each value of --order, --spread and
/// --skew. Throws RequestError when they are given for a file, or twice, or for a generator that has none.
[[nodiscard]] std::vector<DataRequest> benchRequests(const Arguments& arguments,
                                                     const PointDefaults& defaults = {});
/// --ks, or else --k.
[[nodiscard]] std::vector<int> benchClusters(const Arguments& arguments);
/// The same for run, where a range without a step has every number.
[[nodiscard]] std::vector<int> runClusters(const Arguments& arguments);
/// How bench races: --cache, --budget and --seed. Throws RequestError naming the option.
[[nodiscard]] RaceOptions raceOptions(const Arguments& arguments);
/// The words after the program's name that measure the same again: what was asked for but for the files it is
/// written to, and the seed in any case.
[[nodiscard]] std::vector<std::string> benchArguments(const Arguments& arguments);
/// The arguments with no more variants and values of parameters than those candidates need. Not empty.
[[nodiscard]] Arguments narrowedTo(const std::vector<Candidate>& candidates, Arguments arguments);
/// benchArguments() as one line, each word quoted for a shell where it has to be.
[[nodiscard]] std::string benchCommandLine(const Arguments& arguments);

} // namespace lloyd
