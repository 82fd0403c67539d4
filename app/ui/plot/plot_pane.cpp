// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/plot_pane.hpp"

#include "app/data/write/atomic_file.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/save_dialog.hpp"
#include "app/ui/common/theme.hpp"

#include <QBuffer>
#include <QCheckBox>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QRegion>
#include <QStackedWidget>
#include <QSvgGenerator>
#include <QToolButton>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <cmath>
#include <memory>
#include <set>
#include <vector>

namespace lloyd {

namespace {

constexpr double keyStep = 0.12; ///< of the visible range
constexpr double keyZoom = 1 / 1.25;
constexpr double ringRadius = 7.5; ///< pixels; larger than any marker

/// Of the title, whatever it is before the style sheet has made it bold.
int boldWidthOf(const QString& text, QFont font) {
  font.setBold(true);
  return QFontMetrics(font).horizontalAdvance(text);
}

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

PlotPane::PlotPane(const QString& name, QWidget* parent, FigurePainter::Panels panels)
    : QWidget(parent), name_(name), title_(new ElidedLabel(this)), readOut_(new ElidedLabel(this)),
      header_(new QHBoxLayout), pages_(new QStackedWidget(this)), empty_(new QLabel(this)),
      plot_(new QCustomPlot(this)), painter_(*plot_, panels), menu_(new QMenu(this)),
      ring_(new QCPItemEllipse(plot_)) {
  title_->setObjectName(QStringLiteral("caption"));
  title_->setText(name);
  readOut_->setProperty("dim", true);
  readOut_->setObjectName(QStringLiteral("readOut"));
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setProperty("dim", true);
  empty_->setMargin(24);
  empty_->setAccessibleName(name);

  plot_->setAccessibleName(name);
  plot_->setFocusPolicy(Qt::StrongFocus);
  plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  plot_->setMinimumSize(120, 80);
  plot_->installEventFilter(this);
  ring_->setLayer(QStringLiteral("overlay"));
  ring_->setClipToAxisRect(false);
  ring_->setSelectable(false);
  ring_->setVisible(false);
  for (QCPItemPosition* corner : {ring_->topLeft, ring_->bottomRight})
    corner->setType(QCPItemPosition::ptAbsolute);

  auto* menuButton = new QToolButton(this);
  menuButton->setText(QStringLiteral("⋯"));
  menuButton->setAutoRaise(true);
  menuButton->setFocusPolicy(Qt::TabFocus);
  menuButton->setPopupMode(QToolButton::InstantPopup);
  menuButton->setToolTip(tr("Copy or save this plot and its numbers"));
  menuButton->setAccessibleName(tr("%1: copy or save").arg(name));
  menuButton->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
  menuButton->setMenu(menu_);
  fillMenu(menu_);

  header_->setContentsMargins(6, 0, 0, 0);
  header_->setSpacing(8);
  header_->addWidget(title_, 1);
  header_->addWidget(menuButton);
  pages_->addWidget(plot_);
  pages_->addWidget(empty_);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(6, 0, 6, 2);
  foot->addWidget(readOut_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(2, 2, 2, 2);
  layout->setSpacing(2);
  layout->addLayout(header_);
  layout->addWidget(pages_, 1);
  layout->addLayout(foot);
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  connectMouse();
  renewColours();
}

PlotExport PlotPane::exported() const { return {*plot_, title(), summary(), font(), table()}; }

PlotPane::~PlotPane() { plot_->removeEventFilter(this); }

QString PlotPane::title() const { return longTitle_; }

QString PlotPane::summary() const { return plot_->accessibleDescription(); }

void PlotPane::setFigure(Figure figure) {
  emptyText_ = figure.empty;
  note_ = figure.note;
  longTitle_ = figure.title;
  shortTitle_ = figure.shortTitle;
  showTitle();
  title_->setToolTip(figure.toolTip);
  empty_->setText(emptyText_);
  pages_->setCurrentWidget(emptyText_.isEmpty() ? static_cast<QWidget*>(plot_) : empty_);
  readOut_->setVisible(emptyText_.isEmpty() && !small_ && !saysNothing_);
  if (!ring_->visible()) readOut_->setText(note_);
  plot_->setAccessibleDescription(emptyText_.isEmpty() ? figure.summary : emptyText_);
  painter_.paint(std::move(figure));
  if (!moved_ && !dragging_) painter_.fit();
  replot();
}

void PlotPane::hideReadOut() {
  saysNothing_ = true;
  readOut_->hide();
}

void PlotPane::renewColours() {
  // Dashed, unlike the rings that are markers.
  ring_->setPen(QPen(UiTheme::current().accent, 1.8, Qt::DashLine));
  ring_->setBrush(Qt::NoBrush);
  painter_.renewColours();
  replot();
}

void PlotPane::setSmall(const QString& longestTitle) {
  title_->setMinimumWidth(boldWidthOf(longestTitle, title_->font()) + 2);
  small_ = true;
  readOut_->hide();
  // The title needs the width of the menu's button; a right click opens the menu as well.
  header_->itemAt(header_->count() - 1)->widget()->hide();
  empty_->setMargin(4);
  empty_->setMinimumSize(1, 1); // its sentence must not widen the panel
  header_->setContentsMargins(0, 0, 0, 0);
  layout()->setContentsMargins(0, 0, 0, 0);
  plot_->setFocusPolicy(Qt::TabFocus); // for the menu key
  plot_->setInteractions({});
  plot_->setMinimumSize(80, 50);
}

void PlotPane::addControl(QWidget* control) { header_->insertWidget(header_->count() - 1, control); }

QCheckBox* PlotPane::addCheck(const QString& text, const QString& toolTip,
                              const std::function<void(bool)>& toggled) {
  auto* check = new QCheckBox(text, this);
  check->setToolTip(toolTip);
  check->setAccessibleDescription(toolTip);
  connect(check, &QCheckBox::toggled, this, [this, toggled](bool on) {
    toggled(on);
    reset();
  });
  addControl(check);
  return check;
}

void PlotPane::replot() {
  if (!emptyText_.isEmpty()) return;
  painter_.arrange();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotPane::reset() {
  moved_ = false;
  painter_.fit();
  viewMoved();
  replot();
}

void PlotPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showTitle();
  pointNowhere();
}

void PlotPane::showTitle() {
  const bool fits = shortTitle_.isEmpty() || boldWidthOf(longTitle_, title_->font()) <= title_->width();
  title_->setText(fits ? longTitle_ : shortTitle_);
}

void PlotPane::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  if (!plot_->hasFocus()) return;
  QPainter painter(this);
  painter.setPen(UiTheme::current().accent);
  painter.drawRect(pages_->geometry().adjusted(-1, -1, 0, 0));
}

void PlotPane::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) renewColours();
}

