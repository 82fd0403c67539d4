// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/sequence.hpp"
#include "gpu/core/contract/set_schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lloyd::schedule {

/// What schedules of sets share: one set in device memory, with all that its iterations work in, and the
/// operations of one run of it. Each call gives work to a queue. Nothing is waited for that is not said here,
/// and no two sets share memory, so that the order of copies, kernels and waits is the schedule's own.
///
/// where is the schedule's call, and reports of a device that checks name it for all that the call orders.
///
/// The set and the device must outlive it, and it must outlive the queues it was used with.
class DeviceSet {
public:
  /// number: of the set among all, for a queue that records.
  DeviceSet(Device& device, const SetStages& stages, ClusteringSet& set, const SetParams& params,
            std::size_t number);

  /// Between two steps of an iteration; for a schedule that waits there.
  using Between = std::function<void()>;

  /// A new run begins: points and centroids go up. Old labels are filled on the card: copying what nobody has
  /// computed would be half of all bytes.
  void copyUp(Queue& queue, CallSite where = CallSite::current());
  /// For a schedule to record behind the copies up, where anybody is to wait for them.
  [[nodiscard]] Event& copied() { return *copied_; }

  /// Gives one more iteration to the queue, and waits for the flag of the one that is params.late before it.
  /// False: the set is done, because nothing changed there or it was the last one allowed.
  bool iterate(Queue& queue, const Between& between = {}, CallSite where = CallSite::current());

  /// The same in the other order, for a host that has other sets to go on with: waits for the flag that says
  /// whether there is a next iteration, and gives as many as flags that are known allow, at most mostAtOnce.
  ///
  /// Where flags may be late, one event tells those of all that are given together, and what is given for
  /// the second time is from then on repeated (Sequence): giving a kernel takes the host some microseconds,
  /// which is as long as a short one runs.
  bool advance(Queue& queue, CallSite where = CallSite::current());
  static constexpr int mostAtOnce = 4;
  /// Whether the points are there, as far as copied() was recorded to tell.
  [[nodiscard]] bool isThere() const { return device_.hasReached(*copied_); }
  /// The host waits until they are.
  void waitForCopies(const CallSite& where) const { device_.waitFor(*copied_, where); }
  /// Whether there is a next iteration, whatever flags say.
  [[nodiscard]] bool needsNoFlag() const { return given_ <= params_.late && given_ < params_.most; }
  /// Whether advance() would not wait.
  [[nodiscard]] bool canAdvance() const { return isKnown(given_ - 1 - params_.late); }

  /// Results come down, and are the host's when it has waited for the queue; the set knows how many
  /// iterations were done and needed. Waits for flags that nobody has looked at.
  void bringDown(Queue& queue, CallSite where = CallSite::current());

private:
  /// One of a ring of more than late flags, so that none is written while the host may still look at it.
  [[nodiscard]] std::size_t slotOf(int iteration) const {
    return static_cast<std::size_t>(iteration) % flags_.size();
  }
  /// After so many iterations the memory is the same again.
  [[nodiscard]] std::size_t ring() const { return std::max({std::size_t{2}, slots_, flags_.size()}); }
  /// What an iteration adds up.
  struct Totals {
    double* sums;          ///< [k][d]
    std::uint32_t* counts; ///< [k]
    std::uint32_t* changed;
  };
  /// Of the iteration, 0 for the first.
  [[nodiscard]] Totals totalsOf(int iteration);
  /// Whether the host can look at the flag of an iteration without waiting; of none there is nothing to know.
  [[nodiscard]] bool isKnown(int iteration) const {
    return iteration < 0 || device_.hasReached(*told_[slotOf(iteration)]);
  }
  /// The event to be recorded behind the flags of the iterations from first to last.
  [[nodiscard]] Event& tells(int first, int last);
  /// All that the queue is given of the iteration that is next, but for the record behind its flag.
  void giveIteration(Queue& queue, const Between& between, const std::function<void()>& behindFlag,
                     const CallSite& where);
  void giveIterations(Queue& queue, int count, const CallSite& where);
  /// One iteration with its flag's record, for a host that asks while the rest of it runs.
  void giveWithEarlyFlag(Queue& queue, const Between& between, const CallSite& where);
  /// How many of the next iterations may be given at once.
  [[nodiscard]] int countAtOnce(const CallSite& where);
  /// The newest labels and centroids are the old ones of the next iteration.
  void turn() {
    std::swap(front_, back_);
    std::swap(oldLabels_, labels_);
    ++given_;
  }
  /// Looks at the flag that says whether there is a next iteration.
  [[nodiscard]] bool goesOn(const CallSite& where);
  void classify(Queue& queue, const CallSite& where);
  void reduce(Queue& queue, const CallSite& where);
  /// Waits until an iteration, 0 for the first, has said whether a label changed; true of none.
  [[nodiscard]] bool changed(int iteration, const CallSite& where);
  void lookAtTheRest(const CallSite& where);
  [[nodiscard]] PointView pointsFor(const Variant& variant) const;

