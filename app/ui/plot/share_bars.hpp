// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

namespace lloyd {

/// One bar of parts beside each other.
struct ShareBar {
  struct Part {
    double length = 0; ///< in the unit of longest
    QColor colour;
    QString text; ///< written on it where there is room
    QString tip;  ///< what it is, for a tooltip
  };
  QString name;  ///< before the bar
  QString total; ///< behind it
  std::vector<Part> parts;
};

/// Bars one below the other, with their names before and their totals behind them, all on one scale.
class ShareBars : public QWidget {
  Q_OBJECT
public:
  explicit ShareBars(QWidget* parent = nullptr);
  /// longest: the length that is as wide as there is room.
  void setBars(std::vector<ShareBar> bars, double longest);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  /// What the tooltip says at a place; empty beside the bars.
  [[nodiscard]] QString wordsAt(const QPoint& place) const;

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  struct Placed {
    QRect place;
    const ShareBar::Part* part;
  };
  [[nodiscard]] QRect barAt(std::size_t row) const;
  [[nodiscard]] std::vector<Placed> placed() const;

  std::vector<ShareBar> bars_;
  double longest_ = 1;
};

} // namespace lloyd
