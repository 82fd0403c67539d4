// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/model/session/worker_thread.hpp"

#include <QObject>

namespace lloyd {

/// Writes what the window shows to files. Results belong together: labels are those of the centroids written.
/// Writing happens on a thread of its own; nothing partial is ever left.
class ResultExporter : public QObject {
  Q_OBJECT
public:
  explicit ResultExporter(Session& session, QObject* parent = nullptr) : QObject(parent), session_(session) {}

  void labels(const QString& path);
  void centroids(const QString& path);

Q_SIGNALS:
  void said(const QString& text, bool error);

private:
  Session& session_;
  WorkerThread writer_;
};

} // namespace lloyd
