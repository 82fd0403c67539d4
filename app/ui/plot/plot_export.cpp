// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/plot_export.hpp"

#include "app/data/write/atomic_file.hpp"
#include "app/ui/common/picture_file.hpp"
#include "app/ui/common/theme.hpp"

#include <QBuffer>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QRegion>
#include <QSvgGenerator>
#include <qcustomplot.h>

#include <vector>

namespace lloyd {

namespace {

/// Covers what lies outside the axes while an SVG is written: its generator does not clip, and what was
/// zoomed out of sight would lie over the labels.
class Surround {
public:
  explicit Surround(QCustomPlot& plot) : plot_(plot) {
    if (!plot.layer(layerName()))
      plot.addLayer(layerName(), plot.layer(QStringLiteral("axes")), QCustomPlot::limBelow);
    QRegion outside(plot.viewport());
    for (const QCPAxisRect* rect : plot.axisRects())
      outside -= rect->rect();
    for (const QCPLayoutElement* element : plot.plotLayout()->elements(true))
      if (qobject_cast<const QCPColorScale*>(element)) outside -= element->outerRect();
    for (const QRect& part : outside) {
      auto* cover = new QCPItemRect(&plot);
      for (QCPItemPosition* corner : {cover->topLeft, cover->bottomRight})
        corner->setType(QCPItemPosition::ptAbsolute);
      cover->topLeft->setPixelPosition(part.topLeft());
      cover->bottomRight->setPixelPosition(QPointF(part.right() + 1, part.bottom() + 1));
      cover->setClipToAxisRect(false);
      cover->setLayer(layerName());
      cover->setPen(Qt::NoPen);
      cover->setBrush(UiTheme::current().panel);
      covers_.push_back(cover);
    }
  }
  Surround(const Surround&) = delete;
  Surround& operator=(const Surround&) = delete;
  ~Surround() {
    for (QCPItemRect* cover : covers_)
      plot_.removeItem(cover);
  }

private:
  static QString layerName() { return QStringLiteral("surround"); }

  QCustomPlot& plot_;
  std::vector<QCPItemRect*> covers_;
};

} // namespace

/// The title, and the plot below it as it is on the screen but for the ring under the pointer.
void PlotExport::draw(QCPPainter& painter, QSize size) const {
  const UiTheme& theme = UiTheme::current();
  QFont bold = font;
  bold.setBold(true);
  const QFontMetrics metrics(bold);
  const int top = metrics.height() + 10;
  painter.fillRect(QRect(QPoint(), size), theme.panel);
  painter.save();
  painter.translate(0, top);
  QCPLayer& pointed = *plot.layer(QStringLiteral("overlay"));
  pointed.setVisible(false);
  plot.toPainter(&painter, size.width(), size.height() - top);
  pointed.setVisible(true);
  painter.restore();
  painter.setClipping(false);
  painter.fillRect(QRect(0, 0, size.width(), top + 2), theme.panel); // over what was not clipped
  painter.setFont(bold);
  painter.setPen(QPen(theme.text));
  painter.drawText(QPointF(10, 6 + metrics.ascent()),
                   metrics.elidedText(title, Qt::ElideRight, size.width() - 20));
}

QImage PlotExport::picture(double scale) const {
  const QSize size(plot.width(), plot.height() + QFontMetrics(font).height() + 10);
  QImage image((QSizeF(size) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  QCPPainter painter(&image);
  painter.scale(scale, scale);
  draw(painter, size);
  return image;
}

QByteArray PlotExport::svg() const {
  const QSize size(plot.width(), plot.height() + QFontMetrics(font).height() + 10);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(size);
  generator.setResolution(plot.logicalDpiX()); // letters as large as on the screen
  generator.setViewBox(QRect(QPoint(), size));
  generator.setTitle(title);
  generator.setDescription(summary);
  const Surround surround(plot);
  QCPPainter painter;
  painter.begin(&generator);
  painter.setMode(QCPPainter::pmVectorized);
  draw(painter, size);
  painter.end();
  return bytes;
}

void PlotExport::copyPicture() const { QGuiApplication::clipboard()->setImage(picture()); }

void PlotExport::copySvg() const {
  const QByteArray bytes = svg();
  auto* mime = new QMimeData;
  mime->setData(QStringLiteral("image/svg+xml"), bytes);
  mime->setText(QString::fromUtf8(bytes));
  QGuiApplication::clipboard()->setMimeData(mime);
}

void PlotExport::copyTable() const {
  auto* mime = new QMimeData;
  const QString csv = table.csv();
  mime->setData(QStringLiteral("text/csv"), csv.toUtf8());
  mime->setText(csv);
  QGuiApplication::clipboard()->setMimeData(mime);
}

QString PlotExport::saveTo(const QString& path) const {
  const QString kind = QFileInfo(path).suffix().toLower();
  if (kind == QLatin1String("png")) return savePicture(picture(), path);
  if (kind != QLatin1String("svg") && kind != QLatin1String("csv"))
    return tr("%1 was not written: plots are saved as .png, .svg or .csv").arg(path);
  const QByteArray bytes = kind == QLatin1String("svg") ? svg() : table.csv().toUtf8();
  const auto written =
      writeWholeFile(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
  return written ? QString() : QString::fromStdString(written.error());
}

} // namespace lloyd
