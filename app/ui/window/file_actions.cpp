// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/file_actions.hpp"

#include "app/data/generate/generators.hpp"
#include "app/data/input/unpack.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read/read_points.hpp"
#include "app/data/write/write_results.hpp"
#include "app/data/write/write_table.hpp"
#include "app/model/compute/initial_centroids.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/model/saved/edit_recorder.hpp"
#include "app/model/saved/moment_restorer.hpp"
#include "app/model/saved/saved_session.hpp"
#include "app/model/selection/cluster_watch.hpp"
#include "app/model/session/centroid_edits.hpp"
#include "app/model/session/live_benchmark.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/common/save_dialog.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/saved/edit_actions.hpp"
#include "app/ui/saved/session_files.hpp"
#include "app/ui/saved/window_state.hpp"
#include "app/ui/window/adopted_runs.hpp"
#include "app/ui/window/workspace_layout.hpp"
#include "gpu/core/contract/error.hpp"

#include <QAction>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMimeData>
#include <QWidget>

#include <utility>

namespace lloyd {

namespace {

/// As many points as move fluidly.
std::size_t drawnPoints(bool gpu) { return gpu ? default_counts::drawnByGpu : default_counts::drawnByCpu; }

constexpr qsizetype mostRecent = 8;

} // namespace

FileActions::FileActions(Session& session, QWidget& window)
    : session_(session), window_(window), exporter_(session) {
  window_.setAcceptDrops(true);
  window_.installEventFilter(this);
  connect(&exporter_, &ResultExporter::said, this, &FileActions::message);
  connect(&session_, &Session::dataChanged, this, [this] {
    if (session_.data() && !session_.data()->drift) next_.reset();
    if (session_.data() && session_.data()->imageWidth > 0) image_ = session_.request().image;
    remember(QString::fromStdString(session_.request().path));
    if (std::exchange(playDue_, false))
      QMetaObject::invokeMethod(
          this, [this] { session_.play(); }, Qt::QueuedConnection);
  });
  connect(&session_, &Session::loadEnded, this, [this] { playDue_ = playDue_ && session_.loading(); });
}

void FileActions::openFirstPicture() {
  // Looking for a GPU can take a second; the window is there meanwhile.
  const BackendRequest backend = session_.settings().backend;
  const bool cpu = backend == BackendRequest::simt || backend == BackendRequest::cpu;
  worker_.post([this, cpu] {
    const bool gpu = !cpu && listDevices().cudaWhy.empty();
    QMetaObject::invokeMethod(this, [this, gpu] {
      DataRequest request;
      request.generator = "drift:";
      request.defaultCount = drawnPoints(gpu);
      request.defaultClusters = session_.settings().k;
      Q_EMIT firstPictureFound(request);
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
  // What there is goes on as it was until others are there: they may never come.
  if (!session_.data()) return session_.play();
  playDue_ = !paused;
}

void FileActions::openSample(DataRequest request) {
  request.defaultClusters = session_.settings().k;
  if (!driftsByName(request)) request.scaling = nextScaling();
  open(request);
}

void FileActions::openFirst(const QStringList& paths) {
  QString first;
  QStringList others;
  for (const QString& path : paths) {
    const QFileInfo file(QString::fromStdString(memberPath(path.toStdString()).file));
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
  if (first.isEmpty()) {
    QStringList left = recent_;
    for (const QString& path : paths)
      left.removeAll(path);
    if (left != recent_) setRecent(left);
    return;
  }
  if (isSessionFile(first.toStdString())) return Q_EMIT sessionWanted(first);
  DataRequest request;
  request.path = first.toStdString();
  request.scaling = nextScaling();
  request.image = image_;
  openFile(request);
}

void FileActions::openFile(const DataRequest& request) {
  QFile file(QString::fromStdString(request.path));
  const bool archive = file.open(QIODevice::ReadOnly) && file.read(2) == "PK";
  if (!archive) return open(request);
  worker_.post([this, request] {
    QStringList members;
    try {
      for (const std::string& member : packedMembers(request.path))
        members << QString::fromStdString(member);
    } catch (const ReadFailure&) {
      members.clear(); // whoever opens it says why
    }
    QMetaObject::invokeMethod(this, [this, request, members] {
      members.size() > 1 ? askForMember(request, members) : open(request);
    });
  });
}

void FileActions::askForMember(const DataRequest& request, const QStringList& members) {
  auto* dialog = new QInputDialog(&window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("memberDialog"));
  dialog->setOption(QInputDialog::UseListViewForComboBoxItems);
  dialog->setWindowTitle(tr("Open points"));
  dialog->setLabelText(
      tr("Which file of %1?").arg(QFileInfo(QString::fromStdString(request.path)).fileName()));
  dialog->setComboBoxItems(members);
  dialog->setTextValue(members.front());
  dialog->setOkButtonText(tr("Open"));
  connect(dialog, &QInputDialog::textValueSelected, this, [this, request](const QString& member) {
    DataRequest wanted = request;
    wanted.path += ':' + member.toStdString();
    open(wanted);
  });
  dialog->open();
}

void FileActions::setRecent(const QStringList& paths) {
  recent_ = paths.mid(0, mostRecent);
  Q_EMIT recentChanged();
}

void FileActions::remember(const QString& path) {
  SaveDialog::setOpenFile(path);
  if (!path.isEmpty()) addRecent(path);
}

void FileActions::addRecent(const QString& path) {
  QStringList paths = recent_;
  const QString whole = QFileInfo(path).absoluteFilePath();
  paths.removeAll(whole);
  paths.prepend(whole);
  setRecent(paths);
}

void FileActions::chooseCentroids() {
  const QString path = QFileDialog::getOpenFileName(&window_, tr("First centroids"), SaveDialog::folder(),
                                                    tr("Tables (*.csv *.npy *.txt *.tsv);;All files (*)"));
  if (!path.isEmpty()) beginFrom(path);
}

void FileActions::beginFrom(const QString& path) {
  const SharedPointSet points = session_.data();
  if (!points) return;
  worker_.post([this, points, path] {
    Settings read;
    read.init.kind = InitKind::given;
    read.init.path = path.toStdString();
    QString wrong;
    try {
      readGivenCentroids(read, *points);
    } catch (const RequestError& error) {
      wrong = QString::fromUtf8(error.what());
    }
    QMetaObject::invokeMethod(this, [this, points, read, wrong] {
      if (!wrong.isEmpty()) return Q_EMIT message(wrong, true);
      if (points != session_.data()) return; // they were read for other points
      Settings settings = session_.settings();
      settings.k = read.k;
      settings.init = read.init;
      session_.setSettings(settings);
    });
  });
}

void FileActions::chooseFile() {
  QStringList patterns;
  for (const Format& format : formats()) {
    if (format.reads.empty()) continue;
    for (const QString& extension : qtext(format.extensions).split(QLatin1Char(' '), Qt::SkipEmptyParts))
      patterns << QStringLiteral("*.") + extension;
  }
  const QString session = QStringLiteral("*.") + qtext(sessionEnding);
  const QString path =
      QFileDialog::getOpenFileName(&window_, tr("Open points or a session"), SaveDialog::folder(),
                                   tr("Points and sessions (%1 %2);;Sessions (%2);;All files (*)")
                                       .arg(patterns.join(QLatin1Char(' ')), session));
  if (!path.isEmpty()) openFirst({path});
}

void FileActions::chooseExport(bool labels) {
  SaveDialog::ask(&window_, labels ? tr("Export labels") : tr("Export centroids"),
                  labels ? QStringLiteral("labels.csv") : QStringLiteral("centroids.csv"),
                  {tr("CSV (*.csv)"), tr("NumPy array (*.npy)")}, [this, labels](const QString& path) {
                    labels ? exporter_.labels(path) : exporter_.centroids(path);
                  });
}

void FileActions::serve(DataPanel& panel) {
  connect(&panel, &DataPanel::openWanted, this, &FileActions::chooseFile);
  connect(&panel, &DataPanel::requested, this, &FileActions::open);
  connect(&panel, &DataPanel::generatorWanted, this, &FileActions::openSample);
  connect(&panel, &DataPanel::nextScalingChosen, this, [this](Scale scaling) { next_ = scaling; });
  const auto showNext = [this, &panel] { panel.showNextScaling(nextScaling()); };
  connect(&session_, &Session::dataChanged, &panel, showNext);
  showNext();
}

void FileActions::chooseTable() {
  SaveDialog::ask(&window_, tr("Export the table with clusters"), QStringLiteral("clustered.csv"),
                  {tr("CSV (*.csv)"), tr("Text (*.tsv *.txt *.dat)")},
                  [this](const QString& path) { exporter_.table(path); });
}

void FileActions::takeScreenshot() {
  // Before the dialog covers it.
  const QImage picture = window_.grab().toImage();
  SaveDialog::ask(&window_, tr("Save a picture of the window"), QStringLiteral("lloydscope.png"),
                  {tr("PNG (*.png)")}, [this, picture](const QString& path) {
                    const QString wrong = savePicture(picture, path);
                    Q_EMIT message(wrong.isEmpty() ? tr("Picture written to %1").arg(path) : wrong,
                                   !wrong.isEmpty());
                  });
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

void ResultExporter::labels(const QString& path) {
  const SharedPointSet data = session_.data();
  if (!data) return;
  session_.fetchLabels([this, data, path](const std::vector<Label>& labels, const IterationPtr& result) {
    if (!result) return; // the session has said why
    writer_.post([this, data, path, labels] {
      const auto written = writeLabels(path.toStdString(), labelsByInputRow(*data, labels));
      const QString good = data->selected ? tr("Labels written to %1, one for each input row; -1 for those "
                                               "that are not clustered")
                           : data->rows.empty()
                               ? tr("Labels written to %1, one for each input row")
                               : tr("Labels written to %1, one for each input row; -1 for those that the CPU "
                                    "simulator was not given");
      const QString text = written ? good.arg(path) : QString::fromStdString(written.error());
      QMetaObject::invokeMethod(this, [this, text, failed = !written] { Q_EMIT said(text, failed); });
    });
  });
}

std::vector<std::string> ResultExporter::names() const {
  std::vector<std::string> texts;
  for (const QString& name : names_())
    texts.push_back(name.toStdString());
  return texts;
}

void ResultExporter::table(const QString& path) {
  const SharedPointSet data = session_.data();
  if (!data) return;
  session_.fetchLabels([this, data, path](const std::vector<Label>& labels, const IterationPtr& result) {
    if (!result) return;
    writer_.post([this, data, path, labels, result, names = names()] {
      const bool own =
          QFileInfo::exists(path) && QFileInfo(path) == QFileInfo(qtext(memberPath(data->source).file));
      const tl::expected<void, std::string> written =
          own ? tl::unexpected(tr("%1 is the file that the points come from; choose another name")
                                   .arg(path)
                                   .toStdString())
              : writeClusteredTable(path.toStdString(), *data, labels, result->centroids, names);
      const QString good =
          data->selected ? tr("Table with clusters and distances written to %1: all %2 rows, of which the %3 "
                              "that were left out have the cluster -1")
                               .arg(path, countText(data->inputRows), countText(data->inputRows - data->n))
                         : tr("Table with clusters and distances written to %1").arg(path);
      const QString text = written ? good : QString::fromStdString(written.error());
      QMetaObject::invokeMethod(this, [this, text, failed = !written] { Q_EMIT said(text, failed); });
    });
  });
}

void ResultExporter::centroids(const QString& path) {
  const SharedPointSet data = session_.data();
  if (!data) return;
  session_.fetchLabels([this, data, path](const std::vector<Label>&, const IterationPtr& result) {
    if (!result) return;
    writer_.post([this, data, path, result, names = names()] {
      const auto written = writeCentroids(path.toStdString(), result->centroids, *data,
                                          {.sizes = result->sizes, .names = names});
      const QString text = written ? tr("Centroids written to %1, in the units of the file").arg(path)
                                   : QString::fromStdString(written.error());
      QMetaObject::invokeMethod(this, [this, text, good = written.has_value()] { Q_EMIT said(text, !good); });
    });
  });
}

// Sessions.

SessionFiles* connectSaved(const SavedParts& parts) {
  QWidget* window = &parts.window;
  parts.files.exporter().setNames([clusters = &parts.clusters] { return clusters->names(); });
  auto* restorer = new MomentRestorer(parts.session, parts.axes, window);
  auto* arrangement = &parts.arrangement;
  auto* state = new WindowState({.session = parts.session,
                                 .axes = parts.axes,
                                 .restorer = *restorer,
                                 .colours = parts.colours,
                                 .compare = parts.compare,
                                 .teach = parts.teach,
                                 .appearance = parts.appearance,
                                 .orthographic = *parts.actions[ActionId::orthographic],
                                 .trails = *parts.actions[ActionId::trails],
                                 .regions = *parts.actions[ActionId::regions],
                                 .clusters = parts.clusters,
                                 .viewport = parts.viewport,
                                 .workspace = [arrangement] { return name(arrangement->workspace()); },
                                 .setWorkspace =
                                     [arrangement](const QString& wanted) {
                                       if (const auto workspace = workspaceFrom(wanted))
                                         arrangement->setWorkspace(*workspace);
                                     }},
                                window);
  EditRecorder* edits =
      connectEdits({.session = parts.session,
                    .axes = parts.axes,
                    .restorer = *restorer,
                    .state = *state,
                    .actions = parts.actions,
                    .appearance = parts.appearance,
                    .pair = parts.compare.pair(),
                    .clusters = parts.clusters,
                    .viewport = parts.viewport,
                    .isNobodys = [benchmark = &parts.benchmark] { return benchmark->changing(); }});
  QObject::connect(&parts.adopted, &AdoptedRuns::chosen, edits,
                   [edits] { edits->name(AdoptedRuns::tr("another run")); });
  QObject::connect(&parts.centroids, &CentroidEdits::edited, edits, &EditRecorder::nameAnyway);
  QObject::connect(&parts.adopted, &AdoptedRuns::unasked, edits, &EditRecorder::forget);
  auto* sessions = new SessionFiles(parts.session, *state, *window);
  QObject::connect(parts.actions[ActionId::save], &QAction::triggered, sessions, &SessionFiles::save);
  QObject::connect(parts.actions[ActionId::saveAs], &QAction::triggered, sessions, &SessionFiles::saveAs);
  QObject::connect(&parts.files, &FileActions::sessionWanted, sessions, &SessionFiles::open);
  QObject::connect(sessions, &SessionFiles::kept, &parts.files, &FileActions::addRecent);
  QObject::connect(sessions, &SessionFiles::pathChanged, window,
                   [window, sessions, session = &parts.session] {
                     window->setWindowTitle(titleOf(*session, sessions->path()));
                   });
  return sessions;
}

} // namespace lloyd
