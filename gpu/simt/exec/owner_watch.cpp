// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/owner_watch.hpp"

#include <algorithm>
#include <atomic>

namespace lloyd::simt {
namespace {

constexpr std::uint64_t storedBit = std::uint64_t{1} << 31;

} // namespace

void OwnerWatch::start(const void* first, std::size_t count, std::size_t elementBytes) {
  first_ = reinterpret_cast<std::uintptr_t>(first);
  elementBytes_ = std::max<std::size_t>(elementBytes, 1);
  end_ = first_ + count * elementBytes_;
  notes_.assign(count, 0);
}

void OwnerWatch::note(Access access, const void* at, std::size_t bytes, std::uint32_t block,
                      std::uint32_t thread) {
  const auto begin = std::max(reinterpret_cast<std::uintptr_t>(at), first_);
  const auto end = std::min(reinterpret_cast<std::uintptr_t>(at) + bytes, end_);
  if (begin >= end) return;
  const bool stores = access != Access::load;
  const std::uint64_t own = static_cast<std::uint64_t>(block) << 32 | (stores ? storedBit : 0) | (thread + 1);
  for (std::size_t element = (begin - first_) / elementBytes_; element <= (end - 1 - first_) / elementBytes_;
       ++element) {
    const std::atomic_ref<std::uint64_t> note(notes_[element]);
    std::uint64_t before = note.load(std::memory_order_relaxed);
    while ((stores || (before & storedBit) == 0) &&
           !note.compare_exchange_weak(before, own, std::memory_order_relaxed)) {
    }
  }
}

std::vector<Owner> OwnerWatch::owners() const {
  std::vector<Owner> owners(notes_.size());
  for (std::size_t element = 0; element < notes_.size(); ++element) {
    const std::uint64_t note = notes_[element];
    if (note == 0) continue;
    owners[element] = {static_cast<std::uint32_t>(note >> 32),
                       static_cast<std::uint32_t>(note & (storedBit - 1)) - 1};
  }
  return owners;
}

} // namespace lloyd::simt
