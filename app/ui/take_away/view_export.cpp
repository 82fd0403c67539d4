// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/take_away/view_export.hpp"

#include "app/model/session/session.hpp"
#include "app/ui/common/save_dialog.hpp"
#include "app/ui/view/viewport.hpp"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QProgressDialog>
#include <QPushButton>
#include <QSpinBox>

#include <stdexcept>
#include <utility>

namespace lloyd {

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
  auto* size = new QLabel(tr("&Size"), this);
  size->setBuddy(scale_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
  auto* form = new QFormLayout(this);
  form->addRow(size, scale_);
  form->addRow(QString(), pixels_);
  form->addRow(QString(), transparent_);
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
    SaveDialog::ask(&window_, dialog->windowTitle(), QStringLiteral("points.png"), {tr("PNG (*.png)")},
                    [this, wish = dialog->wish()](const QString& path) { write(wish, path); });
  });
  dialog->open();
}

void ViewExport::write(const PictureWish& wish, const QString& path) {
  if (!viewport_ || busy_) return;
  busy_ = true;
  playOn_ = session_.playing();
  session_.pause();
  // Once it answers, no iteration is under way that would change the labels between two tiles.
  session_.fetchLabels([this, wish, path](const std::vector<Label>&, const IterationPtr& result) {
    result ? begin(wish, path) : end();
  });
}

void ViewExport::begin(const PictureWish& wish, const QString& path) {
  try {
    picture_ = viewport_->beginPicture(wish);
  } catch (const std::runtime_error& error) {
    Q_EMIT message(QString::fromUtf8(error.what()), true);
  }
  if (!picture_) return end();
  path_ = path;
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
    save(picture_->image(), path_);
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

void ViewExport::save(const QImage& picture, const QString& path) {
  writer_.post([this, picture, path] {
    const QString wrong = savePicture(picture, path);
    const QString said = wrong.isEmpty() ? tr("Picture of %1 x %2 pixels written to %3")
                                               .arg(picture.width())
                                               .arg(picture.height())
                                               .arg(path)
                                         : wrong;
    QMetaObject::invokeMethod(this, [this, said, bad = !wrong.isEmpty()] { Q_EMIT message(said, bad); });
  });
}

QImage pictureOf(Viewport& viewport, const PictureWish& wish) {
  std::unique_ptr<ViewPicture> picture = viewport.beginPicture(wish);
  if (!picture) return {};
  while (viewport.advancePicture(*picture)) {
  }
  const QImage image = picture->image();
  viewport.endPicture(std::move(picture));
  return image;
}

} // namespace lloyd
