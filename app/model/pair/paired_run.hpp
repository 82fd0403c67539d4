// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/pair/pair_difference.hpp"
#include "app/model/session/session.hpp"
#include "app/model/session/worker_thread.hpp"
#include "gpu/engine/clustering.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lloyd {

/// Where side B is on its way to what side A shows. Whether both show the same is no phase: it depends on
/// what A shows at the moment, and is asked for where it matters.
enum class PairPhase : std::uint8_t {
  off,      ///< no B is wanted
  failed,   ///< B stopped; A goes on alone
  due,      ///< B must take A's state over before it can follow
  seeding,  ///< B begins a run of its own seed
  adopting, ///< B takes A's state over
  stepping, ///< B computes what it was asked for: a step, a half, a step back, labels of moved centroids
  resting   ///< nothing is on its way to B
};

enum class PairEvent : std::uint8_t {
  wanted,      ///< a B is begun, the first or another after a failure
  dropped,     ///< no B is wanted
  failed,      ///< B cannot go on
  outdated,    ///< A has other points or another run, or B another seed
  interrupted, ///< a change of B's variants ends the step that is under way
  seedAsked,   ///< B is asked for a run of its own seed
  stateGiven,  ///< B is given A's state
  restartOfA,  ///< A is asked to begin again, because B cannot take its state up
  stepAsked,   ///< B is asked for a step, a half, or a step back
  moved,       ///< a centroid moves in B too
  seededByB,   ///< B's run has begun: no result of it is there
  joinedByB,   ///< B has taken the state over that it was given last; its result follows
  resultOfB    ///< B shows a result
};

/// The phase that an event leads to. Events that say nothing new in a phase leave it as it is.
[[nodiscard]] PairPhase after(PairPhase phase, PairEvent event);

/// Whether there is a B that follows A.
[[nodiscard]] constexpr bool follows(PairPhase phase) {
  return phase != PairPhase::off && phase != PairPhase::failed;
}

/// What brings B nearer to A.
enum class PairMove : std::uint8_t {
  none, ///< both are at the same place
  step,
  halfStep,
  stepBack,
  adopt ///< no step of B leads there
};

/// How many halves of iterations a state is away from the start of its run.
[[nodiscard]] inline int positionOf(const IterationResult& state) {
  return 2 * state.iteration - (state.halfway ? 1 : 0);
}

/// From one position to another. An odd position is halfway through an iteration, so only a half leads there.
[[nodiscard]] PairMove moveTowards(int here, int there, bool canStepBack);

/// What side B does otherwise than side A. All else, k, initialisation, tolerance, points, is A's.
struct SideChoice {
  BackendRequest backend = BackendRequest::automatic;
  Selection selection;
  std::optional<std::uint64_t> seed; ///< its own; nothing: it begins with A's centroids
  bool operator==(const SideChoice&) const = default;
};

/// Two runs side by side. A is the window's session, which keeps its settings and is what a person plays,
/// steps and drags; B is a second session that this class owns while active, on the same points. B never
/// plays by itself: whenever A shows a state that B has not reached, B is asked for the step, half step or
/// step back that leads there, and A begins no iteration before B has arrived. So both show the same
/// iteration, neither is ever more than one ahead, and they compute in turns, which keeps one's times out of
/// the other's. B takes A's state over where a run begins and where no step leads (it was chosen in the
/// middle of a run). When B fails it is dropped, why() says what happened, and A goes on alone. GUI thread.
class PairedRun : public QObject {
  Q_OBJECT
public:
  explicit PairedRun(Session& a, QObject* parent = nullptr,
                     KMeansRunner::DeviceFactory factory = chooseDevice);
  ~PairedRun() override;

  /// Inactive there is no B: its device, memory and threads are released.
  void setActive(bool active) {
    if (this->active() == active) return;
    if (active) return begin();
    take(PairEvent::dropped);
    end();
  }
  [[nodiscard]] bool active() const { return phase_ != PairPhase::off; }
  /// B's backend and variants, at any time. After a failure this is the next try.
  void setSide(const SideChoice& side);
  [[nodiscard]] const SideChoice& side() const { return side_; }

