// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/current_lane.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lloyd::simt {

/// The shared memory of the block that is being run: the launch's dynamic part first, then each declared
/// array in the order in which lanes met it. Beside every byte stands whether a lane has written it.
class SharedMemory {
public:
  /// The most that a block of a card of compute capability 9.0 may have.
  static constexpr std::size_t mostBytes = std::size_t{227} * 1024;

  SharedMemory();

  void beginLaunch(std::size_t dynamicBytes);
  /// Nothing counts as written; what is read all the same is not a number.
  void beginBlock();

  /// Both throw Fault when there is no room.
  [[nodiscard]] SharedRegion staticArray(const SharedDeclaration& declaration);
  [[nodiscard]] SharedRegion dynamicArray(const char* name, std::size_t offset, std::size_t elementBytes,
                                          std::size_t alignment, std::size_t count, const Place& place);

  [[nodiscard]] std::size_t offsetOf(const void* at) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(at) - data_);
  }
  /// "the shared array warpSum"
  [[nodiscard]] std::string describeArray(std::size_t offset) const;
  /// "element 5 of the shared array warpSum"
  [[nodiscard]] std::string describeElement(std::size_t offset) const;

private:
  struct Array {
    const void* declaration; ///< null: dynamic
    const char* name;
    std::size_t offset;
    std::size_t elementBytes;
    std::size_t bytes;
  };
  [[nodiscard]] SharedRegion at(std::size_t offset) { return {data_ + offset, written_.get() + offset}; }
  [[nodiscard]] const Array* find(std::size_t offset) const;

  std::unique_ptr<std::byte[]> room_;
  std::byte* data_; ///< in room_, aligned to 256 bytes
  std::unique_ptr<unsigned char[]> written_;
  std::size_t dynamicBytes_ = 0;
  std::size_t usedBytes_ = 0;
  std::vector<Array> arrays_;
};

} // namespace lloyd::simt
