// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/tiled_points.hpp"
#include "gpu/core/tiles/hilbert.hpp"
#include "tests/gpu/kernels/fused/fused_problem.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

#include <cstdlib>
#include <map>
#include <numeric>

using namespace lloyd;
using namespace lloyd::test;

namespace {

template <class T>
std::vector<T> downloaded(Device& device, const T* from, std::size_t count) {
  std::vector<T> values(count);
  if (count > 0) device.download(values.data(), from, count * sizeof(T));
  return values;
}

/// Points of a problem in tiles, and all that tiles say of them.
struct Arranged {
  std::vector<float> points;
  std::vector<float> low;
  std::vector<float> high;
  std::vector<std::int64_t> sums;
  std::vector<std::int64_t> prefix; ///< D = 1
  FixedPoint fixed;
  std::size_t count = 0;
};

class Rig {
public:
  Rig(Device& device, const HostProblem& host, unsigned size)
      : device_(device), host_(host), stride_(rowStride(host.problem.n)), points_(device, stride_ * host.d()),
        tiled(device, host.problem.n, host.problem.d, size) {
    for (std::size_t j = 0; j < host.d(); ++j)
      device.upload(points_.data() + j * stride_, host.points.data() + j * host.problem.n,
                    host.problem.n * sizeof(float));
    tiled.order({points_.data(), stride_, boxOf(host.points.data(), host.problem.n, host.problem.d)});
  }
  [[nodiscard]] Arranged arranged() {
    const TileView view = tiled.args().view;
    const std::size_t d = host_.d();
    return {downloaded(device_, view.points, d * view.count * view.size),
            downloaded(device_, view.low, d * view.count),
            downloaded(device_, view.high, d * view.count),
            downloaded(device_, view.sums, d * view.count),
            downloaded(device_, view.prefix, d == 1 ? view.count + 1 : 0),
            view.fixed,
            view.count};
  }

private:
  Device& device_;
  const HostProblem& host_;
  std::size_t stride_;
  Buffer<float> points_;

public:
  TiledPoints tiled;
};

void everyKindOnEveryDevice() {
  QTest::addColumn<int>("backend");
  QTest::addColumn<int>("kind");
  for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
    for (std::size_t kind = 0; kind < pointKindNames.size(); ++kind)
      QTest::addRow("%s on %s", pointKindNames[kind], name(backend).data())
          << static_cast<int>(backend) << static_cast<int>(kind);
}

} // namespace

/// Points in tiles: their order, their boxes, their sums, and the way of labels in and out.
class TestTiles : public QObject {
  Q_OBJECT

private slots:
  void tilesHoldEveryPointOnce_data() { everyKindOnEveryDevice(); }
  void tilesHoldEveryPointOnce() {
    QFETCH(int, backend);
    QFETCH(int, kind);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Found processor = findDevice(Backend::cpu);
    for (const Problem& problem : {Problem{1, 3, 2}, Problem{128, 2, 3}, Problem{1000, 1, 3},
                                   Problem{5003, 2, 4}, Problem{3001, 3, 5}}) {
      const HostProblem host = makeProblem(static_cast<PointKind>(kind), problem);
      const std::size_t n = problem.n;
      constexpr unsigned size = 128;
      Rig rig(*found.device, host, size);
      const Arranged tiles = rig.arranged();
      QCOMPARE(tiles.count, (n + size - 1) / size);
      std::vector<std::vector<float>> own;
      std::vector<std::vector<float>> ordered;
      for (std::size_t i = 0; i < n; ++i) {
        own.emplace_back();
        ordered.emplace_back();
        for (std::size_t j = 0; j < host.d(); ++j) {
          own.back().push_back(host.points[j * n + i]);
          ordered.back().push_back(tiles.points[j * tiles.count * size + i]);
        }
      }
      std::sort(own.begin(), own.end());
      std::sort(ordered.begin(), ordered.end());
      QVERIFY(own == ordered);
      for (std::size_t j = 0; j < host.d(); ++j)
        for (std::size_t t = 0; t < tiles.count; ++t) {
          const float* row = tiles.points.data() + j * tiles.count * size;
          const std::span<const float> inside(row + t * size, std::min<std::size_t>(size, n - t * size));
          QCOMPARE(tiles.low[j * tiles.count + t], *std::min_element(inside.begin(), inside.end()));
          QCOMPARE(tiles.high[j * tiles.count + t], *std::max_element(inside.begin(), inside.end()));
          std::int64_t sum = 0;
          for (const float value : inside)
            sum += std::llrint((static_cast<double>(value) - tiles.fixed.middle[j]) * tiles.fixed.scale[j]);
          QCOMPARE(tiles.sums[j * tiles.count + t], sum);
          for (std::size_t p = n; p < tiles.count * size; ++p)
            QCOMPARE(row[p], row[n - 1]);
        }
      if (problem.d == 1) {
        QVERIFY(std::is_sorted(tiles.points.begin(), tiles.points.end()));
        QCOMPARE(tiles.prefix.front(), std::int64_t{0});
        for (std::size_t t = 0; t < tiles.count; ++t)
          QCOMPARE(tiles.prefix[t + 1] - tiles.prefix[t], tiles.sums[t]);
      }
      Rig same(*processor.device, host, size);
      QVERIFY(same.arranged().points == tiles.points);
    }
  }

