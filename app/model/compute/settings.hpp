// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/generate/generators.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read/image_columns.hpp"
#include "gpu/engine/device_choice.hpp"
#include "gpu/engine/plan.hpp"
#include "gpu/engine/seeding.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// Where points come from: a file, or a generator when path is empty.
struct DataRequest {
  std::string path;
  std::string generator;            ///< "blobs:n=1e6,k=16"
  std::vector<std::string> columns; ///< the features by name or index; empty for all that are numbers
  /// Of a table of text: who is the class, and who names the rows. None: guessed; empty: no column.
  std::optional<std::string> classColumn;
  std::optional<std::string> nameColumn;
  bool dropRagged = false; ///< rows with more or fewer fields are left out and counted
  ImageColumns image = ImageColumns::rgb;
  Scale scaling = Scale::none;
  std::size_t defaultCount = 0;                   ///< points a generator makes when its text does not say
  int defaultClusters = default_counts::clusters; ///< k of a generator when its text does not say
  std::uint64_t seed = 1;                         ///< seed of a generator when its text does not say
  std::string scaleControl{scaleInWindow};        ///< what sentences call what sets the scaling
  bool operator==(const DataRequest&) const = default;
};

/// How points reach the window.
enum class InteropRequest { automatic, shared, staged };
[[nodiscard]] constexpr std::string_view name(InteropRequest request) {
  return request == InteropRequest::shared ? "shared" : request == InteropRequest::staged ? "staged" : "auto";
}

/// Everything a person can set about a run. A value: window and command line fill one and hand it over.
struct Settings {
  int k = default_counts::clusters;
  Init init;
  std::uint64_t seed = 1;
  int iterations = 300; ///< the most iterations of a run; the window ignores it while playing
  double tolerance = 0; ///< stop when no centroid moves farther; 0: only when no label changes
  BackendRequest backend = BackendRequest::automatic;
  InteropRequest interop = InteropRequest::automatic;
  Selection selection;
  bool operator==(const Settings&) const = default;
};

/// The selection that uses variant for stage and leaves the rest as it is: fused and classify with reduce
/// exclude each other. Tuning parameters go back to the variants' own values.
[[nodiscard]] Selection withVariant(const Selection& selection, const Plan& plan, Stage stage,
                                    const Variant& variant);

/// What the variant has of the wanted tuning parameters and allows, and its own values for the rest.
[[nodiscard]] Tuning tuningParametersFor(const Variant& variant, const Tuning& tuning);

} // namespace lloyd
