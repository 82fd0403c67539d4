// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/plot/plot_export.hpp"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QCPAbstractPlottable;
class QCPAxis;
class QCPItemEllipse;
class QCustomPlot;
class QHBoxLayout;
class QLabel;
class QMenu;
class QStackedWidget;

namespace lloyd {

class ElidedLabel;

/// What lies under the pointer: the nearest mark in words with units, and where it is. Pixels of the plot.
struct PlotHover {
  QString text;
  QPointF at;
};

/// The frame around every large plot: a title, the plot, and a line that reads out what lies under the
/// pointer. Dragging pans, the wheel zooms at the cursor, a double click shows all data again; with the
/// keyboard the arrows, + and -, and R or 0. New data keep the view only after a person has moved it. A menu
/// copies and saves it. What there is to see is the subclasses' business.
class PlotPane : public QWidget {
  Q_OBJECT
public:
  explicit PlotPane(const QString& name, QWidget* parent = nullptr);
  ~PlotPane() override;

  [[nodiscard]] QCustomPlot& plot() const { return *plot_; }
  [[nodiscard]] QString title() const;
  /// What a screen reader says of the plot: its message in a sentence or two.
  [[nodiscard]] QString summary() const;
  /// The sentence that stands in for a plot without data; empty when there are data.
  [[nodiscard]] const QString& emptyText() const { return emptyText_; }
  /// What the read-out says for a place in the plot; empty where nothing is near.
  [[nodiscard]] QString readAt(QPointF at) const;

  void reset(); ///< shows all data, and follows new ones again
  void zoom(double factor);
  void pan(double right, double up); ///< in parts of what is visible
  [[nodiscard]] bool moved() const { return moved_; }

  [[nodiscard]] virtual PlotTable table() const = 0;
  /// The plot as it leaves the window.
  [[nodiscard]] PlotExport exported() const;
  void renewColours();

Q_SIGNALS:
  void said(const QString& text, bool error) const;

protected:
  /// Ranges of the axes that show all data.
  virtual void fit() = 0;
  [[nodiscard]] virtual std::optional<PlotHover> hover(QPointF at) const = 0;
  /// Colours of what the subclass draws; the axes and the legend have theirs already.
  virtual void paintTheme() = 0;
  /// Called before every drawing, when the size of everything is known: labels find their places.
  virtual void arrange() {}
  /// The axes that keys move; each once.
  [[nodiscard]] virtual std::vector<QCPAxis*> axes() const = 0;

  void setTitle(const QString& title, const QString& toolTip = {});
  /// sentence: what would fill the plot. Empty: there are data.
  void setEmpty(const QString& sentence);
  void setSummary(const QString& summary);
  /// What stands in the read-out while nothing is under the pointer.
  void setNote(const QString& note);
  /// For a corner of the window: neither read-out nor button, and neither the wheel nor a key moves the axes.
  /// What lies under the pointer is told in a tool tip.
  void setSmall();
  void addControl(QWidget* control);
  QCheckBox* addCheck(const QString& text, const QString& toolTip, const std::function<void(bool)>& toggled);
  /// Puts the legend below the axes, in as many columns as fit.
  void useLegend();
  /// What the legend names, in this order.
  void setLegend(const std::vector<QCPAbstractPlottable*>& plottables);
  /// The data changed: follow them unless a person has moved the view, and draw.
  void dataChanged();

  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void fillMenu(QMenu* menu);
  void askWhereToSave();
  void connectMouse();
  void point(QPointF at);
  void pointNowhere();
  bool handleKey(int key, Qt::KeyboardModifiers modifiers);
  void arrangeLegend();
  void colourLegend();
  void arrangeTicks();
  void replot();

  QString name_;
  QString emptyText_;
  QString note_;
  ElidedLabel* title_;
  ElidedLabel* readOut_;
  QHBoxLayout* header_;
  QStackedWidget* pages_;
  QLabel* empty_;
  QCustomPlot* plot_;
  QMenu* menu_;
  QCPItemEllipse* ring_;
  bool hasLegend_ = false;
  bool small_ = false;
  bool moved_ = false; ///< a person chose the view
  bool dragging_ = false;
  bool complete_ = false; ///< the subclass has called renewColours() at the end of its constructor
};

} // namespace lloyd