void PlotPane::zoom(double factor) {
  moved_ = true;
  for (QCPAxis* axis : painter_.axes())
    axis->scaleRange(factor);
  viewMoved();
  replot();
}

void PlotPane::pan(double right, double up) {
  moved_ = true;
  for (QCPAxis* axis : painter_.axes()) {
    const double part = axis->orientation() == Qt::Horizontal ? right : up;
    const QCPRange range = axis->range();
    axis->moveRange(axis->scaleType() == QCPAxis::stLogarithmic ? std::pow(range.upper / range.lower, part)
                                                                : range.size() * part);
  }
  viewMoved();
  replot();
}

QString PlotPane::readAt(QPointF at) const {
  const auto found = emptyText_.isEmpty() ? painter_.hover(at) : std::nullopt;
  return found ? found->text : QString();
}

void PlotPane::point(QPointF at) {
  const auto found = emptyText_.isEmpty() ? painter_.hover(at) : std::nullopt;
  if (!found) return pointNowhere();
  readOut_->setText(found->text);
  readOut_->setToolTip(found->text);
  if (small_ || toolTips_) plot_->setToolTip(found->text);
  putRing(found->at);
}

void PlotPane::putRing(std::optional<QPointF> at) {
  if (!at && !ring_->visible()) return;
  if (at) {
    ring_->topLeft->setPixelPosition(*at - QPointF(ringRadius, ringRadius));
    ring_->bottomRight->setPixelPosition(*at + QPointF(ringRadius, ringRadius));
  }
  ring_->setVisible(at.has_value());
  plot_->layer(QStringLiteral("overlay"))->replot();
}

void PlotPane::pointNowhere() {
  readOut_->setText(note_);
  readOut_->setToolTip({});
  plot_->setToolTip({});
  putRing(std::nullopt);
}

