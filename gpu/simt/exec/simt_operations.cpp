// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/simt_operations.hpp"

#include "gpu/cpu/operations.hpp"
#include "gpu/simt/exec/label_check.hpp"
#include "gpu/simt/exec/launcher.hpp"

#include <array>
#include <string>

namespace lloyd::simt {
namespace {

template <class T>
GivenArray given(T* first, std::size_t count) {
  return {first, first ? count * sizeof(T) : 0, !std::is_const_v<T>};
}
GivenArray given(const LabelView& labels, std::size_t n) {
  return {labels.data, n * bytesOf(labels.width), false};
}
GivenArray given(const LabelSpan& labels, std::size_t n) {
  return {labels.data, n * bytesOf(labels.width), true};
}

/// Tells the checker; the processor's operations add to nothing that must have been written.
template <class... Arrays>
void note(LaunchContext& context, const Arrays&... arrays) {
  Launcher& launcher = *static_cast<Launcher*>(context.stream());
  static_cast<void>(
      launcher.checker.launches(launcher.step, std::array<GivenArray, sizeof...(arrays)>{arrays...}));
}

/// These operations read arrays by labels that a kernel has stored.
void require(const std::string& labelFault) {
  if (!labelFault.empty()) throw Fault(labelFault);
}

void inertia(const InertiaArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  note(context, given(args.points.data, pointExtent(problem, args.points.stride)),
       given(args.centroids, problem.centroidValues()), given(args.labels, problem.n),
       given(args.inertia, 1));
  require(labelFault(args.labels, problem.n, problem.k));
  cpu::operations().inertia(args, context);
}

void seedStep(const SeedArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  note(context, given(args.points.data, pointExtent(problem, args.points.stride)), given(args.newest, 1),
       given(args.nearest, problem.n), given(args.winner, 1));
  cpu::operations().seedStep(args, context);
}

void advance(const AdvanceArgs& args, LaunchContext& context) {
  const std::size_t extent = pointExtent({args.n, args.d, 1}, args.stride);
  note(context, given(args.base, extent), given(args.out, extent), given(args.component, args.n));
  cpu::operations().advance(args, context);
}

void interleave(const InterleaveArgs& args, LaunchContext& context) {
  const Problem problem{args.n, args.d, 1};
  note(context, given(args.points.data, pointExtent(problem, args.points.stride)),
       given(args.records, args.n * static_cast<std::size_t>(args.d)));
  cpu::operations().interleave(args, context);
}

void convertLabels(const ConvertLabelsArgs& args, LaunchContext& context) {
  note(context, given(args.from, args.n), given(args.to, args.n));
  cpu::operations().convertLabels(args, context);
}

// Points in tiles.

GivenArray given(const TileLabelView& labels, std::size_t count) { return given(labels.tiles, count); }
GivenArray given(const TileLabelSpan& labels, std::size_t count) { return given(labels.tiles, count); }

void orderTiles(const OrderTilesArgs& args, LaunchContext& context) {
  const auto d = static_cast<std::size_t>(args.d);
  note(context, given(args.points, pointExtent({args.n, args.d, 1}, args.stride)),
       given(args.ordered, args.count * args.size * d), given(args.place, args.n),
       given(args.low, args.count * d), given(args.high, args.count * d), given(args.sums, args.count * d),
       given(args.prefix, args.d == 1 ? args.count + 1 : 0));
  cpu::operations().orderTiles(args, context);
}

void writeTileLabels(const WriteTileLabelsArgs& args, LaunchContext& context) {
  const std::size_t count = (args.n + args.size - 1) / args.size;
  note(context, given(args.place, args.n), given(args.from, count),
       given(args.from.points, count * args.size), given(args.to, args.n));
  cpu::operations().writeTileLabels(args, context);
}

void readTileLabels(const ReadTileLabelsArgs& args, LaunchContext& context) {
  note(context, given(args.place, args.n), given(args.from, args.n), given(args.to, args.count),
       given(args.to.points, args.count * args.size));
  cpu::operations().readTileLabels(args, context);
}

void tileInertia(const TileInertiaArgs& args, LaunchContext& context) {
  const TileView& view = args.view;
  const std::size_t places = view.count * view.size;
  note(context, given(view.points, places * static_cast<std::size_t>(args.problem.d)),
       given(args.centroids, args.problem.centroidValues()), given(args.labels, view.count),
       given(args.labels.points, places), given(args.inertia, 1));
  require(labelFault(args.labels, view, args.problem.n, args.problem.k));
  cpu::operations().tileInertia(args, context);
}

} // namespace

const Operations& operations() noexcept {
  static const Operations table = [] {
    Operations told = cpu::operations();
    told.inertia = inertia;
    told.seedStep = seedStep;
    told.advance = advance;
    told.interleave = interleave;
    told.convertLabels = convertLabels;
    told.orderTiles = orderTiles;
    told.writeTileLabels = writeTileLabels;
    told.readTileLabels = readTileLabels;
    told.tileInertia = tileInertia;
    return told;
  }();
  return table;
}

} // namespace lloyd::simt
