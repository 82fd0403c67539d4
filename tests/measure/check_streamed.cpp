// SPDX-License-Identifier: GPL-3.0-or-later
// How fast points that the card has no memory for go through it: batches against plain copies from pinned
// memory, and kept tiles against batches. A line each.
#include "app/data/generate/generators.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/stats/statistics.hpp"
#include "gpu/engine/device_choice.hpp"
#include "gpu/engine/streamed/streamed_clustering.hpp"

#include <QCommandLineParser>
#include <QCoreApplication>

#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

using namespace lloyd;

namespace {

constexpr int clusters = 16;
constexpr int iterations = 10;
constexpr std::size_t settled = 2; ///< iterations before those that count, in which most tiles change hands

Plan planOf(const char* classify, const char* reduce, const char* fused) {
  const auto find = [](const char* id) { return id ? Registry::instance().find(id) : nullptr; };
  Plan plan;
  plan.classify = find(classify);
  plan.reduce = find(reduce);
  plan.fused = find(fused);
  plan.update = find("update.v1");
  return plan;
}

/// Bytes a microsecond of plain copies from pinned memory, as many bytes as the points have.
double copyRate(Device& device, std::size_t bytes) {
  constexpr std::size_t chunk = std::size_t{64} << 20;
  HostBuffer<std::byte> from(device, chunk);
  Buffer<std::byte> to(device, chunk);
  const auto queue = device.createQueue();
  std::vector<double> us;
  for (int turn = 0; turn < 5; ++turn) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t done = 0; done < bytes; done += chunk)
      queue->upload(to.data(), from.data(), chunk);
    queue->synchronize();
    us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  const std::size_t copied = (bytes + chunk - 1) / chunk * chunk;
  return static_cast<double>(copied) / summarise(us).median;
}

struct Run {
  double us = 0;    ///< median of an iteration, once settled
  double share = 0; ///< the most of all bytes that one of them copied
};

Run runOf(Device& device, const Problem& problem, const PointSource& source, const Plan& plan,
          const std::vector<float>& start) {
  StreamedClustering streamed(device, problem, source, plan);
  streamed.restore({.centroids = start});
  if (streamed.facts().kept != PointsKept::pinned) throw std::runtime_error("the host cannot pin the points");
  const auto bytes = static_cast<double>(problem.pointValues() * sizeof(float));
  std::vector<double> us;
  Run run;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < iterations; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    static_cast<void>(streamed.advance(false));
    const double took =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    const std::uint64_t up = streamed.facts().bytesUp;
    if (i >= settled) {
      us.push_back(took);
      run.share = std::max(run.share, static_cast<double>(up - before) / bytes);
    }
    before = up;
  }
  run.us = summarise(us).median;
  return run;
}

int check(std::size_t n) {
  const auto points = generatePoints("uniform:d=2,n=" + std::to_string(n));
  if (!points) throw std::runtime_error(points.error().sentence());
  const Problem problem{.n = n, .d = 2, .k = clusters};
  const std::size_t bytes = problem.pointValues() * sizeof(float);
  qputenv("LLOYD_MEMORY_LIMIT", QByteArray::number(static_cast<qulonglong>(bytes / 4)));
  const ChosenDevice chosen = chooseDevice(BackendRequest::cuda);
  Device& device = *chosen.device;
  std::vector<float> start; // the first points, as any first centroids do
  for (int c = 0; c < clusters; ++c)
    for (int j = 0; j < problem.d; ++j)
      start.push_back(points->values[static_cast<std::size_t>(j) * n + static_cast<std::size_t>(c)]);
  const HostPoints source(points->values.data(), n, problem.d, boxOf(points->values.data(), n, problem.d));
  std::printf("      %s, %zu points in 2 dimensions, K = %d, a limit of %zu bytes for %zu\n",
              device.info().name.c_str(), n, clusters, bytes / 4, bytes);

  const double rate = copyRate(device, bytes);
  const Run batches = runOf(device, problem, source, planOf("classify.v7", "reduce.v7", nullptr), start);
  const Run tiles = runOf(device, problem, source, planOf(nullptr, nullptr, "fused.v3"), start);
  const double reached = static_cast<double>(bytes) / batches.us / rate;

  bool right = true;
  const auto say = [&](bool passed, const std::string& what) {
    std::printf("%s  %s\n", passed ? "PASS" : "FAIL", what.c_str());
    right = right && passed;
  };
  const auto text = [](double value) { return significantText(value, 3).toStdString(); };
  say(reached >= 0.9, "an iteration in batches takes " + text(batches.us) + " us, " + text(100 * reached) +
                          " % of the rate of plain copies, " + text(rate / 1000) + " GB/s");
  say(tiles.share <= 0.1, "an iteration of kept tiles copies at most " + text(100 * tiles.share) +
                              " % of the points from the third on");
  say(tiles.us * 5 <= batches.us,
      "and takes " + text(tiles.us) + " us, " + text(batches.us / tiles.us) + " times as fast as batches");
  return right ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  QCommandLineParser words;
  words.addHelpOption();
  words.addOption(
      {QStringLiteral("n"), QStringLiteral("points"), QStringLiteral("n"), QStringLiteral("2^27")});
  words.process(application);
  try {
    return check(static_cast<std::size_t>(
        parseCounts("--n", words.value(QStringLiteral("n")).toStdString(), 1, 1u << 30).front()));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
