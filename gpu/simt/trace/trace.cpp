// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/trace/trace.hpp"

#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/iteration_loop.hpp"
#include "gpu/reference/reference.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace lloyd::simt {
namespace {

template <class T>
Buffer<T> zeroed(Device& device, std::size_t count) {
  Buffer<T> buffer(device, count);
  buffer.fill(0);
  return buffer;
}

std::vector<Label> rightLabels(const TraceRequest& request) {
  const std::vector<double> centroids = reference::asDoubles(request.centroids);
  return reference::classify(request.problem, request.points, centroids);
}

std::vector<Label> labelsBefore(const TraceRequest& request) {
  if (request.oldLabels.empty()) return std::vector<Label>(request.problem.n, -1);
  return {request.oldLabels.begin(), request.oldLabels.end()};
}

/// The inputs and outputs of one stage in a device's memory, made from host data: what a stage before it
/// would have left there comes from the reference. The device and what the request points to must outlive it.
class PreparedStage {
public:
  PreparedStage(Device& device, const TraceRequest& request) : device_(device), request_(request) {
    const Problem& problem = request.problem;
    const auto k = static_cast<std::size_t>(problem.k);
    if (request.stage != Stage::layout) centroids_ = {device, request.centroids};
    switch (request.stage) {
    case Stage::layout:
      uploadPoints(Layout::aos);
      rows_ = Buffer<float>(device, rowStride(problem.n) * static_cast<std::size_t>(problem.d));
      break;
    case Stage::update:
      uploadSums();
      moved_ = Buffer<float>(device, problem.centroidValues());
      outcome_ = Buffer<UpdateOutcome>(device, 1);
      break;
    case Stage::reduce:
      uploadPoints(request.variant->info.layout);
      givenLabels_ = {device, rightLabels(request)};
      break;
    default:
      uploadPoints(request.variant->info.layout);
      givenLabels_ = {device, labelsBefore(request)};
      labels_ = Buffer<Label>(device, problem.n);
      width_ = request.variant->labelWidth(problem.k);
      if (width_ != LabelWidth::four) {
        narrowLabels_ = Buffer<Label>(device, problem.n);
        device.convertLabels({problem.n, {givenLabels_.data()}, {narrowLabels_.data(), width_}});
      }
      changed_ = zeroed<std::uint32_t>(device, 1);
      makeTiles();
    }
    if (request.stage == Stage::iterate) prepareIteration();
    if (request.stage == Stage::reduce || request.stage == Stage::fused) {
      sums_ = zeroed<double>(device, problem.centroidValues());
      counts_ = zeroed<std::uint32_t>(device, k);
    }
    device.synchronize();
  }

  /// One launch, in the device's order of work. A second would add to the sums of the first.
  void launch() {
    const Problem& problem = request_.problem;
    const Variant& variant = *request_.variant;
    const std::size_t stride = rowStride(problem.n);
    const PointView points{points_.data(), stride};
    const Tuning tuning = variant.complete(request_.tuning);
    switch (request_.stage) {
    case Stage::classify:
      return run(device_, variant,
                 ClassifyArgs{.problem = problem,
                              .points = points,
                              .centroids = centroids_.data(),
                              .oldLabels = givenLabels_.data(),
                              .labels = labels_.data(),
                              .changed = changed_.data(),
                              .tuning = tuning});
    case Stage::reduce:
      return run(device_, variant,
                 ReduceArgs{.problem = problem,
                            .points = points,
                            .labels = givenLabels_.data(),
                            .pivots = centroids_.data(),
                            .sums = sums_.data(),
                            .counts = counts_.data(),
                            .tuning = tuning});
    case Stage::fused:
      return run(
          device_, variant,
          FusedArgs{
              .problem = problem,
              .points = {points.data, points.stride, boxOf(request_.points.data(), problem.n, problem.d)},
              .centroids = centroids_.data(),
              .oldLabels = {width_ == LabelWidth::four ? givenLabels_.data() : narrowLabels_.data(), width_},
              .labels = {labels_.data(), width_},
              .changed = changed_.data(),
              .sums = sums_.data(),
              .counts = counts_.data(),
              .tuning = tuning,
              .tiled = tiled_ ? &*tiled_ : nullptr});
    case Stage::iterate:
      return iteration_->launchOnce();
    case Stage::layout:
      return run(device_, variant,
                 LayoutArgs{.problem = problem,
                            .records = points_.data(),
                            .rows = rows_.data(),
                            .stride = stride,
                            .tuning = tuning});
    default:
      return run(device_, variant,
                 UpdateArgs{.problem = problem,
                            .sums = sums_.data(),
                            .counts = counts_.data(),
                            .oldCentroids = centroids_.data(),
                            .centroids = moved_.data(),
                            .outcome = outcome_.data()});
    }
  }

