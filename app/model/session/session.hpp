// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/model/session/compute_task.hpp"
#include "app/model/session/live_timings.hpp"
#include "app/model/session/run_controller.hpp"
#include "app/model/session/run_history.hpp"
#include "app/model/session/worker_thread.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/interop/shared_points.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lloyd {

/// The drawing side as the session sees it: the owner of OpenGL's point buffers. Implemented by the viewport;
/// every call is made on the GUI thread, and the implementation makes its own context current.
class PointSurface {
public:
  PointSurface() = default;
  PointSurface(const PointSurface&) = delete;
  PointSurface& operator=(const PointSurface&) = delete;
  virtual ~PointSurface() = default;

  /// Makes buffers for the data and fills the positions. When device is given, tries to register them with
  /// it: returns an empty reason when that worked, else why not (the points must be copied then).
  /// Microseconds of the filling go to uploadUs.
  [[nodiscard]] virtual std::string show(const SharedPointSet& data, Device* device, double& uploadUs) = 0;
  /// Unregisters the buffers from the device, which is about to go; they are still drawn.
  virtual void withdraw() = 0;
  /// Lends the registered buffers for one iteration. Nothing when they were withdrawn or lost; throws
  /// DeviceError.
  [[nodiscard]] virtual std::optional<PointMemory> map() = 0;
  virtual void unmap(bool flip) = 0;
  /// Takes results of the copying paths; drawn (and uploaded) at the next paint.
  virtual void present(const Frame& frame) = 0;
  /// The labels that are drawn; empty when there are none, or they are lent.
  [[nodiscard]] virtual std::vector<Label> labels() { return {}; }
  /// Asks for a paint. The surface calls Session::frameShown() when it is on the screen.
  virtual void refresh() = 0;
};

/// Labels of points, and what keeps them.
struct ShownLabels {
  std::shared_ptr<const void> owner;
  std::span<const Label> labels;
};

/// load -> choose -> run -> show: the state machine behind the window. It has no widgets. All of it is used
/// on the GUI thread; computing and loading happen on two worker threads that this class owns. setSurface()
/// and the destructor wait for the compute thread, labels() for what the surface draws, and nothing else
/// blocks.
class Session : public QObject {
  Q_OBJECT
public:
  enum class State {
    empty,     ///< no data yet
    preparing, ///< a device is being chosen or points are on their way to it
    paused,
    playing,  ///< though an iteration may have to wait: for its time, a frame or the barrier
    converged ///< playing, and no iteration is left to do until something changes
  };
  Q_ENUM(State)

  explicit Session(QObject* parent = nullptr, KMeansRunner::DeviceFactory factory = chooseDevice);
  ~Session() override;

  /// The drawing side; null (the default) when nothing is drawn. Not owned; must outlive the session or be
  /// reset.
  void setSurface(PointSurface* surface);

