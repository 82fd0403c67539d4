// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/kmeans_runner.hpp"

#include "app/data/input/wording.hpp"
#include "app/model/compute/initial_centroids.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/streamed/streamed_seeding.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace lloyd {
namespace {

double microsecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

KMeansRunner::KMeansRunner(DeviceFactory factory) : factory_(std::move(factory)) {}
KMeansRunner::~KMeansRunner() = default;

void KMeansRunner::chooseDevice(BackendRequest choice) {
  if (device_ && choice_ == choice) return;
  ChosenDevice chosen = factory_(choice);
  forgetDevice();
  device_ = std::move(chosen.device);
  why_ = std::move(chosen.why);
  choice_ = choice;
  device_->setCancel(cancel_);
}

void KMeansRunner::forgetDevice() {
  streamed_.reset();
  clustering_.reset();
  layouts_.reset();
  motion_.reset();
  points_.reset();
  labelArrays_.clear();
  positionArrays_.clear();
  device_.reset();
  choice_.reset();
}

void KMeansRunner::setData(SharedPointSet data, std::shared_ptr<const PointSource> file) {
  streamed_.reset();
  source_.reset();
  clustering_.reset();
  layouts_.reset();
  motion_.reset();
  points_.reset();
  data_ = std::move(data);
  file_ = std::move(file);
  box_ = file_ ? file_->box() : data_ ? boxOf(*data_) : Box{};
  shifts_.clear();
  time_ = 0;
}

void KMeansRunner::usePrivatePoints(Sharing sharing, bool unseen) {
  useLentPoints();
  if (unseen && !data_->drift && (file_ || !hasRoomForPoints())) {
    source_ = file_;
    if (!source_)
      source_ = std::make_shared<const HostPoints>(data_->values.data(), data_->n, data_->d, box_);
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  points_ = std::make_unique<DevicePoints>(*device_, data_->n, data_->d, data_->values.data(),
                                           data_->drift.has_value(), sharing, unseen);
  device_->synchronize();
  uploadUs_ = microsecondsSince(start);
}

void KMeansRunner::useLentPoints() {
  streamed_.reset();
  source_.reset();
  points_.reset();
  if (layouts_) layouts_->expire();
  frontIsLast_ = false;
  uploadUs_ = 0;
  if (!data_->drift || motion_) return;
  motion_ =
      std::make_unique<Motion>(*device_, data_->n, data_->d, data_->values.data(), data_->drift->component);
  shifts_ = shiftsAt(time_);
}

/// Points that stand still are put in order once, where that is the fastest and there is memory for it.
Plan KMeansRunner::planFor(const Settings& settings, const Problem& problem) const {
  const TuningTable& table = TuningTable::present();
  if (!data_->drift) {
    Plan plan = makePlan(settings.selection, problem, device_->info(), table, Ordering::once);
    if (hasRoomFor(plan, problem)) return plan;
  }
  return makePlan(settings.selection, problem, device_->info(), table);
}

/// For the tiles of a plan. Those that are there are given back before others are made.
bool KMeansRunner::hasRoomFor(const Plan& plan, const Problem& problem) const {
  const unsigned size = plan.tileSize(problem);
  if (size == 0) return true;
  const TiledPoints* held = layouts_ ? layouts_->tiles() : nullptr;
  if (held && held->size() == size && clustering_->problem() == problem) return true;
  return tiledBytes(problem.n, problem.d, size).fitIn(device_->freeMemory() + (held ? held->bytes() : 0));
}

/// For points and two kinds of labels.
bool KMeansRunner::hasRoomForPoints() const {
  const std::size_t values = rowStride(data_->n) * static_cast<std::size_t>(data_->d);
  return values * sizeof(float) + 2 * data_->n * sizeof(Label) <= device_->freeMemory();
}

void KMeansRunner::configure(const Settings& settings) {
  const Problem problem{.n = data_->n, .d = data_->d, .k = settings.k};
  if (problem.n == 0) throw RequestError("there are no points to cluster");
  if (settings.k < 1) throw RequestError("k is " + std::to_string(settings.k) + "; it must be at least 1");
  if (static_cast<std::size_t>(settings.k) > problem.n)
    throw RequestError("k is " + std::to_string(settings.k) + ", but there " +
                       (problem.n == 1 ? "is" : "are") + " only " + counted(problem.n, "point"));
  if (source_) return configureStreamed(settings, problem);
  if (clustering_ && clustering_->problem() == problem && settings == settings_) return;
  Plan plan = planFor(settings, problem);
  if (!clustering_ || clustering_->problem() != problem) {
    clustering_.reset();
    layouts_.reset(); // its memory first: there may not be room for both
    layouts_ = std::make_unique<PointLayouts>(*device_, problem.n, problem.d);
    clustering_ = std::make_unique<Clustering>(*device_, problem, *layouts_);
    seedDue_ = true;
  }
  if (settings.init != settings_.init || settings.seed != settings_.seed) seedDue_ = true;
  plan_ = plan;
  settings_ = settings;
}

std::vector<float> KMeansRunner::shiftsAt(double time) const {
  std::vector<float> shifts = data_->drift->shifts(time, data_->d);
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const auto column = i % static_cast<std::size_t>(data_->d);
    if (column < data_->scales.size())
      shifts[i] = static_cast<float>(static_cast<double>(shifts[i]) / data_->scales[column].factor);
  }
  return shifts;
}

PointReader KMeansRunner::reader() const {
  return [this](std::size_t i, float* out) {
    const auto d = static_cast<std::size_t>(data_->d);
    for (std::size_t j = 0; j < d; ++j) {
      out[j] = data_->row(static_cast<int>(j))[i];
      // The same single addition as the device's, so that the same bits come out.
      if (data_->drift) out[j] += shifts_[data_->drift->component[i] * d + j];
    }
  };
}

/// Each first centroid is read when it is found.
PointReader KMeansRunner::tellingReader() const {
  if (!onSeed_) return reader();
  using Clock = std::chrono::steady_clock;
  return [this, read = reader(), done = 0, last = Clock::now(), said = false](std::size_t i,
                                                                              float* out) mutable {
    read(i, out);
    const bool all = ++done >= settings_.k;
    if (!(all ? said : Clock::now() - last >= betweenSeeds_)) return;
    last = Clock::now();
    said = true;
    onSeed_(done, settings_.k);
  };
}

std::optional<double> KMeansRunner::seedWhenDue(const PointMemory& memory) {
  if (!seedDue_) return std::nullopt;
  const auto start = std::chrono::steady_clock::now();
  // New buffers hold moving points where they rest, so this moment is made before it is looked at.
  moveToPresent(memory);
  const float* positions = motion_ ? memory.nextPositions : memory.positions;
  try {
    initial_ = seedCentroids(*device_, clustering_->problem(), {positions, memory.stride}, tellingReader(),
                             initOn(*data_, settings_.init, settings_.k), settings_.seed);
  } catch (...) {
    if (onSeed_) onSeed_(settings_.k, settings_.k);
    throw;
  }
  clustering_->restore({.centroids = initial_});
  past_.clear();
  shown_ = {};
  frontIsLast_ = moved_ = byHand_ = false;
  seedDue_ = false;
  return microsecondsSince(start);
}

Frame KMeansRunner::frame(StageTimes* times) {
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

// The runner's work on the points: iterations, halves of them, the way back, and labels to be seen.

/// The memory of one call: lent, or private points mapped for it.
class KMeansRunner::Lease {
public:
  Lease(KMeansRunner& runner, const PointMemory* lent) : runner_(runner) {
    runner_.wroteBack_ = false;
    if (!lent && !runner_.points_)
      throw std::logic_error("points that go through the device in batches are not on it");
    if (!lent) mapping_.emplace(*runner_.points_);
    memory_ = lent ? *lent : mapping_->memory();
    memory_.box = runner_.box_;
  }
  [[nodiscard]] const PointMemory& memory() const { return memory_; }
  /// The side that was written becomes what is seen.
  void flip(bool isLast) {
    runner_.wroteBack_ = true;
    runner_.frontIsLast_ = isLast;
    if (mapping_) mapping_->flip();
  }

private:
  KMeansRunner& runner_;
  std::optional<Mapping> mapping_;
  PointMemory memory_;
};

IterationResult KMeansRunner::classify(const PointMemory* lent, bool whole, bool inertia) {
  Lease lease(*this, lent);
  const PointMemory& memory = lease.memory();
  const std::optional<double> seedUs = seedWhenDue(memory);
  if (!frontIsLast_ && clustering_->state().iterations > 0) {
    moveToPresent(memory);
    clustering_->recoverOldLabels(plan_, memory);
  }
  std::vector<float> next;
  if (motion_) next = shiftsAt(time_ + 1);
  Step step{.inertia = inertia, .motion = motion_.get(), .shifts = next};
  if (!whole) step.half = Half::classify;
  IterationResult result = clustering_->advance(plan_, memory, step);
  takeMove(result);
  const double before = time_;
  if (motion_) {
    time_ += 1;
    shifts_ = std::move(next);
  }
  if (keepsUndoHistory_) past_.remember(result, before, time_);
  show(result);
  if (seedUs) result.times.set(Stage::seed, *seedUs);
  lease.flip(true);
  return result;
}

/// Where a centroid was moved by hand, labels that stay are no sign of an end: the centroids are to go back,
/// and what was summed is about the place that one was moved to.
void KMeansRunner::takeMove(IterationResult& result) {
  if (std::exchange(moved_, false)) result.anyChanged = true;
}

IterationResult KMeansRunner::update(const PointMemory* lent) {
  Lease lease(*this, lent);
  const bool again = !frontIsLast_ || !clustering_->readyToUpdate(plan_);
  if (again) {
    moveToPresent(lease.memory());
    clustering_->relabel(plan_, lease.memory(), clustering_->state());
  }
  IterationResult result =
      clustering_->advance(plan_, lease.memory(), {.half = Half::update, .written = again});
  if (keepsUndoHistory_) past_.remember(result, time_, time_);
  show(result);
  if (again) lease.flip(true);
  return result;
}

IterationResult KMeansRunner::iterateUntil(double tolerance, int most) {
  if (data_->drift)
    throw RequestError("points that move take a step in every iteration, which '" +
                       settings_.selection.schedule + "' knows nothing of: leave the schedule out");
  Lease lease(*this, nullptr);
  const std::optional<double> seedUs = seedWhenDue(lease.memory());
  if (!frontIsLast_ && clustering_->state().iterations > 0)
    clustering_->recoverOldLabels(plan_, lease.memory());
  IterationResult result = clustering_->iterateUntil(plan_, lease.memory(), tolerance, most);
  takeMove(result);
  past_.clear();
  show(result);
  if (seedUs) result.times.set(Stage::seed, *seedUs);
  lease.flip(true);
  return result;
}

/// Goes on from the state that result tells of, with points where they were at that time, and writes its
/// labels; with sizes and inertia at the start, where no iteration has found them, and where none are known.
/// Returns the result.
IterationResult KMeansRunner::goTo(Lease& lease, IterationResult result, std::vector<float> usedBefore,
                                   double time) {
  const auto state = Clustering::State::after(result, std::move(usedBefore));
  std::vector<float> shifts;
  if (motion_) {
    shifts = shiftsAt(time);
    motion_->moveTo(shifts, lease.memory());
  }
  const bool known = std::ranges::any_of(result.sizes, [](std::uint32_t size) { return size > 0; });
  if (result.iteration == 0) {
    result = clustering_->finish(plan_, lease.memory(), state);
  } else if (!known && !result.halfway) {
    result = clustering_->finish(plan_, lease.memory(), state);
    result.changed.reset(); // what is in the other buffer is of no iteration before it
    result.anyChanged = true;
  } else {
    clustering_->relabel(plan_, lease.memory(), state);
  }
  clustering_->restore(state);
  result.times = {};
  time_ = time;
  shifts_ = std::move(shifts);
  moved_ = false;
  shown_ = result;
  lease.flip(true);
  return result;
}

IterationResult KMeansRunner::stepBack(const PointMemory* lent) {
  if (!canStepBack()) throw std::logic_error("there is no half to take back");
  Lease lease(*this, lent);
  const bool halfway = clustering_->halfway();
  const IterationSnapshot& last = past_.back();
  const bool toStart = halfway && last.result.iteration == 1;
  IterationResult state;
  std::vector<float> usedBefore;
  if (!halfway) {
    state = last.result;
    state.halfway = true;
    state.shift = 0;
    if (past_.size() > 1) usedBefore = past_.back(1).result.usedCentroids;
  } else if (toStart) {
    state.usedCentroids = last.result.usedCentroids;
  } else {
    state = past_.back(1).result;
  }
  state.centroids = last.result.usedCentroids;
  state = goTo(lease, std::move(state), std::move(usedBefore), halfway ? last.timeBefore : last.time);
  halfway ? past_.takeBackIteration() : past_.takeBackUpdate();
  return state;
}

IterationResult KMeansRunner::takeState(const RunState& state, const PointMemory* lent) {
  const Problem problem = this->problem();
  if (state.result.centroids.size() != problem.centroidValues() ||
      state.result.usedCentroids.size() != problem.centroidValues())
    throw RequestError("a state of other sizes cannot be gone on from");
  for (const std::vector<float>* earlier : {&state.usedBefore, &state.usedLast})
    if (!earlier->empty() && earlier->size() != problem.centroidValues())
      throw RequestError("a state of other sizes cannot be gone on from");
  Lease lease(*this, lent);
  IterationResult taken = goTo(lease, state.result, state.usedBefore, state.driftTime);
  if (!state.usedLast.empty() && !taken.halfway && taken.iteration > 0) {
    // What is seen are labels of the moved centroids; the next classification compares with those before.
    Clustering::State moved = clustering_->state();
    moved.used = state.usedLast;
    clustering_->restore(std::move(moved));
    moved_ = true;
    frontIsLast_ = false;
  }
  initial_ = state.result.usedCentroids;
  byHand_ = state.byHand;
  past_.clear();
  seedDue_ = false;
  return taken;
}

RunState KMeansRunner::stateBeside() const {
  RunState beside;
  beside.driftTime = time_;
  if (!seeded() || !clustering_) return beside;
  beside.byHand = byHand_;
  const Clustering::State& state = clustering_->state();
  if (clustering_->halfway()) beside.usedBefore = state.usedBefore;
  if (moved_) beside.usedLast = state.used;
  return beside;
}

IterationResult KMeansRunner::preview(const PointMemory* lent) {
  Lease lease(*this, lent);
  seedWhenDue(lease.memory());
  moveToPresent(lease.memory());
  const Clustering::State& state = clustering_->state();
  if (state.used.empty() || moved_) {
    show(clustering_->finish(plan_, lease.memory(), state));
    lease.flip(false);
  } else {
    clustering_->relabel(plan_, lease.memory(), state);
    lease.flip(true);
  }
  return shown_;
}

IterationResult KMeansRunner::finish(const PointMemory* lent, std::vector<Label>* labels) {
  if (streamed_) return finishStreamed(labels);
  Lease lease(*this, lent);
  seedWhenDue(lease.memory());
  moveToPresent(lease.memory());
  return finish(lease, clustering_->state(), labels);
}

IterationResult KMeansRunner::finishFrom(const std::vector<float>& centroids, std::vector<Label>* labels) {
  Lease lease(*this, nullptr);
  return finish(lease, {.centroids = centroids}, labels);
}

IterationResult KMeansRunner::finish(Lease& lease, const Clustering::State& state,
                                     std::vector<Label>* labels) {
  IterationResult result = clustering_->finish(plan_, lease.memory(), state);
  if (labels) {
    labels->resize(data_->n);
    downloadLabels(*device_, *lease.memory().labels, *labels);
  }
  return result;
}

SetStart KMeansRunner::setFrom(std::uint64_t seed) {
  if (data_->drift)
    throw RequestError("points that move take a step in every iteration, which '" + plan_.schedule->id() +
                       "' knows nothing of: leave the schedule out");
  Lease lease(*this, nullptr);
  const PointMemory& memory = lease.memory();
  return {.points = data_,
          .seed = seed,
          .centroids = seedCentroids(*device_, problem(), {memory.positions, memory.stride}, reader(),
                                     initOn(*data_, settings_.init, settings_.k), seed),
          .plan = plan_};
}

// Points that the device does not hold.

void KMeansRunner::configureStreamed(const Settings& settings, const Problem& problem) {
  if (streamed_ && streamed_->problem() == problem && settings == settings_) return;
  const Plan plan = makeStreamedPlan(settings.selection, problem, device_->info());
  if (!streamed_ || streamed_->problem() != problem || streamed_->plan() != plan) {
    std::optional<Clustering::State> state;
    if (streamed_ && streamed_->problem() == problem) state = streamed_->state();
    streamed_.reset(); // its memory first: there may not be room for both
    streamed_ =
        std::make_unique<StreamedClustering>(*device_, problem, *source_, plan, StreamOptions(), cancel_);
    streamed_->setProgress(onBatch_);
    if (state)
      streamed_->restore(std::move(*state));
    else
      seedDue_ = true;
  }
  if (settings.init != settings_.init || settings.seed != settings_.seed) seedDue_ = true;
  plan_ = plan;
  settings_ = settings;
}

std::optional<double> KMeansRunner::seedStreamedWhenDue() {
  if (!seedDue_) return std::nullopt;
  const auto start = std::chrono::steady_clock::now();
  initial_ = seedStreamed(*device_, streamed_->problem(), *source_,
                          initOn(*data_, settings_.init, settings_.k), settings_.seed, cancel_);
  streamed_->restore({.centroids = initial_});
  seedDue_ = false;
  return microsecondsSince(start);
}

IterationResult KMeansRunner::iterateStreamed(bool inertia) {
  const std::optional<double> seedUs = seedStreamedWhenDue();
  IterationResult result = streamed_->advance(inertia);
  if (seedUs) result.times.set(Stage::seed, *seedUs);
  return result;
}

IterationResult KMeansRunner::finishStreamed(std::vector<Label>* labels) {
  seedStreamedWhenDue();
  if (!labels) return streamed_->finish({});
  labels->resize(data_->n);
  return streamed_->finish(*labels);
}

void KMeansRunner::moveCentroid(int cluster, const std::vector<float>& position) {
  if (!seeded() || !clustering_ || cluster >= clustering_->problem().k) return;
  const int d = clustering_->problem().d;
  if (cluster < 0 || position.size() != static_cast<std::size_t>(d))
    throw std::invalid_argument("no such centroid");
  const bool halfway = clustering_->halfway();
  Clustering::State state = clustering_->state();
  std::copy(position.begin(), position.end(), state.centroids.begin() + std::ptrdiff_t{cluster} * d);
  if (halfway) state.used = std::move(state.usedBefore);
  state.phase = Clustering::Phase::whole;
  clustering_->restore(std::move(state));
  moved_ = byHand_ = true;
  if (!halfway) return;
  frontIsLast_ = false;
  if (past_.empty()) return;
  time_ = past_.back().timeBefore;
  if (motion_) shifts_ = shiftsAt(time_);
  past_.takeBackIteration();
}

} // namespace lloyd
