// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/label_history.hpp"

namespace lloyd {

namespace {

constexpr std::size_t kept = 4; ///< classifications: as many steps back as need no step forward first

} // namespace

void LabelHistory::clear() {
  labels_.clear();
  iteration_ = 0;
  halfway_ = false;
}

bool LabelHistory::follow(const IterationResult& result) {
  const bool repeated = result.iteration == iteration_ && result.halfway == halfway_;
  iteration_ = result.iteration;
  halfway_ = result.halfway;
  labels_.erase(labels_.upper_bound(iteration_), labels_.end()); // what was stepped back over
  return !repeated && iteration_ > 0 && !labels_.contains(iteration_);
}

void LabelHistory::take(std::vector<Label> labels) {
  labels_[iteration_] = std::make_shared<const std::vector<Label>>(std::move(labels));
  while (labels_.size() > kept)
    labels_.erase(labels_.begin());
}

LabelHistory::Labels LabelHistory::of(int iteration) const {
  const auto found = labels_.find(iteration);
  return found == labels_.end() ? nullptr : found->second;
}

LabelHistory::Labels LabelHistory::now() const { return of(iteration_); }
LabelHistory::Labels LabelHistory::before() const { return of(iteration_ - 1); }

} // namespace lloyd
