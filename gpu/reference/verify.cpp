// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/reference/verify.hpp"

#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/step.hpp"
#include "gpu/cpu/cpu_memory.hpp"
#include "gpu/reference/checks.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <utility>

namespace lloyd {
namespace {

/// n k d. The simulator interprets every thread, so the largest cases would take it hours.
constexpr std::size_t mostOnSimulator = std::size_t{1} << 22;

struct Job {
  const Variant* variant = nullptr; ///< null: an operation of the device
  const OperationCheck* operation = nullptr;
  bool failsWithPoints = false; ///< and its first failure is such a case
};

std::vector<Tuning> tuningsFor(const Job& job, const CaseRecipe& recipe) {
  return job.variant ? tuningsOf(*job.variant, recipe.tunings) : std::vector<Tuning>(1);
}

std::string caseName(const Job& job, const CaseRecipe& recipe, const Tuning& tuning) {
  std::string text = recipe.name();
  if (!job.variant || recipe.tunings == Tunings::usual) return text;
  for (const Parameter& parameter : job.variant->info.parameters)
    text += ", " + std::string(parameter.name) + " " +
            std::to_string(job.variant->complete(tuning).value(parameter.name));
  return text;
}

class Verifier {
public:
  Verifier(Device& device, const VerifyOptions& options) : device_(device), options_(options) { plan(); }

  std::vector<VerifyResult> run(const std::function<void(const VerifyProgress&)>& progress) {
    if (jobs_.empty()) return {};
    std::vector<CaseRecipe> recipes = verifyCases(options_.thorough);
    std::erase_if(recipes,
                  [&](const CaseRecipe& recipe) { return recipe.only && *recipe.only != device_.backend(); });
    for (CaseRecipe& recipe : recipes)
      if (!options_.everyParameter) recipe.tunings = Tunings::usual;
    std::size_t done = 0;
    for (const CaseRecipe& recipe : recipes) {
      const auto isFor = [&](const VerifyResult& result) {
        return !recipe.stage || *recipe.stage == result.stage;
      };
      const bool isNeeded = std::ranges::any_of(results_, isFor);
      const std::optional<PreparedCase> prepared = isNeeded ? prepare(recipe) : std::nullopt;
      for (std::size_t at = 0; at < jobs_.size(); ++at, ++done) {
        if (!isFor(results_[at])) continue;
        if (progress) progress({results_[at].variant, recipe.name(), done, recipes.size() * jobs_.size()});
        for (const Tuning& tuning : tuningsFor(jobs_[at], recipe)) {
          ++results_[at].cases;
          if (prepared)
            check(jobs_[at], results_[at], recipe, *prepared, tuning);
          else if (uploadFailed_)
            fault(jobs_[at], results_[at], recipe, recipe.name() + ": " + whyNotPrepared_);
          else
            skip(results_[at], whyNotPrepared_);
        }
      }
    }
    return std::move(results_);
  }

private:
  void plan() {
    constexpr std::array<Stage, 7> stages{Stage::classify, Stage::reduce, Stage::fused, Stage::update,
                                          Stage::iterate,  Stage::sets,   Stage::layout};
    for (const Variant* variant : matchingVariants(options_.patterns)) {
      for (const Stage stage : stages)
        if (variant->on(device_.backend()).has(stage)) add({.variant = variant}, variant->id(), stage);
    }
    for (const OperationCheck& operation : operationChecks())
      if (matchesPattern(options_.patterns, std::string(operation.id)))
        add({.operation = &operation}, std::string(operation.id), operation.stage);
  }

  void add(const Job& job, std::string id, Stage stage) {
    jobs_.push_back(job);
    VerifyResult& result = results_.emplace_back();
    result.variant = std::move(id);
    result.stage = stage;
  }

  /// None when the case cannot be had here; whyNotPrepared_ then says why.
  std::optional<PreparedCase> prepare(const CaseRecipe& recipe) {
    uploadFailed_ = false;
    if (lost_) return std::nullopt;
    const std::size_t work = recipe.problem.n * recipe.problem.centroidValues();
    if (device_.backend() == Backend::simt && work > mostOnSimulator) {
      whyNotPrepared_ = "more work than the simulator can take in reasonable time";
      return std::nullopt;
    }
    try {
      if (const auto shortage = memoryShortage(recipe, CpuMemory().free(), device_.freeMemory())) {
        whyNotPrepared_ = *shortage;
        return std::nullopt;
      }
      return std::optional<PreparedCase>(std::in_place, device_, recipe);
    } catch (const std::bad_alloc&) {
      whyNotPrepared_ = "not enough memory for the reference's own copy";
    } catch (const DeviceError& error) {
      whyNotPrepared_ = error.what();
      uploadFailed_ = error.severity() != Severity::retrySmaller;
      note(error);
    }
    return std::nullopt;
  }