  /// An array of an element a point, or a tile of points, each of which is touched by the thread that handles
  /// it and by no other; none for update, which handles no points.
  struct PointArray {
    const void* first = nullptr;
    std::size_t elementBytes = 0;
    std::size_t count = 0;
  };
  [[nodiscard]] PointArray pointArray() {
    const std::size_t n = request_.problem.n;
    switch (request_.stage) {
    case Stage::update:
      return {};
    case Stage::layout: // the first row: who moves a point's first coordinate
      return {rows_.data(), sizeof(float), n};
    case Stage::reduce: // loaded, never stored
      return {givenLabels_.data(), sizeof(Label), n};
    default:
      if (tiled_) return {tiled_->args().labels.tiles, sizeof(std::uint16_t), tiled_->count()};
      return {labels_.data(), bytesOf(width_), n};
    }
  }
  /// The owners of the array's elements -> [n], those of the points.
  [[nodiscard]] std::vector<Owner> ownersOfPoints(std::vector<Owner> owners) const {
    if (!tiled_) return owners;
    std::vector<Owner> ofPoints;
    for (const std::uint32_t place : tiled_->permutation())
      ofPoints.push_back(owners[place / tiled_->size()]);
    return ofPoints;
  }

  /// The first of arrays().
  [[nodiscard]] const float* points() { return points_.data(); }
  /// The points first, but for update.
  [[nodiscard]] std::vector<TracedArray> arrays() {
    using Of = TracedArray::Of;
    const Problem& problem = request_.problem;
    const std::size_t n = problem.n;
    const auto k = static_cast<std::size_t>(problem.k), d = static_cast<std::size_t>(problem.d);
    const std::size_t stride = rowStride(n);
    std::vector<TracedArray> all;
    const auto add = [&]<class T>(const char* name, const Buffer<T>& buffer, Of of, std::size_t row,
                                  std::size_t count) {
      if (buffer.size() == 0) return;
      all.push_back({name, reinterpret_cast<std::uintptr_t>(buffer.data()), buffer.size() * sizeof(T),
                     sizeof(T), of, row, count});
    };
    const bool records = request_.stage == Stage::layout || request_.variant->info.layout == Layout::aos;
    add(request_.stage == Stage::layout ? "records" : "points", points_,
        records ? Of::pointRecords : Of::pointRows, records ? d : stride, n);
    add("rows", rows_, Of::pointRows, stride, n);
    add("centroids", centroids_, Of::clusterRecords, d, k);
    add("new centroids", moved_, Of::clusterRecords, d, k);
    add(request_.stage == Stage::reduce ? "labels" : "old labels", givenLabels_, Of::points, 1, n);
    add("old labels, narrow", narrowLabels_, Of::nothing, 1, n);
    add("labels", labels_, width_ == LabelWidth::four ? Of::points : Of::nothing, 1, n);
    add("sums", sums_, Of::clusterRecords, d, k);
    add("counts", counts_, Of::clusters, 1, k);
    add("changed", changed_, Of::nothing, 1, 1);
    add("outcome", outcome_, Of::nothing, 1, 1);
    return all;
  }

private:
  void uploadPoints(Layout layout) {
    const std::size_t n = request_.problem.n;
    const auto d = static_cast<std::size_t>(request_.problem.d);
    const std::size_t stride = rowStride(n);
    const bool records = layout == Layout::aos;
    std::vector<float> values(records ? n * d : stride * d, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t i = 0; i < n; ++i)
        values[records ? i * d + j : j * stride + i] = request_.points[j * n + i];
    points_ = {device_, values};
  }
  void makeTiles() {
    const Variant& variant = *request_.variant;
    const Problem& problem = request_.problem;
    if (!variant.info.tileSize) return;
    tiled_.emplace(device_, problem.n, problem.d,
                   variant.info.tileSize(problem, variant.complete(request_.tuning)));
    tiled_->order(
        {points_.data(), rowStride(problem.n), boxOf(request_.points.data(), problem.n, problem.d)});
    tiled_->takeLabels({narrowLabels_.data(), width_});
  }
  void uploadSums() {
    const std::vector<double> centroids = reference::asDoubles(request_.centroids);
    const reference::Reduction reduction =
        reference::reduce(request_.problem, request_.points, rightLabels(request_), centroids);
    sums_ = {device_, reduction.sums};
    counts_ = {device_, reduction.counts};
  }
  /// An iteration of the first fused variant that takes the problem, with labels in place.
  void prepareIteration() {
    const Problem& problem = request_.problem;
    const Variant* fused = nullptr;
    for (const Variant* variant : Registry::instance().of(Stage::fused, device_.backend()))
      if (!fused && !variant->whyNot(Stage::fused, problem, device_.info(), {})) fused = variant;
    if (!fused) throw std::invalid_argument("no fused variant takes this problem");
    width_ = fused->labelWidth(problem.k);
    const LabelSpan labels{labels_.data(), width_};
    device_.convertLabels({problem.n, {givenLabels_.data()}, labels});
    if (fused->info.layout == Layout::aos) uploadPoints(Layout::aos);
    const Box box = boxOf(request_.points.data(), problem.n, problem.d);
    iteration_ = std::make_unique<IterationLoop>(
        device_, LoopSubject{.schedule = request_.variant,
                             .fused = fused,
                             .tuning = {},
                             .problem = problem,
                             .points = {points_.data(), rowStride(problem.n), box},
                             .labels = labels});
    iteration_->start(request_.centroids, {.tolerance = 0, .most = 1, .fresh = 0});
  }

