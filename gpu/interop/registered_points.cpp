// SPDX-License-Identifier: GPL-3.0-or-later
// OpenGL's buffers as CUDA memory (CUDA Runtime API, "OpenGL Interoperability").
#include "gpu/cuda/cuda_device.hpp"
#include "gpu/cuda/runtime/cuda_calls.hpp"
#include "gpu/interop/shared_points.hpp"

#include <cuda_gl_interop.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace lloyd {
namespace {

std::string renderer() {
  const auto* text = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return text ? text : "an unknown renderer";
}

[[noreturn]] void refuse(int code, const CudaDevice& device, std::string_view call) {
  throw DeviceError(code, Severity::noSharing, call,
                    "OpenGL is drawn by " + renderer() + ", which is not the CUDA device " +
                        device.info().name + ", so its buffers cannot be shared; points are copied instead");
}

/// Asks anew for each context: the window may move to another GPU.
void requireSameGpu(const CudaDevice& device) {
  std::array<int, 16> drawing{};
  unsigned count = 0;
  const cudaError_t code =
      cleared(cudaGLGetDevices(&count, drawing.data(), drawing.size(), cudaGLDeviceListAll));
  if (code != cudaSuccess) refuse(static_cast<int>(code), device, "cudaGLGetDevices");
  const auto* const end = drawing.data() + std::min<std::size_t>(count, drawing.size());
  if (std::find(static_cast<const int*>(drawing.data()), end, device.info().index) == end)
    refuse(0, device, "cudaGLGetDevices");
}

GraphicsHandle registerBuffer(unsigned buffer, unsigned flags) {
  cudaGraphicsResource_t resource = nullptr;
  const cudaError_t code = cudaGraphicsGLRegisterBuffer(&resource, buffer, flags);
  if (code == cudaSuccess) return GraphicsHandle(resource);
  const int number = static_cast<int>(cleared(code));
  const Severity severity =
      severityOf(number, CallKind::graphics) == Severity::lost ? Severity::lost : Severity::noSharing;
  throw DeviceError(number, severity, "cudaGraphicsGLRegisterBuffer",
                    std::string("OpenGL's buffers could not be lent to CUDA (") + cudaGetErrorString(code) +
                        "); points are copied instead");
}

/// One registered buffer, mapped for as long as this lives.
class MappedBuffer {
public:
  MappedBuffer(cudaGraphicsResource_t resource, cudaStream_t stream) : resource_(resource), stream_(stream) {
    LLOYD_CUDA_GRAPHICS(cudaGraphicsMapResources(1, &resource_, stream_));
  }
  MappedBuffer(const MappedBuffer&) = delete;
  MappedBuffer& operator=(const MappedBuffer&) = delete;
  ~MappedBuffer() { cleared(cudaGraphicsUnmapResources(1, &resource_, stream_)); }

  [[nodiscard]] float* floats() const {
    void* memory = nullptr;
    std::size_t bytes = 0;
    LLOYD_CUDA_GRAPHICS(cudaGraphicsResourceGetMappedPointer(&memory, &bytes, resource_));
    return static_cast<float*>(memory);
  }

private:
  cudaGraphicsResource_t resource_;
  cudaStream_t stream_;
};

/// Refuses devices that do not share with OpenGL at all.
CudaDevice& cudaDeviceOf(Device& device, std::string_view call) {
  auto* const cuda = dynamic_cast<CudaDevice*>(&device);
  if (cuda) return *cuda;
  throw DeviceError(0, Severity::noSharing, call,
                    "the " + std::string(name(device.backend())) +
                        " device computes in memory of its own; points are copied for OpenGL");
}

class RegisteredGlPoints final : public RegisteredPoints {
public:
  RegisteredGlPoints(CudaDevice& device, const GlPointBuffers& buffers)
      : device_(device), stride_(buffers.stride), moving_(buffers.positions[1] != 0),
        positionBytes_(((static_cast<std::size_t>(buffers.d) - 1) * buffers.stride + buffers.n) *
                       sizeof(float)),
        labelBytes_(buffers.n * sizeof(Label)) {
    device_.makeCurrent();
    if (buffers.n == 0)
      throw DeviceError(0, Severity::noSharing, "registerPoints",
                        "there are no points, and an empty buffer cannot be shared");
    requireSameGpu(device_);
    // Points that stand still are only read: the driver may then skip what keeps writes of both sides apart.
    add(buffers.positions[0], moving_ ? cudaGraphicsRegisterFlagsNone : cudaGraphicsRegisterFlagsReadOnly);
    if (moving_) add(buffers.positions[1], cudaGraphicsRegisterFlagsNone);
    for (std::size_t side = 0; side < 2; ++side) {
      add(buffers.labels[side], cudaGraphicsRegisterFlagsNone);
      stored_[side].width = buffers.labelWidths[side];
    }
  }
  ~RegisteredGlPoints() override {
    // The context or the device may have died; then the failed calls are all that is left to clean up after.
    cleared(cudaSetDevice(device_.info().index));
    if (mapped_) cleared(cudaGraphicsUnmapResources(count_, resources_.data(), stream()));
  }

