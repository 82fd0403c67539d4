// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/timeline/named_timeline.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <QPointer>

#include <cstddef>
#include <optional>
#include <utility>

class QCPItemRect;
class QComboBox;

namespace lloyd {

/// One or two recorded runs above each other, as timelineFigure() describes them. With Shift held, dragging
/// marks a part of the time; with the keyboard Return marks what is seen, and Escape takes the mark away.
class TimelinePlot : public PlotPane {
  Q_OBJECT
public:
  explicit TimelinePlot(QWidget* parent = nullptr);

  /// The runs that there are to choose from. Of those the two that a person chose stay, where they are still
  /// there; else those of the two numbers are seen.
  void show(const NamedTimelines& timelines, std::size_t upper = 0, std::size_t lower = 1);
  /// The runs that are seen.
  [[nodiscard]] const NamedTimelines& seen() const { return seen_; }
  [[nodiscard]] PlotTable table() const override;

  /// From one moment to another, in the axis' unit; none: nothing is marked.
  [[nodiscard]] const std::optional<std::pair<double, double>>& marked() const { return marked_; }
  void mark(std::optional<std::pair<double, double>> marked);

Q_SIGNALS:
  void changed(); ///< other runs are seen, or another part is marked

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void chosen();
  void redraw();
  [[nodiscard]] double momentAt(double pixel) const;
  [[nodiscard]] bool brushes(QEvent* event);
  [[nodiscard]] bool handles(int key);

  NamedTimelines all_;
  NamedTimelines seen_;
  QComboBox* upper_;
  QComboBox* lower_; ///< its first item: no second run
  bool byHand_ = false;
  std::optional<std::pair<double, double>> marked_;
  std::optional<double> from_; ///< where the drag that goes on began
  QPointer<QCPItemRect> brush_;
};

} // namespace lloyd
