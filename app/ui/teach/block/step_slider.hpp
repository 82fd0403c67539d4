// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSlider>

#include <vector>

class QPainter;

namespace lloyd {

/// A slider over numbered steps. Above it stand a line for each barrier and a triangle for each race.
class StepSlider : public QSlider {
  Q_OBJECT
public:
  explicit StepSlider(QWidget* parent = nullptr);

  /// Numbers of steps, ascending.
  void setMarks(std::vector<int> barriers, std::vector<int> races);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  [[nodiscard]] int middleOf(int step) const;

  std::vector<int> barriers_;
  std::vector<int> races_;
};

} // namespace lloyd
