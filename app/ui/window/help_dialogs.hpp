// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <QString>

class QLineEdit;
class QTreeWidget;
class QWidget;

namespace lloyd {

class Actions;

/// All keys and gestures with a search field, made from the actions themselves, so that it cannot be out of
/// date.
class ShortcutsDialog : public QDialog {
  Q_OBJECT
public:
  ShortcutsDialog(const Actions& actions, QWidget* parent);

private:
  void filter(const QString& words);

  QLineEdit* search_;
  QTreeWidget* list_;
};

/// Tells what the program is, and waits until it was read. device: what computes; empty when there is none
/// yet.
void showAbout(QWidget* window, const QString& device);

} // namespace lloyd
