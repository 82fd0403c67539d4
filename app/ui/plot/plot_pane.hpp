// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/plot/plot_table.hpp"
#include "app/ui/plot/figure_painter.hpp"

#include <QByteArray>
#include <QCoreApplication>
#include <QFont>
#include <QImage>
#include <QString>
#include <QWidget>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QCPItemEllipse;
class QCPPainter;
class QCheckBox;
class QCustomPlot;
class QHBoxLayout;
class QLabel;
class QMenu;
class QStackedWidget;

namespace lloyd {

class ElidedLabel;

/// How a plot leaves the window: as a picture, as vectors, as numbers.
struct PlotExport {
  Q_DECLARE_TR_FUNCTIONS(lloyd::PlotExport)
public:
  QCustomPlot& plot;
  QString title;
  QString summary;
  QFont font; ///< of the title
  PlotTable table;

  /// The plot with its title, on the panel's colour.
  [[nodiscard]] QImage picture(double scale = 2) const;
  [[nodiscard]] QByteArray svg() const;
  void copyPicture() const;
  void copySvg() const; ///< as image/svg+xml and as text
  void copyTable() const;
  /// Writes PNG, SVG or CSV as the name ends. The error is a sentence; empty when all went well.
  [[nodiscard]] QString saveTo(const QString& path) const;

private:
  void draw(QCPPainter& painter, QSize size) const;
};

/// The frame around every large plot: a title, the plot, and a line that reads out what lies under the
/// pointer. Dragging pans, the wheel zooms at the cursor, a double click shows all data again; with the
/// keyboard the arrows, + and -, and R or 0. New data keep the view only after a person has moved it. A menu
/// copies and saves it. What there is to see is a figure that
/// the subclasses choose.
class PlotPane : public QWidget {
  Q_OBJECT
public:
  PlotPane(const QString& name, QWidget* parent, FigurePainter::Panels panels = FigurePainter::Panels::one);
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
  /// Writes a file of any kind that the menu offers, as its name ends. The error is a sentence; empty when
  /// all went well.
  [[nodiscard]] QString saveTo(const QString& path) const;
  void renewColours();

Q_SIGNALS:
  void said(const QString& text, bool error) const;

protected:
  /// Draws it. The view stays where a person has moved it to.
  void setFigure(Figure figure);
  /// For a corner of the window: neither read-out nor button, and neither the wheel nor a key moves the axes.
  /// What lies under the pointer is told in a tool tip. The pane is never too narrow for a title as long as
  /// this one.
  void setSmall(const QString& longestTitle);
  /// Whoever owns the pane says elsewhere what lies under the pointer.
  void hideReadOut();
  /// The axes show another part: what was pointed at lies elsewhere, or nowhere.
  virtual void viewMoved() { pointNowhere(); }
  void pointNowhere();
  /// Says what a place of the plot has, and puts the ring there, as if the pointer were there.
  void point(QPointF at);
  /// Puts the ring of what is pointed at around a place, in pixels, or takes it away.
  void putRing(std::optional<QPointF> at);
  /// What lies under the pointer is told in a tool tip as well.
  void useToolTips() { toolTips_ = true; }
  void addControl(QWidget* control);
  /// One more kind of file to save: "Trace events (*.json)", under names that end in suffix.
  void addFormat(const QString& kind, const QString& suffix, std::function<QByteArray()> bytes) {
    formats_.push_back({kind, suffix, std::move(bytes)});
  }
  QCheckBox* addCheck(const QString& text, const QString& toolTip, const std::function<void(bool)>& toggled);
  /// Puts the legend below the axes, in as many columns as fit.
  void useLegend() { painter_.useLegend(); }

  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Format {
    QString kind;
    QString suffix;
    std::function<QByteArray()> bytes;
  };
  void fillMenu(QMenu* menu);
  void askWhereToSave();
  void connectMouse();
  bool handleKey(int key, Qt::KeyboardModifiers modifiers);
  void replot();
  void showTitle();

  QString name_;
  QString emptyText_;
  QString note_;
  QString longTitle_;
  QString shortTitle_;
  ElidedLabel* title_;
  ElidedLabel* readOut_;
  QHBoxLayout* header_;
  QStackedWidget* pages_;
  QLabel* empty_;
  QCustomPlot* plot_;
  FigurePainter painter_;
  QMenu* menu_;
  QCPItemEllipse* ring_;
  std::vector<Format> formats_; ///< beside those of all plots
  bool small_ = false;
  bool saysNothing_ = false; ///< there is no read-out
  bool toolTips_ = false;
  bool moved_ = false; ///< a person chose the view
  bool dragging_ = false;
};

} // namespace lloyd
