// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/contract/tiled_points.hpp"
#include "tests/gpu/kernels/fused/fused_problem.hpp"

#include <QtTest>

#include <cmath>
#include <functional>
#include <optional>

namespace lloyd::test {

/// A problem on a device, to be run as often as wanted. The device must outlive it.
class FusedBench {
public:
  FusedBench(Device& device, const HostProblem& host, const Variant& variant)
      : device_(device), variant_(variant), problem_(host.problem),
        width_(variant.labelWidth(host.problem.k)), stride_(rowStride(host.problem.n)),
        points_(device, stride_ * host.d()), centroids_(device, host.centroids.size()),
        oldLabels_(device, host.problem.n), labels_(device, host.problem.n * bytesOf(width_) + guard),
        changed_(device, 1), sums_(device, host.centroids.size()),
        counts_(device, static_cast<std::size_t>(host.problem.k)),
        box_(boxOf(host.points.data(), host.problem.n, host.problem.d)) {
    std::vector<float> padded(points_.size(), NAN); // reading past a row shows
    for (std::size_t j = 0; j < host.d(); ++j)
      std::copy_n(host.points.begin() + static_cast<std::ptrdiff_t>(j * problem_.n), problem_.n,
                  padded.begin() + static_cast<std::ptrdiff_t>(j * stride_));
    points_.upload(padded);
    centroids_.upload(host.centroids);
    Buffer<Label> wide(device, host.problem.n);
    wide.upload(host.oldLabels);
    device.convertLabels({problem_.n, {wide.data()}, {oldLabels_.data(), width_}});
  }

  /// The arguments of a launch; clears what a launch expects to be zero and fills labels with poison.
  [[nodiscard]] FusedArgs args(const Tuning& tuning = {}) {
    labels_.fill(poison);
    changed_.fill(0);
    sums_.fill(0);
    counts_.fill(0);
    return {.problem = problem_,
            .points = {points_.data(), stride_, box_},
            .centroids = centroids_.data(),
            .oldLabels = {oldLabels_.data(), width_},
            .labels = {labels_.data(), width_},
            .changed = changed_.data(),
            .sums = sums_.data(),
            .counts = counts_.data(),
            .tuning = tuning};
  }
  [[nodiscard]] FusedResult result() {
    device_.synchronize();
    FusedResult found;
    found.labels.resize(problem_.n);
    downloadLabels(device_, {labels_.data(), width_}, found.labels);
    found.changed = changed_.download().front();
    found.sums = sums_.download();
    found.counts = counts_.download();
    const std::vector<std::byte> stored = labels_.download();
    found.nothingBeyond = std::all_of(stored.end() - guard, stored.end(),
                                      [](std::byte byte) { return byte == std::byte{poison}; });
    return found;
  }
  FusedResult run(const Tuning& tuning = {}) {
    lloyd::run(device_, variant_, args(tuning));
    return result();
  }
  /// The same with the launch's surroundings changed: fewer multiprocessors, less shared memory.
  FusedResult runWith(const Tuning& tuning, const std::function<void(LaunchContext&)>& change) {
    FusedArgs launched = args(variant_.complete(tuning));
    std::optional<TiledPoints> tiled;
    if (variant_.info.tileSize) {
      tiled.emplace(device_, problem_.n, problem_.d, variant_.info.tileSize(problem_, launched.tuning));
      tiled->order(launched.points);
      tiled->takeLabels(launched.oldLabels);
      launched.tiles = tiled->args();
    }
    const auto workBytes = variant_.info.workBytes;
    device_.lendWorkMemory(workBytes ? workBytes(problem_, launched.tuning) : WorkBytes(),
                           [&](const WorkMemory& work) {
                             launched.work = work;
                             device_.launch(variant_.id(), [&](LaunchContext& context) {
                               change(context);
                               variant_.on(device_.backend()).fused(launched, context);
                             });
                           });
    if (tiled) {
      tiled->keepPass();
      tiled->writeLabels(launched.labels);
    }
    return result();
  }
  /// Instead of the points' own.
  void setBox(const Box& box) { box_ = box; }

private:
  static constexpr std::ptrdiff_t guard = 64;
  static constexpr int poison = 0xa5;
  Device& device_;
  const Variant& variant_;
  Problem problem_;
  LabelWidth width_;
  std::size_t stride_;
  Buffer<float> points_;
  Buffer<float> centroids_;
  Buffer<Label> oldLabels_; ///< stored in the variant's width
  Buffer<std::byte> labels_;
  Buffer<std::uint32_t> changed_;
  Buffer<double> sums_;
  Buffer<std::uint32_t> counts_;
  Box box_;
};

[[nodiscard]] inline const Variant& variantOf(const QString& id) {
  return *Registry::instance().find(id.toStdString());
}

/// The fewest points that several of a variant's smallest blocks share: a thread of fused.v3 takes a tile.
[[nodiscard]] inline std::size_t pointsOfSomeBlocks(const QString& id) {
  return id == QStringLiteral("fused.v3") ? 40961 : 3001;
}
/// Few clusters have a slot for each thread, many a table.
[[nodiscard]] inline HostProblem someProblem(const QString& id, int k) {
  return makeProblem(PointKind::uniform, {pointsOfSomeBlocks(id), 2, k});
}
/// The smallest blocks, so that there are several.
[[nodiscard]] inline Tuning smallBlocks(const Variant& variant) {
  Tuning tuning;
  tuning.set("block", variant.parameter("block")->values.front());
  if (variant.info.tileSize) tuning.set("items", variant.parameter("items")->values.front());
  return tuning;
}

/// Rows of tests: every variant with sums of either kind, or on every device that has kernels.
inline void everyVariant() {
  QTest::addColumn<QString>("id");
  QTest::addColumn<int>("k");
  for (const char* id : {"fused.v1", "fused.v2", "fused.v3"})
    for (const int k : {5, 60})
      QTest::addRow("%s, k %d", id, k) << QString::fromLatin1(id) << k;
}
inline void everyVariantOnEveryDevice() {
  QTest::addColumn<QString>("id");
  QTest::addColumn<int>("backend");
  for (const char* id : {"fused.v1", "fused.v2", "fused.v3"})
    for (const Backend backend : {Backend::simt, Backend::cuda})
      if (variantOf(QString::fromLatin1(id)).runsOn(backend))
        QTest::addRow("%s on %s", id, name(backend).data())
            << QString::fromLatin1(id) << static_cast<int>(backend);
}

} // namespace lloyd::test
