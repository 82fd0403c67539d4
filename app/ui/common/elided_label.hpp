// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>

namespace lloyd {

/// One line of text that takes the width it is given: what does not fit ends in an ellipsis and is whole in
/// the tooltip.
class ElidedLabel : public QLabel {
  Q_OBJECT
public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  /// Bold and a little larger, as the sentence over a panel.
  void setHeadline();
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;
};

} // namespace lloyd
