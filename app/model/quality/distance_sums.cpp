// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/quality/distance_sums.hpp"

#include "gpu/cpu/simd_target.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "app/model/quality/distance_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lloyd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

static void addDistancesHere(const float* rows, std::size_t stride, int d, const double* from,
                             std::size_t begin, std::size_t end, double* sums) {
  static_assert(distanceGroup == 4);
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  const std::size_t lanes = hn::Lanes(wide);
  const auto columns = static_cast<std::size_t>(d);
  auto sum0 = hn::Zero(wide);
  auto sum1 = hn::Zero(wide);
  auto sum2 = hn::Zero(wide);
  auto sum3 = hn::Zero(wide);
  std::size_t i = begin;
  for (; i + lanes <= end; i += lanes) {
    auto square0 = hn::Zero(wide);
    auto square1 = hn::Zero(wide);
    auto square2 = hn::Zero(wide);
    auto square3 = hn::Zero(wide);
    for (std::size_t j = 0; j < columns; ++j) {
      const auto value = hn::PromoteTo(wide, hn::LoadU(narrow, rows + j * stride + i));
      const auto away0 = hn::Sub(value, hn::Set(wide, from[j]));
      const auto away1 = hn::Sub(value, hn::Set(wide, from[columns + j]));
      const auto away2 = hn::Sub(value, hn::Set(wide, from[2 * columns + j]));
      const auto away3 = hn::Sub(value, hn::Set(wide, from[3 * columns + j]));
      square0 = hn::MulAdd(away0, away0, square0);
      square1 = hn::MulAdd(away1, away1, square1);
      square2 = hn::MulAdd(away2, away2, square2);
      square3 = hn::MulAdd(away3, away3, square3);
    }
    sum0 = hn::Add(sum0, hn::Sqrt(square0));
    sum1 = hn::Add(sum1, hn::Sqrt(square1));
    sum2 = hn::Add(sum2, hn::Sqrt(square2));
    sum3 = hn::Add(sum3, hn::Sqrt(square3));
  }
  sums[0] += hn::GetLane(hn::SumOfLanes(wide, sum0));
  sums[1] += hn::GetLane(hn::SumOfLanes(wide, sum1));
  sums[2] += hn::GetLane(hn::SumOfLanes(wide, sum2));
  sums[3] += hn::GetLane(hn::SumOfLanes(wide, sum3));
  for (; i < end; ++i)
    for (std::size_t p = 0; p < distanceGroup; ++p) {
      double square = 0;
      for (std::size_t j = 0; j < columns; ++j) {
        const double away = static_cast<double>(rows[j * stride + i]) - from[p * columns + j];
        square += away * away;
      }
      sums[p] += std::sqrt(square);
    }
}

} // namespace lloyd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lloyd {

HWY_EXPORT(addDistancesHere);

void addDistances(const float* rows, std::size_t stride, int d, const double* from, std::size_t begin,
                  std::size_t end, double* sums) {
  HWY_DYNAMIC_DISPATCH(addDistancesHere)(rows, stride, d, from, begin, end, sums);
}

} // namespace lloyd
#endif
