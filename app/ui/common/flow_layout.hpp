// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLayout>

#include <memory>
#include <vector>

namespace lloyd {

/// A row of controls that goes on in another row where there is no room: each control keeps its width, unless
/// it alone is wider than the place. What is hidden takes no room.
class FlowLayout : public QLayout {
  Q_OBJECT
public:
  /// gap: pixels beside each other; rowGap: between rows.
  explicit FlowLayout(int gap, int rowGap, QWidget* parent = nullptr);
  ~FlowLayout() override;

  /// Takes a layout whose parts stay together, as a name and its control do.
  void addGroup(QLayout* group);

  void addItem(QLayoutItem* item) override;
  [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
  [[nodiscard]] QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  /// As narrow as the widest of the controls.
  [[nodiscard]] QSize minimumSize() const override;
  void setGeometry(const QRect& place) override;

private:
  /// The height of the rows in such a place, where the controls are put if they are to be.
  int arrange(const QRect& place, bool puts) const;

  std::vector<std::unique_ptr<QLayoutItem>> items_;
  int gap_;
  int rowGap_;
};

} // namespace lloyd
