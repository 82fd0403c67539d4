// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/gpu/kernels/fused/fused_scenes.hpp"
#include "tests/gpu/kernels/fused/tile_shares_kernels.hpp"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// About one tile in so many is mixed; those lie side by side, as along a border.
std::vector<std::uint8_t> mixedOf(unsigned tiles, unsigned oneIn) {
  Draw draw(tiles * 31 + oneIn);
  std::vector<std::uint8_t> mixed(tiles, 0);
  for (unsigned tile = 0; tile < tiles; tile += 5)
    if (oneIn > 0 && draw.below(oneIn) == 0)
      std::fill_n(mixed.begin() + tile, std::min(5u, tiles - tile), std::uint8_t{1});
  return mixed;
}

} // namespace

/// Tiles that go round blocks again and again: every tile belongs to one block, whatever is mixed.
class TestTileShares : public QObject {
  Q_OBJECT

private slots:
  void everyBlockHasItsShare_data() {
    QTest::addColumn<unsigned>("tiles");
    QTest::addColumn<unsigned>("oneIn");
    for (const unsigned tiles : {1u, 2u, 63u, 512u, 1001u, 4096u, 16384u})
      for (const unsigned oneIn : {0u, 1u, 2u, 7u})
        QTest::addRow("%u tiles, one in %u is mixed", tiles, oneIn) << tiles << oneIn;
  }
  void everyBlockHasItsShare() {
    QFETCH(unsigned, tiles);
    QFETCH(unsigned, oneIn);
    const auto device = simt::createSimtDevice();
    const std::vector<std::uint8_t> host = mixedOf(tiles, oneIn);
    Buffer<std::uint8_t> wasMixed(*device, mixedBytes(tiles));
    Buffer<unsigned> order(*device, tiles);
    std::vector<unsigned> all(tiles);
    std::iota(all.begin(), all.end(), 0u);
    for (const std::size_t blocks : {std::size_t{1}, std::size_t{7}, std::size_t{132}}) {
      if (blocks > tiles) continue;
      const ShareShape shape{blocks, 512};
      const auto launched = [&](const auto& launch) {
        order.fill(0xff);
        device->startRecording();
        device->launch("a test", launch);
        const simt::Trace trace = device->stopRecording();
        return trace.races == 0 && trace.faults.empty() ? order.download() : std::vector<unsigned>();
      };
      wasMixed.fill(0xff);
      QVERIFY(launched([&](LaunchContext& context) {
                beginShares(context, wasMixed.data(), order.data(), tiles, shape);
              }) == all);
      device->upload(wasMixed.data(), host.data(), tiles);
      std::vector<unsigned> found = launched(
          [&](LaunchContext& context) { shareTiles(context, wasMixed.data(), order.data(), tiles, shape); });
      std::vector<unsigned> mixed(blocks);
      for (unsigned at = 0; at < found.size(); ++at)
        if (found[at] < tiles && host[found[at]] != 0) ++mixed[at % blocks];
      const auto [fewest, most] = std::minmax_element(mixed.begin(), mixed.end());
      QVERIFY(*most - *fewest <= 1);
      std::sort(found.begin(), found.end());
      QVERIFY(found == all);
    }
  }
};

QTEST_GUILESS_MAIN(TestTileShares)
#include "tst_tile_shares.moc"
