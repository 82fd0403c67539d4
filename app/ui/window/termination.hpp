// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

namespace lloyd {

/// Reports that the program was asked to end (SIGTERM, SIGINT, SIGHUP: a logout, a kill, Ctrl+C in its
/// terminal), so that a window closes as if a person had closed it and keeps its settings. A second such
/// signal ends the program at once. One object at a time, on the GUI thread.
class Termination : public QObject {
  Q_OBJECT
public:
  explicit Termination(QObject* parent = nullptr);
  ~Termination() override;

signals:
  void asked();
};

} // namespace lloyd
