// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/clustering.hpp"

#include <map>
#include <memory>
#include <vector>

namespace lloyd {

/// The labels of the last few classifications, so that it can be told which points changed theirs.
class LabelHistory {
public:
  using Labels = std::shared_ptr<const std::vector<Label>>;

  void clear();
  /// Every published state is to be told, in order. Whether its labels are those of a classification that is
  /// not known yet: a look at the labels of centroids with which nothing was classified yet repeats the state
  /// before it, and an update leaves the labels as they are.
  [[nodiscard]] bool follow(const IterationResult& result);
  /// The labels of the state that was told last.
  void take(std::vector<Label> labels);

  /// Of the last classification taken; null before.
  [[nodiscard]] Labels now() const;
  /// Of the one before it. Null when it was not seen, which first() tells from there having been none.
  [[nodiscard]] Labels before() const;
  /// The last classification is the first of its run: every point was without a label before.
  [[nodiscard]] bool first() const { return iteration_ == 1; }

private:
  [[nodiscard]] Labels of(int iteration) const;

  int iteration_ = 0; ///< of the state told last
  bool halfway_ = false;
  std::map<int, Labels> labels_;
};

} // namespace lloyd
