// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/queue.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace lloyd::test {

struct QueuedSets {
  static constexpr std::size_t n = 1000;
  static constexpr int d = 3;
  static constexpr std::size_t sets = 3;
};

/// A right program: points of a few sets go up by one queue and come back as records, by a queue each, the
/// first half of them.
inline std::vector<std::vector<float>> recordsByQueues(Device& device) {
  constexpr std::size_t n = QueuedSets::n;
  constexpr int d = QueuedSets::d;
  constexpr std::size_t sets = QueuedSets::sets;
  const std::size_t stride = rowStride(n);
  struct Set {
    HostBuffer<float> rows;
    HostBuffer<float> back;
    Buffer<float> points;
    Buffer<float> records;
    Buffer<float> kept;
    std::unique_ptr<Event> arrived;
    std::unique_ptr<Queue> queue;
  };
  std::vector<Set> all;
  for (std::size_t s = 0; s < sets; ++s)
    all.push_back({{device, d * stride},
                   {device, n * d},
                   {device, d * stride},
                   {device, n * d},
                   {device, n * d},
                   device.createEvent(),
                   device.createQueue()});
  const auto copies = device.createQueue();
  for (std::size_t s = 0; s < sets; ++s) {
    Set& set = all[s];
    const std::span<float> rows = set.rows.write();
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = static_cast<float>(s * rows.size() + i);
    copies->upload(set.points.data(), set.rows.data(), set.rows.bytes());
    copies->record(*set.arrived);
    set.queue->fill(set.kept.data(), 0, set.kept.bytes());
    set.queue->wait(*set.arrived);
    const InterleaveArgs args{
        .n = n, .d = d, .points = {set.points.data(), stride}, .records = set.records.data()};
    const auto interleave = device.operations().interleave;
    set.queue->launch("interleaving",
                      [args, interleave](LaunchContext& context) { interleave(args, context); });
    set.queue->copy(set.kept.data(), set.records.data(), set.records.bytes() / 2);
    set.queue->download(set.back.data(), set.kept.data(), set.kept.bytes());
  }
  std::vector<std::vector<float>> found;
  for (Set& set : all) {
    set.queue->synchronize();
    const auto values = set.back.read();
    found.emplace_back(values.begin(), values.end());
  }
  return found;
}

/// What they must be.
inline std::vector<std::vector<float>> recordsOfSets() {
  constexpr std::size_t n = QueuedSets::n;
  constexpr int d = QueuedSets::d;
  constexpr std::size_t sets = QueuedSets::sets;
  std::vector<std::vector<float>> values(sets, std::vector<float>(n * d));
  const std::size_t stride = rowStride(n);
  for (std::size_t s = 0; s < sets; ++s)
    for (std::size_t v = 0; v < n * d / 2; ++v) {
      const std::size_t point = v / d;
      values[s][v] = static_cast<float>(s * d * stride + v % d * stride + point);
    }
  return values;
}

} // namespace lloyd::test
