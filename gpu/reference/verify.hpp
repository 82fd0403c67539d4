// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

struct VerifyOptions {
  std::vector<std::string> patterns = {}; ///< ids or globs ("classify.*"); none, or "all": everything
  bool thorough = false;                  ///< the large cases too, up to 2^23 points, on CUDA 2^27
  bool everyParameter = true; ///< of a variant, in some cases; else all cases have the usual values
};

/// Cases left out for one reason.
struct VerifySkip {
  std::string reason;
  std::size_t cases = 0;
};

/// One stage of one variant, or one operation of the device ("operations.seed"). cases = passed + failed +
/// skipped.
struct VerifyResult {
  std::string variant;
  Stage stage = Stage::classify;
  std::size_t cases = 0;
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t faulted =
      0; ///< of those that failed: something was thrown before there was anything to compare
  std::vector<VerifySkip> skipped;
  /// The first case that failed, one with points where there is such a one, and what was wrong, in words;
  /// empty when nothing failed.
  std::string firstFailure;
  double worstError = 0; ///< relative to what is allowed: 1 is just within; infinite for a wrong count or NaN

  [[nodiscard]] bool ok() const { return failed == 0; }
};

/// Before each case: what is about to be checked, and how far things are.
struct VerifyProgress {
  std::string_view variant;
  std::string_view caseName;
  std::size_t done = 0;
  std::size_t total = 0;
};

/// Holds every matching variant that has code for this device, and the device's own operations, against
/// double precision: each stage alone, on identical inputs. A launch that throws fails its case; a case that
/// cannot run is skipped with the reason. An empty result means that no pattern matched. Throws Cancelled, as
/// the device does.
[[nodiscard]] std::vector<VerifyResult>
verifyVariants(Device& device, const VerifyOptions& options = {},
               const std::function<void(const VerifyProgress&)>& progress = {});

/// The variants that patterns mean: versions; and combinations of a step that is taken apart (step.hpp) where
/// a pattern begins with their family, as in "apart.*".
[[nodiscard]] std::vector<const Variant*> matchingVariants(const std::vector<std::string>& patterns);

/// Whether id matches one of patterns as VerifyOptions means them.
[[nodiscard]] bool matchesPattern(const std::vector<std::string>& patterns, const std::string& id);

} // namespace lloyd
