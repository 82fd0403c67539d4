// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>

#include <memory>

namespace lloyd {

/// Which measurement has the machine. There is one machine and one measurement at a time: two at once would
/// disturb each other's times. What only counts or compares waits while held(). GUI thread.
class DeviceLease : public QObject {
  Q_OBJECT
public:
  /// The lease lasts as long as its holder keeps this; it may outlive the DeviceLease.
  using Hold = std::shared_ptr<const QString>;

  /// whyOthersWait is what others are refused with meanwhile. Null when another holds the lease.
  [[nodiscard]] Hold take(const QString& whyOthersWait);
  /// A lease that the next take() ends: its holder makes way as soon as changed() shows it that it no longer
  /// has() the machine. Null when another holds the lease.
  [[nodiscard]] Hold takeUntilWanted();
  /// Why nothing else can be measured now; empty when the machine is free or its holder makes way.
  [[nodiscard]] QString whyNot() const;
  [[nodiscard]] bool held() const { return !holder_.expired(); }
  [[nodiscard]] bool has(const Hold& hold) const { return hold && holder_.lock() == hold; }

Q_SIGNALS:
  void changed(); ///< another holds it, or nothing does

private:
  Hold give(const QString& whyOthersWait);

  std::weak_ptr<const QString> holder_; ///< why others wait; empty for one that makes way
};

} // namespace lloyd
