// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/launch/issue_sequence.hpp"

#include "gpu/core/contract/registry.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <optional>
#include <stdexcept>
#include <utility>

namespace lloyd {
namespace {

using Kind = IssueInstruction::Kind;
using simt::Asked;
using simt::WarpStep;

/// Walks through the steps of one warp and puts in what they lack.
class Sequencer {
public:
  explicit Sequencer(const IssueShape& shape)
      : d_(static_cast<std::size_t>(shape.d)), k_(static_cast<std::size_t>(shape.k)),
        items_(static_cast<std::size_t>(shape.items)), nearest_(items_), label_(items_) {}

  void take(const WarpStep& step) {
    line_ = step.line;
    switch (step.asked) {
    case Asked::globalLoad:
      return loadGlobal();
    case Asked::globalStore:
      return storeGlobal();
    case Asked::sharedLoad:
      return loadShared();
    case Asked::sharedStore:
      return storeShared();
    case Asked::barrier:
      compareLabels();
      add(Kind::barrier, "barrier", "the barrier", {});
      ++barriers_;
      return;
    default:
      throw std::invalid_argument("the log has atomics or collectives, classify.v8 has none");
    }
  }

  [[nodiscard]] IssueSequence finish() {
    if (coordinates_.size() != items_ * d_ || clusters_ != k_ || oldLabels_.size() != items_ ||
        stored_ != items_ || barriers_ != 2 || !center_.empty())
      throw std::invalid_argument(
          "the log has " + std::to_string(coordinates_.size()) + " loads of coordinates, " +
          std::to_string(clusters_) + " clusters, " + std::to_string(oldLabels_.size()) + " old labels, " +
          std::to_string(stored_) + " labels stored and " + std::to_string(barriers_) +
          " barriers, which is not classify.v8 with " + std::to_string(items_) + " points a thread");
    return std::move(made_);
  }

private:
  std::size_t add(Kind kind, std::string what, const char* value, std::vector<std::size_t> needs) {
    made_.push_back({kind, std::move(what), value, kind == Kind::arithmetic ? 0 : line_, std::move(needs)});
    return made_.size() - 1;
  }
  [[nodiscard]] static std::string ofPoint(std::size_t point) {
    return " of point " + std::to_string(point + 1);
  }
  static std::vector<std::size_t> with(std::vector<std::size_t> needs,
                                       const std::optional<std::size_t>& another) {
    if (another) needs.push_back(*another);
    return needs;
  }

  void loadGlobal() {
    if (barriers_ > 0) {
      oldLabels_.push_back(
          add(Kind::globalLoad, "load of the old label" + ofPoint(oldLabels_.size()), "old labels", {}));
    } else if (const std::size_t loaded = coordinates_.size(); loaded < items_ * d_) {
      coordinates_.push_back(add(
          Kind::globalLoad, "load of coordinate " + std::to_string(loaded % d_ + 1) + ofPoint(loaded / d_),
          "the points", {}));
    } else {
      carried_ = add(Kind::globalLoad, "load of a centroid", "the centroids", {});
    }
  }
  void storeGlobal() {
    if (barriers_ > 1) {
      add(Kind::globalStore, "store of the flag", "", with({}, std::exchange(carried_, std::nullopt)));
      return;
    }
    if (stored_ >= items_) throw std::invalid_argument("the log stores more labels than a thread has points");
    const auto& label = label_[stored_];
    add(Kind::globalStore, "store of the label" + ofPoint(stored_), "", with({}, label));
    ++stored_;
  }
  void loadShared() {
    if (barriers_ != 1) {
      carried_ = add(Kind::sharedLoad, "load of the block's flag", "the block's flag", {});
      return;
    }
    center_.push_back(add(Kind::sharedLoad,
                          "load of coordinate " + std::to_string(center_.size() + 1) + " of cluster " +
                              std::to_string(clusters_ + 1),
                          "the centroid", {}));
    if (center_.size() == d_) compute();
  }
  /// A store right behind a load from global memory stores what that has loaded.
  void storeShared() {
    if (barriers_ == 0) {
      const auto from = std::exchange(carried_, std::nullopt);
      add(Kind::sharedStore, from ? "store of a centroid" : "store of the block's flag", "", with({}, from));
      return;
    }
    compareLabels();
    add(Kind::sharedStore, "store of the block's flag", "", with({}, compared_));
  }

