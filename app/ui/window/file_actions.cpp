// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/file_actions.hpp"

#include "app/data/generate/default_counts.hpp"
#include "app/data/read/formats.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/picture_file.hpp"

#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QWidget>

namespace lloyd {

namespace {

/// As many points as move fluidly.
std::size_t drawnPoints(bool gpu) { return gpu ? default_counts::drawnByGpu : default_counts::drawnByCpu; }

} // namespace

FileActions::FileActions(Session& session, QWidget& window)
    : session_(session), window_(window), exporter_(session) {
  window_.setAcceptDrops(true);
  window_.installEventFilter(this);
  connect(&exporter_, &ResultExporter::said, this, &FileActions::message);
}

void FileActions::openFirstPicture() {
  // Looking for a GPU can take a second; the window is there meanwhile.
  const BackendRequest backend = session_.settings().backend;
  const bool cpu = backend == BackendRequest::simt || backend == BackendRequest::cpu;
  probe_.post([this, cpu] {
    const bool gpu = !cpu && listDevices().cudaWhy.empty();
    QMetaObject::invokeMethod(this, [this, gpu] {
      DataRequest request;
      request.generator = "drift:";
      request.defaultCount = drawnPoints(gpu);
      request.defaultClusters = session_.settings().k;
      Q_EMIT firstPictureFound();
      open(request);
    });
  });
}

void FileActions::open(const DataRequest& request) {
  DataRequest wanted = request;
  if (wanted.path.empty() && wanted.defaultCount == 0)
    wanted.defaultCount = drawnPoints(session_.device().backend == Backend::cuda);
  const bool paused = session_.data() && !session_.playing() && !session_.converged();
  session_.open(wanted);
  if (!paused) session_.play();
}

void FileActions::openFirst(const QStringList& paths) {
  QString first;
  QStringList others;
  for (const QString& path : paths) {
    const QFileInfo file(path);
    if (first.isEmpty() && file.isFile() && file.isReadable()) {
      first = path;
    } else {
      others << file.fileName();
    }
  }
  if (!others.isEmpty()) {
    const int named = 5;
    QString names = QStringList(others.mid(0, named)).join(QStringLiteral(", "));
    if (others.size() > named) names += tr(" and %1 more").arg(others.size() - named);
    Q_EMIT message(
        first.isEmpty()
            ? tr("None of these is a file that can be read: %1. The present data stay.").arg(names)
            : tr("One file at a time: %1 is opened, not %2").arg(QFileInfo(first).fileName(), names),
        first.isEmpty());
  }
  if (first.isEmpty()) return;
  DataRequest request;
  request.path = first.toStdString();
  open(request);
}

void FileActions::chooseFile() {
  QStringList patterns;
  for (const Format& format : formats()) {
    if (format.reads.empty()) continue;
    for (const QString& extension : qtext(format.extensions).split(QLatin1Char(' '), Qt::SkipEmptyParts))
      patterns << QStringLiteral("*.") + extension;
  }
  const QString path =
      QFileDialog::getOpenFileName(&window_, tr("Open points"), folder(),
                                   tr("Points (%1);;All files (*)").arg(patterns.join(QLatin1Char(' '))));
  if (!path.isEmpty()) openFirst({path});
}

QString FileActions::folder() const {
  if (!lastFolder_.isEmpty()) return lastFolder_;
  const std::string& open = session_.request().path;
  return open.empty() ? QString() : QFileInfo(QString::fromStdString(open)).absolutePath();
}

QString FileActions::askWhereTo(const QString& title, const QString& name, const QStringList& kinds) {
  QFileDialog dialog(&window_, title, folder());
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setNameFilters(kinds);
  const auto takeSuffix = [&dialog](const QString& kind) {
    dialog.setDefaultSuffix(kind.section(QStringLiteral("*."), 1).chopped(1));
  };
  takeSuffix(kinds.front());
  connect(&dialog, &QFileDialog::filterSelected, &dialog, takeSuffix);
  dialog.selectFile(name);
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return {};
  const QString path = dialog.selectedFiles().front();
  lastFolder_ = QFileInfo(path).absolutePath();
  return path;
}

void FileActions::chooseExport(bool labels) {
  const QString of = QFileInfo(QString::fromStdString(session_.request().path)).completeBaseName();
  const QString what = labels ? QStringLiteral("labels.csv") : QStringLiteral("centroids.csv");
  const QString path = askWhereTo(labels ? tr("Export labels") : tr("Export centroids"),
                                  of.isEmpty() ? what : of + QLatin1Char('-') + what,
                                  {tr("CSV (*.csv)"), tr("NumPy array (*.npy)")});
  if (path.isEmpty()) return;
  labels ? exporter_.labels(path) : exporter_.centroids(path);
}

void FileActions::takeScreenshot() {
  const QImage picture = window_.grab().toImage(); // before the dialog covers it
  const QString path =
      askWhereTo(tr("Save a picture of the window"), QStringLiteral("lloydscope.png"), {tr("PNG (*.png)")});
  if (path.isEmpty()) return;
  const QString wrong = savePicture(picture, path);
  Q_EMIT message(wrong.isEmpty() ? tr("Picture written to %1").arg(path) : wrong, !wrong.isEmpty());
}

bool FileActions::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
    return QObject::eventFilter(watched, event);
  auto* dropped = static_cast<QDropEvent*>(event); // a drag that enters is one, too
  if (!dropped->mimeData()->hasUrls()) return false;
  dropped->acceptProposedAction();
  if (event->type() == QEvent::DragEnter) return true;
  QStringList paths;
  for (const QUrl& url : dropped->mimeData()->urls())
    paths << (url.isLocalFile() ? url.toLocalFile() : url.toString());
  openFirst(paths);
  return true;
}

} // namespace lloyd
