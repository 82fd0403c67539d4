// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/messages.hpp"
#include "app/model/measure/race_protocol.hpp"

#include <QString>

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace lloyd {

/// "40 s", "3 min", "2 h 10 min": as exact as such a guess can be.
[[nodiscard]] QString roughDuration(double seconds);

/// What bench says while it goes from problem to problem.
class BenchProgress {
public:
  BenchProgress(Messages& messages, std::size_t problems) : messages_(messages), problems_(problems) {}

  void begin(const Problem& problem);
  void round(const RaceProgress& progress);
  void end();
  [[nodiscard]] std::size_t done() const { return seconds_.size(); }
  [[nodiscard]] std::size_t problems() const { return problems_; }

private:
  [[nodiscard]] double elapsed() const;
  [[nodiscard]] QString where() const;

  Messages& messages_;
  std::size_t problems_;
  std::vector<double> seconds_; ///< of each problem that is done
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

} // namespace lloyd
