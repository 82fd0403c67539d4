// SPDX-License-Identifier: GPL-3.0-or-later
// How long a lasso of so many places takes over so many points in space:  lasso_times [POINTS [PLACES]]
#include "app/model/selection/polygon.hpp"
#include "app/render/camera/camera.hpp"
#include "gpu/core/math/random.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

using namespace lloyd;

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const std::size_t places = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000;
  constexpr int runs = 15;
  std::vector<float> values;
  for (std::size_t i = 0; i < 3 * n; ++i)
    values.push_back(static_cast<float>(randomBits(1, 0, i) % 100'000));
  Camera camera;
  camera.setViewport(1920, 1080);
  camera.setData(3, drawnBounds(values.data(), n, 3, n));
  const CameraView view = camera.view();
  DrawnRows rows{.values = values.data(), .n = n, .d = 3, .stride = n};
  std::size_t at = 0;
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row)
      rows.clipFromOffset[at++] = view.clipFromOffset[column][row];
  for (int axis = 0; axis < 3; ++axis)
    rows.origin[static_cast<std::size_t>(axis)] = view.origin[axis];
  rows.width = view.viewport.x;
  rows.height = view.viewport.y;
  std::vector<ScreenPlace> path;
  for (std::size_t i = 0; i < places; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(places);
    const double reach = 350 + 60 * std::sin(9 * angle);
    path.push_back({960 + reach * std::cos(angle), 540 + reach * std::sin(angle)});
  }
  std::vector<double> ms;
  std::size_t inside = 0;
  for (int run = 0; run < runs; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<std::uint8_t> found = pointsInside(Polygon(path), rows);
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    inside = static_cast<std::size_t>(std::ranges::count(found, 1));
  }
  std::ranges::sort(ms);
  std::printf("%zu points, %zu places, %zu inside: median %.1f ms, most %.1f ms of %d\n", n, places, inside,
              ms[runs / 2], ms.back(), runs);
  return 0;
}
