// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/generate/generators.hpp"
#include "app/data/point_set.hpp"
#include "app/model/compute/memory_need.hpp"
#include "app/model/compute/settings.hpp"
#include "gpu/core/contract/point_source.hpp"

#include <QString>

#include <tl/expected.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lloyd {

/// What a load says while it runs.
struct LoadProgress {
  std::string source;
  std::size_t rows = 0;
  double fraction = -1;         ///< 0 to 1; negative when unknown
  Remedy remedy = Remedy::none; ///< the points are refused, and this would help; said last
  std::string memory = {}; ///< what the points will take, said once and first, where that is known and much
};

/// Reads the file or runs the generator, and scales. The error is a whole sentence. Any thread.
[[nodiscard]] tl::expected<SharedPointSet, std::string>
loadPoints(const DataRequest& request, const std::function<void(const LoadProgress&)>& progress,
           const std::atomic<bool>* cancel);

/// What load returns, unless the points are known not to fit: why is then the error, and nothing is read.
/// load is given what memory they will take, empty where that is not known or little.
[[nodiscard]] tl::expected<SharedPointSet, std::string> whenThereIsRoom(
    const DataRequest& request, const MemoryRoom& room,
    const std::function<tl::expected<SharedPointSet, std::string>(const std::string& takes)>& load);

/// Points in memory; or, of a file that stays where it is, what is known of them but their values.
struct LoadedPoints {
  SharedPointSet points;
  std::shared_ptr<const PointSource> file; ///< null for points in memory
};
/// As loadPoints(), but an NPY file whose points take more than room bytes of memory is mapped, not read.
[[nodiscard]] tl::expected<LoadedPoints, std::string>
loadOrMapPoints(const DataRequest& request, double room,
                const std::function<void(const LoadProgress&)>& progress, const std::atomic<bool>* cancel);

/// Whether the request is for points that drift, which no scaling fits.
[[nodiscard]] inline bool driftsByName(const DataRequest& request) {
  return request.path.empty() && request.generator.starts_with("drift:");
}
/// What is the same of requests for points of one kind: the file, or the generator.
[[nodiscard]] inline std::string sourceOf(const DataRequest& request) {
  return request.path.empty() ? request.generator.substr(0, request.generator.find(':')) : request.path;
}
/// What the request's generator uses where its text is silent.
[[nodiscard]] GeneratorDefaults generatorDefaults(const DataRequest& request);

/// The request for a FILE argument or a generator's text ("name:..." that is no existing file).
[[nodiscard]] DataRequest requestFor(const std::string& fileOrGenerator);

/// Points that the program brings: a generator, or a sample file where its folder is beside the program.
struct Sample {
  QString name;
  QString idea; ///< what it shows, in a line
  DataRequest request;
};
[[nodiscard]] std::vector<Sample> samples();
/// Why there are no sample files, as a sentence; empty where there are.
[[nodiscard]] QString whyNoSampleFiles();

} // namespace lloyd