  void check(Job& job, VerifyResult& result, const CaseRecipe& recipe, const PreparedCase& prepared,
             const Tuning& tuning) {
    if (lost_) return skip(result, whyNotPrepared_);
    if (const auto reason = whyNot(job, result.stage, recipe.problem, tuning)) return skip(result, *reason);
    reference::Comparison comparison;
    try {
      comparison = job.variant ? checkStage(device_, *job.variant, result.stage, tuning, prepared)
                               : job.operation->check(device_, prepared);
    } catch (const DeviceError& error) {
      if (error.severity() == Severity::retrySmaller) return skip(result, error.what());
      note(error);
      result.worstError = std::numeric_limits<double>::infinity();
      return fault(job, result, recipe, caseName(job, recipe, tuning) + ": " + error.what());
    }
    if (!(comparison.error <= result.worstError)) result.worstError = comparison.error;
    if (comparison.ok())
      ++result.passed;
    else
      fail(job, result, recipe, caseName(job, recipe, tuning) + ": " + comparison.firstFailure);
  }

  static void fault(Job& job, VerifyResult& result, const CaseRecipe& recipe, const std::string& what) {
    ++result.faulted;
    fail(job, result, recipe, what);
  }

  /// Of what is wrong in every case, one without points tells least.
  static void fail(Job& job, VerifyResult& result, const CaseRecipe& recipe, const std::string& what) {
    const bool told = result.failed++ > 0 && (job.failsWithPoints || recipe.problem.n == 0);
    if (told) return;
    job.failsWithPoints = recipe.problem.n > 0;
    result.firstFailure = what;
  }

  Reason whyNot(const Job& job, Stage stage, const Problem& problem, const Tuning& tuning) const {
    if (job.variant) return job.variant->whyNot(stage, problem, device_.info(), tuning);
    if (problem.n <= job.operation->most) return std::nullopt;
    return "its reference takes too long above " + std::to_string(job.operation->most) + " points";
  }

  static void skip(VerifyResult& result, const std::string& reason) {
    const auto known = std::find_if(result.skipped.begin(), result.skipped.end(),
                                    [&](const VerifySkip& entry) { return entry.reason == reason; });
    if (known == result.skipped.end())
      result.skipped.push_back({reason, 1});
    else
      ++known->cases;
  }

  /// After a fault that the device cannot recover from there is nothing left to check.
  void note(const DeviceError& error) {
    if (error.severity() != Severity::lost) return;
    lost_ = true;
    whyNotPrepared_ = std::string("the device was lost: ") + error.what();
  }

  Device& device_;
  const VerifyOptions& options_;
  std::vector<Job> jobs_;
  std::vector<VerifyResult> results_;
  std::string whyNotPrepared_;
  bool uploadFailed_ = false; ///< the last case could not be had, and not for want of memory
  bool lost_ = false;
};

} // namespace

bool matchesPattern(const std::vector<std::string>& patterns, const std::string& id) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return pattern == "all" || ::fnmatch(pattern.c_str(), id.c_str(), 0) == 0;
         });
}

std::vector<const Variant*> matchingVariants(const std::vector<std::string>& patterns) {
  std::vector<const Variant*> matching = Registry::instance().all();
  std::erase_if(matching, [&](const Variant* variant) { return !matchesPattern(patterns, variant->id()); });
  std::vector<std::string> named = patterns;
  std::erase_if(named, [](const std::string& pattern) { return !pattern.starts_with("apart."); });
  if (named.empty()) return matching;
  for (const Variant* combination : StepRegistry::instance().combinations().all())
    if (matchesPattern(named, combination->id())) matching.push_back(combination);
  return matching;
}

std::vector<VerifyResult> verifyVariants(Device& device, const VerifyOptions& options,
                                         const std::function<void(const VerifyProgress&)>& progress) {
  return Verifier(device, options).run(progress);
}

} // namespace lloyd
