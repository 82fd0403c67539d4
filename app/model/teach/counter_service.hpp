// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/session/device_lease.hpp"
#include "app/model/session/session.hpp"
#include "app/model/teach/counter_model.hpp"
#include "app/model/teach/launch_shapes.hpp"
#include "app/model/teach/teach_subject.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <QObject>
#include <QString>

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lloyd {

/// What one variant asked, or why nobody knows.
struct StageCount {
  const Variant* variant = nullptr;
  std::optional<simt::Trace> trace;
  QString why; ///< a whole sentence; empty when there is a trace
};

/// Everything that a count needs, copied or shared, so that a session may go on meanwhile.
struct CountInput {
  TeachSubject subject;
  Problem problem;
  std::vector<float> points;    ///< [d][n]
  std::vector<float> centroids; ///< [k][d]
  std::vector<float> used;      ///< what the labels before were found with; empty: there are none
  simt::Schedule schedule = {};
};

/// The most points that are counted: recording every access takes its time, and the first blocks show what
/// all do.
inline constexpr std::size_t mostCounted = 16'384;

/// Whether a session's frame has the points of data that move where they are.
[[nodiscard]] inline bool hasMoved(const PointSet& data, const Frame& frame) {
  return data.drift && frame.positions && frame.stride >= data.n;
}

/// A state of the session's data on as many of their points as are counted. used: the centroids that the
/// labels before were found with.
[[nodiscard]] CountInput countInput(const Session& session, const TeachSubject& subject,
                                    const IterationResult& state, std::vector<float> used);

/// The labels before the counted classification; empty when there are none, or the stage wants none.
[[nodiscard]] std::vector<Label> labelsBefore(const CountInput& input);
/// Records one launch of a variant at the subject's stage. Throws Cancelled; all else is in the result. A
/// null variant gives an empty count. tuning: null for what the subject's gives the variant. Any thread.
[[nodiscard]] StageCount countStage(const CountInput& input, const std::vector<Label>& oldLabels,
                                    const Variant* variant, const std::atomic<bool>* cancel,
                                    const Tuning* tuning = nullptr);

/// Does work and gives back in words what it throws; Cancelled goes on to the caller. Empty when all went
/// well.
[[nodiscard]] QString describeError(const std::function<void()>& work);

/// The most points whose threads are found out.
inline constexpr std::size_t mostOwned = std::size_t{1} << 20;

/// Both versions counted on the same points and centroids, at one launch shape as far as both take it.
struct TeachCounts {
  TeachSubject subject;
  Problem problem;        ///< what was counted: the first points of the data
  std::size_t points = 0; ///< what there is
  int iteration = 0;      ///< whose labels and centroids were counted with
  bool atRest = false;    ///< points that move were counted where they rest, because the host has no others
  bool ownInput = false;  ///< counted on an input that the subject brought, and not on the session's points
  std::shared_ptr<const CountInput> input; ///< what was counted
  LaunchShapes shapes;
  StageCount now;
  StageCount before;
  std::optional<CardCounters> card;          ///< what a card did with this variant
  std::optional<simt::Counters> askedOnCard; ///< what the source asks at that card's problem
};

/// Which thread handled each point.
struct TeachOwners {
  TeachSubject subject;
  SharedPointSet points;
  std::vector<simt::Owner> owners; ///< [n]; empty when why is not
  QString why;                     ///< why nobody knows, a whole sentence
};

/// Counts the subject and the version before it on the session's present points and centroids, on a thread of
/// its own. A count starts when the subject, the data, or k change, when the run pauses, ends or takes a
/// step, and on demand: never once an iteration while it plays. What is under way then is cancelled. While a
/// measurement has the machine nothing is counted, and what is due waits for its end. GUI thread.
class CounterService : public QObject {
  Q_OBJECT
public:
  CounterService(Session& session, const DeviceLease& lease, QObject* parent = nullptr);
  ~CounterService() override;

  /// Inactive it counts nothing; what was asked for meanwhile is made up for.
  void setActive(bool active) {
    active_ = active;
    takeUp();
  }
  /// ownInput: of that subject, complete in its tuning; it is counted in the place of the session's points,
  /// on which the subject never runs. Null for a subject that takes the session's.
  void setSubject(const TeachSubject& subject, std::shared_ptr<const CountInput> ownInput = nullptr) {
    if (subject_ == subject && ownInput_ == ownInput) return;
    subject_ = subject;
    ownInput_ = std::move(ownInput);
    renew();
  }
  void countAgain() { renew(); }
  /// Whether to find out which thread handles which point as well.
  void wantOwners(bool wanted);

  [[nodiscard]] const TeachSubject& subject() const { return subject_; }
  [[nodiscard]] const std::shared_ptr<const CountInput>& ownInput() const { return ownInput_; }
  /// Null before the first; stays, with its own subject, while the next is being counted.
  [[nodiscard]] const std::shared_ptr<const TeachCounts>& counts() const { return counts_; }
  [[nodiscard]] const std::shared_ptr<const TeachOwners>& owners() const { return owners_; }
  /// Nothing is due or under way: what there is belongs to the present subject.
  [[nodiscard]] bool complete() const { return !countJob_ && !ownersJob_ && !countDue_ && !ownersDue_; }

Q_SIGNALS:
  void counting(); ///< counts() is out of date
  void counted();
  void owned();

private:
  using Cancel = std::shared_ptr<std::atomic<bool>>;

  void iterated(const IterationPtr& result);
  /// The session has another state.
  void countSession() { countDue_ = countDue_ || !ownInput_; }
  [[nodiscard]] bool hasSessionState() const;
  [[nodiscard]] std::shared_ptr<TeachCounts> countsOfSession();
  [[nodiscard]] std::shared_ptr<TeachCounts> countsOfOwnInput();
  void renew() {
    countDue_ = true;
    ownersDue_ = ownersWanted_;
    takeUp();
  }
  void leaseChanged();
  void takeUp();
  void startCount();
  void startOwners();
  void countReference(const std::shared_ptr<const TeachCounts>& counts, const Cancel& cancel);
  [[nodiscard]] std::vector<float> usedBefore(const IterationResult& result) const;

  Session& session_;
  const DeviceLease& lease_;
  bool fresh_; ///< the session's last state is one of its present points
  TeachSubject subject_;
  std::shared_ptr<const CountInput> ownInput_;
  bool active_ = false;
  bool ownersWanted_ = false;
  bool countDue_ = false;
  bool ownersDue_ = false;
  Cancel countJob_; ///< set while it is under way
  Cancel ownersJob_;
  IterationPtr counted_;                                ///< the state that was counted last
  std::deque<std::pair<int, std::vector<float>>> used_; ///< by iteration, what its labels were found with
  std::map<std::pair<std::string, int>, simt::Counters> askedOnCard_; ///< by variant and block
  std::shared_ptr<const TeachCounts> counts_;
  std::shared_ptr<const TeachOwners> owners_;
  HandOver toGui_;
  WorkerThread thread_; // last: joined before what its tasks use is gone
};

} // namespace lloyd