  // What a person can do. Requests made while something runs are taken up as soon as it ends.
  void open(const DataRequest& request); ///< the present data stays until the new is complete
  /// Takes points that are loaded already, as if they had come from request within so many microseconds; it
  /// ends what is being loaded.
  void adopt(const SharedPointSet& points, const DataRequest& request, double loadUs = 0);
  void cancelLoading();
  void play() {
    run_.play();
    told_ = state();
    stateChanged();
    takeUp();
  }
  void pause() {
    run_.pause();
    told_ = state();
    stateChanged();
  }
  void togglePlay() { playing() && !converged() ? pause() : play(); }
  /// One iteration, or what is left of one that is half done; then pause.
  void step() {
    run_.step();
    takeUp();
  }
  /// Performs the next half of an iteration and pauses. The classify half moves points that move, labels
  /// them by the present centroids and finds changed, sizes and inertia; the centroids stay. The update half
  /// moves the centroids; the labels stay. Each half is published with iterated(), and
  /// IterationResult::halfway says which it was; the history gains an entry with the second. Moving a
  /// centroid by hand in between takes the first half back.
  /// A fused variant finds labels and sums in one pass: then that pass is the classify half, and what is left
  /// for the update half is the division.
  void halfStep() {
    run_.halfStep();
    takeUp();
  }
  /// Takes back the last half that was performed (the update of a whole iteration first), and pauses:
  /// centroids, labels, moving points, history and whether the run has converged are as they were before it.
  void stepBack() {
    if (run_.stepBack()) interruptCompute();
    takeUp();
  }
  /// Seeds again, with the same seed.
  void restart() {
    changing();
    run_.restart();
    interruptCompute();
    takeUp();
  }
  void
  setSettings(const Settings& settings); ///< any change, while it runs; refused in words when it cannot be
  void moveCentroid(int cluster, const std::vector<float>& position);
  /// Goes on from another session's state, which must be one of as many columns and of settings().k clusters;
  /// then stateAdopted() and iterated(). What was before cannot be taken back, and the history is the
  /// state's. with: settings that differ in nothing but k and the first centroids, and come with it; no run
  /// of theirs is begun.
  void adoptState(const RunState& state, const std::optional<Settings>& with = {});
  /// While barrier says no, no iteration and no half of one begins; looks, labels and steps back do. Null,
  /// as at first: always. Asked again after everything that happens here, and with barrierMoved().
  void setIterationBarrier(std::function<bool()> barrier);
  void barrierMoved() { takeUp(); }
  /// Iterations a second; 0 means one per frame shown.
  void setRate(double iterationsPerSecond) {
    rate_ = iterationsPerSecond > 0 ? iterationsPerSecond : 0;
    if (pace_.isActive() && !run_.frameDue()) pace_.start(0);
  }
  /// Iterations a second at the most, whatever the rate is; 0: no limit. For while something else that a
  /// person waits for needs the processors.
  void setRateLimit(double iterationsPerSecond) {
    rateLimit_ = iterationsPerSecond;
    if (pace_.isActive() && !run_.frameDue()) pace_.start(0);
  }
  /// The drawing side lost its buffers (context destroyed) or has new ones: attach again.
  void surfaceChanged();
  /// The surface has painted and swapped: paintUs is the time inside the paint, uploadUs what copying results
  /// to OpenGL took there (not part of paintUs); microseconds.
  void frameShown(double paintUs, double uploadUs = 0);