  /// Along the curve, the next cell of a grid is always a neighbour.
  void theCurveNeverLeaps() {
    const auto check = [](auto dimensions, unsigned side) {
      constexpr unsigned D = decltype(dimensions)::value;
      Box box;
      for (unsigned j = 0; j < D; ++j) {
        box.low[j] = 0;
        box.high[j] = static_cast<float>(side);
      }
      const HilbertCurve curve = hilbertCurveOf(box, D);
      std::map<std::uint64_t, std::array<int, 3>> cells;
      const unsigned count = D == 1 ? side : D == 2 ? side * side : side * side * side;
      for (unsigned i = 0; i < count; ++i) {
        float x[D];
        std::array<int, 3> cell{};
        for (unsigned j = 0, rest = i; j < D; ++j, rest /= side) {
          cell[j] = static_cast<int>(rest % side);
          x[j] = static_cast<float>(cell[j]) + 0.5f;
        }
        cells.emplace(hilbertPlace<D>(curve, x), cell);
      }
      if (cells.size() != count) return false;
      for (auto next = std::next(cells.begin()); next != cells.end(); ++next) {
        int steps = 0;
        for (unsigned j = 0; j < D; ++j)
          steps += std::abs(next->second[j] - std::prev(next)->second[j]);
        if (steps != 1) return false;
      }
      return true;
    };
    QVERIFY(check(std::integral_constant<unsigned, 1>{}, 64));
    QVERIFY(check(std::integral_constant<unsigned, 2>{}, 32));
    QVERIFY(check(std::integral_constant<unsigned, 3>{}, 16));
  }

  void labelsComeOutAsTheyWentIn_data() { everyKindOnEveryDevice(); }
  void labelsComeOutAsTheyWentIn() {
    QFETCH(int, backend);
    QFETCH(int, kind);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    Device& device = *found.device;
    const HostProblem host = makeProblem(static_cast<PointKind>(kind), {2500, 2, 9});
    const std::size_t n = host.problem.n;
    std::vector<std::uint8_t> stored(n);
    std::transform(host.labels.begin(), host.labels.end(), stored.begin(),
                   [](Label label) { return static_cast<std::uint8_t>(label + 247); });
    Buffer<std::uint8_t> in(device, n);
    Buffer<std::uint8_t> out(device, n);
    in.upload(stored);
    out.fill(0xa5);
    Rig rig(device, host, 128);
    const TileArgs args = rig.tiled.args();
    for (const std::uint16_t tile : downloaded(device, args.oldLabels.tiles, args.view.count))
      QCOMPARE(tile, unknownTile);
    rig.tiled.takeLabels({in.data(), LabelWidth::one});
    rig.tiled.writeLabels({out.data(), LabelWidth::one});
    QVERIFY(out.download() == stored);
    // A tile is mixed where its points differ, and nowhere else.
    const auto tiles = downloaded(device, args.oldLabels.tiles, args.view.count);
    const auto points = downloaded(device, args.oldLabels.points, args.view.count * 128);
    for (std::size_t t = 0; t < tiles.size(); ++t) {
      const std::span<const std::uint8_t> inside(points.data() + t * 128,
                                                 std::min<std::size_t>(128, n - t * 128));
      const bool isOne =
          std::all_of(inside.begin(), inside.end(), [&](auto label) { return label == inside[0]; });
      QCOMPARE(tiles[t], isOne ? std::uint16_t{inside[0]} : mixedTile);
    }
    const Buffer<Label> wide(device, n);
    QVERIFY_EXCEPTION_THROWN(rig.tiled.takeLabels({wide.data()}), std::invalid_argument);
  }

  /// The sum of as many points as there are, all of them at one end of the box, is still an integer of 63
  /// bits, and a value goes in and out within half a unit.
  void integersHaveRoomForEveryPoint() {
    for (const double extent : {1e-40, 1e-3, 1.0, 3.0, 1e6, 3e38})
      for (const std::size_t n :
           {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 27, std::size_t{1} << 32}) {
        Box box;
        box.low[0] = static_cast<float>(-0.3 * extent);
        box.high[0] = static_cast<float>(0.7 * extent);
        const FixedPoint fixed = fixedPointOf(box, n, 1);
        for (const float end : {box.low[0], box.high[0]}) {
          const std::int64_t value = toFixed(fixed.middle[0], fixed.scale[0], end);
          const double exact = (static_cast<double>(end) - fixed.middle[0]) * fixed.scale[0];
          QVERIFY(std::abs(static_cast<double>(value) - exact) <= 0.5);
          QVERIFY(std::abs(exact) <= 0x1p50);
          QVERIFY(std::abs(exact) * static_cast<double>(n) <= 0x1p62);
        }
        // As fine as that allows: not coarser than the floats are beside the box's far end.
        QVERIFY(1 / fixed.scale[0] <= std::ldexp(extent, -28));
      }
  }
};

QTEST_GUILESS_MAIN(TestTiles)
#include "tst_tiles.moc"
