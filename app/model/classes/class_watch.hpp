// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/quality/class_agreement.hpp"
#include "app/model/session/session.hpp"
#include "app/model/session/worker_thread.hpp"

#include <QObject>
#include <QTimer>

#include <memory>

namespace lloyd {

using ClassAgreementPtr = std::shared_ptr<const ClassAgreement>;

/// Holds the clusters that a session shows against the class of its points, a few times a second at most and
/// on a thread of its own. Only while it is watched. GUI thread.
class ClassWatch : public QObject {
  Q_OBJECT
public:
  explicit ClassWatch(Session& session, QObject* parent = nullptr);

  /// Whether the points have a class.
  [[nodiscard]] bool hasClass() const { return hasClass_; }
  /// Whether somebody looks.
  void setWatched(bool on);
  /// Of the labels that were shown last; null without a class, and before the first.
  [[nodiscard]] const ClassAgreementPtr& last() const { return last_; }

Q_SIGNALS:
  void changed(); ///< last(), or whether there is a class

private:
  void takeData();
  void look();

  Session& session_;
  bool hasClass_ = false;
  bool watched_ = false;
  bool busy_ = false; ///< labels are on the thread
  bool due_ = false;  ///< others came meanwhile
  ClassAgreementPtr last_;
  QTimer wait_;
  HandOver toGui_;
  WorkerThread thread_; // last: joined before what its tasks use is gone
};

} // namespace lloyd
