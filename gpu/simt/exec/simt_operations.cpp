// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/simt_operations.hpp"

#include "gpu/cpu/operations.hpp"
#include "gpu/simt/exec/launcher.hpp"

#include <array>

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

void inertia(const InertiaArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  note(context, given(args.points.data, pointExtent(problem, args.points.stride)),
       given(args.centroids, problem.centroidValues()), given(args.labels, problem.n),
       given(args.inertia, 1));
  cpu::operations().inertia(args, context);
}

void seedStep(const SeedArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  note(context, given(args.points.data, pointExtent(problem, args.points.stride)),
       given(args.newest, static_cast<std::size_t>(problem.d)), given(args.nearest, problem.n),
       given(args.winner, 1));
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

} // namespace

const Operations& operations() noexcept {
  static const Operations table = [] {
    Operations told = cpu::operations();
    told.inertia = inertia;
    told.seedStep = seedStep;
    told.advance = advance;
    told.interleave = interleave;
    told.convertLabels = convertLabels;
    return told;
  }();
  return table;
}

} // namespace lloyd::simt
