// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/cuda_loop.hpp"

#include "gpu/cuda/runtime/cuda_check.hpp"

#include <vector>

namespace lloyd {
namespace {

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

/// 1 at the beginning of every launch: the body runs at least once.
cudaGraphConditionalHandle createCondition(cudaGraph_t graph) {
  cudaGraphConditionalHandle condition{};
  const cudaError_t code =
      cleared(cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault));
  if (code == cudaErrorNotSupported)
    throw DeviceError(static_cast<int>(code), Severity::badRequest, "cudaGraphConditionalHandleCreate",
                      "this GPU or its driver cannot repeat recorded work by itself; without a schedule, the "
                      "program starts every iteration");
  checkCuda(code, "cudaGraphConditionalHandleCreate");
  return condition;
}

/// Adds the node that repeats, and returns the graph to be filled with what it repeats, which is the node's.
cudaGraph_t addLoop(cudaGraph_t graph, cudaGraphConditionalHandle condition) {
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

} // namespace

LoopGraph::LoopGraph(const std::function<void(LaunchContext&)>& body, cudaStream_t stream) {
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

void LoopGraph::launch(cudaStream_t stream) { LLOYD_CUDA(cudaGraphLaunch(exec_.get(), stream)); }

} // namespace lloyd
