// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/computer.hpp"

#include "gpu/core/request_error.hpp"

#include <chrono>
#include <utility>

namespace lloyd {
namespace {

double microsecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

Computer::Computer(DeviceFactory factory) : factory_(std::move(factory)) {}
Computer::~Computer() = default;

void Computer::setCancel(const std::atomic<bool>* cancel) {
  cancel_ = cancel;
  if (device_) device_->setCancel(cancel);
}

void Computer::chooseDevice(BackendChoice choice) {
  if (device_ && choice_ == choice) return;
  ChosenDevice chosen = factory_(choice);
  forgetDevice();
  device_ = std::move(chosen.device);
  why_ = std::move(chosen.why);
  choice_ = choice;
  device_->setCancel(cancel_);
}

void Computer::forgetDevice() {
  clustering_.reset();
  motion_.reset();
  points_.reset();
  labelArrays_.clear();
  positionArrays_.clear();
  device_.reset();
  choice_.reset();
}

void Computer::setData(SharedPointSet data) {
  clustering_.reset();
  motion_.reset();
  points_.reset();
  data_ = std::move(data);
  box_ = data_ ? boxOf(*data_) : Box{};
  shifts_.clear();
  time_ = 0;
}

void Computer::usePrivatePoints(Sharing sharing, bool labelsByTiles) {
  useLentPoints();
  const auto start = std::chrono::steady_clock::now();
  points_ = std::make_unique<DevicePoints>(*device_, data_->n, data_->d, data_->values.data(),
                                           data_->drift.has_value(), sharing, labelsByTiles);
  device_->synchronize();
  uploadUs_ = microsecondsSince(start);
}

void Computer::useLentPoints() {
  points_.reset();
  frontIsLast_ = false;
  uploadUs_ = 0;
  if (!data_->drift || motion_) return;
  motion_ =
      std::make_unique<Motion>(*device_, data_->n, data_->d, data_->values.data(), data_->drift->component);
  shifts_ = shiftsAt(time_);
}

Problem Computer::problem() const {
  return {.n = data_ ? data_->n : 0, .d = data_ ? data_->d : 0, .k = settings_.k};
}

/// Points that stand still are put in order once, where that is the fastest and there is memory for it.
Plan Computer::planFor(const Settings& settings, const Problem& problem) const {
  const ChoiceTable& table = ChoiceTable::present();
  if (!data_->drift) {
    Plan plan = makePlan(settings.selection, problem, device_->info(), table, Ordering::once);
    if (hasRoomFor(plan, problem)) return plan;
  }
  return makePlan(settings.selection, problem, device_->info(), table);
}

/// For the tiles of a plan. Those that are there are given back before others are made.
bool Computer::hasRoomFor(const Plan& plan, const Problem& problem) const {
  const unsigned size = plan.tileSize(problem);
  if (size == 0) return true;
  const TiledPoints* held = clustering_ ? clustering_->tiles() : nullptr;
  if (held && held->size() == size && clustering_->problem() == problem) return true;
  return tiledBytes(problem.n, problem.d, size).fitIn(device_->freeMemory() + (held ? held->bytes() : 0));
}

void Computer::configure(const Settings& settings) {
  const Problem problem{.n = data_->n, .d = data_->d, .k = settings.k};
  if (problem.n == 0) throw RequestError("there are no points to cluster");
  if (settings.k < 1) throw RequestError("k is " + std::to_string(settings.k) + "; it must be at least 1");
  if (static_cast<std::size_t>(settings.k) > problem.n)
    throw RequestError("k is " + std::to_string(settings.k) + ", but there are only " +
                       std::to_string(problem.n) + " points");
  if (clustering_ && clustering_->problem() == problem && settings == settings_) return;
  Plan plan = planFor(settings, problem);
  if (!clustering_ || clustering_->problem() != problem) {
    clustering_.reset();
    clustering_ = std::make_unique<Clustering>(*device_, problem);
    seedDue_ = true;
  }
  if (settings.init != settings_.init || settings.seed != settings_.seed) seedDue_ = true;
  plan_ = plan;
  settings_ = settings;
}

void Computer::restart() { seedDue_ = true; }

std::vector<float> Computer::shiftsAt(double time) const {
  std::vector<float> shifts = data_->drift->shifts(time, data_->d);
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const auto column = i % static_cast<std::size_t>(data_->d);
    if (column < data_->scales.size())
      shifts[i] = static_cast<float>(static_cast<double>(shifts[i]) / data_->scales[column].factor);
  }
  return shifts;
}

PointReader Computer::reader() const {
  return [this](std::size_t i, float* out) {
    const auto d = static_cast<std::size_t>(data_->d);
    for (std::size_t j = 0; j < d; ++j) {
      out[j] = data_->row(static_cast<int>(j))[i];
      // The same single addition as the device's, so that the same bits come out.
      if (data_->drift) out[j] += shifts_[data_->drift->component[i] * d + j];
    }
  };
}

void Computer::seed(const PointMemory& memory, StageTimes& times) {
  const auto start = std::chrono::steady_clock::now();
  // New buffers hold moving points where they rest, so this moment is made before it is looked at.
  if (motion_) motion_->moveTo(shifts_, memory);
  const float* positions = motion_ ? memory.nextPositions : memory.positions;
  initial_ = seedCentroids(*device_, clustering_->problem(), {positions, memory.stride}, reader(),
                           settings_.init, settings_.seed);
  clustering_->setCentroids(initial_);
  past_.clear();
  shown_ = {};
  frontIsLast_ = moved_ = false;
  seedDue_ = false;
  times.set(Stage::seed, microsecondsSince(start));
}

Frame Computer::frame(StageTimes* times) {
  const auto start = std::chrono::steady_clock::now();
  Frame frame;
  const auto labels = labelArrays_.take(device_, data_->n);
  downloadLabels(*device_, points_->frontLabels(), {labels->data(), data_->n});
  frame.labels = labels;
  frame.stride = points_->stride();
  if (motion_) {
    const auto positions =
        positionArrays_.take(device_, points_->stride() * static_cast<std::size_t>(data_->d));
    device_->download(positions->data(), points_->frontPositions(), positions->size() * sizeof(float));
    frame.positions = positions;
  }
  if (times) times->set(Stage::unmap, microsecondsSince(start));
  return frame;
}

bool converged(const IterationResult& result, double tolerance) {
  return !result.anyChanged || (tolerance > 0 && result.shift <= tolerance);
}

} // namespace lloyd
