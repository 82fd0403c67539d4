// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/take_away/view_export.hpp"

#include "app/data/write/atomic_file.hpp"
#include "app/model/session/session.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/save_dialog.hpp"
#include "app/ui/view/viewport.hpp"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QProgressDialog>
#include <QPushButton>
#include <QSpinBox>

#include <optional>
#include <stdexcept>
#include <utility>

namespace lloyd {
namespace {

/// What an SVG has of too many points to be circles.
PictureWish pointsAlone(PictureWish wish) {
  wish.transparent = wish.pointsAlone = true;
  return wish;
}

/// points: a complete picture of them alone; null for circles.
QByteArray svgOf(Viewport& viewport, const PictureWish& wish, const ViewPicture* points) {
  std::optional<SvgPoints> image;
  if (points) image = SvgPoints{points->image(), points->drawn()};
  QByteArray svg =
      viewport.svg({.scale = wish.scale, .transparent = wish.transparent}, image ? &*image : nullptr);
  if (svg.isEmpty()) throw std::runtime_error(ViewExport::tr("No points are drawn here").toStdString());
  return svg;
}

void requireSvg(const Viewport& viewport) {
  if (const QString& why = viewport.whyNoSvg(); !why.isEmpty()) throw std::runtime_error(why.toStdString());
}

/// A picture goes with the context of its view current.
struct EndsPicture {
  Viewport* viewport = nullptr;
  void operator()(ViewPicture* picture) const { viewport->endPicture(std::unique_ptr<ViewPicture>(picture)); }
};

std::unique_ptr<ViewPicture, EndsPicture> completePicture(Viewport& viewport, const PictureWish& wish) {
  std::unique_ptr<ViewPicture, EndsPicture> picture(viewport.beginPicture(wish).release(), {&viewport});
  while (picture && viewport.advancePicture(*picture)) {
  }
  return picture;
}

} // namespace

PictureDialog::PictureDialog(QSize view, QWidget* parent)
    : QDialog(parent), view_(view), scale_(new QSpinBox(this)),
      transparent_(new QCheckBox(tr("&Transparent"), this)), pixels_(new QLabel(this)) {
  setObjectName(QStringLiteral("pictureDialog"));
  setWindowTitle(tr("Export a picture of the points"));
  scale_->setObjectName(QStringLiteral("pictureScale"));
  scale_->setRange(1, PictureWish::mostScale);
  scale_->setSuffix(tr(" times"));
  scale_->setAccessibleName(tr("Size of the picture, times that of the view"));
  scale_->setToolTip(tr("How many times as many pixels each way as the view has; points, markers and texts "
                        "grow with it"));
  transparent_->setObjectName(QStringLiteral("pictureTransparent"));
  transparent_->setToolTip(tr("Nothing is drawn behind the points"));
  auto* vectors =
      new QLabel(tr("As PNG, or as SVG: axes, centroids and words are vectors there, and up to %1 "
                    "points are circles; more are an image in it.")
                     .arg(countText(SvgWish::mostCircles)),
                 this);
  vectors->setWordWrap(true);
  auto* size = new QLabel(tr("&Size"), this);
  size->setBuddy(scale_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
  auto* form = new QFormLayout(this);
  form->addRow(size, scale_);
  form->addRow(QString(), pixels_);
  form->addRow(QString(), transparent_);
  form->addRow(vectors);
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(scale_, &QSpinBox::valueChanged, this, [this, buttons] {
    showSize();
    buttons->button(QDialogButtonBox::Save)
        ->setEnabled(ViewPicture::whyNot(view_, scale_->value()).isEmpty());
  });
  showSize();
}

void PictureDialog::showSize() {
  const QSize size = view_ * scale_->value();
  const QString why = ViewPicture::whyNot(view_, scale_->value());
  pixels_->setText(why.isEmpty() ? tr("%1 x %2 pixels").arg(size.width()).arg(size.height()) : why);
  pixels_->setWordWrap(!why.isEmpty());
}

PictureWish PictureDialog::wish() const {
  PictureWish wish;
  wish.scale = scale_->value();
  wish.transparent = transparent_->isChecked();
  return wish;
}

ViewExport::ViewExport(Session& session, Viewport* viewport, QWidget& window)
    : QObject(&window), session_(session), viewport_(viewport), window_(window) {
  next_.setSingleShot(true);
  connect(&next_, &QTimer::timeout, this, &ViewExport::advance);
  // What was drawn of it is lost with the context.
  if (viewport_) connect(viewport_, &Viewport::lost, this, &ViewExport::end);
}

ViewExport::~ViewExport() = default;

void ViewExport::choose() {
  if (!viewport_ || busy_) return;
  auto* dialog =
      new PictureDialog((QSizeF(viewport_->size()) * viewport_->devicePixelRatioF()).toSize(), &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    SaveDialog::ask(&window_, dialog->windowTitle(), QStringLiteral("points.png"),
                    {tr("PNG (*.png)"), tr("SVG (*.svg)")},
                    [this, wish = dialog->wish()](const QString& path) { write(wish, path); });
  });
  dialog->open();
}

void ViewExport::write(const PictureWish& wish, const QString& path) {
  if (!viewport_ || busy_) return;
  busy_ = true;
  // A converged run stands still, and to play it on would be to begin it again.
  playOn_ = session_.playing() && !session_.converged();
  if (playOn_) session_.pause();
  // Once it answers, no iteration is under way that would change the labels between two tiles.
  session_.fetchLabels([this, wish, path](const std::vector<Label>&, const IterationPtr& result) {
    result ? begin(wish, path) : end();
  });
}

void ViewExport::begin(const PictureWish& wish, const QString& path) {
  wish_ = wish;
  path_ = path;
  try {
    if (isSvgName(path)) {
      requireSvg(*viewport_);
      if (viewport_->circlesInSvg()) {
        saveAll();
        return end();
      }
    }
    picture_ = viewport_->beginPicture(isSvgName(path) ? pointsAlone(wish) : wish);
  } catch (const std::runtime_error& error) {
    Q_EMIT message(QString::fromUtf8(error.what()), true);
  }
  if (!picture_) return end();
  progress_ = new QProgressDialog(tr("Drawing the picture"), tr("Cancel"), 0, picture_->tiles(), &window_);
  progress_->setObjectName(QStringLiteral("pictureProgress"));
  progress_->setWindowModality(Qt::WindowModal);
  progress_->setMinimumDuration(0);
  progress_->setAutoClose(false);
  progress_->setAutoReset(false);
  progress_->setValue(0);
  next_.start(0);
}

void ViewExport::advance() {
  if (!picture_) return;
  if (progress_->wasCanceled()) {
    Q_EMIT message(tr("No picture was written: it was cancelled"), false);
    return end();
  }
  try {
    const bool more = viewport_->advancePicture(*picture_);
    progress_->setValue(picture_->drawnTiles());
    if (more) return next_.start(0);
    saveAll();
  } catch (const std::runtime_error& error) {
    Q_EMIT message(QString::fromUtf8(error.what()), true);
  }
  end();
}

void ViewExport::end() {
  next_.stop();
  if (picture_) viewport_->endPicture(std::move(picture_));
  if (progress_) progress_->deleteLater();
  progress_ = nullptr;
  if (std::exchange(busy_, false) && std::exchange(playOn_, false)) session_.play();
}

void ViewExport::saveAll() {
  if (isSvgName(path_)) {
    const QByteArray svg = svgOf(*viewport_, wish_, picture_.get());
    const QString remark = svgRemark(*viewport_);
    save(
        [svg, path = path_] {
          const auto written =
              writeWholeFile(path.toStdString(), {svg.constData(), static_cast<std::size_t>(svg.size())});
          return written ? QString() : QString::fromStdString(written.error());
        },
        remark.isEmpty() ? tr("Picture written to %1").arg(path_)
                         : tr("Picture written to %1: %2").arg(path_, remark));
    return;
  }
  const QImage picture = picture_->image();
  save([picture, path = path_] { return savePicture(picture, path); },
       tr("Picture of %1 x %2 pixels written to %3").arg(picture.width()).arg(picture.height()).arg(path_));
}

void ViewExport::save(std::function<QString()> write, const QString& said) {
  writer_.post([this, write = std::move(write), said] {
    const QString wrong = write();
    QMetaObject::invokeMethod(this, [this, text = wrong.isEmpty() ? said : wrong, bad = !wrong.isEmpty()] {
      Q_EMIT message(text, bad);
    });
  });
}

bool isSvgName(const QString& path) { return path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive); }

QString svgRemark(const Viewport& viewport) {
  if (viewport.circlesInSvg()) return {};
  return ViewExport::tr("its points are an image, because there are more than %1 of them")
      .arg(countText(SvgWish::mostCircles));
}

QImage pictureOf(Viewport& viewport, const PictureWish& wish) {
  const std::unique_ptr<ViewPicture, EndsPicture> picture = completePicture(viewport, wish);
  return picture ? picture->image() : QImage();
}

QByteArray svgOf(Viewport& viewport, const PictureWish& wish) {
  requireSvg(viewport);
  if (viewport.circlesInSvg()) return svgOf(viewport, wish, nullptr);
  const auto picture = completePicture(viewport, pointsAlone(wish));
  return picture ? svgOf(viewport, wish, picture.get()) : QByteArray();
}

} // namespace lloyd
