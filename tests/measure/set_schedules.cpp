// SPDX-License-Identifier: GPL-3.0-or-later
// The scheduling article's setting by all schedules of sets:
//
//   set_schedules cpu|simt|cuda [POINTS [VARIANTS]]
//
// Four sets of 2^20 points on a line in 16 bands, which two iterations label for good; the flag is looked at
// seven iterations late, so that nine are done, as the article does. A line for each schedule: the median of
// whole runs, copies included, and what one iteration of one set comes to. The schedules take turns, so that
// a slow moment meets all of them.
#include "tests/support/devices.hpp"
#include "tests/support/set_stages.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr int clusters = 16;
constexpr std::size_t sets = 4;
constexpr int late = 7;
constexpr int runs = 21;
constexpr int warmUps = 2;

Backend backendOf(const std::string& word) {
  for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
    if (word == name(backend)) return backend;
  throw std::runtime_error("the first word is cpu, simt or cuda, not " + word);
}

/// The article's points and centres.
std::vector<ClusteringSet> articleSets(Device& device, std::size_t n) {
  std::vector<float> points(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t band = i * clusters / n;
    points[i] = static_cast<float>(band * 100) + 0.5f;
  }
  std::vector<float> centroids(clusters);
  for (int c = 0; c < clusters; ++c)
    centroids[static_cast<std::size_t>(c)] = static_cast<float>(100 * c + 10);
  std::vector<ClusteringSet> all;
  all.reserve(sets);
  for (std::size_t s = 0; s < sets; ++s)
    all.emplace_back(device, Problem{n, 1, clusters}, points, centroids);
  return all;
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void measure(Device& device, std::size_t n, const SetStages& stages) {
  std::vector<ClusteringSet> all = articleSets(device, n);
  const std::vector<SetSchedule> schedules = setSchedules();
  std::vector<std::unique_ptr<SetRun>> ready; // so that no allocation is timed
  ready.reserve(schedules.size());
  for (const SetSchedule& schedule : schedules)
    ready.push_back(
        prepareSets(schedule, device, stages, all,
                    {.streams = schedule.severalQueues ? static_cast<int>(sets) : 1, .late = late}));
  std::vector<std::vector<double>> us(schedules.size());
  for (int run = 0; run < warmUps + runs; ++run)
    for (std::size_t s = 0; s < schedules.size(); ++s) {
      const auto from = std::chrono::steady_clock::now();
      ready[s]->run();
      const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - from;
      if (run >= warmUps) us[s].push_back(took.count());
    }
  std::printf("%s, %zu points, %d iterations, %d needed\n", device.info().name.c_str(), n,
              all.front().iterations, all.front().needed);
  for (std::size_t s = 0; s < schedules.size(); ++s) {
    const double whole = median(us[s]);
    std::printf("%-20s %10.1f us a run of %zu sets %8.2f us an iteration of a set\n",
                std::string(schedules[s].id).c_str(), whole, sets,
                whole / static_cast<double>(sets) / all.front().iterations);
  }
}

} // namespace

int main(int count, char** words) {
  try {
    const std::vector<std::string> given(words + 1, words + count);
    if (given.empty()) throw std::runtime_error("set_schedules cpu|simt|cuda [POINTS [VARIANTS]]");
    const Backend backend = backendOf(given[0]);
    const std::size_t n = given.size() > 1 ? std::stoull(given[1]) : std::size_t{1} << 20;
    const std::string variants = given.size() > 2          ? given[2]
                                 : backend == Backend::cpu ? "cpu.v2+cpu.v2"
                                                           : "classify.v7+reduce.v5";
    const SetStages stages = stagesOf(variants);
    if (!stages.update || (!stages.fused && !(stages.classify && stages.reduce)))
      throw std::runtime_error("no such variants: " + variants);
    const Found found = findDevice(backend);
    if (!found.device) throw std::runtime_error(found.why);
    measure(*found.device, n, stages);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
