// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sanitizers follow one stack for each thread and must be told when a flow leaves it for another. Without
// them there is nothing to tell.
#include <cstddef>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LLOYD_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define LLOYD_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define LLOYD_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__)
#define LLOYD_THREAD_SANITIZER
#endif

#if defined(LLOYD_ADDRESS_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#elif defined(LLOYD_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace lloyd::simt {

#if defined(LLOYD_ADDRESS_SANITIZER)
/// What AddressSanitizer knows of one flow's stack.
class FiberSanitizers {
public:
  void ownStack(const void* bottom, std::size_t bytes) {
    bottom_ = bottom;
    bytes_ = bytes;
  }
  void threadsStack() {} // its bounds are told when it is first left
  /// Right before this flow is left for to; for ever, or to be gone on with.
  void leave(const FiberSanitizers& to, bool forEver = false) {
    __sanitizer_start_switch_fiber(forEver ? nullptr : &frames_, to.bottom_, to.bytes_);
  }
  /// Right after this flow goes on, from where from was left.
  void enter(FiberSanitizers& from) {
    __sanitizer_finish_switch_fiber(std::exchange(frames_, nullptr), &from.bottom_, &from.bytes_);
  }
  void gone() {}

private:
  void* frames_ = nullptr;
  const void* bottom_ = nullptr;
  std::size_t bytes_ = 0;
};
inline constexpr std::size_t stackFactor = 4; // its guards around variables take room

#elif defined(LLOYD_THREAD_SANITIZER)
/// ThreadSanitizer takes every flow for a thread.
class FiberSanitizers {
public:
  void ownStack(const void*, std::size_t) { flow_ = __tsan_create_fiber(0); }
  void threadsStack() { flow_ = __tsan_get_current_fiber(); }
  void leave(const FiberSanitizers& to, bool = false) { __tsan_switch_to_fiber(to.flow_, 0); }
  void enter(FiberSanitizers&) {}
  void gone() { __tsan_destroy_fiber(flow_); }

private:
  void* flow_ = nullptr;
};
inline constexpr std::size_t stackFactor = 4;

#else
class FiberSanitizers {
public:
  void ownStack(const void*, std::size_t) {}
  void threadsStack() {}
  void leave(const FiberSanitizers&, bool = false) {}
  void enter(FiberSanitizers&) {}
  void gone() {}
};
inline constexpr std::size_t stackFactor = 1;
#endif

} // namespace lloyd::simt
