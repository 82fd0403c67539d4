// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

namespace lloyd {

/// The wheel scrolls the panel under the pointer: a number, a choice or a slider changes by it only while it
/// has the focus, and gets none by it. A list takes the focus by Tab alone: after a click the keys are the
/// window's still. Works on the whole application while the object lives. GUI thread.
class WheelGuard : public QObject {
  Q_OBJECT
public:
  explicit WheelGuard(QObject* parent);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace lloyd
