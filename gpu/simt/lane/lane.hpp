// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/source_location.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace lloyd::simt {

// What a kernel's words know of the machine below them: whose turn it is, and the calls that leave the
// kernel.
class Block;
struct Lane;

struct Index3 {
  unsigned x = 0;
  unsigned y = 0;
  unsigned z = 0;
};

/// The lane that runs on this OS thread now. Kernels read it through threadIdx and the like, at every use.
struct CurrentLane {
  Lane* lane = nullptr;
  Block* block = nullptr;
  Index3 thread;
  Index3 blockIndex;
  Index3 blockSize{1, 1, 1};
  Index3 gridSize{1, 1, 1};
  bool recording = false; ///< every access to shared memory is noted
  bool observed = false;  ///< accesses to global memory are noted, or an array is watched
};
extern constinit thread_local CurrentLane turn;

enum class Access : std::uint8_t { load, store, atomic };

/// Both are called before the access takes place. stored: the new bytes, for a store.
void noteGlobal(Access access, const void* at, std::size_t bytes, const SourceLocation& here);
void noteShared(Access access, const void* at, std::size_t bytes, const SourceLocation& here,
                const void* stored);

/// What a kernel did wrong, as a sentence that names block, warp, lanes and the place. Ends its launch.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Each throws the fault in words. argument: which of the kernel's arguments, from 1 on.
[[noreturn]] void globalOutOfRange(std::size_t index, std::size_t count, unsigned argument,
                                   const SourceLocation& here);
[[noreturn]] void sharedOutOfRange(const void* array, std::size_t index, std::size_t count,
                                   const SourceLocation& here);
/// The lane stops here; once the others have come as far as they can, the fault is thrown, and names who
/// stored there meanwhile.
[[noreturn]] void sharedNotWritten(const void* at, std::size_t bytes, const SourceLocation& here);

/// An array that a kernel declares in shared memory; its address tells it from others.
struct SharedDeclaration {
  const char* name;
  std::size_t elementBytes;
  std::size_t count;
  SourceLocation here = SourceLocation::current();
};

/// How the bytes of a shared array are to be read by people.
struct SharedScalar {
  enum class Kind : std::uint8_t { other, whole, natural, real };
  Kind kind = Kind::other;
  std::uint8_t bytes = 0; ///< of one number; an element may have several
};

/// Where a shared array lies in this block's arena, and the bytes beside it that say what has been written.
struct SharedRegion {
  void* data;
  unsigned char* written;
};
[[nodiscard]] SharedRegion staticShared(const SharedDeclaration& declaration, SharedScalar scalar);
[[nodiscard]] SharedRegion dynamicShared(const char* name, std::size_t offset, std::size_t elementBytes,
                                         std::size_t alignment, std::size_t count, SharedScalar scalar,
                                         const SourceLocation& here);

/// What all lanes of a barrier get back.
struct BarrierOutcome {
  unsigned count; ///< lanes whose predicate held
  unsigned lanes; ///< lanes that took part
};
BarrierOutcome barrier(bool predicate, const SourceLocation& here);

/// What a lane gives to a matrix instruction of 16 x 8 x 8 or 16 x 8 x 16, and where it adds: PTX's fragments
/// of mma.m16n8k8 for tf32, as bits of floats, and of mma.m16n8k16 for halves, two in a word.
struct MatrixFragments {
  float (*sum)[4];
  const unsigned (*a)[4];
  const unsigned (*b)[2];
};

/// What a lane asks of the others in its warp.
struct Collective {
  enum class Kind : std::uint8_t {
    sync,
    shuffle,
    shuffleUp,
    shuffleDown,
    shuffleXor,
    ballot,
    reduceAdd,
    reduceMinUnsigned,
    reduceMaxUnsigned,
    reduceMinSigned,
    reduceMaxSigned,
    multiplyTf32,
    multiplyHalves,
    activeMask
  } kind = Kind::sync;
  std::uint32_t mask = 0;
  std::uint32_t argument = 0; ///< of a shuffle: lane, distance or pattern
  int width = 32;
  std::uint64_t value = 0;
};
/// The lane's result; waits until all lanes of the mask have asked at the same place.
std::uint64_t collective(const Collective& asked, const SourceLocation& here);

class Fiber;

inline constexpr unsigned warpSize = 32;
inline constexpr int mostThreads = 1024;

/// One CUDA thread of the block that is being run. Between two turns of a lane come those of all others, so
/// it has a line of the processor's cache to itself and no more.
struct alignas(64) Lane {
  enum class State : std::uint8_t { fresh, ready, running, atBarrier, atCollective, stopped, finished };

  Fiber* flow = nullptr; ///< what it runs on, once it has begun
  unsigned thread = 0;   ///< in its block
  State state = State::fresh;
  bool predicate = false; ///< atBarrier
  Place place;            ///< where it waits
  Collective asked;       ///< atCollective: what for
  std::uint64_t got = 0;  ///< the collective's result

  [[nodiscard]] unsigned warp() const { return thread / warpSize; }
  [[nodiscard]] unsigned inWarp() const { return thread % warpSize; }
};
static_assert(sizeof(Lane) == 64);

/// "thread 37 (warp 1, lane 5)"
[[nodiscard]] inline std::string describeThread(unsigned thread) {
  return "thread " + std::to_string(thread) + " (warp " + std::to_string(thread / warpSize) + ", lane " +
         std::to_string(thread % warpSize) + ")";
}

/// The collective as the source spells it.
[[nodiscard]] inline const char* nameOf(Collective::Kind kind) {
  constexpr const char* names[] = {"__syncwarp",        "__shfl_sync",       "__shfl_up_sync",
                                   "__shfl_down_sync",  "__shfl_xor_sync",   "a vote",
                                   "__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync",
                                   "__reduce_min_sync", "__reduce_max_sync", "multiplyTf32",
                                   "multiplyHalves",    "__activemask"};
  return names[static_cast<std::size_t>(kind)];
}

} // namespace lloyd::simt
