// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lloyd {

/// Bytes of a stored label. Most variants store a Label; one whose time is the bytes it moves stores as few
/// as the number of clusters needs, unsigned. "Not labelled yet" exists in four bytes alone.
enum class LabelWidth : std::uint8_t { one = 1, two = 2, four = 4 };

[[nodiscard]] constexpr std::size_t bytesOf(LabelWidth width) { return static_cast<std::size_t>(width); }

/// The fewest bytes that hold the labels of k clusters.
[[nodiscard]] constexpr LabelWidth narrowest(int k) {
  return k <= 256 ? LabelWidth::one : k <= 65536 ? LabelWidth::two : LabelWidth::four;
}

/// Labels in anybody's memory, one after another without gaps. Memory for labels always has room for n of
/// four bytes, whatever is stored in it at present.
struct LabelView {
  LabelView() = default;
  LabelView(const Label* labels) : data(labels) {} // NOLINT(google-explicit-constructor): the usual ones
  LabelView(const void* labels, LabelWidth bytes) : data(labels), width(bytes) {}

  const void* data = nullptr;
  LabelWidth width = LabelWidth::four;
};
struct LabelSpan {
  LabelSpan() = default;
  LabelSpan(Label* labels) : data(labels) {} // NOLINT(google-explicit-constructor): the usual ones
  LabelSpan(void* labels, LabelWidth bytes) : data(labels), width(bytes) {}
  // NOLINTNEXTLINE(google-explicit-constructor): what may be written may be read
  [[nodiscard]] operator LabelView() const { return {data, width}; }

  void* data = nullptr;
  LabelWidth width = LabelWidth::four;
};

/// Calls action with the labels as an array of their own type.
template <class Action>
void withLabels(const LabelView& labels, const Action& action) {
  switch (labels.width) {
  case LabelWidth::one:
    return action(static_cast<const std::uint8_t*>(labels.data));
  case LabelWidth::two:
    return action(static_cast<const std::uint16_t*>(labels.data));
  case LabelWidth::four:
    return action(static_cast<const Label*>(labels.data));
  }
}
template <class Action>
void withLabels(const LabelSpan& labels, const Action& action) {
  switch (labels.width) {
  case LabelWidth::one:
    return action(static_cast<std::uint8_t*>(labels.data));
  case LabelWidth::two:
    return action(static_cast<std::uint16_t*>(labels.data));
  case LabelWidth::four:
    return action(static_cast<Label*>(labels.data));
  }
}

/// Labels in host memory, as Label; not overlapping.
inline void widen(const LabelView& from, std::span<Label> to) {
  withLabels(from, [&](const auto* labels) { std::copy_n(labels, to.size(), to.data()); });
}

} // namespace lloyd
