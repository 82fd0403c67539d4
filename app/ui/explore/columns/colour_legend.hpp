// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/view/colour_key.hpp"

#include <QWidget>

namespace lloyd {

/// What the colours of points mean. Nothing is shown without names.
class ColourLegend : public QWidget {
  Q_OBJECT
public:
  explicit ColourLegend(QWidget* parent = nullptr);
  void setKey(const ColourKey& key);
  [[nodiscard]] const ColourKey& key() const { return key_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  ColourKey key_;
};

} // namespace lloyd
