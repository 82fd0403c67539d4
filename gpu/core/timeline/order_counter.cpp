// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/timeline/order_counter.hpp"

#include <utility>

namespace lloyd {

class OrderCounter::CountedLoop final : public Loop {
public:
  CountedLoop(OrderCounter& device, std::unique_ptr<Loop> inner)
      : device_(device), inner_(std::move(inner)) {}

  void replay() override {
    ++device_.orders_.launches;
    inner_->replay();
  }

private:
  OrderCounter& device_;
  std::unique_ptr<Loop> inner_;
};

class OrderCounter::CountedQueue final : public Queue {
public:
  CountedQueue(OrderCounter& device, std::unique_ptr<Queue> inner)
      : device_(device), inner_(std::move(inner)) {}

  void submit(QueuedOperation operation) override {
    device_.count(*this, operation);
    inner_->submit(std::move(operation));
  }
  void finish(const CallSite& where) override {
    ++device_.orders_.hostWaits;
    inner_->synchronize(where);
  }

private:
  OrderCounter& device_;
  std::unique_ptr<Queue> inner_;
};

void OrderCounter::count(const Queue& queue, const QueuedOperation& operation) {
  busy_.insert(&queue);
  orders_.queues = busy_.size();
  using Kind = QueuedOperation::Kind;
  switch (operation.kind) {
  case Kind::upload:
    ++orders_.copiesUp;
    orders_.bytesUp += operation.bytes;
    break;
  case Kind::download:
    ++orders_.copiesDown;
    orders_.bytesDown += operation.bytes;
    break;
  case Kind::fill:
    ++orders_.fills;
    break;
  case Kind::launch:
    ++orders_.launches;
    break;
  case Kind::record:
    ++orders_.events;
    break;
  case Kind::wait:
    ++orders_.queueWaits;
    break;
  case Kind::copy: // crosses nothing
    break;
  }
}

void OrderCounter::upload(void* to, const void* from, std::size_t bytes) {
  ++orders_.copiesUp;
  orders_.bytesUp += bytes;
  WrappedDevice::upload(to, from, bytes);
}

void OrderCounter::download(void* to, const void* from, std::size_t bytes) {
  ++orders_.copiesDown;
  ++orders_.hostWaits;
  orders_.bytesDown += bytes;
  WrappedDevice::download(to, from, bytes);
}

void OrderCounter::fill(void* memory, int byte, std::size_t bytes) {
  ++orders_.fills;
  WrappedDevice::fill(memory, byte, bytes);
}

void OrderCounter::launch(std::string_view what, const std::function<void(LaunchContext&)>& work) {
  ++orders_.launches;
  WrappedDevice::launch(what, work);
}

std::unique_ptr<Loop> OrderCounter::recordLoop(std::string_view what,
                                               std::function<void(LaunchContext&)> body) {
  auto counted = [this, work = std::move(body)](LaunchContext& context) {
    ++orders_.rounds;
    work(context);
  };
  return std::make_unique<CountedLoop>(*this, WrappedDevice::recordLoop(what, std::move(counted)));
}

void OrderCounter::synchronize() {
  ++orders_.hostWaits;
  WrappedDevice::synchronize();
}

void OrderCounter::waitForEvent(const Event& event, const CallSite& where) {
  ++orders_.hostWaits;
  WrappedDevice::waitForEvent(event, where);
}

std::unique_ptr<Queue> OrderCounter::createQueue() {
  return std::make_unique<CountedQueue>(*this, WrappedDevice::createQueue());
}

} // namespace lloyd
