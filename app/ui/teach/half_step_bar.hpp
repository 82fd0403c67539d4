// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"

#include <QPushButton>
#include <QWidget>

class QAction;
class QLabel;

namespace lloyd {

class Actions;

/// A large button with what it does in bold, and below it what that means.
class StepButton : public QPushButton {
  Q_OBJECT
public:
  using QPushButton::QPushButton;
  void setTexts(const QString& what, const QString& meaning);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  [[nodiscard]] QFont large() const;

  QString what_;
  QString meaning_;
};

/// One iteration in two halves: the button says which comes next. Back takes halves back.
class HalfStepBar : public QWidget {
  Q_OBJECT
public:
  HalfStepBar(Session& session, const Actions& actions, QWidget* parent = nullptr);
  void showState();
  [[nodiscard]] QString nextText() const { return next_->text(); }
  [[nodiscard]] QPushButton& nextButton() { return *next_; }
  [[nodiscard]] QPushButton& backButton() { return *back_; }

private:
  Session& session_;
  QAction* play_;
  StepButton* next_;
  QPushButton* back_;
  QPushButton* playButton_;
  QLabel* where_;
};

} // namespace lloyd
