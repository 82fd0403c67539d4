// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/points/colour.hpp"

#include <QStringList>
#include <QWidget>

#include <vector>

namespace lloyd {

/// What the colours of points mean: a name beside each colour, or a ramp with its two ends. Nothing is shown
/// without names.
class ColourLegend : public QWidget {
  Q_OBJECT
public:
  explicit ColourLegend(QWidget* parent = nullptr);
  void setEntries(const QStringList& names, const std::vector<Rgb>& colours, bool ramp);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  static constexpr qsizetype mostNames = 12;
  [[nodiscard]] int lines() const;

  QStringList names_;
  std::vector<Rgb> colours_;
  bool ramp_ = false;
};

} // namespace lloyd
