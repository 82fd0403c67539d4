// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/ui/common/labels.hpp"

#include <QStatusBar>

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
  [[nodiscard]] QString pathText() const;
  [[nodiscard]] QString lastMessage() const { return said_->text(); }

private:
  void showPath();
  void showData();
  void showProgress(const QString& source, qulonglong rows, double fraction);

  Session& session_;
  QLabel* path_;
  ElidedLabel* why_;
  QLabel* device_;
  QLabel* dropped_;
  ElidedLabel* said_;
  QLabel* loading_;
  QProgressBar* progress_;
  QPushButton* cancel_;
};

} // namespace lloyd
