// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/points/colour.hpp"

#include <QWidget>

#include <cstdint>
#include <vector>

namespace lloyd {

/// How many points each cluster has: one bar a cluster, in its colour. Too many for a bar each: the largest
/// are shown, and it is said.
class ClusterSizesPlot : public QWidget {
  Q_OBJECT
public:
  explicit ClusterSizesPlot(QWidget* parent = nullptr);
  void show(const std::vector<std::uint32_t>& sizes, const std::vector<Rgb>& colours);
  [[nodiscard]] QSize minimumSizeHint() const override { return {80, 40}; }

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  [[nodiscard]] QRect barArea() const;
  [[nodiscard]] std::size_t labelStep(double slot) const;
  [[nodiscard]] int barAt(QPoint at) const;
  using CountText = QString (*)(std::uint64_t);
  [[nodiscard]] QString caption(CountText textOf) const;

  std::vector<std::uint32_t> sizes_;
  std::vector<Rgb> colours_;
  std::vector<std::size_t> order_; ///< the clusters shown, in their own order
};

} // namespace lloyd
