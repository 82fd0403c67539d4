// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"
#include "gpu/core/data/problem.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// Whether a rule may ask for the cluster of a point.
enum class RuleClusters { known, unknown };

/// Which points are meant, in words such as `income > 3 & cluster == 2`: comparisons with < <= > >= == !=,
/// joined by & and |, turned around by !, and grouped by parentheses. & binds closer than |, and ! closest.
/// What is compared:
///  - a column, by its name; in "..." or `...` where the name is no single word, or that of something else
///  - cluster, the number of the point's cluster
///  - a number
///  - beside a column of text, a text: in '...' or "...", or a single word. Texts are only == or !=.
/// Numbers are those of the file, in its units and with its digits. A missing value meets no comparison, not
/// even !=. Immutable.
class Rule {
public:
  /// The error is a sentence without its full stop; it names the character, from 1, and what was expected.
  [[nodiscard]] static tl::expected<Rule, std::string> parse(std::string_view text, const PointSet& points,
                                                             RuleClusters clusters);

  /// 1 for each of the points, which must be those of parse(), that meets the rule. labels: [n], or none
  /// where the rule does not ask. On all of oneTBB's threads; empty when it was cancelled.
  [[nodiscard]] std::vector<std::uint8_t> matches(const PointSet& points, std::span<const Label> labels,
                                                  const ReadControl& control = {}) const;
  /// Whether it asks for clusters.
  [[nodiscard]] bool asksClusters() const;

  // What it is made of, for whoever parses and evaluates.
  struct Operand {
    enum class Kind : std::uint8_t { number, column, cluster, text };
    Kind kind = Kind::number;
    double number = 0;
    std::size_t column = 0; ///< of the table; of the points where there is no table
    std::string text;
  };
  enum class Comparison : std::uint8_t { less, lessEqual, greater, greaterEqual, equal, notEqual };
  /// In the order of a stack: a comparison pushes whether it is met, and the others take what is on top.
  struct Step {
    enum class Kind : std::uint8_t { compare, both, either, turn };
    Kind kind = Kind::compare;
    Comparison comparison = Comparison::equal;
    Operand left, right;
  };

private:
  std::vector<Step> steps_;
};

} // namespace lloyd