  [[nodiscard]] Sharing sharing() const override { return Sharing::shared; }
  [[nodiscard]] bool mapped() const override { return mapped_; }
  [[nodiscard]] int front() const override { return front_; }
  [[nodiscard]] LabelWidth frontWidth() const override { return stored_[front_].width; }

  [[nodiscard]] PointMemory map() override {
    if (mapped_) throw std::logic_error("points mapped twice");
    device_.makeCurrent();
    // One call for all: each waits for OpenGL's earlier work, and work on the stream waits for the call.
    LLOYD_CUDA_GRAPHICS(cudaGraphicsMapResources(count_, resources_.data(), stream()));
    mapped_ = true;
    try {
      return memory();
    } catch (...) {
      mapped_ = false;
      cleared(cudaGraphicsUnmapResources(count_, resources_.data(), stream()));
      throw;
    }
  }

  void unmap(bool flip) override {
    if (!mapped_) return;
    mapped_ = false;
    device_.makeCurrent();
    LLOYD_CUDA_GRAPHICS(cudaGraphicsUnmapResources(count_, resources_.data(), stream()));
    if (flip) front_ = 1 - front_;
  }

private:
  void add(unsigned buffer, unsigned flags) {
    const auto slot = static_cast<std::size_t>(count_);
    handles_[slot] = registerBuffer(buffer, flags);
    resources_[slot] = handles_[slot].get();
    ++count_;
  }

  template <class T>
  [[nodiscard]] T* pointer(int slot, std::size_t bytes) const {
    void* memory = nullptr;
    std::size_t size = 0;
    LLOYD_CUDA_GRAPHICS(
        cudaGraphicsResourceGetMappedPointer(&memory, &size, resources_[static_cast<std::size_t>(slot)]));
    if (size < bytes)
      throw DeviceError(0, Severity::noSharing, "cudaGraphicsResourceGetMappedPointer",
                        "an OpenGL buffer holds " + std::to_string(size) + " bytes where " +
                            std::to_string(bytes) + " are needed");
    return static_cast<T*>(memory);
  }

  [[nodiscard]] PointMemory memory() {
    const int back = 1 - front_;
    const int firstLabels = moving_ ? 2 : 1;
    for (int side = 0; side < 2; ++side)
      stored_[side].data = pointer<Label>(firstLabels + side, labelBytes_);
    return {.positions = pointer<float>(moving_ ? front_ : 0, positionBytes_),
            .stride = stride_,
            .nextPositions = moving_ ? pointer<float>(back, positionBytes_) : nullptr,
            .oldLabels = stored_[front_],
            .labels = &stored_[back]};
  }

  [[nodiscard]] cudaStream_t stream() const { return static_cast<cudaStream_t>(device_.stream()); }

  CudaDevice& device_;
  std::size_t stride_;
  bool moving_;
  std::size_t positionBytes_;
  std::size_t labelBytes_;
  std::array<GraphicsHandle, 4> handles_;             ///< positions (one or two) and both labels
  std::array<cudaGraphicsResource_t, 4> resources_{}; ///< the same, as CUDA wants them in one call
  LabelSpan stored_[2]; ///< what the label buffers hold; their addresses are those of the last mapping
  int count_ = 0;
  int front_ = 0;
  bool mapped_ = false;
};

} // namespace

std::unique_ptr<RegisteredPoints> registerPoints(Device& device, const GlPointBuffers& buffers) {
  return std::make_unique<RegisteredGlPoints>(cudaDeviceOf(device, "registerPoints"), buffers);
}

void fillPositions(Device& device, const GlPointBuffers& buffers, const float* values) {
  CudaDevice& cuda = cudaDeviceOf(device, "fillPositions");
  cuda.makeCurrent();
  requireSameGpu(cuda);
  for (const unsigned buffer : buffers.positions) {
    if (buffer == 0) continue;
    const GraphicsHandle handle = registerBuffer(buffer, cudaGraphicsRegisterFlagsWriteDiscard);
    const MappedBuffer mapped(handle.get(), static_cast<cudaStream_t>(cuda.stream()));
    for (std::size_t j = 0; j < static_cast<std::size_t>(buffers.d); ++j) {
      float* const row = mapped.floats() + j * buffers.stride;
      cuda.upload(row, values + j * buffers.n, buffers.n * sizeof(float));
      cuda.fill(row + buffers.n, 0, (buffers.stride - buffers.n) * sizeof(float));
    }
  }
}

} // namespace lloyd
