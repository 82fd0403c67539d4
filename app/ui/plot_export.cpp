// SPDX-License-Identifier: GPL-3.0-or-later
// How a plot leaves the window: as a picture, as vectors, as numbers.
#include "app/data/atomic_file.hpp"
#include "app/ui/exporter.hpp"
#include "app/ui/plot_pane.hpp"
#include "app/ui/theme.hpp"

#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>
#include <QRegion>
#include <QSvgGenerator>
#include <qcustomplot.h>

#include <memory>

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
void PlotPane::draw(QCPPainter& painter, QSize size) const {
  const UiTheme& theme = UiTheme::current();
  QFont bold = font();
  bold.setBold(true);
  const QFontMetrics metrics(bold);
  const int top = metrics.height() + 10;
  painter.fillRect(QRect(QPoint(), size), theme.panel);
  painter.save();
  painter.translate(0, top);
  const bool ringed = ring_->visible();
  ring_->setVisible(false);
  plot_->toPainter(&painter, size.width(), size.height() - top);
  ring_->setVisible(ringed);
  painter.restore();
  painter.setClipping(false);
  painter.fillRect(QRect(0, 0, size.width(), top + 2), theme.panel); // over what was not clipped
  painter.setFont(bold);
  painter.setPen(QPen(theme.text));
  painter.drawText(QPointF(10, 6 + metrics.ascent()),
                   metrics.elidedText(title(), Qt::ElideRight, size.width() - 20));
}

QImage PlotPane::picture(double scale) const {
  const QSize size(plot_->width(), plot_->height() + fontMetrics().height() + 10);
  QImage image((QSizeF(size) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  QCPPainter painter(&image);
  painter.scale(scale, scale);
  draw(painter, size);
  return image;
}

QByteArray PlotPane::svg() const {
  const QSize size(plot_->width(), plot_->height() + fontMetrics().height() + 10);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(size);
  generator.setResolution(logicalDpiX()); // letters as large as on the screen
  generator.setViewBox(QRect(QPoint(), size));
  generator.setTitle(title());
  generator.setDescription(summary());
  const Surround surround(*plot_);
  QCPPainter painter;
  painter.begin(&generator);
  painter.setMode(QCPPainter::pmVectorized);
  draw(painter, size);
  painter.end();
  return bytes;
}

void PlotPane::copyPicture() const { QGuiApplication::clipboard()->setImage(picture()); }

void PlotPane::copySvg() const {
  const QByteArray bytes = svg();
  auto* mime = new QMimeData;
  mime->setData(QStringLiteral("image/svg+xml"), bytes);
  mime->setText(QString::fromUtf8(bytes));
  QGuiApplication::clipboard()->setMimeData(mime);
}

void PlotPane::copyTable() const {
  auto* mime = new QMimeData;
  const QString csv = table().csv();
  mime->setData(QStringLiteral("text/csv"), csv.toUtf8());
  mime->setText(csv);
  QGuiApplication::clipboard()->setMimeData(mime);
}

QString PlotPane::saveTo(const QString& path) const {
  const QString kind = QFileInfo(path).suffix().toLower();
  if (kind == QLatin1String("png")) return savePicture(picture(), path);
  if (kind != QLatin1String("svg") && kind != QLatin1String("csv"))
    return tr("%1 was not written: plots are saved as .png, .svg or .csv").arg(path);
  const QByteArray bytes = kind == QLatin1String("svg") ? svg() : table().csv().toUtf8();
  const auto written =
      writeWholeFile(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
  return written ? QString() : QString::fromStdString(written.error());
}

void PlotPane::fillMenu(QMenu* menu) {
  const auto add = [&](const QString& text, const QString& done, const std::function<void()>& work) {
    QAction* action = menu->addAction(text);
    connect(action, &QAction::triggered, this, [this, done, work] {
      work();
      if (!done.isEmpty()) Q_EMIT said(done, false);
    });
    connect(menu, &QMenu::aboutToShow, action, [this, action] { action->setEnabled(emptyText_.isEmpty()); });
  };
  add(tr("Copy as &PNG"), tr("The plot is on the clipboard as a picture"), [this] { copyPicture(); });
  add(tr("Copy as &SVG"), tr("The plot is on the clipboard as SVG"), [this] { copySvg(); });
  add(tr("Copy data as &CSV"), tr("The numbers of the plot are on the clipboard as CSV"),
      [this] { copyTable(); });
  add(tr("Save &as…"), {}, [this] { askWhereToSave(); });
  menu->addSeparator();
  add(tr("Show &all data"), {}, [this] { reset(); });
}

void PlotPane::askWhereToSave() {
  auto* dialog = new QFileDialog(this, tr("Save %1").arg(name_));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilters({tr("Picture (*.png)"), tr("Vectors (*.svg)"), tr("Numbers (*.csv)")});
  dialog->setDefaultSuffix(QStringLiteral("png"));
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
    dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1));
  });
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    const QString error = saveTo(path);
    Q_EMIT said(error.isEmpty() ? tr("The plot is saved as %1").arg(path) : error, !error.isEmpty());
  });
  dialog->open();
}

} // namespace lloyd
