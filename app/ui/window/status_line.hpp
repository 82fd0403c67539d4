// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/ui/common/labels.hpp"

#include <QStatusBar>
#include <QTimer>

class QLabel;
class QProgressBar;
class QPushButton;

namespace lloyd {

/// One line: the path that results take to the screen and why it is this one, the device, dropped rows,
/// loading, and the last message.
class StatusLine : public QStatusBar {
  Q_OBJECT
public:
  explicit StatusLine(Session& session, QWidget* parent = nullptr);
  void say(const QString& text);
  /// The text is true no more: it goes if it is still the last message.
  void retract(const QString& text);
  /// What tells of an event: it goes by itself after some seconds.
  void tell(const QString& text);
  /// The same for what answers a key.
  void answer(const QString& text);
  /// What answered a key is not asked any more.
  void forgetAnswer();
  /// What holds until it is replaced, whatever is said meanwhile; empty: nothing.
  void setStanding(const QString& text);
  [[nodiscard]] QString pathText() const;
  [[nodiscard]] QString lastMessage() const { return last_; }
  [[nodiscard]] QString standing() const { return standing_; }

private:
  void showPath();
  void showData();
  void showProgress(const QString& source, qulonglong rows, double fraction);
  void showSeeding(int done, int of);
  void cancel();
  void showMessages();

  Session& session_;
  QLabel* path_;
  ElidedLabel* why_;
  QLabel* device_;
  QLabel* dropped_;
  ElidedLabel* said_;
  QLabel* loading_;
  QProgressBar* progress_;
  QPushButton* cancel_;
  QString last_;
  QString passing_; ///< what goes by itself
  QString answer_;
  QString standing_;
  QTimer passed_;
};

} // namespace lloyd
