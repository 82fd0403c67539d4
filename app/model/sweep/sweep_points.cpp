// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/sweep/sweep_points.hpp"

#include "app/data/generate/generator_spec.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/model/compute/stratified_sample.hpp"

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

/// Whether a generator can make that many of key ("n" or "d").
bool allows(const Generator& generator, std::string_view key, double value) {
  return std::any_of(generator.keys.begin(), generator.keys.end(), [&](const GeneratorKey& one) {
    return one.name == key && value >= one.least && value <= one.most;
  });
}

} // namespace

std::string whyNotSwept(const DataRequest& request, SweepParameter parameter) {
  if (parameter == SweepParameter::d && !request.path.empty())
    return "d cannot be swept: the points of " + request.path +
           " have the dimensions that the file gives them; a generator makes any";
  return {};
}

SweepData::SweepData(DataRequest request, SharedPointSet points)
    : request_(std::move(request)), whole_(std::move(points)) {}

tl::expected<SharedPointSet, std::string> SweepData::points(std::size_t n, int d,
                                                            const std::atomic<bool>* cancel) {
  if (whole_->n == n && whole_->d == d) return whole_;
  if (last_ && last_->n == n && last_->d == d) return last_;
  last_.reset(); // before the next is made: both together may not fit
  if (request_.path.empty()) {
    auto made = generate(n, d, cancel);
    if (made) last_ = *made;
    return made;
  }
  if (d != whole_->d) return tl::unexpected(whyNotSwept(request_, SweepParameter::d));
  if (n > whole_->n)
    return tl::unexpected("there are only " + std::to_string(whole_->n) + " points in " + request_.path);
  last_ = spreadSubset(*whole_, n, std::to_string(n) + " points of " + request_.path);
  return last_;
}

tl::expected<SharedPointSet, std::string> SweepData::generate(std::size_t n, int d,
                                                              const std::atomic<bool>* cancel) const {
  auto spec = parseGenerator(request_.generator, generatorDefaults(request_));
  if (!spec) return tl::unexpected(request_.generator + ": " + spec.error());
  if (!allows(*spec->generator, "n", static_cast<double>(n)))
    return tl::unexpected(std::string(spec->generator->name) + " cannot make " + std::to_string(n) +
                          " points");
  if (!allows(*spec->generator, "d", d))
    return tl::unexpected(std::string(spec->generator->name) + " cannot make points of " + std::to_string(d) +
                          (d == 1 ? " dimension" : " dimensions"));
  spec->n = n;
  spec->d = d;
  DataRequest sized = request_;
  sized.generator = spec->text();
  return loadPoints(sized, {}, cancel);
}

} // namespace lloyd
