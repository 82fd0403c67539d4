// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lloyd {

/// A fixed order of n points of which every prefix is spread over the whole, so that a few of them show the
/// picture of all. Memory is walked as combs of equal teeth: comb b holds the points b, b + combs, b + 2
/// combs, ...; within a comb tooth j comes at j * step mod teeth with step near the golden section of teeth
/// and coprime to it (Weyl's equidistributed sequence on integers). One table of at most 2^20 indices serves
/// every comb through OpenGL's base vertex. The few points after the last full comb come last, as they lie.
class SampleOrder {
public:
  static constexpr std::size_t kMostIndices = std::size_t{1} << 20;

  SampleOrder() = default;
  explicit SampleOrder(std::size_t n);

  /// The index table: point of comb 0 at each position.
  [[nodiscard]] std::vector<std::uint32_t> indices() const;

  /// A part of the order as one draw call: indexed points from the table, or points as they lie.
  struct Piece {
    bool indexed = true;
    std::size_t first = 0; ///< position in the table, or first point
    std::size_t count = 0;
    std::size_t base = 0; ///< added to each index
    bool operator==(const Piece&) const = default;
  };
  /// The draw calls for positions [first, first + count) of the order, cut to what is there.
  [[nodiscard]] std::vector<Piece> pieces(std::size_t first, std::size_t count) const;

  [[nodiscard]] std::size_t size() const { return n_; }

private:
  std::size_t n_ = 0;
  std::size_t combs_ = 1;
  std::size_t teeth_ = 0; ///< in each comb
  std::size_t step_ = 1;
};

} // namespace lloyd
