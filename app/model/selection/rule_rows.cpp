// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/rule_rows.hpp"

#include "app/data/parallel_ranges.hpp"
#include "app/data/table/table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lloyd {
namespace {

using Operand = Rule::Operand;
using Step = Rule::Step;
using Comparison = Rule::Comparison;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

bool compared(double left, double right, Comparison how) {
  if (std::isnan(left) || std::isnan(right)) return false;
  switch (how) {
  case Comparison::less:
    return left < right;
  case Comparison::lessEqual:
    return left <= right;
  case Comparison::greater:
    return left > right;
  case Comparison::greaterEqual:
    return left >= right;
  case Comparison::equal:
    return left == right;
  default:
    return left != right;
  }
}

/// Whether what the points hold of a column is single precision as it was read, so that 0.1 in a rule means
/// the nearest single number.
bool single(const PointSet& points, const Operand& operand) {
  return operand.kind == Operand::Kind::column && !points.table &&
         points.scaleOf(operand.column) == ColumnScale{};
}

/// One comparison, made ready for many points.
class Test {
public:
  Test(const Step& step, const PointSet& points, std::span<const Label> labels)
      : step_(step), points_(points), labels_(labels) {
    if (step.right.kind == Operand::Kind::text) {
      const std::vector<std::string>& words = points.table->columns[step.left.column].words;
      const auto found = std::ranges::find(words, step.right.text);
      // A text that no row has is equal to none and differs from all.
      code_ = found == words.end() ? -2 : static_cast<std::int32_t>(found - words.begin());
    }
    left_ = numberOf(step.left, step.right);
    right_ = numberOf(step.right, step.left);
  }

  [[nodiscard]] bool meets(std::size_t point) const {
    if (step_.right.kind == Operand::Kind::text) {
      const std::int32_t code = points_.table->codeAt(step_.left.column, points_.inputRow(point));
      return code >= 0 && (code == code_) == (step_.comparison == Comparison::equal);
    }
    return compared(value(step_.left, left_, point), value(step_.right, right_, point), step_.comparison);
  }

private:
  [[nodiscard]] double numberOf(const Operand& operand, const Operand& other) const {
    return single(points_, other) ? static_cast<double>(static_cast<float>(operand.number)) : operand.number;
  }
  [[nodiscard]] double value(const Operand& operand, double number, std::size_t point) const {
    switch (operand.kind) {
    case Operand::Kind::number:
      return number;
    case Operand::Kind::cluster:
      return point < labels_.size() && labels_[point] >= 0 ? static_cast<double>(labels_[point]) : missing;
    default:
      break;
    }
    if (points_.table) return numberAt(points_, operand.column, point).value_or(missing);
    const auto stored = static_cast<double>(points_.row(static_cast<int>(operand.column))[point]);
    return points_.scaleOf(operand.column).inFile(stored);
  }

  const Step& step_;
  const PointSet& points_;
  std::span<const Label> labels_;
  std::int32_t code_ = -2;
  double left_ = 0, right_ = 0;
};

} // namespace

std::vector<std::uint8_t> matchingPoints(std::span<const Rule::Step> steps, const PointSet& points,
                                         std::span<const Label> labels, const ReadControl& control) {
  std::vector<Test> tests;
  for (const Step& step : steps)
    if (step.kind == Step::Kind::compare) tests.emplace_back(step, points, labels);
  std::vector<std::uint8_t> met(points.n);
  const bool whole = parallelRanges(points.n, control, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint8_t> stack;
    for (std::size_t i = begin; i < end; ++i) {
      stack.clear();
      auto test = tests.begin();
      for (const Step& step : steps) {
        if (step.kind == Step::Kind::compare) {
          stack.push_back((test++)->meets(i) ? 1 : 0);
        } else if (step.kind == Step::Kind::turn) {
          stack.back() = stack.back() == 0 ? 1 : 0;
        } else {
          const std::uint8_t top = stack.back();
          stack.pop_back();
          stack.back() = step.kind == Step::Kind::both ? stack.back() & top : stack.back() | top;
        }
      }
      met[i] = stack.back();
    }
  });
  if (!whole) met.clear();
  return met;
}

} // namespace lloyd