  // What there is to show.
  [[nodiscard]] State state() const;
  [[nodiscard]] bool playing() const { return run_.playing(); }
  /// Also while points that were read wait to be taken up.
  [[nodiscard]] bool loading() const { return loading_ || newData_; }
  /// What memory the points that are being loaded will take, where that is known and much; else empty.
  [[nodiscard]] const QString& loadNeeds() const { return loadNeeds_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const DataRequest& request() const { return request_; }
  /// The points that are clustered. On the SIMT simulator at most simulatorPoints of those that were read: an
  /// evenly spread subset, which is said with message() and in its remarks; another backend has all again.
  [[nodiscard]] SharedPointSet data() const { return data_; }
  /// Whether there are fewer points than the k that was asked for; settings() has as many clusters as points.
  [[nodiscard]] bool limitsK() const { return data_ && static_cast<std::size_t>(wantedK_) > data_->n; }
  [[nodiscard]] std::size_t pointsRead() const { return whole_ ? whole_->n : 0; } ///< data() may be a part
  static constexpr std::size_t simulatorPoints = default_counts::simulated;
  /// Whether so many points are more than the simulator is given.
  [[nodiscard]] static constexpr bool tooManyForSimulator(std::size_t n) { return n > simulatorPoints; }
  /// Times are a simulator's: they say nothing about a GPU's, and are shown as such.
  [[nodiscard]] bool simulated() const { return device_.backend == Backend::simt; }
  [[nodiscard]] const DeviceInfo& device() const { return device_; }
  [[nodiscard]] Plan plan() const {
    return run_.shown().plan;
  } ///< variants in use; null members before the first iteration
  [[nodiscard]] Sharing sharing() const { return run_.sharing(); }
  /// Why the path is not a better one, in words; empty when there is none better.
  [[nodiscard]] QString why() const { return why_; }
  /// Why no CUDA device can be chosen, found when the program could choose; empty where there is one, or
  /// nobody knows yet. It stays true: no card comes while the program runs.
  [[nodiscard]] const QString& whyNoCuda() const { return whyNoCuda_; }
  [[nodiscard]] IterationPtr last() const { return run_.shown().last; }
  /// Of this run; at most the last 4096 iterations.
  [[nodiscard]] const std::deque<IterationStats>& history() const { return history_; }
  [[nodiscard]] bool converged() const { return run_.shown().converged; }
  /// Steps that moving points have taken at last(); 0 for points that stand still.
  [[nodiscard]] double driftTime() const { return run_.shown().driftTime; }
  /// What adoptState() of this session or another takes to go on from what is shown, or from a state that is
  /// on its way; nothing before the first result.
  [[nodiscard]] std::optional<RunState> runState() const;
  /// Centroids that a person has moved, and that the state knows nothing of yet.
  [[nodiscard]] std::vector<std::pair<int, std::vector<float>>> moves() const {
    auto all = given_;
    all.insert(all.end(), moves_.begin(), moves_.end());
    return all;
  }
  /// A person has moved, added or removed a centroid of the run that is shown: its settings do not repeat it.
  [[nodiscard]] bool byHand() const { return run_.shown().beside && run_.shown().beside->byHand; }
  /// What halfStep() does next: classify at the start of an iteration.
  [[nodiscard]] Half nextHalf() const { return run_.shown().halfway() ? Half::update : Half::classify; }
  /// Whether a half can be taken back: of the last 256 iterations (fewer where k x d is so large that
  /// remembering them takes more than 64 MiB).
  [[nodiscard]] bool canStepBack() const { return run_.shown().canStepBack; }
  [[nodiscard]] double rate() const { return rate_; }
  [[nodiscard]] const TimingSeries& timings() const { return live_.timings(); }
  /// The last frames, or iterations where they run beside the frames, stage by stage.
  [[nodiscard]] const FrameLog& record() const { return live_.record(); }
  [[nodiscard]] double loadUs() const { return loadUs_; }
  /// The labels of the points as last published on a copying path; empty on the shared path.
  [[nodiscard]] const Frame& frame() const { return frame_; }
  /// The labels that are shown, on any path: those of frame(), or read back from the surface, which waits for
  /// what it draws. None when there are none yet, or the surface has lent them.
  [[nodiscard]] ShownLabels labels() const;
  /// Computes labels that belong to the present centroids and calls done on the GUI thread, whatever the
  /// path. When that fails, which message() tells of, done gets no labels and a null result.
  void fetchLabels(std::function<void(std::vector<Label> labels, IterationPtr result)> done);

signals:
  void stateChanged();
  /// What a person can do besides iterating is done next, by whomever: settings, points, a centroid moved,
  /// the run again, another state. All there is to show is still as it was.
  void changing();
  void dataChanged(); ///< new points
  void settingsChanged();
  void pathChanged(); ///< device, sharing or plan
  void iterated(const lloyd::IterationPtr& result);
  void seeded();       ///< a run starts again: histories are empty
  void stateAdopted(); ///< the state that adoptState() brought is the one that iterated() tells of next
  void convergedNow(int iterations);
  void loadProgress(const QString& source, qulonglong rows, double fraction);
  void loadEnded(); ///< loaded, failed or cancelled
  /// The points are refused, and the same request with the remedy would bring them; before loadEnded().
  void refused(const lloyd::DataRequest& request, lloyd::Remedy remedy);
  /// So many of the first centroids are found; said of a search that takes a while, and of its end.
  void seedProgress(int done, int of);
  /// A sentence for the status line; error ones say what happened, what was done instead and what one can do.
  void message(const QString& text, bool error);

private:
  using Clock = std::chrono::steady_clock;

  /// Emits stateChanged() when state() is another than at the last time.
  void tellState() {
    const State now = state();
    if (now == told_) return;
    told_ = now;
    stateChanged();
  }
  void takeUp();
  void prepare();
  void attach();
  void fitData(bool isNew);
  void compute(RunWork work);
  /// Of setRate() and setRateLimit().
  [[nodiscard]] double limitedRate() const {
    if (rateLimit_ <= 0) return rate_;
    return rate_ > 0 ? std::min(rate_, rateLimit_) : rateLimit_;
  }
  [[nodiscard]] double msUntilIteration() const;
  void computed(TaskResult& outcome);
  void publishPending() {
    if (pendingFrame_) publish(*std::exchange(pendingFrame_, nullptr));
  }
  void publish(TaskResult& outcome);
  void takeIntoHistory(const TaskResult& outcome, const IterationResult& result);
  void handOverLabels(TaskResult& outcome);
  void clearPending() {
    run_.stopped(runner_->hasDevice());
    answerRequests({}, nullptr);
  }
  void answerRequests(const std::vector<Label>& labels, const IterationPtr& result);
  void failed(const std::exception_ptr& error, std::optional<RunWork> work = {});
  void deviceFailed(const DeviceError& error);
  void tellLoading(const LoadProgress& now) {
    if (now.remedy != Remedy::none) {
      remedy_ = now.remedy;
      return;
    }
    if (!now.memory.empty()) loadNeeds_ = QString::fromStdString(now.memory);
    loadProgress(QString::fromStdString(now.source), now.rows, now.fraction);
  }
  void loaded(const tl::expected<SharedPointSet, std::string>& points, const DataRequest& request, double us);
  void takeOver(const SharedPointSet& points, const DataRequest& request, double loadUs);
  void startRun();
  void interruptCompute() {
    if (run_.inFlight()) cancelCompute_ = true;
  }
  void forgetMoves() {
    moves_.clear();
    given_.clear();
  }
  void returnBuffers(bool flip);
  [[nodiscard]] bool barrierOpen() const { return !barrier_ || barrier_(); }
  template <class Task>
  void post(Task task);

  PointSurface* surface_ = nullptr;
  std::shared_ptr<std::atomic<bool>> cancelLoad_;
  std::atomic<bool> cancelCompute_{false};
  std::unique_ptr<KMeansRunner> runner_;
  RunController run_;
  State told_ = State::empty; ///< with the last stateChanged()
  bool loading_ = false;
  Remedy remedy_ = Remedy::none; ///< what is being loaded is refused, and this helps
  QString loadNeeds_;
  double rate_ = 0;
  double rateLimit_ = 0;
  Settings settings_;
  Settings good_;              ///< the last that could be met
  int wantedK_ = Settings{}.k; ///< which few points may have lowered
  DataRequest request_;
  SharedPointSet data_;  ///< whole_, or a part of it
  SharedPointSet whole_; ///< all points that were read
  SharedPointSet newData_;
  DeviceInfo device_;
  BackendRequest chosenFor_ = BackendRequest::automatic; ///< what was asked for when device_ was chosen
  QString why_;
  QString whyNoCuda_;
  Frame frame_;
  std::deque<IterationStats> history_;
  std::unique_ptr<TaskResult> pendingFrame_; ///< finished while the frame before it was still being drawn
  std::vector<std::function<void(std::vector<Label>, IterationPtr)>> labelRequests_;
  std::vector<std::pair<int, std::vector<float>>> moves_;
  std::vector<std::pair<int, std::vector<float>>> given_; ///< to the work under way, which may be cancelled
  std::function<bool()> barrier_;
  LiveTimings live_;
  double loadUs_ = 0;
  QTimer pace_;
  HandOver toGui_;
  WorkerThread loader_;
  WorkerThread compute_; // last: joined before what its tasks use is gone
};

} // namespace lloyd

Q_DECLARE_METATYPE(lloyd::IterationPtr)
