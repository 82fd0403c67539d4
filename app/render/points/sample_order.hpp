// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
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
  explicit SampleOrder(std::size_t n)
      : n_(n), combs_(std::max<std::size_t>(1, (n + kMostIndices - 1) / kMostIndices)), teeth_(n / combs_) {
    step_ =
        std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(teeth_) * 0.6180339887498949));
    while (teeth_ > 1 && std::gcd(step_, teeth_) != 1)
      ++step_;
  }

  /// The index table: point of comb 0 at each position.
  [[nodiscard]] std::vector<std::uint32_t> indices() const {
    std::vector<std::uint32_t> table(teeth_);
    std::size_t tooth = 0;
    for (std::uint32_t& index : table) {
      index = static_cast<std::uint32_t>(tooth * combs_);
      tooth = (tooth + step_) % teeth_;
    }
    return table;
  }

  /// A part of the order as one draw call: indexed points from the table, or points as they lie.
  struct Piece {
    bool indexed = true;
    std::size_t first = 0; ///< position in the table, or first point
    std::size_t count = 0;
    std::size_t base = 0; ///< added to each index
    bool operator==(const Piece&) const = default;
  };
  /// The draw calls for positions [first, first + count) of the order, cut to what is there.
  [[nodiscard]] std::vector<Piece> pieces(std::size_t first, std::size_t count) const {
    std::vector<Piece> found;
    first = std::min(first, n_);
    const std::size_t end = first + std::min(count, n_ - first);
    const std::size_t combed = combs_ * teeth_;
    while (first < end) {
      if (first >= combed) {
        found.push_back({false, first, end - first, 0});
        break;
      }
      const std::size_t within = first % teeth_;
      const std::size_t here = std::min(end - first, teeth_ - within);
      found.push_back({true, within, here, first / teeth_});
      first += here;
    }
    return found;
  }

  [[nodiscard]] std::size_t size() const { return n_; }

private:
  std::size_t n_ = 0;
  std::size_t combs_ = 1;
  std::size_t teeth_ = 0; ///< in each comb
  std::size_t step_ = 1;
};

} // namespace lloyd
