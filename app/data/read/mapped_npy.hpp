// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read/npy_header.hpp"
#include "app/data/read_control.hpp"
#include "gpu/core/contract/point_source.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lloyd {

/// The points of an NPY file that is mapped into memory and read a piece at a time. A piece is given back to
/// the system as soon as it was read, so that the file may be larger than memory. All of it is looked at once
/// when this is made: rows cannot be left out, so one with a value that is not finite is refused.
class MappedNpy final : public PointSource {
public:
  /// Throws ReadFailure, also when it was cancelled.
  MappedNpy(const std::string& path, const std::vector<std::string>& columns, const ReadControl& control);
  ~MappedNpy() override;

  /// All that is known of the points but their values, which are left out.
  [[nodiscard]] const SharedPointSet& description() const { return description_; }

  [[nodiscard]] std::size_t size() const override { return header_.rows(); }
  [[nodiscard]] int dimensions() const override { return static_cast<int>(chosen_.size()); }
  [[nodiscard]] const Box& box() const override { return box_; }
  [[nodiscard]] bool inMemory() const override { return false; }
  void read(std::size_t first, std::size_t count, float* to, std::size_t stride) const override;

private:
  class Mapping;

  /// Where a value begins in the file.
  [[nodiscard]] std::uint64_t offsetOf(std::size_t row, std::size_t slot) const;
  void readPiece(std::size_t first, std::size_t count, float* to, std::size_t stride) const;
  void widenPiece(std::size_t first, std::size_t count, double* to) const;
  /// The least and the greatest value of each column, [d].
  [[nodiscard]] std::vector<ValueRange> lookAtAll(const ReadControl& control) const;

  InputFile file_;
  NpyHeader header_;
  ConvertItems convert_;
  std::vector<std::size_t> chosen_;
  std::vector<double> shifts_; ///< what is taken off each of them
  std::unique_ptr<Mapping> mapping_;
  Box box_;
  SharedPointSet description_;
};

/// Bytes that the chosen columns of an NPY file take as points; 0 for any other file. Throws ReadFailure.
[[nodiscard]] double npyPointBytes(const std::string& path, const std::vector<std::string>& columns);

} // namespace lloyd