  /// Null while inactive and after a failure.
  [[nodiscard]] Session* other() const { return b_.get(); }
  /// Why B is not there, a whole sentence; empty while it is, or is not wanted.
  [[nodiscard]] QString why() const { return phase_ == PairPhase::failed ? why_ : QString(); }
  /// Both show the same iteration, and nothing is on its way to B.
  [[nodiscard]] bool inStep() const;

  /// Whether differences are looked for: after every common state of a paused run, and about ten times a
  /// second while it plays.
  void wantDifferences(bool wanted) {
    wanted_ = wanted;
    if (wanted) compare(true);
  }
  /// The last that was found; null before the first, and where labels cannot be compared.
  [[nodiscard]] const PairDifferencePtr& difference() const { return found_.difference; }
  /// Whether difference() is that of the state that A shows now.
  [[nodiscard]] bool upToDate() const { return found_.difference && found_.state == known(); }
  /// Why labels are not compared, a whole sentence; empty when they are.
  [[nodiscard]] QString whyNotCompared() const;

Q_SIGNALS:
  void otherChanged(); ///< other() is another, or none
  void caughtUp();     ///< inStep() has become true
  void compared();     ///< difference() is new, or gone
  void message(const QString& text, bool error);

private:
  /// A's present run as far as B is to follow it.
  struct RunOfA {
    IterationPtr last;             ///< null before the first result
    std::vector<float> usedBefore; ///< the centroids that the labels before those of last were found with
  };
  struct Found {
    PairDifferencePtr difference;
    IterationPtr state; ///< A's, that the difference is of
  };
  enum class Comparison : std::uint8_t {
    idle,
    running,
    runningAndDue ///< another is to follow: the state was another meanwhile
  };

  void begin();
  void end();
  void fail(const QString& reason);
  [[nodiscard]] Settings settingsOfB() const;
  [[nodiscard]] bool sharesPoints() const {
    return side_.backend != BackendRequest::simt || !Session::tooManyForSimulator(a_->data()->n);
  }
  /// Whether B is there and has not failed.
  [[nodiscard]] bool following() const { return b_ && follows(phase_); }
  /// A's last result that B is to reach; null where there is none.
  [[nodiscard]] IterationPtr known() const { return run_ ? run_->last : nullptr; }
  /// No iteration of A follows by itself: a run that has converged still counts as playing.
  [[nodiscard]] bool rests() const { return !a_->playing() || a_->converged(); }
  void take(PairEvent event) { phase_ = after(phase_, event); }
  void dataChangedAtA();
  void seededAtA() {
    run_.emplace();
    take(PairEvent::outdated);
    forgetDifference();
  }
  void iteratedAtA(const IterationPtr& result);
  void carryMoves(const IterationResult& before, const IterationResult& now);
  void follow(bool firstOfRun = false);
  void lead(bool firstOfRun);
  void arrived() {
    compare(rests());
    Q_EMIT caughtUp();
  }
  void compare(bool now);
  void forgetDifference();

  QPointer<Session> a_;
  KMeansRunner::DeviceFactory factory_;
  std::unique_ptr<Session> b_;
  SideChoice side_;
  PairPhase phase_ = PairPhase::off;
  QString why_;               ///< of the last failure
  std::optional<RunOfA> run_; ///< none: what A shows is of points that are gone

  bool wanted_ = false; ///< differences are looked for
  Comparison comparison_ = Comparison::idle;
  QElapsedTimer sinceCompared_;
  std::size_t epoch_ = 0; ///< differences of an earlier one are of points or sides that are gone
  Found found_;
  HandOver toGui_;
  WorkerThread worker_; // last: joined before what its tasks use is gone
};

} // namespace lloyd
