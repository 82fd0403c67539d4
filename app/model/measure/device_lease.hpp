// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>

#include <memory>

namespace lloyd {

/// Which measurement has the machine. There is one machine and one measurement at a time: two at once would
/// disturb each other's times. GUI thread.
class DeviceLease : public QObject {
  Q_OBJECT
public:
  /// The lease lasts as long as its holder keeps this; it may outlive the DeviceLease.
  using Hold = std::shared_ptr<const QString>;

  /// whyOthersWait is what others are refused with meanwhile. Null when another holds the lease.
  [[nodiscard]] Hold take(const QString& whyOthersWait);
  /// Why nothing else can be measured now; empty when the machine is free.
  [[nodiscard]] QString whyNot() const;
  [[nodiscard]] bool held() const { return !holder_.expired(); }

Q_SIGNALS:
  void changed(); ///< held() is another

private:
  std::weak_ptr<const QString> holder_;
};

} // namespace lloyd
