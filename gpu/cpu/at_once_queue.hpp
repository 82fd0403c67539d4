// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/queue.hpp"

namespace lloyd {

/// A queue of a device whose every call is finished when it returns: each operation is the device's own call
/// of that name, so that nothing is ever waited for, and whatever order the host gives work in is one that
/// events allow. The device must outlive it.
class AtOnceQueue final : public Queue {
public:
  explicit AtOnceQueue(Device& device) : device_(device) {}

  void submit(QueuedOperation operation) override {
    using Kind = QueuedOperation::Kind;
    switch (operation.kind) {
    case Kind::upload:
      return device_.upload(operation.to, operation.from, operation.bytes);
    case Kind::download:
      return device_.download(operation.to, operation.from, operation.bytes);
    case Kind::copy:
      return device_.copy(operation.to, operation.from, operation.bytes);
    case Kind::fill:
      return device_.fill(operation.to, operation.byte, operation.bytes);
    case Kind::launch:
      return device_.launch(operation.what, operation.work);
    case Kind::record:
      return device_.record(*operation.recorded);
    case Kind::wait:
      return; // what was recorded has happened
    }
  }
  void finish(const CallSite&) override {}

private:
  Device& device_;
};

} // namespace lloyd
