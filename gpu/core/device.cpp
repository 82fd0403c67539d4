// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/device.hpp"

namespace lloyd {
namespace {

template <class Args>
void runStage(Device& device, const Variant& variant, Launch<Args> launch, Args args) {
  args.tuning = variant.complete(args.tuning);
  device.launch(variant.id(), [&](LaunchContext& context) { launch(args, context); });
}

} // namespace

void run(Device& device, const Variant& variant, const ClassifyArgs& args) {
  runStage(device, variant, variant.on(device.backend()).classify, args);
}
void run(Device& device, const Variant& variant, const ReduceArgs& args) {
  runStage(device, variant, variant.on(device.backend()).reduce, args);
}
void run(Device& device, const Variant& variant, const FusedArgs& args) {
  runStage(device, variant, variant.on(device.backend()).fused, args);
}
void run(Device& device, const Variant& variant, const UpdateArgs& args) {
  const Launch<UpdateArgs> launch = variant.on(device.backend()).update;
  device.launch(variant.id(), [&](LaunchContext& context) { launch(args, context); });
}
void run(Device& device, const Variant& variant, const LayoutArgs& args) {
  runStage(device, variant, variant.on(device.backend()).layout, args);
}

} // namespace lloyd
