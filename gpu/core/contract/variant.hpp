// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/kernel_types.hpp"
#include "gpu/core/contract/short_list.hpp"
#include "gpu/core/contract/stage.hpp"
#include "gpu/core/data/box.hpp"
#include "gpu/core/data/labels.hpp"
#include "gpu/core/data/problem.hpp"
#include "gpu/core/tiles/tiles.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lloyd {

/// One tuning parameter of a variant. Values are a list, because a launch shape is compiled or tested for
/// some, not for all.
struct Parameter {
  std::string_view name; ///< one of tuningParameters
  ShortList<int, 64> values;
  int fallback = 0; ///< the value used when none is asked for; one of values

  /// "32, 64, ..., 1024"
  [[nodiscard]] std::string range() const;
  [[nodiscard]] bool allows(int value) const;
};

/// Values for the tuning parameters. 0 (or none) means: the variant's own.
struct Tuning {
  int block = 0;  ///< threads in a block
  int items = 0;  ///< points a thread
  int vector = 0; ///< floats a load
  int unroll = 0; ///< clusters that one turn of an unrolled loop takes
  Arithmetic arithmetic = Arithmetic::multiply;
  int streams = 0; ///< queues that a schedule deals its sets to
  int late = 0;    ///< iterations after which a schedule looks at the flag of one

  [[nodiscard]] int value(std::string_view parameter) const;
  void set(std::string_view parameter, int value);
  bool operator==(const Tuning&) const = default;
};

/// The names of all tuning parameters, in the order in which lists and tables show them.
inline constexpr std::array<std::string_view, 7> tuningParameters{"block",      "items",   "vector", "unroll",
                                                                  "arithmetic", "streams", "late"};
/// Those of kernels come first; the rest are schedules'.
inline constexpr std::size_t kernelParameterCount = 5;

[[nodiscard]] std::string_view name(Arithmetic arithmetic);

class ClusteringSet;
class Device;
struct DeviceInfo;
class LaunchContext;
class SetRun;
struct SetParams;
struct SetStages;
class TiledPoints;
struct Variant;

/// Why something cannot be done, as a whole sentence for a person; nothing where it can.
using Reason = std::optional<std::string>;

/// Where a variant's launch function runs.
enum class Backend { cpu, cuda, simt };
inline constexpr std::size_t backendCount = 3;
[[nodiscard]] std::string_view name(Backend backend);

/// How a variant wants its points: D rows of n values (structure of arrays), or n records of D values (array
/// of structures).
enum class Layout { soa, aos };

/// Host memory that queues copy from and to: locked to its place, which a card reads by itself; or any, which
/// the driver copies to such a place first, while the host waits.
enum class HostMemory { pinned, pageable };

/// Points as kernels read them: layout soa has coordinate j of point i at data[j * stride + i], layout aos at
/// data[i * d + j]. stride is at least n and a multiple of 32, so that every row starts on a 128-byte line.
struct PointView {
  const float* data = nullptr;
  std::size_t stride = 0;
  Box box = {}; ///< holds every point, but need not be tight; unknown where nobody needs it
  bool operator==(const PointView&) const = default;
};

/// Memory for a launch to work in, lent by its device from one launch to the next.
struct WorkMemory {
  std::byte* cleared = nullptr; ///< zero on entry, and left zero by a launch that ends
  std::byte* scratch = nullptr; ///< anything
};
/// How much of each a launch needs.
struct WorkBytes {
  std::size_t cleared = 0;
  std::size_t scratch = 0;
};

/// points, centroids -> labels, changed. Pointers are device memory of the launching device; nothing is
/// owned.
struct ClassifyArgs {
  Problem problem;
  PointView points;
  const float* centroids = nullptr; ///< [k][d]
  const Label* oldLabels = nullptr; ///< [n], the last iteration's; never labels itself
  Label* labels = nullptr;          ///< [n], written for every point
  std::uint32_t* changed = nullptr; ///< zero on entry; what is counted is VariantInfo::changed's meaning
  Tuning tuning;
  WorkMemory work = {}; ///< filled in by run(), to the measure of VariantInfo::workBytes
  /// Added to, where somebody asks: points of which a variant that filters by scores computed distances too.
  std::uint32_t* rechecked = nullptr;
};

