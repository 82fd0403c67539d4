// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/data/problem.hpp"
#include "gpu/engine/clustering.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <QString>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {

/// The labels of the last few classifications, so that it can be told which points changed theirs.
class LabelHistory {
public:
  using Labels = std::shared_ptr<const std::vector<Label>>;

  void clear() {
    labels_.clear();
    iteration_ = 0;
    halfway_ = false;
  }
  /// Every published state is to be told, in order. Whether its labels are those of a classification that is
  /// not known yet: a look at the labels of centroids with which nothing was classified yet repeats the state
  /// before it, and an update leaves the labels as they are.
  [[nodiscard]] bool follow(const IterationResult& result) {
    const bool repeated = result.iteration == iteration_ && result.halfway == halfway_;
    iteration_ = result.iteration;
    halfway_ = result.halfway;
    labels_.erase(labels_.upper_bound(iteration_), labels_.end()); // what was stepped back over
    return !repeated && iteration_ > 0 && !labels_.contains(iteration_);
  }
  /// The labels of the state that was told last.
  void take(std::vector<Label> labels) {
    constexpr std::size_t kept = 4; // classifications: as many steps back as need no step forward first
    labels_[iteration_] = std::make_shared<const std::vector<Label>>(std::move(labels));
    while (labels_.size() > kept)
      labels_.erase(labels_.begin());
  }

  /// Of the last classification taken; null before.
  [[nodiscard]] Labels now() const { return of(iteration_); }
  /// Of the one before it. Null when it was not seen, which first() tells from there having been none.
  [[nodiscard]] Labels before() const { return of(iteration_ - 1); }
  /// The last classification is the first of its run: every point was without a label before.
  [[nodiscard]] bool first() const { return iteration_ == 1; }

private:
  [[nodiscard]] Labels of(int iteration) const {
    const auto found = labels_.find(iteration);
    return found == labels_.end() ? nullptr : found->second;
  }

  int iteration_ = 0; ///< of the state told last
  bool halfway_ = false;
  std::map<int, Labels> labels_;
};

/// What the colour of a point says.
enum class ColourBy { cluster, thread, warp, block, changed };
[[nodiscard]] std::string_view name(ColourBy by); ///< "warp", as the command line writes it

/// How the colours of groups are to be chosen.
enum class GroupColours {
  ramp,     ///< their order matters
  distinct, ///< neighbours must differ
  change    ///< stayed and changed
};

/// One group a point, and what they mean.
struct PointGroups {
  std::shared_ptr<const std::vector<std::int32_t>> groups; ///< [n]; -1: none. Null: why says the reason
  std::size_t count = 0;
  GroupColours colours = GroupColours::distinct;
  QString legend; ///< a sentence: "colour = warp in its block, 0 to 3; 4 warps of 32 threads in a block"
  QString why;
};

/// Of thread, warp and block; threads is a block's size.
[[nodiscard]] PointGroups groupsOf(ColourBy by, std::span<const simt::Owner> owners, int threads);
/// Who handles a point, and where it lies in device memory: "block 2, warp 1, lane 5", and in a line of its
/// own "byte 1,092 of the points, each further coordinate 16,384 bytes on".
[[nodiscard]] QString handlerText(const simt::Owner& owner, std::size_t point, const Problem& problem,
                                  Layout layout);
/// Which points got another label. Without labels before every point counts as changed: it had none.
[[nodiscard]] PointGroups changedGroups(std::span<const Label> before, std::span<const Label> now);

} // namespace lloyd
