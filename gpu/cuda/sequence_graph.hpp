// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/sequence.hpp"
#include "gpu/cuda/cuda_loop.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lloyd {

/// A sequence as a CUDA graph: a chain of nodes, in the order of its operations. The calling thread's CUDA
/// device must be the one that it is for.
class SequenceGraph final : public PreparedSequence {
public:
  /// Gives one operation to a stream, which records it.
  using Give = std::function<void(const QueuedOperation&, cudaStream_t)>;

  /// stream: where it will be launched. Throws what give throws, and DeviceError; the device is as usable
  /// afterwards as before.
  SequenceGraph(const Sequence& sequence, const Give& give, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    LLOYD_CUDA(cudaGraphCreate(&graph, 0));
    graph_ = GraphHandle(graph);
    Recording recording(graph);
    std::size_t before = 0;
    for (const QueuedOperation& operation : sequence.operations()) {
      give(operation, recording.stream());
      std::size_t nodes = 0;
      LLOYD_CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
      activities_.push_back(operation.kind == QueuedOperation::Kind::record ? 0 : nodes - before);
      before = nodes;
      if (operation.kind == QueuedOperation::Kind::launch) last_ = operation.what;
    }
    recording.end();

    cudaGraphExec_t exec = nullptr;
    LLOYD_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    exec_ = GraphExecHandle(exec);
    LLOYD_CUDA(cudaGraphUpload(exec, stream)); // else the first launch would do it
  }

  [[nodiscard]] const std::vector<std::size_t>& activities() const override { return activities_; }
  /// What its last launch of a kernel is named, for errors; empty without any.
  [[nodiscard]] const std::string& last() const { return last_; }
  void launch(cudaStream_t stream) { LLOYD_CUDA(cudaGraphLaunch(exec_.get(), stream)); }

private:
  GraphHandle graph_;
  GraphExecHandle exec_;
  std::vector<std::size_t> activities_;
  std::string last_;
};

} // namespace lloyd
