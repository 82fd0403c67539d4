// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/model/teach/card_counters.hpp"
#include "app/model/teach/count_stage.hpp"

#include <QObject>

#include <deque>
#include <map>
#include <memory>
#include <optional>

namespace lloyd {

/// The most points that are counted: recording every access takes its time, and the first blocks show what
/// all do.
inline constexpr std::size_t mostCounted = 16'384;
/// The most points whose threads are found out.
inline constexpr std::size_t mostOwned = std::size_t{1} << 20;

/// Both versions counted on the same points and centroids.
struct TeachCounts {
  TeachSubject subject;
  Problem problem;        ///< what was counted: the first points of the data
  std::size_t points = 0; ///< what there is
  bool atRest = false;    ///< points that move were counted where they rest, because the host has no others
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
/// its own. A count starts when the subject, the data, or k change, when the run pauses or takes a step, and
/// on demand: never once an iteration while it plays. What is under way then is cancelled. GUI thread.
class CounterService : public QObject {
  Q_OBJECT
public:
  explicit CounterService(Session& session, QObject* parent = nullptr);
  ~CounterService() override;

  /// Inactive it counts nothing; what was asked for meanwhile is made up for.
  void setActive(bool active);
  void setSubject(const TeachSubject& subject);
  void countAgain();
  /// Whether to find out which thread handles which point as well.
  void wantOwners(bool wanted);

  [[nodiscard]] const TeachSubject& subject() const { return subject_; }
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
  void renew();
  void takeUp();
  void startCount();
  void startOwners();
  void countReference(const std::shared_ptr<const TeachCounts>& counts, const Cancel& cancel);
  [[nodiscard]] std::vector<float> usedBefore(const IterationResult& result) const;

  Session& session_;
  bool fresh_; ///< the session's last state is one of its present points
  TeachSubject subject_;
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
