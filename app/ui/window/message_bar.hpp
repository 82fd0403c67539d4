// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

class QLabel;

namespace lloyd {

/// An error in words, above the points until it is dismissed: what happened, where, and what to do. Hidden
/// otherwise.
class MessageBar : public QFrame {
  Q_OBJECT
public:
  explicit MessageBar(QWidget* parent = nullptr);
  void showError(const QString& text);
  [[nodiscard]] QString text() const;

protected:
  void changeEvent(QEvent* event) override;

private:
  void paintTheme();

  QLabel* label_;
  bool painting_ = false;
};

} // namespace lloyd
