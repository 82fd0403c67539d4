// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/counter_service.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <QString>

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lloyd {

/// One request of a warp, taken apart by the rules of the simulator's counters (request_rules.hpp), so that a
/// picture of it cannot disagree with them.
struct MemoryRequest {
  /// 32 bytes of global memory that the request touches.
  struct Sector {
    std::uint64_t number = 0; ///< of the array's sectors, from 0 on
    std::uint32_t lanes = 0;  ///< that touch it
    std::uint32_t used = 0;   ///< a bit for each of its bytes that a lane asked for
  };
  /// 4 bytes of shared memory that the request touches.
  struct Word {
    std::uint64_t number = 0; ///< in the block's shared memory; its bank is number % 32
    unsigned part = 0;        ///< of a wide request, whose halves or quarters are served one after the other
    std::uint32_t lanes = 0;
    [[nodiscard]] unsigned bank() const { return static_cast<unsigned>(number % 32); }
  };

  simt::Asked asked = simt::Asked::globalLoad;
  std::uint32_t lanes = 0; ///< that took part
  unsigned bytes = 0;      ///< of one lane's access
  int array = -1;          ///< of BlockRequests: arrays, or sharedArrays; -1: nobody knows
  /// By lane: bytes behind the first of the array, or of the block's shared memory.
  std::array<std::uint64_t, 32> at{};
  std::vector<Sector> sectors; ///< of global memory, ascending
  std::vector<Word> words;     ///< of shared memory, by part, then ascending
  unsigned parts = 1;          ///< of a request to shared memory
  std::size_t conflicts = 0;   ///< turns of shared memory beyond one a part; of atomics none are counted
  std::size_t turns = 0;       ///< of shared memory and of atomics

  [[nodiscard]] bool shared() const { return asked >= simt::Asked::sharedLoad; }
  [[nodiscard]] bool atomic() const {
    return asked == simt::Asked::globalAtomic || asked == simt::Asked::sharedAtomic;
  }
  [[nodiscard]] unsigned laneCount() const;
  [[nodiscard]] std::uint64_t askedBytes() const { return std::uint64_t{laneCount()} * bytes; }
  /// Of the sectors: all their bytes, and those that some lane asked for.
  [[nodiscard]] std::uint64_t fetchedBytes() const { return 32 * sectors.size(); }
  [[nodiscard]] std::uint64_t usedBytes() const;
  /// The most lanes that begin at one place.
  [[nodiscard]] unsigned mostAtOnePlace() const;
  /// The most words of one bank in one part, and which bank; 0 for global memory.
  struct Deepest {
    unsigned bank = 0;
    unsigned words = 0;
  };
  [[nodiscard]] Deepest deepest() const;
};

/// What the warps of one block asked of memory, step by step, and who touched the points.
struct BlockRequests {
  TeachSubject subject;
  Problem problem;
  std::uint32_t block = 0;
  std::uint32_t blocks = 0;
  std::vector<simt::WarpSteps> steps; ///< [warp]
  bool cut = false;                   ///< there were more steps than are kept
  simt::BlockRecord record;           ///< how the steps belong together
  QString fault;                      ///< a sentence: what ended the launch; empty where nothing did
  std::vector<simt::TracedArray> arrays;
  std::vector<simt::SharedMemory::Named> sharedArrays;
  std::vector<simt::Owner> touched; ///< by element of arrays.front(), who loaded it last; empty for update
  QString why;                      ///< why there is nothing, a whole sentence
};

/// Runs the subject's variant once and keeps what a block did. A block that the launch does not have gives no
/// steps. Throws Cancelled; all else is in the result. Any thread.
[[nodiscard]] BlockRequests blockRequests(const CountInput& input, std::uint32_t block,
                                          const std::atomic<bool>* cancel);
/// A step that asks memory.
[[nodiscard]] MemoryRequest requestOf(const BlockRequests& block, const simt::WarpStep& step);
/// The requests of a warp at a line of the source, in their order. file: from the repository's top.
[[nodiscard]] std::vector<MemoryRequest> requestsOf(const BlockRequests& block, std::size_t warp,
                                                    std::string_view file, int line);

/// Memory as people see it: rows of 128 bytes, which are a line of four sectors, or one word of each bank.
struct MemoryRow {
  struct Word {
    std::uint32_t lanes = 0; ///< that touch it
    unsigned used = 0;       ///< a bit for each byte that a lane asked for
    bool fetched = false;    ///< its sector is touched, or it is itself
    bool contended =
        false; ///< its bank has to serve another word in the same part, or an atomic goes in turns
  };
  std::uint64_t number = 0; ///< its first byte is number x 128
  std::array<Word, 32> words{};
};
/// Those that the request touches, ascending.
[[nodiscard]] std::vector<MemoryRow> memoryRows(const MemoryRequest& request);

/// "points", "shared slotSum".
[[nodiscard]] QString arrayText(const BlockRequests& block, const MemoryRequest& request);
/// What lies at a byte of an array: "point 33, y", "centroid 2, x", "padding"; empty where nothing is known.
[[nodiscard]] QString elementText(const BlockRequests& block, const simt::TracedArray& array,
                                  std::uint64_t byte);
/// What a lane touches: "lane 3: byte 12 of points, point 3, x".
[[nodiscard]] QString laneText(const BlockRequests& block, const MemoryRequest& request, unsigned lane);
/// What a request comes to, for people: "32 lanes ask for 128 bytes in 4 sectors of points: all of them are
/// used."
[[nodiscard]] QString requestText(const BlockRequests& block, const MemoryRequest& request);
/// Who touched an element of the points: "byte 132: point 33, x; block 0, warp 1, lane 1".
[[nodiscard]] QString touchText(const BlockRequests& block, std::size_t element);

} // namespace lloyd
