// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/lane/fiber.hpp"

#include <boost/context/preallocated.hpp>
#include <boost/context/stack_context.hpp>

namespace lloyd::simt {
namespace {

constexpr std::size_t stackBytes = std::size_t{64} * 1024 * stackFactor;
constexpr std::size_t stackDistance = stackBytes + std::size_t{5} * 64;
constexpr std::size_t stacksPerPiece = 32;

/// Boost asks for the stack's end to be given back through this; the pieces outlive their flows.
struct KeepsStacks {
  boost::context::stack_context allocate() { return {}; }
  void deallocate(boost::context::stack_context&) noexcept {}
};

} // namespace

Stacks::Stack Stacks::take() {
  if (left_ == 0) {
    // Not initialised: the system gives a page only when it is first touched.
    pieces_.emplace_back(new std::byte[stackDistance * stacksPerPiece]);
    left_ = stacksPerPiece;
  }
  --left_;
  return {pieces_.back().get() + left_ * stackDistance, stackBytes};
}

Fiber::Fiber(const Stacks::Stack& stack, std::function<void(Fiber&)> main) : main_(std::move(main)) {
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

void Fiber::endFrom(Fiber& home) {
  endInto_ = &home;
  home.beginHome();
  home.switchTo(*this);
  sanitizer_.gone();
}

} // namespace lloyd::simt