/// points, labels -> sums, counts. A sum is that of *deviations*: sums[k][d] += x - pivots[k][d] over the
/// points of cluster k. With the cluster's present centre as pivot every term is as small as the cluster is
/// wide, so float partial sums lose nothing to a large offset, whatever order they are added in.
struct ReduceArgs {
  Problem problem;
  PointView points;
  const Label* labels = nullptr;   ///< [n], each in 0 .. k-1
  const float* pivots = nullptr;   ///< [k][d], the centroids that labels were found with
  double* sums = nullptr;          ///< [k][d], zero on entry
  std::uint32_t* counts = nullptr; ///< [k], zero on entry
  Tuning tuning;
  WorkMemory work = {}; ///< filled in by run(), to the measure of VariantInfo::workBytes
};

/// Classify and reduce in one pass; the members mean what they mean there, and centroids are the pivots. The
/// points' box is known. Both kinds of labels have the variant's width.
struct FusedArgs {
  Problem problem;
  PointView points;
  const float* centroids = nullptr;
  /// May be labels itself: a point's old label is read before its new one is written, by the thread that
  /// writes it or by one that has waited for that.
  LabelView oldLabels;
  LabelSpan labels;
  std::uint32_t* changed = nullptr;
  double* sums = nullptr;
  std::uint32_t* counts = nullptr;
  Tuning tuning;
  TiledPoints* tiled = nullptr;       ///< the points in tiles, for variants with VariantInfo::tileSize
  TileArgs tiles = {};                ///< filled in by run() from tiled
  WorkMemory work = {};               ///< filled in by run(), to the measure of VariantInfo::workBytes
  std::uint32_t* rechecked = nullptr; ///< as in ClassifyArgs
};

/// sums, counts, old centroids -> centroids = old + sums / counts; an empty cluster keeps its centre.
struct UpdateArgs {
  Problem problem;
  const double* sums = nullptr;
  const std::uint32_t* counts = nullptr;
  const float* oldCentroids = nullptr; ///< [k][d], the pivots of sums
  float* centroids = nullptr;          ///< [k][d], never oldCentroids itself
  UpdateOutcome* outcome = nullptr;    ///< written whole
};

/// Whole iterations: {fused, update} again and again until the parameters say that it is enough. A launch
/// function is the body of such a loop, one iteration, and says with repeatLoop() whether another follows.
struct IterateArgs {
  /// Labels in place. changed, sums, counts and work are zero on entry and left so for the next iteration.
  FusedArgs pass;
  const Variant* fused = nullptr; ///< whose pass it is; it runs on the launching device's backend
  float* centroids = nullptr;     ///< [k][d], those of pass: an iteration replaces them by the next ones
  float* used = nullptr;          ///< [k][d], those that the labels were found with
  std::uint32_t* sizes = nullptr; ///< [k], the last iteration's counts
  std::uint32_t* done = nullptr;  ///< [1], iterations of this replay so far; zero on entry, left zero
  const LoopParams* params = nullptr;
  LoopOutcome* outcome = nullptr; ///< written whole by every iteration
};

/// records -> rows: an array of structures becomes a structure of arrays, value by value and bit by bit. The
/// k of problem means nothing here. Not part of an iteration: it happens once, when records arrive.
struct LayoutArgs {
  Problem problem;
  const float* records = nullptr; ///< [n][d], without gaps
  float* rows = nullptr;          ///< [d][stride]; what lies behind the n values of a row is left alone
  std::size_t stride = 0;         ///< as in PointView
  Tuning tuning;
};

template <class Args>
using Launch = void (*)(const Args&, LaunchContext&);

/// Whole runs of several sets (set_schedule.hpp): memory and queues for them are made once, and run at will.
using PrepareSets = std::unique_ptr<SetRun> (*)(Device&, const SetStages&, std::span<ClusteringSet>,
                                                const SetParams&);