  /// One cluster, for all points.
  void compute() {
    if (coordinates_.size() != items_ * d_)
      throw std::invalid_argument("the log computes before the points are loaded");
    ++clusters_;
    const auto arithmetic = [&](const char* what, std::size_t point, std::vector<std::size_t> needs) {
      return add(Kind::arithmetic, what + ofPoint(point) + ", cluster " + std::to_string(clusters_),
                 "arithmetic", std::move(needs));
    };
    std::vector<std::size_t> differences(items_ * d_);
    std::vector<std::optional<std::size_t>> distance(items_);
    std::vector<std::size_t> nearer(items_);
    for (std::size_t j = 0; j < d_; ++j)
      for (std::size_t p = 0; p < items_; ++p)
        differences[p * d_ + j] = arithmetic("difference", p, {coordinates_[p * d_ + j], center_[j]});
    for (std::size_t j = 0; j < d_; ++j)
      for (std::size_t p = 0; p < items_; ++p)
        distance[p] = arithmetic("multiply-add", p, with({differences[p * d_ + j]}, distance[p]));
    for (std::size_t p = 0; p < items_; ++p)
      nearer[p] = arithmetic("comparison", p, with({*distance[p]}, nearest_[p]));
    for (std::size_t p = 0; p < items_; ++p)
      nearest_[p] = arithmetic("selection", p, with({nearer[p], *distance[p]}, nearest_[p]));
    for (std::size_t p = 0; p < items_; ++p)
      label_[p] = arithmetic("selection", p, with({nearer[p]}, label_[p]));
    center_.clear();
  }

  /// Whether any label has changed, once all old ones are asked for.
  void compareLabels() {
    if (oldLabels_.empty() || compared_) return;
    for (std::size_t p = 0; p < oldLabels_.size() && p < items_; ++p)
      compared_ = add(Kind::arithmetic, "comparison with the old label" + ofPoint(p), "arithmetic",
                      with(with({oldLabels_[p]}, label_[p]), compared_));
  }

  std::size_t d_;
  std::size_t k_;
  std::size_t items_;
  IssueSequence made_;
  std::vector<std::size_t> coordinates_;            ///< [item][d]
  std::vector<std::size_t> center_;                 ///< the loads of the cluster at hand
  std::vector<std::size_t> oldLabels_;              ///< [item]
  std::vector<std::optional<std::size_t>> nearest_; ///< [item], the last selection of a distance
  std::vector<std::optional<std::size_t>> label_;   ///< [item]
  std::optional<std::size_t> carried_;              ///< a load whose value is stored next
  std::optional<std::size_t> compared_;
  std::size_t clusters_ = 0;
  std::size_t stored_ = 0;
  int barriers_ = 0;
  int line_ = 0;
};

} // namespace

IssueSequence issueSequence(std::span<const WarpStep> steps, const IssueShape& shape) {
  if (shape.items < 1 || shape.d < 1 || shape.k < 1)
    throw std::invalid_argument("items, D and K are at least 1");
  Sequencer sequencer(shape);
  for (const WarpStep& step : steps)
    sequencer.take(step);
  return sequencer.finish();
}

std::vector<IssueSequence> issueSequences(const IssueShape& shape) {
  const Variant* variant = Registry::instance().find("classify.v8");
  if (!variant) throw std::runtime_error("there is no kernel classify.v8 in this program");
  const Problem problem{static_cast<std::size_t>(issueBlock) * static_cast<std::size_t>(shape.items), shape.d,
                        shape.k};
  // Values do not matter: which lanes take part in a request depends on indices alone, and every label is
  // another than before the first iteration.
  std::vector<float> points(problem.n * static_cast<std::size_t>(shape.d));
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = static_cast<float>(i % 101);
  std::vector<float> centroids(problem.centroidValues());
  for (std::size_t i = 0; i < centroids.size(); ++i)
    centroids[i] = static_cast<float>(i * 7);
  simt::TraceRequest request;
  request.variant = variant;
  request.problem = problem;
  request.points = points;
  request.centroids = centroids;
  request.tuning.block = issueBlock;
  request.tuning.items = shape.items;
  request.tuning.vector = 1;
  request.stepsOf = 0;
  const simt::StageTrace traced = simt::traceStage(request);
  if (!traced.trace.faults.empty()) throw std::runtime_error(traced.trace.faults.front());
  std::vector<IssueSequence> sequences;
  for (const simt::WarpSteps& steps : traced.trace.steps)
    sequences.push_back(issueSequence(steps, shape));
  return sequences;
}

} // namespace lloyd
