// SPDX-License-Identifier: GPL-3.0-or-later
// What the words of kernels call: it is one lane's turn, and `turn` says whose.
#include "gpu/simt/cuda/parameter_names.hpp"
#include "gpu/simt/exec/block.hpp"
#include "gpu/simt/exec/owner_watch.hpp"
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/queue/unwritten_watch.hpp"
#include "gpu/simt/record/recorder.hpp"

#include <cstdint>
#include <string>

namespace lloyd::simt {
namespace {

/// "thread 37 (warp 1, lane 5) of block 2"
std::string caller() {
  return describeThread(turn.lane->thread) + " of block " + std::to_string(turn.blockIndex.x);
}

/// An index that was computed below zero reads better as what it was meant to be.
std::string describeIndex(std::size_t index) {
  const auto asSigned = static_cast<std::int64_t>(index);
  return asSigned < 0 ? std::to_string(asSigned) : std::to_string(index);
}

std::string outside(std::size_t index, std::size_t count, const std::string& array,
                    const SourceLocation& here) {
  return caller() + " uses index " + describeIndex(index) + " of " + array + ", which has " +
         std::to_string(count) + (count == 1 ? " element" : " elements") + ", at " + describe(Place(here));
}

} // namespace

void noteGlobal(Access access, const void* at, std::size_t bytes, const SourceLocation& here) {
  const Observer& observer = turn.block->observer();
  if (observer.recorder) observer.recorder->global(*turn.lane, access, at, bytes, here);
  if (observer.watch) observer.watch->note(access, at, bytes, turn.blockIndex.x, turn.lane->thread);
  if (observer.unwritten) observer.unwritten->note(access, at, bytes, here);
}

void noteShared(Access access, const void* at, std::size_t bytes, const SourceLocation& here,
                const void* stored) {
  const std::size_t offset = turn.block->shared().offsetOf(at);
  if (Recorder* const recorder = turn.block->observer().recorder)
    recorder->shared(*turn.lane, access, offset, bytes, here, stored);
  if (access == Access::store) turn.block->stores(offset, bytes, here);
}

void globalOutOfRange(std::size_t index, std::size_t count, unsigned argument, const SourceLocation& here) {
  const std::string number = "argument " + std::to_string(argument);
  const auto name = parameterNameIn(here.file_name(), here.line(), argument);
  throw Fault(outside(index, count, name ? *name + ", " + number : "the array in " + number, here));
}

void sharedOutOfRange(const void* array, std::size_t index, std::size_t count, const SourceLocation& here) {
  const SharedMemory& shared = turn.block->shared();
  throw Fault(outside(index, count, shared.describeArray(shared.offsetOf(array)), here));
}

void sharedNotWritten(const void* at, std::size_t bytes, const SourceLocation& here) {
  turn.block->readsUnwritten(turn.block->shared().offsetOf(at), bytes, here);
}

SharedRegion staticShared(const SharedDeclaration& declaration, SharedScalar scalar) {
  return turn.block->shared().staticArray(declaration, scalar);
}

SharedRegion dynamicShared(const char* name, std::size_t offset, std::size_t elementBytes,
                           std::size_t alignment, std::size_t count, SharedScalar scalar,
                           const SourceLocation& here) {
  return turn.block->shared().dynamicArray(name, offset, elementBytes, alignment, count, scalar, Place(here));
}

BarrierOutcome barrier(bool predicate, const SourceLocation& here) {
  return turn.block->barrier(predicate, here);
}

std::uint64_t collective(const Collective& asked, const SourceLocation& here) {
  return turn.block->collective(asked, here);
}

} // namespace lloyd::simt
