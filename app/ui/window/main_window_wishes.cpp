// SPDX-License-Identifier: GPL-3.0-or-later
// What a person can ask of the window beyond a single call to the session.
#include "app/data/read/formats.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/model/compute/selection.hpp"
#include "app/model/tuning/user_tuning_table.hpp"
#include "app/ui/common/picture_file.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/explore/appearance_panel.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/explore/variant_list_view.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/view/viewport.hpp"
#include "app/ui/window/main_window.hpp"
#include "app/ui/window/present_bar.hpp"
#include "app/ui/window/status_line.hpp"
#include "app/ui/window/tool_bar.hpp"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>

#include <utility>

namespace lloyd {

namespace {

// As many points as move fluidly: on a GPU with OpenGL beside it, and on a CPU that draws as well.
constexpr std::size_t firstPointsGpu = std::size_t{1} << 20;
constexpr std::size_t firstPointsCpu = std::size_t{1} << 16;

} // namespace

void MainWindow::begin() {
  // New data take messages away, and the first come at once: this one is for after them.
  if (!userTuningProblem().isEmpty())
    connect(
        &session_, &Session::dataChanged, this, [this] { say(userTuningProblem(), true); },
        Qt::SingleShotConnection);
  if (!options_.request) return openFirstPicture();
  if (!options_.points) return open(*options_.request);
  // Given away, so that they go once other data are opened.
  session_.adopt(std::exchange(options_.points, nullptr), *options_.request, options_.loadUs);
  session_.play();
}

void MainWindow::openFirstPicture() {
  // Looking for a GPU can take a second; the window is there meanwhile.
  const BackendRequest backend = options_.settings.backend;
  const bool simulated = backend == BackendRequest::simt;
  const bool cpu = simulated || backend == BackendRequest::cpu;
  probe_.post([this, cpu, simulated] {
    const bool gpu = !cpu && listDevices().cudaWhy.empty();
    QMetaObject::invokeMethod(this, [this, gpu, simulated] {
      DataRequest request;
      request.generator = "drift:";
      request.defaultCount = gpu ? firstPointsGpu : firstPointsCpu;
      request.defaultClusters = session_.settings().k;
      // On the simulator a tour takes a minute: it is left to be asked for.
      tourDue_ = !simulated && session_.settings().selection == Selection{};
      open(request);
    });
  });
}

void MainWindow::open(const DataRequest& request) {
  DataRequest wanted = request;
  if (wanted.path.empty() && wanted.defaultCount == 0) {
    wanted.defaultCount = session_.device().backend == Backend::cuda ? firstPointsGpu : firstPointsCpu;
  }
  session_.open(wanted);
  session_.play();
}

void MainWindow::openFirst(const QStringList& paths) {
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
    say(first.isEmpty()
            ? tr("None of these is a file that can be read: %1. The present data stay.").arg(names)
            : tr("One file at a time: %1 is opened, not %2").arg(QFileInfo(first).fileName(), names),
        first.isEmpty());
  }
  if (first.isEmpty()) return;
  DataRequest request;
  request.path = first.toStdString();
  open(request);
}

void MainWindow::chooseFile() {
  QStringList patterns;
  for (const Format& format : formats()) {
    if (format.reads.empty()) continue;
    const QString extensions =
        QString::fromUtf8(format.extensions.data(), static_cast<qsizetype>(format.extensions.size()));
    for (const QString& extension : extensions.split(QLatin1Char(' '), Qt::SkipEmptyParts))
      patterns << QStringLiteral("*.") + extension;
  }
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open points"), {}, tr("Points (%1);;All files (*)").arg(patterns.join(QLatin1Char(' '))));
  if (!path.isEmpty()) openFirst({path});
}

void MainWindow::chooseExport(bool labels) {
  const QString path =
      QFileDialog::getSaveFileName(this, labels ? tr("Export labels") : tr("Export centroids"),
                                   labels ? QStringLiteral("labels.csv") : QStringLiteral("centroids.csv"),
                                   tr("CSV (*.csv);;NumPy array (*.npy)"));
  if (path.isEmpty()) return;
  labels ? exporter_.labels(path) : exporter_.centroids(path);
}

void MainWindow::takeScreenshot() {
  const QImage picture = grab().toImage(); // before the dialog covers it
  const QString path = QFileDialog::getSaveFileName(this, tr("Save a picture of the window"),
                                                    QStringLiteral("lloydscope.png"), tr("PNG (*.png)"));
  if (path.isEmpty()) return;
  const QString wrong = savePicture(picture, path);
  say(wrong.isEmpty() ? tr("Picture written to %1").arg(path) : wrong, !wrong.isEmpty());
}

void MainWindow::setDark(bool dark) {
  dark_ = dark;
  UiTheme::apply(*qApp, dark);
  actions_->renewIcons();
  viewPanel_->showDark(dark);
  if (viewport_) viewport_->setDark(dark);
  teach_->renewColours();
  compare_->renewColours();
  renewColours();
  refreshNow();
}

void MainWindow::setPresenting(bool on) {
  if (presenting_ == on) return;
  presenting_ = on;
  (*actions_)[ActionId::present]->setChecked(on);
  (*actions_)[ActionId::endPresent]->setEnabled(on);
  if (on) wasMaximized_ = isMaximized();
  for (QWidget* part :
       {static_cast<QWidget*>(menuBar()), static_cast<QWidget*>(tools_), static_cast<QWidget*>(status_)}) {
    part->setVisible(!on);
  }
  showPanels();
  if (on) {
    showFullScreen();
  } else {
    wasMaximized_ ? showMaximized() : showNormal();
  }
  refreshNow();
}

void MainWindow::setViewOnly() {
  for (QWidget* part : std::initializer_list<QWidget*>{
           menuBar(), tools_, status_, side_, lower_, teachSide_, teachBelow_, teach_->above(),
           teach_->steps(), compareAbove_, compareSide_, compare_->bar(), compare_->figures()}) {
    part->hide();
  }
}

void MainWindow::chooseVariant(Stage stage, const Variant& variant) {
  Settings settings = session_.settings();
  settings.selection = withVariant(settings.selection, session_.plan(), stage, variant);
  session_.setSettings(settings);
  if (!session_.playing() && !session_.converged()) {
    status_->say(tr("%1 is chosen; play or step to time it").arg(QString::fromStdString(variant.id())));
  }
}

void MainWindow::stepVariant(int direction) {
  if (workspace_ == Workspace::teach) {
    if (!teach_->step(direction))
      status_->say(tr("There is no other variant of the stage in this direction"));
    return;
  }
  const Plan& plan = session_.plan();
  const Stage usual = plan.fused ? Stage::fused : Stage::classify;
  const Stage stage = bottom_->ladderView().focusedStage().value_or(usual);
  const Variant* present = plan.of(stage);
  const Variant* next = ladder_.neighbour(stage, present, direction);
  if (next && next != present) return chooseVariant(stage, *next);
  const std::string_view text = name(stage);
  status_->say(tr("There is no other variant of %1 in this direction that can run here")
                   .arg(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()))));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    paths << (url.isLocalFile() ? url.toLocalFile() : url.toString());
  if (paths.isEmpty()) return;
  event->acceptProposedAction();
  openFirst(paths);
}

} // namespace lloyd
