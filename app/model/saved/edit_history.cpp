// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/saved/edit_history.hpp"

#include <utility>

namespace lloyd {
namespace {

std::size_t bytesOf(const EditState& state) {
  return bytesOf(state.moment) + state.colours.size() * sizeof(std::size_t);
}

bool sameRun(const RunState& a, const RunState& b) {
  return a.result.iteration == b.result.iteration && a.result.halfway == b.result.halfway &&
         a.result.centroids == b.result.centroids && a.result.usedCentroids == b.result.usedCentroids &&
         a.driftTime == b.driftTime;
}

} // namespace

bool sameEdit(const EditState& a, const EditState& b) {
  const auto &x = a.moment, &y = b.moment;
  return x.request == y.request && x.settings == y.settings && x.axes == y.axes && a.view == b.view &&
         a.names == b.names && x.run.has_value() == y.run.has_value() && (!x.run || sameRun(*x.run, *y.run));
}

void EditHistory::push(QString name, EditState before) {
  redo_.clear();
  undo_.push_back({std::move(name), std::move(before)});
  limit();
}

void EditHistory::extend(QString name) {
  redo_.clear();
  undo_.back().name = std::move(name);
}

void EditHistory::clear() {
  undo_.clear();
  redo_.clear();
}

std::optional<EditState> EditHistory::turn(Steps& from, Steps& to, EditState now) {
  if (from.empty()) return std::nullopt;
  Step step = std::move(from.back());
  from.pop_back();
  EditState wanted = std::exchange(step.state, std::move(now));
  to.push_back(std::move(step));
  return wanted;
}

void EditHistory::limit() {
  std::size_t bytes = 0;
  for (const Step& step : undo_)
    bytes += bytesOf(step.state);
  while (undo_.size() > mostSteps || (undo_.size() > 1 && bytes > mostBytes)) {
    bytes -= bytesOf(undo_.front().state);
    undo_.pop_front();
  }
}

} // namespace lloyd
