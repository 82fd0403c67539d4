// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>
#include <QWidget>

namespace lloyd {

/// For the back row of a room: the headline and at most three numbers, in letters of at least 3 % of the
/// screen's height.
class PresentBar : public QWidget {
  Q_OBJECT
public:
  explicit PresentBar(QWidget* parent = nullptr);
  void showText(const QString& headline, const QStringList& numbers);
  [[nodiscard]] QSize sizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  [[nodiscard]] int letterPixels() const;

  QString headline_;
  QStringList numbers_;
};

} // namespace lloyd
