// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/plot_table.hpp"

#include <QByteArray>
#include <QCoreApplication>
#include <QFont>
#include <QImage>
#include <QString>

class QCPPainter;
class QCustomPlot;

namespace lloyd {

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

} // namespace lloyd
