// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/error.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "gpu/cuda/runtime/driver_answer.hpp"
#include "gpu/engine/device_choice.hpp"

#include <QTest>

#include <string>
#include <vector>

using namespace lloyd;

namespace {

/// Cards that are not there, in place of the driver's. What createCpuDevice() makes stands for each that can
/// be used.
struct Cards {
  struct Card {
    const char* name = "";
    std::string why = {}; ///< it cannot be used
    int code = 0;         ///< of CUDA's, when it cannot be made although it can be used
  };
  std::vector<Card> cards;
  std::string why; ///< there are none
  std::vector<int> made;

  [[nodiscard]] CudaSource source() {
    return {.list =
                [this] {
                  CudaDevices list;
                  list.why = why;
                  for (const Card& card : cards) {
                    DeviceInfo info;
                    info.backend = Backend::cuda;
                    info.name = card.name;
                    info.index = static_cast<int>(list.devices.size());
                    info.usable = card.why.empty();
                    info.why = card.why;
                    list.devices.push_back(info);
                  }
                  return list;
                },
            .create =
                [this](int index) {
                  const Card& card = cards.at(static_cast<std::size_t>(index));
                  if (card.code != 0)
                    throw DeviceError(card.code, severityOf(card.code), "cudaSetDevice",
                                      "it is busy or unavailable");
                  made.push_back(index);
                  return createCpuDevice();
                }};
  }
};

} // namespace

/// Which device is computed on, from what the driver says.
class TestDeviceChoice : public QObject {
  Q_OBJECT
private slots:
  void aDriverSaysWhyThereIsNoDevice_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("driver");
    QTest::addColumn<bool>("chosen");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("no driver") << 35 << 0 << false << QStringList{"no NVIDIA driver", "CUDA 13.0"};
    QTest::newRow("the toolkit's stub in its place") << 34 << 0 << false << QStringList{"no NVIDIA driver"};
    QTest::newRow("a driver older than the program")
        << 35 << 12080 << false << QStringList{"supports CUDA 12.8", "needs 13.0", "update the driver"};
    QTest::newRow("no card") << 100 << 13000 << false << QStringList{"finds no GPU"};
    QTest::newRow("no card that may be seen") << 100 << 13000 << true << QStringList{"CUDA_VISIBLE_DEVICES"};
    QTest::newRow("none, without an error") << 0 << 13000 << false << QStringList{"finds no GPU"};
    QTest::newRow("half an update") << 803 << 13000 << false << QStringList{"different versions", "restart"};
    QTest::newRow("anything else") << 3 << 13000 << false << QStringList{"initialization error", "error 3"};
  }
  void aDriverSaysWhyThereIsNoDevice() {
    QFETCH(int, code);
    QFETCH(int, driver);
    QFETCH(bool, chosen);
    QFETCH(QStringList, words);
    const std::string why = cuda::whyNoDevices({.code = code,
                                                .meaning = "initialization error",
                                                .driver = driver,
                                                .runtime = 13000,
                                                .chosen = chosen});
    for (const QString& word : words)
      QVERIFY2(QString::fromStdString(why).contains(word), why.c_str());
    Cards none{.cards = {}, .why = why, .made = {}};
    const ChosenDevice device = chooseDeviceFrom(none.source(), BackendRequest::automatic);
    QCOMPARE(device.device->backend(), Backend::cpu);
    QCOMPARE(device.why, why);
    QCOMPARE(listDevicesFrom(none.source()).cudaWhy, why);
  }

  void aCardThatCannotBeUsedSaysWhy() {
    QCOMPARE(cuda::whyUnusable({.capability = 90, .oldest = 75}), std::string());
    QCOMPARE(cuda::whyUnusable({.capability = 75, .oldest = 75}), std::string());
    const std::string old = cuda::whyUnusable({.capability = 61, .oldest = 75});
    QVERIFY2(old.find("6.1") != std::string::npos && old.find("7.5") != std::string::npos, old.c_str());
    const std::string closed = cuda::whyUnusable({.capability = 61, .oldest = 75, .prohibited = true});
    QVERIFY2(closed.find("compute mode") != std::string::npos, closed.c_str());
    Cards cards{.cards = {{.name = "Old card", .why = old}}, .why = {}, .made = {}};
    const ChosenDevice device = chooseDeviceFrom(cards.source(), BackendRequest::automatic);
    QCOMPARE(device.device->backend(), Backend::cpu);
    QCOMPARE(device.why, "Old card: " + old);
    cards.cards.push_back({.name = "New card"});
    QVERIFY(chooseDeviceFrom(cards.source(), BackendRequest::automatic).why.empty());
    QCOMPARE(cards.made, std::vector<int>{1});
  }

  void aBusyCardLeavesTheNextOrTheCpu() {
    Cards cards{.cards = {{.name = "Busy card", .code = 46}, {.name = "Idle card"}}, .why = {}, .made = {}};
    QVERIFY(chooseDeviceFrom(cards.source(), BackendRequest::automatic).why.empty());
    QCOMPARE(cards.made, std::vector<int>{1});
    cards.cards.pop_back();
    const ChosenDevice device = chooseDeviceFrom(cards.source(), BackendRequest::automatic);
    QCOMPARE(device.device->backend(), Backend::cpu);
    QCOMPARE(device.why, std::string("Busy card: it is busy or unavailable"));
    try {
      static_cast<void>(chooseDeviceFrom(cards.source(), BackendRequest::cuda));
      QFAIL("a busy card was given");
    } catch (const RequestError& error) {
      QVERIFY(error.kind() == RequestError::Kind::absent);
      QVERIFY(std::string(error.what()).find("Busy card") != std::string::npos);
    }
  }

  void aLaunchThatTimedOutIsExplained() {
    const std::string why = cuda::meaningOf(702, "the launch timed out and was terminated");
    QVERIFY2(why.starts_with("the launch timed out") && why.find("fewer points") != std::string::npos,
             why.c_str());
    QCOMPARE(cuda::meaningOf(700, "illegal address"), std::string("illegal address"));
  }

  void aListThatChangesIsReadAgain() {
    Cards cards{.cards = {{.name = "First"}, {.name = "Second"}}, .why = {}, .made = {}};
    const CudaSource source = cards.source();
    static_cast<void>(chooseDeviceFrom(source, BackendRequest::cuda));
    QCOMPARE(listDevicesFrom(source).devices.front().name, std::string("First"));
    cards.cards.erase(cards.cards.begin());
    static_cast<void>(chooseDeviceFrom(source, BackendRequest::cuda));
    QCOMPARE(listDevicesFrom(source).devices.front().name, std::string("Second"));
    cards.cards.clear();
    cards.why = "the driver finds no card";
    const ChosenDevice device = chooseDeviceFrom(source, BackendRequest::automatic);
    QCOMPARE(device.device->backend(), Backend::cpu);
    QCOMPARE(device.why, cards.why);
    QCOMPARE(listDevicesFrom(source).devices.front().backend, Backend::cpu);
    QCOMPARE(cards.made, (std::vector<int>{0, 0}));
  }
};

QTEST_GUILESS_MAIN(TestDeviceChoice)
#include "tst_device_choice.moc"
