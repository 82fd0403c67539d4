// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QFormLayout;
class QLabel;
class QToolButton;

namespace lloyd {

/// A titled part of the side panel that folds away: rows of a caption and a control.
class CollapsibleSection : public QWidget {
  Q_OBJECT
public:
  explicit CollapsibleSection(const QString& title, QWidget* parent = nullptr);

  /// The control gets the caption as accessible name, and the caption the control's tooltip.
  void addRow(const QString& caption, QWidget* control);
  /// Across the whole width.
  void addWide(QWidget* control);
  void setRowVisible(QWidget* control, bool visible);

protected:
  void changeEvent(QEvent* event) override;

private:
  void fold(bool open);

  QToolButton* title_;
  QWidget* body_;
  QFormLayout* form_;
};

/// A label of wrapped, quiet text.
[[nodiscard]] QLabel* quietLabel(QWidget* parent);

} // namespace lloyd
