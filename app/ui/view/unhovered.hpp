// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/view/view_painter.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace lloyd {

/// A view without what only a pointer shows, for as long as it lives.
class Unhovered {
public:
  explicit Unhovered(ViewState& state)
      : state_(state), hovered_(std::exchange(state.hovered, std::nullopt)),
        pointer_(std::exchange(state.pointer, std::nullopt)),
        selected_(std::exchange(state.selected, std::nullopt)), covered_(std::exchange(state.covered, {})) {}
  ~Unhovered() {
    state_.hovered = hovered_;
    state_.pointer = pointer_;
    state_.selected = selected_;
    state_.covered = std::move(covered_);
  }
  Unhovered(const Unhovered&) = delete;
  Unhovered& operator=(const Unhovered&) = delete;

private:
  ViewState& state_;
  std::optional<std::size_t> hovered_;
  std::optional<QPointF> pointer_;
  std::optional<int> selected_;
  std::vector<QRectF> covered_;
};

} // namespace lloyd
