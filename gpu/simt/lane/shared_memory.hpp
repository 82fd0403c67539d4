// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

  SharedMemory() : room_(new std::byte[mostBytes + roomAlignment]), written_(new unsigned char[mostBytes]) {
    const auto address = reinterpret_cast<std::uintptr_t>(room_.get());
    data_ = room_.get() + (roundedUp(address, roomAlignment) - address);
  }

  void beginLaunch(std::size_t dynamicBytes) {
    arrays_.clear();
    dynamicBytes_ = dynamicBytes;
    usedBytes_ = roundedUp(dynamicBytes, arrayAlignment);
  }
  /// Nothing counts as written; what is read all the same is not a number.
  void beginBlock() {
    std::memset(written_.get(), 0, std::min(usedBytes_, mostBytes));
    std::memset(data_, 0xff, std::min(usedBytes_, mostBytes));
  }

  /// Both throw Fault when there is no room.
  [[nodiscard]] SharedRegion staticArray(const SharedDeclaration& declaration, SharedScalar scalar) {
    for (const Array& array : arrays_)
      if (array.declaration == &declaration) return at(array.offset);
    const std::size_t bytes = declaration.elementBytes * declaration.count;
    const std::size_t offset = usedBytes_;
    if (bytes > mostBytes - std::min(offset, mostBytes))
      throw Fault("a block needs more than " + std::to_string(mostBytes) + " bytes of shared memory: " +
                  std::to_string(offset) + " are taken and the array " + declaration.name + " has " +
                  std::to_string(bytes) + ", at " + describe(Place(declaration.here)));
    usedBytes_ = roundedUp(offset + bytes, arrayAlignment);
    const std::size_t end = std::min(usedBytes_, mostBytes);
    std::memset(written_.get() + offset, 0, end - offset);
    std::memset(data_ + offset, 0xff, end - offset);
    arrays_.push_back({&declaration, declaration.name, offset, declaration.elementBytes, bytes, scalar});
    return at(offset);
  }
  [[nodiscard]] SharedRegion dynamicArray(const char* name, std::size_t offset, std::size_t elementBytes,
                                          std::size_t alignment, std::size_t count, SharedScalar scalar,
                                          const Place& place) {
    if (offset % alignment != 0)
      throw Fault("the dynamic shared array " + std::string(name) + " begins at byte " +
                  std::to_string(offset) + ", which is no multiple of " + std::to_string(alignment) +
                  ", at " + describe(place));
    if (offset > dynamicBytes_ || count > (dynamicBytes_ - offset) / elementBytes)
      throw Fault("the dynamic shared array " + std::string(name) + " of " + std::to_string(count) +
                  " elements of " + std::to_string(elementBytes) + " bytes, from byte " +
                  std::to_string(offset) + " on, ends beyond the " + std::to_string(dynamicBytes_) +
                  " bytes that the launch gave, at " + describe(place));
    const auto known = std::any_of(arrays_.begin(), arrays_.end(), [&](const Array& array) {
      return !array.declaration && array.offset == offset && array.name == name;
    });
    if (!known) arrays_.push_back({nullptr, name, offset, elementBytes, elementBytes * count, scalar});
    return at(offset);
  }

  /// What stands there now.
  [[nodiscard]] const std::byte* bytesAt(std::size_t offset) const { return data_ + offset; }
  [[nodiscard]] std::size_t offsetOf(const void* at) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(at) - data_);
  }
  /// "the shared array warpSum"
  [[nodiscard]] std::string describeArray(std::size_t offset) const {
    const Array* array = find(offset);
    return array ? "the shared array " + std::string(array->name) : "shared memory";
  }
  /// "element 5 of the shared array warpSum"
  [[nodiscard]] std::string describeElement(std::size_t offset) const {
    const Array* array = find(offset);
    if (!array) return "byte " + std::to_string(offset) + " of shared memory";
    return "element " + std::to_string((offset - array->offset) / array->elementBytes) + " of " +
           describeArray(offset);
  }

  /// An array of the launch, for people.
  struct Named {
    std::string name;
    std::size_t offset = 0; ///< in the block's shared memory, bytes
    std::size_t elementBytes = 0;
    std::size_t bytes = 0;
    SharedScalar scalar{};
  };
  /// Those that lanes have met, in the order of meeting.
  [[nodiscard]] std::vector<Named> named() const {
    std::vector<Named> all;
    for (const Array& array : arrays_)
      all.push_back({array.name, array.offset, array.elementBytes, array.bytes, array.scalar});
    return all;
  }

private:
  static constexpr std::size_t roomAlignment = 256;
  static constexpr std::size_t arrayAlignment = 16; // what LLOYD_SHARED promises
  static std::size_t roundedUp(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

  struct Array {
    const void* declaration; ///< null: dynamic
    const char* name;
    std::size_t offset;
    std::size_t elementBytes;
    std::size_t bytes;
    SharedScalar scalar;
  };
  [[nodiscard]] SharedRegion at(std::size_t offset) { return {data_ + offset, written_.get() + offset}; }
  [[nodiscard]] const Array* find(std::size_t offset) const {
    for (const Array& array : arrays_)
      if (offset >= array.offset && offset - array.offset < array.bytes) return &array;
    return nullptr;
  }

  std::unique_ptr<std::byte[]> room_;
  std::byte* data_; ///< in room_, aligned to 256 bytes
  std::unique_ptr<unsigned char[]> written_;
  std::size_t dynamicBytes_ = 0;
  std::size_t usedBytes_ = 0;
  std::vector<Array> arrays_;
};

} // namespace lloyd::simt
