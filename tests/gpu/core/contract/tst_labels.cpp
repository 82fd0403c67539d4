// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/math/random.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

#include <stdexcept>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr std::array<LabelWidth, 3> widths{LabelWidth::one, LabelWidth::two, LabelWidth::four};
constexpr std::size_t guard = 64;
constexpr int poison = 0xa5;

/// Labels as bytes of that width, little end first, as every machine that the program runs on has them.
std::vector<std::byte> stored(const std::vector<Label>& labels, LabelWidth width) {
  std::vector<std::byte> bytes;
  for (const Label label : labels)
    for (std::size_t byte = 0; byte < bytesOf(width); ++byte)
      bytes.push_back(static_cast<std::byte>(static_cast<std::uint32_t>(label) >> (8 * byte) & 255u));
  return bytes;
}

/// n labels that a width can hold, its least and its greatest among them; of four bytes, also none.
std::vector<Label> someLabels(std::size_t n, LabelWidth width) {
  const std::uint64_t least =
      width == LabelWidth::four ? std::uint64_t{1} << 31 : std::uint64_t{1} << (8 * bytesOf(width));
  std::vector<Label> labels(n);
  for (std::size_t i = 0; i < n; ++i)
    labels[i] = static_cast<Label>((randomBits(4, bytesOf(width), i) >> 20) % least);
  if (n > 1) labels[1] = static_cast<Label>(least - 1);
  if (n > 2) labels[2] = width == LabelWidth::four ? -1 : 0;
  return labels;
}

} // namespace

/// Labels of one, two and four bytes, from one to another and to the host.
class TestLabels : public QObject {
  Q_OBJECT

  static void everyDevice() {
    QTest::addColumn<int>("backend");
    for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
      QTest::addRow("%s", name(backend).data()) << static_cast<int>(backend);
  }

private slots:
  void asFewBytesAsHoldAllLabels() {
    QCOMPARE(narrowest(1), LabelWidth::one);
    QCOMPARE(narrowest(256), LabelWidth::one);
    QCOMPARE(narrowest(257), LabelWidth::two);
    QCOMPARE(narrowest(65536), LabelWidth::two);
    QCOMPARE(narrowest(65537), LabelWidth::four);
  }

  /// They are no array, and what would read them as one says so.
  void labelsByTilesAreNotReadInARow() {
    const Found found = findDevice(Backend::cpu);
    Buffer<std::byte> memory(*found.device, 4096);
    const LabelSpan tiledLabels{memory.data(), LabelLayout(LabelWidth::one, 128)};
    std::vector<Label> to(1000);
    QVERIFY_EXCEPTION_THROWN(downloadLabels(*found.device, tiledLabels, to), std::invalid_argument);
    QVERIFY_EXCEPTION_THROWN(widen(tiledLabels, to), std::invalid_argument);
    QVERIFY_EXCEPTION_THROWN(found.device->convertLabels({1000, tiledLabels, {to.data(), LabelWidth::four}}),
                             std::invalid_argument);
  }

  void everyWidthBecomesEveryOther_data() { everyDevice(); }
  void everyWidthBecomesEveryOther() {
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    Device& device = *found.device;
    for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 3, 4, 31, 257, 70001})
      for (const LabelWidth from : widths)
        for (const LabelWidth to : widths) {
          const std::vector<Label> labels = someLabels(n, from);
          const std::vector<std::byte> bytes = stored(labels, from);
          Buffer<std::byte> source(device, bytes.size());
          source.upload(bytes);
          Buffer<std::byte> target(device, n * bytesOf(to) + guard);
          target.fill(poison);
          device.convertLabels({n, {source.data(), from}, {target.data(), to}});
          device.synchronize();
          std::vector<std::byte> expected = stored(labels, to); // of what is too large, the low bytes
          expected.resize(expected.size() + guard, std::byte{poison});
          QVERIFY2(
              target.download() == expected,
              qPrintable(
                  QStringLiteral("%1 labels of %2 bytes as %3").arg(n).arg(bytesOf(from)).arg(bytesOf(to))));
        }
  }

  void everyWidthReachesTheHost_data() { everyDevice(); }
  void everyWidthReachesTheHost() {
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 3, 1000})
      for (const LabelWidth width : widths) {
        const std::vector<Label> labels = someLabels(n, width);
        const std::vector<std::byte> bytes = stored(labels, width);
        Buffer<std::byte> source(*found.device, bytes.size());
        source.upload(bytes);
        std::vector<Label> wide(n, -7);
        const std::uint64_t before = found.device->traffic().toHost;
        downloadLabels(*found.device, {source.data(), width}, wide);
        QVERIFY(wide == labels);
        QCOMPARE(found.device->traffic().toHost - before, std::uint64_t{bytes.size()}); // and no more
      }
  }
};

QTEST_GUILESS_MAIN(TestLabels)
#include "tst_labels.moc"
