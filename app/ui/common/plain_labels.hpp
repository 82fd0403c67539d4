// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

namespace lloyd {

/// Shows the text of every label, tooltip and message box as it is. A label of Qt takes text with tags in it
/// for HTML and loads the pictures that it names; names of files and columns come from others and may hold
/// any text. Works on the whole application while the object lives. GUI thread.
class PlainLabels : public QObject {
  Q_OBJECT
public:
  explicit PlainLabels(QObject* parent);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace lloyd
