// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/fiber_sanitizers.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <boost/context/stack_context.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace lloyd::simt {

/// Stacks for flows, cut from larger pieces of memory. Their distance is not a power of two, so that the ends
/// that are in use do not all fall into the same few lines of the processor's cache.
class Stacks {
public:
  struct Stack {
    std::byte* bottom = nullptr;
    std::size_t bytes = 0;
  };
  [[nodiscard]] Stack take() {
    if (left_ == 0) {
      // Not initialised: the system gives a page only when it is first touched.
      pieces_.emplace_back(new std::byte[stackDistance * stacksPerPiece]);
      left_ = stacksPerPiece;
    }
    --left_;
    return {pieces_.back().get() + left_ * stackDistance, stackBytes};
  }

private:
  static constexpr std::size_t stackBytes = std::size_t{64} * 1024 * stackFactor;
  static constexpr std::size_t stackDistance = stackBytes + std::size_t{5} * 64;
  static constexpr std::size_t stacksPerPiece = 32;

  std::vector<std::unique_ptr<std::byte[]>> pieces_;
  std::size_t left_ = 0; ///< of the last piece
};

/// A line of execution that can be left in the middle of a function and gone on with later, on a stack of its
/// own. All flows that switch to each other belong to one OS thread. An exception must not leave main.
class alignas(64) Fiber {
public:
  /// The OS thread's own.
  Fiber() = default;
  /// One that calls main when first switched to. It must be ended before it goes.
  Fiber(const Stacks::Stack& stack, std::function<void(Fiber&)> main) : main_(std::move(main)) {
    sanitizer_.ownStack(stack.bottom, stack.bytes);
    boost::context::stack_context context;
    context.size = stack.bytes;
    context.sp = stack.bottom + stack.bytes;
    suspended_ = boost::context::fiber(std::allocator_arg,
                                       boost::context::preallocated(context.sp, context.size, context),
                                       KeepsStacks(), [this](boost::context::fiber&& left) {
                                         arrive(std::move(left));
                                         main_(*this);
                                         endInto_->from_ = this;
                                         sanitizer_.leave(endInto_->sanitizer_, true);
                                         return std::move(endInto_->suspended_);
                                       });
  }
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber() = default;

  /// Called on the OS thread's own flow before it switches to others, on the thread that will.
  void beginHome() { sanitizer_.threadsStack(); }
  /// Leaves this flow, which must be the running one, and goes on where to was left.
  /// In the class, because a return that the processor foresees wrongly is most of what a switch costs.
  void switchTo(Fiber& to) {
    to.from_ = this;
    sanitizer_.leave(to.sanitizer_);
    boost::context::fiber left = std::move(to.suspended_).resume();
    arrive(std::move(left));
  }
  /// Lets main return, which waits in switchTo() and asks ending(); called from home, which is running.
  void endFrom(Fiber& home) {
    endInto_ = &home;
    home.beginHome();
    home.switchTo(*this);
    sanitizer_.gone();
  }
  [[nodiscard]] bool ending() const { return endInto_ != nullptr; }

private:
  /// Boost asks for the stack's end to be given back through this; the pieces outlive their flows.
  struct KeepsStacks {
    boost::context::stack_context allocate() { return {}; }
    void deallocate(boost::context::stack_context&) noexcept {}
  };
  void arrive(boost::context::fiber&& left) {
    sanitizer_.enter(from_->sanitizer_);
    from_->suspended_ = std::move(left);
  }

  boost::context::fiber suspended_; ///< where it goes on; empty while it runs
  Fiber* from_ = nullptr;           ///< who switched to it last
  Fiber* endInto_ = nullptr;
  std::function<void(Fiber&)> main_;
  [[no_unique_address]] FiberSanitizers sanitizer_;
};

} // namespace lloyd::simt
