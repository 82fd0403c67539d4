// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QScrollArea>

namespace lloyd {

/// A panel that scrolls where its place is smaller than what its layout needs, as with large letters in a
/// small window: otherwise its parts would be drawn over each other.
class ScrolledPanel : public QScrollArea {
  Q_OBJECT
public:
  /// Takes the panel, which has a layout.
  explicit ScrolledPanel(QWidget* panel, QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override;
  /// The panel's own wish, within a part of the window.
  [[nodiscard]] QSize minimumSizeHint() const override;
  bool eventFilter(QObject* watched, QEvent* event) override;

protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

private:
  /// Gives the panel its place, and at least what its layout needs. (QScrollArea's own way gives one whose
  /// height depends on its width all that it would like.)
  void fit();

  bool fitting_ = false;
};

} // namespace lloyd