void PlotPane::connectMouse() {
  connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
      if (small_) return;
      dragging_ = moved_ = true;
      pointNowhere();
      replot();
    } else {
      point(event->position());
    }
  });
  connect(plot_, &QCustomPlot::mouseRelease, this, [this] { dragging_ = false; });
  connect(plot_, &QCustomPlot::mouseWheel, this, [this] {
    if (small_) return;
    moved_ = true;
    // The plot itself takes the wheel after this signal: what depends on the view follows afterwards.
    QMetaObject::invokeMethod(
        this,
        [this] {
          viewMoved();
          replot();
        },
        Qt::QueuedConnection);
  });
  connect(plot_, &QCustomPlot::mouseDoubleClick, this, &PlotPane::reset);
  plot_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(plot_, &QWidget::customContextMenuRequested, this,
          [this](QPoint at) { menu_->popup(plot_->mapToGlobal(at)); });
}

bool PlotPane::handleKey(int key, Qt::KeyboardModifiers modifiers) {
  if (modifiers & ~(Qt::KeypadModifier | Qt::ShiftModifier)) return false;
  switch (key) {
  case Qt::Key_Left:
    pan(-keyStep, 0);
    return true;
  case Qt::Key_Right:
    pan(keyStep, 0);
    return true;
  case Qt::Key_Up:
    pan(0, keyStep);
    return true;
  case Qt::Key_Down:
    pan(0, -keyStep);
    return true;
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    zoom(keyZoom);
    return true;
  case Qt::Key_Minus:
    zoom(1 / keyZoom);
    return true;
  case Qt::Key_0:
  case Qt::Key_R:
    reset();
    return true;
  default:
    return false;
  }
}

bool PlotPane::eventFilter(QObject* watched, QEvent* event) {
  if (watched != plot_) return QWidget::eventFilter(watched, event);
  switch (event->type()) {
  case QEvent::ShortcutOverride: { // the window has other uses for these keys
    if (small_) break;
    static const std::set<int> mine{Qt::Key_Left,  Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Plus,
                                    Qt::Key_Equal, Qt::Key_Minus, Qt::Key_0,  Qt::Key_R};
    const auto* key = static_cast<QKeyEvent*>(event);
    if (mine.count(key->key()) == 0 || (key->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier))) break;
    event->accept();
    return true;
  }
  case QEvent::KeyPress: {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (!small_ && handleKey(key->key(), key->modifiers())) return true;
    break;
  }
  case QEvent::Leave:
    pointNowhere();
    break;
  case QEvent::FocusIn:
  case QEvent::FocusOut:
    update();
    break;
  case QEvent::Resize:
    QMetaObject::invokeMethod(
        this, [this] { replot(); }, Qt::QueuedConnection);
    break;
  default:
    break;
  }
  return QWidget::eventFilter(watched, event);
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
  add(tr("Copy as &PNG"), tr("The plot is on the clipboard as a picture"),
      [this] { exported().copyPicture(); });
  add(tr("Copy as &SVG"), tr("The plot is on the clipboard as SVG"), [this] { exported().copySvg(); });
  add(tr("Copy data as &CSV"), tr("The numbers of the plot are on the clipboard as CSV"),
      [this] { exported().copyTable(); });
  add(tr("Save &as…"), {}, [this] { askWhereToSave(); });
  menu->addSeparator();
  add(tr("Show &all data"), {}, [this] { reset(); });
}

void PlotPane::askWhereToSave() {
  const QString what = name_.toLower().replace(QLatin1Char(' '), QLatin1Char('-'));
  QStringList kinds{tr("Picture (*.png)"), tr("Vectors (*.svg)"), tr("Numbers (*.csv)")};
  for (const Format& format : formats_)
    kinds << format.kind;
  SaveDialog::ask(
      this, tr("Save %1").arg(name_), what + QStringLiteral(".png"), kinds, [this](const QString& path) {
        const QString error = saveTo(path);
        Q_EMIT said(error.isEmpty() ? tr("The plot is saved as %1").arg(path) : error, !error.isEmpty());
      });
}

QString PlotPane::saveTo(const QString& path) const {
  const QString ending = QFileInfo(path).suffix().toLower();
  for (const Format& format : formats_) {
    if (format.suffix != ending) continue;
    const QByteArray bytes = format.bytes();
    const auto written =
        writeWholeFile(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    return written ? QString() : QString::fromStdString(written.error());
  }
  return exported().saveTo(path);
}

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
  generator.setTitle(title.toHtmlEscaped()); // which Qt writes as it is
  generator.setDescription(summary.toHtmlEscaped());
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