  Device& device_;
  const TraceRequest& request_;
  Buffer<float> points_; ///< in the layout that the stage reads; NaN in the padding of rows
  Buffer<float> rows_;   ///< [d][stride], what layout writes
  Buffer<float> centroids_;
  Buffer<float> moved_;              ///< the centroids that update writes
  std::optional<TiledPoints> tiled_; ///< for variants that want it
  Buffer<Label> givenLabels_;
  Buffer<Label> narrowLabels_; ///< givenLabels_ in width_, where that is not four bytes
  Buffer<Label> labels_;
  LabelWidth width_ = LabelWidth::four;
  Buffer<double> sums_;
  Buffer<std::uint32_t> counts_;
  Buffer<std::uint32_t> changed_;
  Buffer<UpdateOutcome> outcome_;
  std::unique_ptr<IterationLoop> iteration_;
};

void requireRunnable(const TraceRequest& request, const DeviceInfo& device) {
  const Variant& variant = *request.variant;
  if (!variant.on(device.backend).has(request.stage))
    throw RequestError(variant.id() + " has no " + std::string(name(request.stage)) + " kernel for the " +
                           std::string(name(device.backend)) + " backend",
                       RequestError::Kind::absent);
  if (const auto reason = variant.whyNot(request.stage, request.problem, device, request.tuning))
    throw RequestError(*reason);
}

/// Launches, and gives back what the launch said when it ended in a fault of the kernel.
std::string faultOf(Device& device, PreparedStage& stage) {
  try {
    stage.launch();
    device.synchronize();
  } catch (const DeviceError& error) {
    if (error.severity() != Severity::badRequest) throw;
    return error.meaning();
  }
  return {};
}

/// Memory that the device or the variant made for itself is told by the order in which it is touched.
void addOtherMemory(SimtDevice& device, StageTrace& result) {
  int others = 0;
  for (const WarpSteps& steps : result.trace.steps) {
    for (const WarpStep& step : steps) {
      if (step.asked > Asked::globalAtomic) continue;
      for (std::uint32_t left = step.lanes; left != 0; left &= left - 1) {
        const std::uint64_t at = step.at[static_cast<unsigned>(std::countr_zero(left))];
        const auto holds = [&](const TracedArray& array) { return at - array.first < array.bytes; };
        if (std::ranges::any_of(result.arrays, holds)) continue;
        const auto [first, end] = device.allocationAt(at);
        if (first == end) continue;
        const std::string number = ++others > 1 ? ' ' + std::to_string(others) : std::string();
        result.arrays.push_back({"working memory" + number, first, end - first, step.bytes});
      }
    }
  }
}

} // namespace

StageTrace traceStage(const TraceRequest& request) {
  const std::unique_ptr<SimtDevice> device = createSimtDevice();
  requireRunnable(request, device->info());
  device->setCancel(request.cancel);
  device->setSchedule(request.schedule);
  PreparedStage stage(*device, request);
  const auto [first, elementBytes, count] = stage.pointArray();
  const bool watched = request.owners && first && request.problem.n > 0;
  if (watched) device->watch(first, count, elementBytes);
  const std::vector<TracedArray> arrays = stage.arrays();
  const bool hasPoints = request.stage != Stage::update && request.problem.n > 0;
  if (request.touched && hasPoints)
    device->watch(stage.points(), arrays.front().bytes / arrays.front().elementBytes,
                  arrays.front().elementBytes);
  if (request.record) device->startRecording();
  if (request.stepsOf) device->keepSteps(*request.stepsOf);

  const std::string fault = faultOf(*device, stage);
  StageTrace result;
  if (request.record) result.trace = device->stopRecording();
  if (request.touched && hasPoints) result.touched = device->owners();
  if (request.stepsOf) {
    result.arrays = arrays;
    addOtherMemory(*device, result);
  }
  if (!fault.empty() && result.trace.faults.empty()) result.trace.faults.push_back(fault);
  if (watched) result.owners = stage.ownersOfPoints(device->owners());
  return result;
}

void launchStage(Device& device, const TraceRequest& request) {
  requireRunnable(request, device.info());
  PreparedStage stage(device, request);
  stage.launch();
  device.synchronize();
}

} // namespace lloyd::simt
