// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/simt/exec/simt_fault_kernels.hpp"

#include "gpu/kernels/kernel.hpp"

#include <fstream>

namespace lloyd::test {

std::atomic<int> objectsMade = 0;
std::atomic<int> objectsGone = 0;

namespace {

constexpr unsigned everyone = 0xffffffffu;

struct Held {
  Held() { ++objectsMade; }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { ++objectsGone; }
};

LLOYD_KERNEL divergentBarrier(LLOYD_GLOBAL(float) room) {
  if (threadIdx.x < 16)
    __syncthreads(); // here: divergent barrier
  else
    room[threadIdx.x] = static_cast<float>(__ballot_sync(everyone, 1)); // here: divergent barrier's vote
}
LLOYD_KERNEL twoBarriers(LLOYD_GLOBAL(float)) {
  if (threadIdx.x < 40) // NOLINT(bugprone-branch-clone): the same words at two places are the fault
    __syncthreads();    // here: two barriers
  else
    __syncthreads(); // here: two barriers' second
}
LLOYD_KERNEL maskOmitsCaller(LLOYD_GLOBAL(float) room) {
  room[threadIdx.x] = static_cast<float>(__ballot_sync(everyone & ~32u, 1)); // here: mask omits the caller
}
LLOYD_KERNEL exitedLane(LLOYD_GLOBAL(float) room) {
  if (threadIdx.x == 39) return;
  room[threadIdx.x] = static_cast<float>(__any_sync(everyone, 1)); // here: mask names a lane that returned
}
LLOYD_KERNEL differingMasks(LLOYD_GLOBAL(float) room) {
  const unsigned mask = threadIdx.x == 3 ? 0x7fffffffu : everyone;
  room[threadIdx.x] = static_cast<float>(__all_sync(mask, 1)); // here: masks differ
}
LLOYD_KERNEL shuffleOutside(LLOYD_GLOBAL(float) room) {
  if (threadIdx.x < 16) {
    const float own = room[threadIdx.x];
    room[threadIdx.x] = __shfl_down_sync(0x0000ffffu, own, 8); // here: shuffle from outside the mask
  }
}
LLOYD_KERNEL shortWarp(LLOYD_GLOBAL(float) room) {
  room[threadIdx.x] = static_cast<float>(__ballot_sync(everyone, 1)); // here: short warp
}
LLOYD_KERNEL badWidth(LLOYD_GLOBAL(float) room) {
  const float own = room[threadIdx.x];
  room[threadIdx.x] = __shfl_sync(everyone, own, 0, 12); // here: width of a shuffle
}
LLOYD_KERNEL sharedOutside(LLOYD_GLOBAL(float)) {
  LLOYD_SHARED(float, cells, 64);
  cells[threadIdx.x + 1] = 1; // here: shared index out of range
}
LLOYD_KERNEL globalOutside(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) room) {
  // 300 more than there are: the check of the index was forgotten.
  const float value = in[threadIdx.x + 300 - 64]; // here: global index out of range
  room[threadIdx.x] = value;
}
LLOYD_KERNEL belowZero(LLOYD_GLOBAL(float) room) {
  const int left = static_cast<int>(threadIdx.x) - 1;
  room[left] = 1; // here: index below zero
}
LLOYD_KERNEL notWritten(LLOYD_GLOBAL(float) room) {
  LLOYD_SHARED(float, cells, 64);
  if (threadIdx.x != 35) cells[threadIdx.x] = 1;
  __syncthreads();
  const float value = cells[threadIdx.x]; // here: shared memory that nobody wrote
  room[threadIdx.x] = value;
}
LLOYD_KERNEL atomicOnNothing(LLOYD_GLOBAL(float)) {
  LLOYD_SHARED(unsigned, count, 1);
  atomicAdd(&count[0], 1u); // here: atomic on what nobody wrote
}
LLOYD_KERNEL dynamicTooLong(LLOYD_GLOBAL(float)) {
  LLOYD_DYNAMIC_SHARED(float, cells, 0, 17); // here: dynamic array too long
  cells[threadIdx.x % 4] = 1;
}
LLOYD_KERNEL dynamicMisplaced(LLOYD_GLOBAL(float)) {
  LLOYD_DYNAMIC_SHARED(double, cells, 4, 2); // here: dynamic array misplaced
  cells[0] = 1;
}
LLOYD_KERNEL tooMuchShared(LLOYD_GLOBAL(float)) {
  LLOYD_SHARED(double, many, 227 * 128 + 1); // here: too much shared memory
  many[0] = 1;
}
LLOYD_KERNEL waitsWithObject(LLOYD_GLOBAL(float) room) {
  const Held held;
  if (threadIdx.x == 63) room[1000] = 1; // here: waits with an object
  __syncthreads();
}

struct Faulty {
  const char* name;
  int threads;
  void (*kernel)(simt::Global<float>);
  std::size_t sharedBytes = 0;
};
constexpr Faulty faulty[] = {{"divergent barrier", 64, divergentBarrier},
                             {"two barriers", 64, twoBarriers},
                             {"mask omits the caller", 64, maskOmitsCaller},
                             {"mask names a lane that returned", 64, exitedLane},
                             {"masks differ", 64, differingMasks},
                             {"shuffle from outside the mask", 64, shuffleOutside},
                             {"short warp", 20, shortWarp},
                             {"width of a shuffle", 64, badWidth},
                             {"shared index out of range", 64, sharedOutside},
                             {"index below zero", 64, belowZero},
                             {"shared memory that nobody wrote", 64, notWritten},
                             {"atomic on what nobody wrote", 64, atomicOnNothing},
                             {"dynamic array too long", 64, dynamicTooLong, 64},
                             {"dynamic array misplaced", 64, dynamicMisplaced, 64},
                             {"too much shared memory", 64, tooMuchShared},
                             {"waits with an object", 64, waitsWithObject}};

} // namespace

std::vector<std::string> faultyKernels() {
  std::vector<std::string> names{"global index out of range"};
  for (const Faulty& kernel : faulty)
    names.emplace_back(kernel.name);
  return names;
}

void launchFaulty(LaunchContext& context, std::string_view name, float* room, std::size_t blocks,
                  int threads) {
  if (name == "global index out of range")
    launchKernel(context, {blocks, threads != 0 ? threads : 64}, globalOutside, global(room, 256),
                 global(room, 256));
  for (const Faulty& kernel : faulty)
    if (name == kernel.name)
      launchKernel(context, {blocks, threads != 0 ? threads : kernel.threads, kernel.sharedBytes},
                   kernel.kernel, global(room, 256));
}

std::string placeOf(std::string_view name) {
  const std::string path = "tests/gpu/simt/exec/simt_fault_kernels.cpp";
  std::ifstream file(std::string(LLOYD_SOURCE_DIR) + "/" + path);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with("// here: " + std::string(name))) return path + ":" + std::to_string(number);
  }
  return "no line is marked with " + std::string(name);
}

} // namespace lloyd::test
