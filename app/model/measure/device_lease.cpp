// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/device_lease.hpp"

#include <QPointer>

namespace lloyd {

DeviceLease::Hold DeviceLease::take(const QString& whyOthersWait) {
  if (held()) return nullptr;
  // The holder has expired by the time that its deleter runs.
  Hold hold(new QString(whyOthersWait), [lease = QPointer(this)](const QString* why) {
    delete why;
    if (lease) Q_EMIT lease->changed();
  });
  holder_ = hold;
  Q_EMIT changed();
  return hold;
}

QString DeviceLease::whyNot() const {
  const Hold holder = holder_.lock();
  return holder ? *holder : QString();
}

} // namespace lloyd
