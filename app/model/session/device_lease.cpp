// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/device_lease.hpp"

#include <QPointer>

namespace lloyd {

DeviceLease::Hold DeviceLease::take(const QString& whyOthersWait) {
  return whyNot().isEmpty() ? give(whyOthersWait) : nullptr;
}

DeviceLease::Hold DeviceLease::takeUntilWanted() { return held() ? nullptr : give({}); }

QString DeviceLease::whyNot() const {
  const Hold holder = holder_.lock();
  return holder ? *holder : QString();
}

DeviceLease::Hold DeviceLease::give(const QString& whyOthersWait) {
  // The holder has expired by the time that its deleter runs. One that made way changes nothing by its end.
  Hold hold(new QString(whyOthersWait), [lease = QPointer(this)](const QString* why) {
    delete why;
    if (lease && !lease->held()) Q_EMIT lease->changed();
  });
  holder_ = hold;
  Q_EMIT changed();
  return hold;
}

} // namespace lloyd
