// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/take_away/record_dialog.hpp"

#include "app/ui/common/save_dialog.hpp"
#include "app/ui/view/viewport.hpp"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QProgressDialog>
#include <QPushButton>
#include <QSpinBox>

#include <utility>

namespace lloyd {

RecordDialog::RecordDialog(QSize view, QWidget* parent)
    : QDialog(parent), view_(view), frames_(new QSpinBox(this)), scale_(new QSpinBox(this)),
      transparent_(new QCheckBox(tr("&Transparent"), this)),
      fromStart_(new QCheckBox(tr("From the first &centroids"), this)),
      film_(new QCheckBox(tr("Fil&m of them, run.mp4"), this)), rate_(new QSpinBox(this)) {
  setObjectName(QStringLiteral("recordDialog"));
  setWindowTitle(tr("Record the run"));
  frames_->setObjectName(QStringLiteral("recordFrames"));
  frames_->setRange(1, RecordingWish::mostFrames);
  frames_->setValue(RecordingWish().frames);
  frames_->setAccessibleName(tr("Frames, one an iteration"));
  frames_->setToolTip(
      tr("Pictures: one of the first centroids, then one after each iteration; fewer where the run "
         "converges before"));
  scale_->setObjectName(QStringLiteral("recordScale"));
  scale_->setRange(1, PictureWish::mostScale);
  scale_->setSuffix(tr(" times"));
  scale_->setAccessibleName(tr("Size of the pictures, times that of the view"));
  scale_->setToolTip(tr("How many times as many pixels each way as the view has"));
  transparent_->setObjectName(QStringLiteral("recordTransparent"));
  transparent_->setToolTip(tr("Nothing is drawn behind the points"));
  fromStart_->setObjectName(QStringLiteral("recordFromStart"));
  fromStart_->setChecked(true);
  fromStart_->setToolTip(
      tr("Seeds again, with the same seed; without it the recording goes on from the present "
         "state, which is its first picture"));
  const QString whyNoFilm = Film::whyNot();
  film_->setObjectName(QStringLiteral("recordFilm"));
  film_->setToolTip(whyNoFilm.isEmpty()
                        ? tr("ffmpeg makes it, beside the frames, once they are written; what is "
                             "transparent in them is black in it")
                        : whyNoFilm);
  film_->setEnabled(whyNoFilm.isEmpty());
  rate_->setObjectName(QStringLiteral("recordRate"));
  rate_->setRange(1, 120);
  rate_->setValue(Film::framesASecond);
  rate_->setSuffix(tr(" frames a second"));
  rate_->setAccessibleName(tr("Frames a second of the film"));
  rate_->setToolTip(tr("How many iterations a second of the film shows"));
  rate_->setEnabled(false);
  connect(film_, &QCheckBox::toggled, rate_, &QWidget::setEnabled);
  auto* frames = new QLabel(tr("&Frames"), this);
  frames->setBuddy(frames_);
  auto* size = new QLabel(tr("&Size"), this);
  size->setBuddy(scale_);
  auto* pixels = new QLabel(this);
  auto* note =
      new QLabel(tr("Numbered PNGs, frame-0001.png and on, in a folder. What was written when a recording "
                    "is cancelled stays."),
                 this);
  note->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  QPushButton* record = buttons->addButton(tr("&Record into…"), QDialogButtonBox::AcceptRole);
  record->setDefault(true);
  auto* form = new QFormLayout(this);
  form->addRow(frames, frames_);
  form->addRow(size, scale_);
  form->addRow(QString(), pixels);
  form->addRow(QString(), transparent_);
  form->addRow(QString(), fromStart_);
  form->addRow(QString(), film_);
  form->addRow(QString(), rate_);
  form->addRow(note);
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  const auto showSize = [this, pixels, record] {
    const QSize all = view_ * scale_->value();
    const QString why = whyNot();
    pixels->setText(why.isEmpty() ? tr("%1 x %2 pixels").arg(all.width()).arg(all.height()) : why);
    pixels->setWordWrap(!why.isEmpty());
    record->setEnabled(why.isEmpty());
  };
  connect(scale_, &QSpinBox::valueChanged, this, showSize);
  showSize();
}

QString RecordDialog::whyNot() const { return ViewPicture::whyNot(view_, scale_->value()); }

RecordingWish RecordDialog::wish() const {
  RecordingWish wish;
  wish.frames = frames_->value();
  wish.fromStart = fromStart_->isChecked();
  wish.filmRate = film_->isChecked() ? rate_->value() : 0;
  wish.picture.scale = scale_->value();
  wish.picture.transparent = transparent_->isChecked();
  return wish;
}

Recording::Recording(Session& session, Viewport& viewport, QWidget& window)
    : QObject(&window), viewport_(viewport), window_(window), recorder_(session, viewport) {
  connect(&recorder_, &ViewRecorder::advanced, this, [this](int frames) {
    if (progress_) progress_->setValue(frames);
  });
  connect(&recorder_, &ViewRecorder::ended, this, [this](const QString& text, bool error) {
    if (QProgressDialog* progress = std::exchange(progress_, nullptr)) progress->deleteLater();
    Q_EMIT message(text, error);
  });
}

void Recording::choose() {
  if (recorder_.busy()) return;
  auto* dialog =
      new RecordDialog((QSizeF(viewport_.size()) * viewport_.devicePixelRatioF()).toSize(), &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    auto* folders = new QFileDialog(&window_, tr("An empty folder for the frames"), SaveDialog::folder());
    folders->setAttribute(Qt::WA_DeleteOnClose);
    folders->setFileMode(QFileDialog::Directory);
    folders->setOption(QFileDialog::ShowDirsOnly);
    connect(folders, &QFileDialog::fileSelected, this,
            [this, wish = dialog->wish()](const QString& folder) { record(wish, folder); });
    folders->open();
  });
  dialog->open();
}

void Recording::record(const RecordingWish& wish, const QString& folder) {
  if (recorder_.busy()) return;
  progress_ = new QProgressDialog(tr("Recording"), tr("Cancel"), 0, wish.frames, &window_);
  progress_->setObjectName(QStringLiteral("recordProgress"));
  progress_->setWindowModality(Qt::WindowModal);
  progress_->setMinimumDuration(0);
  progress_->setAutoClose(false);
  progress_->setAutoReset(false);
  progress_->setValue(0);
  connect(progress_, &QProgressDialog::canceled, &recorder_, &ViewRecorder::cancel);
  recorder_.start(wish, folder);
}

} // namespace lloyd
