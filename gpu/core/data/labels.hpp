// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <type_traits>

namespace lloyd {

/// Bytes of a stored label. Most variants store a Label; one whose time is the bytes it moves stores as few
/// as the number of clusters needs, unsigned. "Not labelled yet" exists in four bytes alone.
enum class LabelWidth : std::uint8_t { one = 1, two = 2, four = 4 };

[[nodiscard]] constexpr std::size_t bytesOf(LabelWidth width) { return static_cast<std::size_t>(width); }

/// The fewest bytes that hold the labels of k clusters.
[[nodiscard]] constexpr LabelWidth narrowest(int k) {
  return k <= 256 ? LabelWidth::one : k <= 65536 ? LabelWidth::two : LabelWidth::four;
}

/// How labels are stored: one after another in input order, without gaps; or in a tiled layout, by tiles of
/// points in another order, where whoever wants one label looks it up (gpu/core/tiles/tiles.hpp).
struct LabelLayout {
  constexpr LabelLayout() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a width alone is the usual case
  constexpr LabelLayout(LabelWidth bytes, unsigned points = 0) : width(bytes), tile(points) {}
  [[nodiscard]] bool operator==(const LabelLayout&) const = default;

  LabelWidth width = LabelWidth::four; ///< one, in the tiled layout
  unsigned tile = 0;                   ///< points of a tile; 0: input order
};

/// Labels in anybody's memory, of const Label where they are only read. Memory for labels always has room for
/// n of four bytes, whatever is stored in it at present.
template <class T>
struct LabelsIn {
  template <class Stored>
  using As = std::conditional_t<std::is_const_v<T>, const Stored, Stored>;

  LabelsIn() = default;
  LabelsIn(T* labels) : data(labels) {} // NOLINT(google-explicit-constructor): the usual ones
  LabelsIn(As<void>* labels, LabelLayout layout) : data(labels), width(layout.width), tile(layout.tile) {}
  /// What may be written may be read.
  template <class U>
  requires(std::is_same_v<const U, T>)
      LabelsIn(const LabelsIn<U>& other) // NOLINT(google-explicit-constructor)
      : LabelsIn(other.data, other.layout()) {}
  [[nodiscard]] LabelLayout layout() const { return {width, tile}; }
  bool operator==(const LabelsIn&) const = default;

  As<void>* data = nullptr;
  LabelWidth width = LabelWidth::four;
  unsigned tile = 0; ///< as in LabelLayout
};
using LabelView = LabelsIn<const Label>;
using LabelSpan = LabelsIn<Label>;

/// Throws std::invalid_argument for labels in the tiled layout, which are no array.
inline void requireInputOrder(LabelLayout layout) {
  if (layout.tile != 0)
    throw std::invalid_argument("labels in the tiled layout are looked up, not read in a row");
}

/// Calls action with the labels, in input order, as an array of their own type.
template <class T>
void withLabels(const LabelsIn<T>& labels, const auto& action) {
  requireInputOrder(labels.layout());
  switch (labels.width) {
  case LabelWidth::one:
    return action(static_cast<typename LabelsIn<T>::template As<std::uint8_t>*>(labels.data));
  case LabelWidth::two:
    return action(static_cast<typename LabelsIn<T>::template As<std::uint16_t>*>(labels.data));
  case LabelWidth::four:
    return action(static_cast<T*>(labels.data));
  }
}

/// Labels in host memory, as Label; not overlapping.
inline void widen(const LabelView& from, std::span<Label> to) {
  withLabels(from, [&](const auto* labels) { std::copy_n(labels, to.size(), to.data()); });
}

} // namespace lloyd
