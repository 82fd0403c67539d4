// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QComboBox>

namespace lloyd {

/// A chooser whose shown text ends in dots where there is no room for all of it; Qt's own cuts letters.
class ElidedCombo : public QComboBox {
public:
  using QComboBox::QComboBox;

protected:
  void paintEvent(QPaintEvent* event) override;
};

} // namespace lloyd