/// The stages that one variant performs on one backend; a variant of one stage has one.
struct Launchers {
  Launch<ClassifyArgs> classify = nullptr;
  Launch<ReduceArgs> reduce = nullptr;
  Launch<FusedArgs> fused = nullptr;
  Launch<UpdateArgs> update = nullptr;
  Launch<IterateArgs> iterate = nullptr;
  Launch<LayoutArgs> layout = nullptr;
  /// Whole iterations of a fused variant that repeats itself: a schedule launches this in place of pass and
  /// update after pass and update. It ends when the parameters say so, and ends the loop.
  Launch<IterateArgs> loop = nullptr;
  PrepareSets sets = nullptr;

  [[nodiscard]] bool has(Stage stage) const;
};

/// What "changed" counts differs by paper.
enum class Changed { points, threads, flag, none };

/// What a person reads about a variant, and what decides whether it can run. Plain data; no CUDA type.
struct VariantInfo {
  std::string_view family; ///< "classify"
  std::string_view tag;    ///< "v1"; the id is family.tag
  std::string_view name;   ///< "run-time loops"
  std::string_view idea;   ///< one sentence: what it does that the one before does not
  std::optional<double> publishedUs = std::nullopt; ///< the paper's figure
  std::string_view publishedIn = {};                ///< that time's conditions
  std::string_view paper = {};                      ///< which paper it is from
  Changed changed = Changed::none;
  Layout layout = Layout::soa;
  bool narrowLabels = false; ///< labels are as wide as narrowest(k), not four bytes; fused variants only
  ShortList<Parameter, tuningParameters.size()> parameters = {};
  /// A reason why this problem cannot run here, or nothing. Called after the parameters were found to be in
  /// range.
  Reason (*canRun)(const Variant&, const Problem&, const DeviceInfo&, const Tuning&) = nullptr;
  /// The memory that a launch works in; none when null. Variants that classify or reduce, or both.
  WorkBytes (*workBytes)(const Problem&, const Tuning&) = nullptr;
  /// Points of a tile, of a variant that works on points in tiles (tiled_points.hpp); null for all others.
  unsigned (*tileSize)(const Problem&, const Tuning&) = nullptr;
  /// Whether Launchers::loop is what should be repeated, and not the pass; null: never. Fused variants only.
  bool (*repeatsItself)(const Problem&, const Tuning&) = nullptr;
  int place = 0; ///< where lists show a variant whose tag is a word, among those of its family
  HostMemory hostMemory = HostMemory::pinned; ///< from which a schedule copies
  /// The fused variant of which a schedule of sets has kernels of its own; empty: it launches any.
  std::string_view pass = {};
  std::string_view source = {}; ///< path of the file, from the repository's top
};

/// One registered variant.
struct Variant {
  VariantInfo info;
  Launchers launchers[backendCount];

  [[nodiscard]] std::string id() const;
  [[nodiscard]] const Launchers& on(Backend backend) const {
    return launchers[static_cast<std::size_t>(backend)];
  }
  [[nodiscard]] bool runsOn(Backend backend) const;
  /// A variant of tiles also has the stages that make tiles and write their labels, which are the device's.
  [[nodiscard]] bool has(Stage stage, Backend backend) const;
  [[nodiscard]] bool has(Stage stage) const; ///< on any backend
  [[nodiscard]] const Parameter* parameter(std::string_view name) const;
  /// How labels of k clusters are stored by this variant.
  [[nodiscard]] LabelWidth labelWidth(int k) const {
    return info.narrowLabels ? narrowest(k) : LabelWidth::four;
  }

  /// The reason why this variant cannot do stage on problem and device with tuning, as a whole sentence; or
  /// nothing.
  [[nodiscard]] Reason whyNot(Stage stage, const Problem& problem, const DeviceInfo& device,
                              const Tuning& tuning) const;
  /// tuning with the variant's own value for every tuning parameter that was left open, and none for tuning
  /// parameters it lacks.
  [[nodiscard]] Tuning complete(const Tuning& tuning) const;
};

} // namespace lloyd
