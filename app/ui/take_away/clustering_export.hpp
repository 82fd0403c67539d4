// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/write/atomic_file.hpp"
#include "app/model/report/run_report.hpp"
#include "app/model/session/worker_thread.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <tl/expected.hpp>

#include <functional>
#include <string>
#include <vector>

class QWidget;

namespace lloyd {

class AxesFinder;
class ClusterWatch;
class Session;

/// Writes what a clustering comes to, beside its labels and centroids: a report of it, and of a photograph
/// the picture in its centroids' colours and their palette. Files appear whole or not at all, written on a
/// thread of their own. GUI thread.
class ClusteringExport : public QObject {
  Q_OBJECT
public:
  /// axes: of the drawing, which the report repeats. clusters: for their names. All must outlive it.
  ClusteringExport(Session& session, const AxesFinder& axes, const ClusterWatch& clusters, QWidget& window);

  // Each asks for the file's name first.
  void chooseReport();
  void choosePhotograph();
  void choosePalette();
  // Without asking.
  void report(const QString& path);
  void photograph(const QString& path);
  void palette(const QString& path);

Q_SIGNALS:
  void message(const QString& text, bool error);

private:
  using Writer = std::function<tl::expected<AtomicFile, std::string>(
      const std::string& path, const RunReport& report, const std::vector<Label>& labels)>;
  /// said: with %1 for the path.
  void write(const QString& path, const QString& said, Writer writer);

  Session& session_;
  const AxesFinder& axes_;
  const ClusterWatch& clusters_;
  QWidget& window_;
  WorkerThread writer_;
};

} // namespace lloyd
