// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/queue.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <QString>
#include <QTest>

#include <functional>
#include <vector>

namespace lloyd::test {

/// Forward, reverse, and 20 seeds.
inline std::vector<simt::Schedule> allOrders() {
  using Order = simt::Schedule::Order;
  std::vector<simt::Schedule> orders{{Order::forward, 1}, {Order::reverse, 1}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    orders.push_back({Order::seeded, seed});
  return orders;
}

/// What the device says of a program by the end of a wait for everything; empty: nothing.
inline QString reportOf(Device& device, const std::function<void()>& program) {
  try {
    program();
    device.synchronize();
  } catch (const DeviceError& error) {
    return QString::fromUtf8(error.meaning());
  }
  return {};
}

/// A place in a test's source, to give an operation and to look for in a report.
struct Spot {
  CallSite site;
  explicit Spot(CallSite here = CallSite::current()) : site(here) {}
  operator CallSite() const { return site; } // NOLINT(google-explicit-constructor): stands for its site
  [[nodiscard]] QString text() const {
    QString file = QString::fromUtf8(site.file);
    return file.mid(file.indexOf(QLatin1String("tests/gpu/"))) + QLatin1Char(':') +
           QString::number(site.line);
  }
};

/// "the upload of queue 1 at tests/gpu/...:12"
inline QString deed(const char* what, int queue, const Spot& spot) {
  return QStringLiteral("%1 of queue %2 at %3").arg(QString::fromUtf8(what)).arg(queue).arg(spot.text());
}
inline QString hostDeed(const char* what, const Spot& spot) {
  return QStringLiteral("%1 by the host at %2").arg(QString::fromUtf8(what), spot.text());
}

} // namespace lloyd::test

/// Both operations are named.
#define REPORTS(report, first, second)                                                                       \
  do {                                                                                                       \
    const QString& said = (report);                                                                          \
    QVERIFY2(said.contains(first), qPrintable("reported: " + said + "\nwanted: " + (first)));                \
    QVERIFY2(said.contains(second), qPrintable("reported: " + said + "\nwanted: " + (second)));              \
  } while (false)
