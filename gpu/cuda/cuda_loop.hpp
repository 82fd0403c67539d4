// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/cuda/runtime/cuda_calls.hpp"

#include <functional>
#include <vector>

namespace lloyd {

/// A stream that records what is launched in it into a graph, until end() or its own end: an exception in
/// between leaves no stream behind that still records.
class Recording {
public:
  explicit Recording(cudaGraph_t into) {
    cudaStream_t stream = nullptr;
    LLOYD_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    stream_ = StreamHandle(stream);
    // Relaxed: the stream is nobody else's, so no other call can be recorded by mistake or be in its way.
    LLOYD_CUDA(
        cudaStreamBeginCaptureToGraph(stream, into, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
    records_ = true;
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() {
    if (!records_) return;
    cudaGraph_t ignored = nullptr;
    cleared(cudaStreamEndCapture(stream_.get(), &ignored));
  }

  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
  void end() {
    records_ = false;
    cudaGraph_t same = nullptr; // the graph that was given, which has its owner
    LLOYD_CUDA(cudaStreamEndCapture(stream_.get(), &same));
  }

private:
  StreamHandle stream_;
  bool records_ = false;
};

/// A CUDA graph of one node, which repeats its body for as long as a kernel of the body says
/// (cudaGraphCondTypeWhile, CUDA 12.4 and newer). A launch of it is one call, whatever the body holds and
/// however often it runs. The calling thread's CUDA device must be the one that it is for, here and below.
class LoopGraph {
public:
  /// body launches kernels; it is called twice, first to be described, because a kernel is loaded when it is
  /// first asked about, and a recording is no time for that. stream: where the graph will be launched. Throws
  /// what body throws, and DeviceError; the device is as usable afterwards as before.
  LoopGraph(const std::function<void(LaunchContext&)>& body, cudaStream_t stream) {
    std::vector<KernelResources> kernels;
    LaunchContext described;
    described.describe = &kernels;
    body(described);

    cudaGraph_t graph = nullptr;
    LLOYD_CUDA(cudaGraphCreate(&graph, 0));
    graph_ = GraphHandle(graph);
    const cudaGraphConditionalHandle condition = createCondition(graph);
    Recording recording(addLoop(graph, condition));
    LaunchContext recorded(recording.stream());
    recorded.loop = condition;
    body(recorded);
    recording.end();

    cudaGraphExec_t exec = nullptr;
    LLOYD_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    exec_ = GraphExecHandle(exec);
    LLOYD_CUDA(cudaGraphUpload(exec, stream)); // else the first launch would do it
  }

  void launch(cudaStream_t stream) { LLOYD_CUDA(cudaGraphLaunch(exec_.get(), stream)); }

private:
  /// 1 at the beginning of every launch: the body runs at least once.
  static cudaGraphConditionalHandle createCondition(cudaGraph_t graph) {
    cudaGraphConditionalHandle condition{};
    const cudaError_t code =
        cleared(cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault));
    if (code == cudaErrorNotSupported)
      throw DeviceError(
          static_cast<int>(code), Severity::badRequest, "cudaGraphConditionalHandleCreate",
          "this GPU or its driver cannot repeat recorded work by itself; without a schedule, the "
          "program starts every iteration");
    checkCuda(code, "cudaGraphConditionalHandleCreate");
    return condition;
  }
  /// Adds the node that repeats, and returns the graph to be filled with what it repeats, which is the
  /// node's.
  static cudaGraph_t addLoop(cudaGraph_t graph, cudaGraphConditionalHandle condition) {
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = condition;
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
    LLOYD_CUDA(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
#else
    LLOYD_CUDA(cudaGraphAddNode(&node, graph, nullptr, 0, &parameters));
#endif
    return parameters.conditional.phGraph_out[0];
  }

  GraphHandle graph_;
  GraphExecHandle exec_;
};

} // namespace lloyd