  Device& device_;
  SetStages stages_;
  ClusteringSet& set_;
  SetParams params_;
  std::size_t number_;

  Buffer<float> points_;
  Buffer<float> records_; ///< for variants that want them; else empty
  Buffer<float> front_;   ///< the centroids to classify with
  Buffer<float> back_;
  Buffer<Label> oldLabels_;
  Buffer<Label> labels_;
  Buffer<std::byte> totals_; ///< slots, each of one iteration's sums, counts and changed
  Buffer<UpdateOutcome> outcome_;
  Buffer<std::byte> cleared_;
  Buffer<std::byte> scratch_;
  std::size_t slots_ = 1; ///< one fill clears them all, for as many iterations

  HostBuffer<std::uint32_t> flags_;            ///< a ring
  std::vector<std::unique_ptr<Event>> looked_; ///< one for each flag
  std::vector<const Event*> told_;             ///< of them the one that is recorded behind each flag
  std::unique_ptr<Event> copied_;
  /// Some iterations that work in the same memory whenever they are given.
  struct Repeated {
    bool wasGiven = false;
    std::unique_ptr<Sequence> sequence = {}; ///< null until they are given for the second time
  };
  /// By the first one's place in the ring, and their number.
  std::map<std::pair<std::size_t, int>, Repeated> repeated_;
  int given_ = 0; ///< iterations
};

/// What a schedule gives its work to.
struct Prepared {
  /// As many queues as streams, at most one a set and at least one; copies: one more for copies alone.
  Prepared(Device& device, const SetStages& stages, std::span<ClusteringSet> sets, const SetParams& params,
           bool withCopies);

  /// Waits for what a run has left in queues when it could not go on.
  void settle();

  // In this order: a queue ends before the memory that its work is in.
  std::vector<DeviceSet> sets;
  std::vector<std::unique_ptr<Queue>> queues;
  std::unique_ptr<Queue> copies; ///< null without
};

/// Launchers::sets of a schedule that is a function of what is prepared.
template <void (*work)(Prepared&), bool withCopies = false>
std::unique_ptr<SetRun> prepare(Device& device, const SetStages& stages, std::span<ClusteringSet> sets,
                                const SetParams& params) {
  class Run final : public SetRun {
  public:
    explicit Run(Prepared prepared) : prepared_(std::move(prepared)) {}
    void run() override {
      if (unfinished_) prepared_.settle();
      unfinished_ = true;
      work(prepared_);
      unfinished_ = false;
    }

  private:
    Prepared prepared_;
    bool unfinished_ = false; ///< the run before ended by an exception
  };
  return std::make_unique<Run>(Prepared(device, stages, sets, params, withCopies));
}

/// The parameters that schedules of sets have, with the Scheduling article's number of streams.
[[nodiscard]] Parameter streams();
[[nodiscard]] Parameter late();

/// When queues are given their first sets.
enum class Pace {
  none, ///< one right after the other
  bus   ///< each when the host has seen that the points of the one before are there (DeviceSet::copied)
};

/// What a queue is given before the iterations of the set of that number.
using Begins = std::function<void(std::size_t set, Queue& queue)>;

/// Sets are dealt to queues in turn, from one host thread; a set that is done brings its results down and
/// makes way for its queue's next. The first set that can go on is given more, and the host waits where none
/// can. All have been waited for at the end.
///
/// The first iterations of a set are given right behind its copies, so that they begin as soon as these are
/// there.
void iterateInTurn(Prepared& prepared, const Begins& begins, Pace pace = Pace::none,
                   CallSite where = CallSite::current());

} // namespace lloyd::schedule
