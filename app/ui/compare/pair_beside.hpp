// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

namespace lloyd {

/// The home of B's view, which says when it goes while the view in it is still there: buffers that a session
/// uses must come back first.
class PairBeside : public QWidget {
  Q_OBJECT
public:
  explicit PairBeside(QWidget* parent) : QWidget(parent) {}
  ~PairBeside() override { Q_EMIT closing(); }

Q_SIGNALS:
  void closing();
};

} // namespace lloyd
