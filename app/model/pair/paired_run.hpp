// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/pair/pair_difference.hpp"
#include "app/model/session/session.hpp"
#include "app/model/session/worker_thread.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>
#include <optional>

namespace lloyd {

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
  /// The labels that a session on the shared path has drawn last; empty when they cannot be had now.
  using LabelReader = std::function<std::vector<Label>()>;

  explicit PairedRun(Session& a, QObject* parent = nullptr,
                     KMeansRunner::DeviceFactory factory = chooseDevice);
  ~PairedRun() override;

  /// Inactive there is no B: its device, memory and threads are released.
  void setActive(bool active);
  [[nodiscard]] bool active() const { return active_; }
  /// B's backend and variants, at any time. After a failure this is the next try.
  void setSide(const SideChoice& side);
  [[nodiscard]] const SideChoice& side() const { return side_; }

  /// Null while inactive and after a failure.
  [[nodiscard]] Session* other() const { return b_.get(); }
  /// Why B is not there, a whole sentence; empty while it is, or is not wanted.
  [[nodiscard]] const QString& why() const { return why_; }
  /// Both show the same iteration, and nothing is on its way to B.
  [[nodiscard]] bool inStep() const;

  /// Whether differences are looked for: after every common state of a paused run, and about ten times a
  /// second while it plays.
  void wantDifferences(bool wanted);
  /// On the shared path labels are read back by whoever draws them.
  void setLabelReaders(LabelReader a, LabelReader b);
  /// The last that was found; null before the first, and where labels cannot be compared.
  [[nodiscard]] const PairDifferencePtr& difference() const { return difference_; }
  /// Whether difference() is that of the state that A shows now.
  [[nodiscard]] bool upToDate() const { return difference_ && comparedAt_ == known_; }
  /// Why labels are not compared, a whole sentence; empty when they are.
  [[nodiscard]] QString whyNotCompared() const;

Q_SIGNALS:
  void otherChanged(); ///< other() is another, or none
  void caughtUp();     ///< inStep() has become true
  void compared();     ///< difference() is new, or gone
  void message(const QString& text, bool error);

private:
  void begin();
  void end();
  void fail(const QString& reason);
  [[nodiscard]] Settings settingsOfB() const;
  [[nodiscard]] bool sharesPoints() const;
  void dataChangedAtA();
  void seededAtA();
  void iteratedAtA(const IterationPtr& result);
  void seededAtB();
  void carryMoves(const IterationResult& before, const IterationResult& now);
  void follow();
  void lead();
  void arrived();
  void compare(bool now);
  void forgetDifference();

  QPointer<Session> a_;
  KMeansRunner::DeviceFactory factory_;
  std::unique_ptr<Session> b_;
  SideChoice side_;
  QString why_;
  bool active_ = false;
  bool stale_ = false;            ///< A's last result is of points or a run that are no longer there
  bool fresh_ = false;            ///< A's run has begun and has shown no result yet
  bool leadDue_ = false;          ///< B must take A's state over before it can follow
  bool joining_ = false;          ///< it has been asked to
  bool seeding_ = false;          ///< B seeds a run of its own
  bool asked_ = false;            ///< B has been asked for a step
  IterationPtr known_;            ///< A's last result of this run
  std::vector<float> usedBefore_; ///< the centroids that the labels before known_'s were found with

  bool wanted_ = false;
  bool comparing_ = false;
  bool compareDue_ = false;
  LabelReader readA_;
  LabelReader readB_;
  QElapsedTimer sinceCompared_;
  std::size_t epoch_ = 0; ///< differences of an earlier one are of points or sides that are gone
  PairDifferencePtr difference_;
  IterationPtr comparedAt_; ///< A's state that difference_ is of
  WorkerThread worker_;     // last: joined before what its tasks use is gone
};

} // namespace lloyd
