// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/roofline.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace lloyd {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

double roofOf(double bytesPerSecond, double peak, double operationsPerByte) {
  const double byMemory = bytesPerSecond > 0 ? bytesPerSecond * operationsPerByte : unlimited;
  return std::min(byMemory, peak > 0 ? peak : unlimited);
}

/// A race holds the limit of a row as a time, the longer of moving its bytes and doing its operations. Bytes
/// over it is the memory's rate where the bytes decide, and less than that where the operations do: then it
/// only counts when no row of that footprint tells more.
std::map<std::size_t, double> ratesOf(const RaceResult& race) {
  std::map<std::size_t, double> rates;
  for (const Measurement& row : race.rows) {
    if (!row.ran() || !(row.limitUs > 0)) continue;
    double& rate = rates[row.bytes];
    rate = std::max(rate, static_cast<double>(row.bytes) / row.limitUs * 1e6);
  }
  return rates;
}

} // namespace

double Roofline::roofAt(double operationsPerByte) const {
  return roofOf(memory.empty() ? 0 : memory.front().bytesPerSecond, peak, operationsPerByte);
}

Roofline rooflineOf(const RaceResult& race) {
  Roofline result;
  result.peak = race.device.peakFlops;
  std::map<std::size_t, double> rates = ratesOf(race);
  for (std::size_t i = 0; i < race.rows.size(); ++i) {
    const Measurement& row = race.rows[i];
    if (!row.ran() || !row.verified || !(row.times.median > 0) || row.bytes == 0) continue;
    const double operations = leastOperations(row.candidate, row.problem);
    if (!(operations > 0)) {
      result.notArithmetic.push_back(i);
      continue;
    }
    const double perSecond = operations / row.times.median * 1e6;
    const double perByte = operations / static_cast<double>(row.bytes);
    if (result.peak > 0) result.peak = std::max(result.peak, perSecond);
    if (const auto known = rates.find(row.bytes); known != rates.end())
      known->second = std::max(known->second, static_cast<double>(row.bytes) / row.times.median * 1e6);
    result.points.push_back({i, perByte, perSecond, unlimited});
  }
  for (RooflinePoint& point : result.points)
    if (const auto known = rates.find(race.rows[point.row].bytes); known != rates.end())
      point.roof = roofOf(known->second, result.peak, point.operationsPerByte);
  for (const auto& [bytes, rate] : rates)
    result.memory.push_back({bytes, rate});
  std::stable_sort(result.memory.begin(), result.memory.end(), [](const MemoryRoof& a, const MemoryRoof& b) {
    return a.bytesPerSecond > b.bytesPerSecond;
  });
  return result;
}

} // namespace lloyd
