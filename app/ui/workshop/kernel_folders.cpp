// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/workshop/kernel_folders.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

namespace lloyd {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(KernelFolders)
};

/// Links lead elsewhere tomorrow, so a folder goes by the place that it is.
QString folderOf(const QString& file) {
  return QFileInfo(QFileInfo(file).absolutePath()).canonicalFilePath();
}

QString key() { return QStringLiteral("kernels/folders"); }
QString lastKey() { return QStringLiteral("kernels/last"); }

void setLast(const QString& file) {
  QSettings(QCoreApplication::applicationName(), QCoreApplication::applicationName())
      .setValue(lastKey(), folderOf(file));
}

} // namespace

bool KernelFolders::allowed(const QString& file) {
  return QSettings(QCoreApplication::applicationName(), QCoreApplication::applicationName())
      .value(key())
      .toStringList()
      .contains(folderOf(file));
}

void KernelFolders::allow(const QString& file) {
  QSettings settings(QCoreApplication::applicationName(), QCoreApplication::applicationName());
  QStringList folders = settings.value(key()).toStringList();
  folders << folderOf(file);
  folders.removeDuplicates();
  settings.setValue(key(), folders);
}

QString KernelFolders::last() {
  return QSettings(QCoreApplication::applicationName(), QCoreApplication::applicationName())
      .value(lastKey())
      .toString();
}

bool KernelFolders::ask(QWidget* parent, const QString& file) {
  if (allowed(file)) {
    setLast(file);
    return true;
  }
  QMessageBox question(
      QMessageBox::Question, Words::tr("Compile kernels of this folder?"),
      Words::tr(
          "Every kernel file (*.cu) in %1, and a schedule (*.cpp) that is opened there, will be compiled "
          "and run on this machine, with your rights, whenever it is saved.")
          .arg(folderOf(file)),
      QMessageBox::Cancel, parent);
  QPushButton* yes = question.addButton(Words::tr("&Allow this folder"), QMessageBox::AcceptRole);
  question.setDefaultButton(QMessageBox::Cancel);
  question.exec();
  if (question.clickedButton() != yes) return false;
  allow(file);
  setLast(file);
  return true;
}

} // namespace lloyd
