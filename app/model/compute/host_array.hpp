// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <cstddef>
#include <memory>

namespace lloyd {

/// count values in the host memory from which the device copies fastest. Keeps the device alive, because the
/// memory is the device's to free; may be released on any thread.
template <class T>
class HostArray {
public:
  HostArray(std::shared_ptr<Device> device, std::size_t count)
      : device_(std::move(device)), count_(count),
        data_(static_cast<T*>(device_->allocateHost(count == 0 ? sizeof(T) : count * sizeof(T)))) {}
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  ~HostArray() { device_->releaseHost(data_); }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] const T* end() const { return data_ + count_; }

private:
  std::shared_ptr<Device> device_;
  std::size_t count_;
  T* data_;
};

/// A few arrays of one size, used in turn: the first that nobody else holds any more.
template <class T>
class HostArrayPool {
public:
  [[nodiscard]] std::shared_ptr<HostArray<T>> take(const std::shared_ptr<Device>& device, std::size_t count) {
    for (auto& array : arrays_)
      if (array.use_count() == 1 && array->size() == count) return array;
    if (arrays_.size() >= 4) arrays_.erase(arrays_.begin());
    return arrays_.emplace_back(std::make_shared<HostArray<T>>(device, count));
  }
  void clear() { arrays_.clear(); }

private:
  std::vector<std::shared_ptr<HostArray<T>>> arrays_;
};

} // namespace lloyd
