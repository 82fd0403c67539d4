// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/queue.hpp"

#include "gpu/core/contract/sequence.hpp"

#include <array>
#include <stdexcept>

namespace lloyd {
namespace {

/// The arguments are copied: the launch may take place when the caller's are gone.
template <class Args>
void queueStage(Queue& queue, const Variant& variant, Launch<Args> stage, Args args, const CallSite& where) {
  if constexpr (requires { args.tuning; }) args.tuning = variant.complete(args.tuning);
  queue.launch(
      variant.id(), [stage, args](LaunchContext& context) { stage(args, context); }, where);
}

} // namespace

void Queue::repeat(Sequence& sequence) {
  if (prepare(sequence)) return submitPrepared(sequence);
  for (const QueuedOperation& operation : sequence.operations())
    submit(operation);
}

std::string nameOf(const QueuedOperation& operation) {
  constexpr std::array<const char*, 7> names{"the upload", "the download", "the copy", "the fill",
                                             "the launch", "the record",   "the wait"};
  return operation.what.empty() ? names[static_cast<std::size_t>(operation.kind)] : operation.what;
}

void run(Queue& queue, Backend backend, const Variant& variant, const ClassifyArgs& args, CallSite where) {
  queueStage(queue, variant, variant.on(backend).classify, args, where);
}

void run(Queue& queue, Backend backend, const Variant& variant, const ReduceArgs& args, CallSite where) {
  queueStage(queue, variant, variant.on(backend).reduce, args, where);
}

void run(Queue& queue, Backend backend, const Variant& variant, const FusedArgs& args, CallSite where) {
  requireFusedArgs(variant, args);
  if (variant.info.tileSize)
    throw std::invalid_argument(variant.id() + " works on tiles, which are ordered outside of queues");
  queueStage(queue, variant, variant.on(backend).fused, args, where);
}

void run(Queue& queue, Backend backend, const Variant& variant, const UpdateArgs& args, CallSite where) {
  queueStage(queue, variant, variant.on(backend).update, args, where);
}

} // namespace lloyd
