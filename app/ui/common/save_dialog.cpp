// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/save_dialog.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>

#include <utility>

namespace lloyd {

namespace {

struct Memory {
  QString folder; ///< that was written to last; empty: none yet
  QString open;
};

Memory& memory() {
  static Memory all;
  return all;
}

/// "csv" of "CSV (*.csv)", and of "Tables (*.csv *.tsv)"
QString suffixOf(const QString& kind) { return kind.section(QStringLiteral("*."), 1, 1).chopped(1); }

} // namespace

void SaveDialog::setOpenFile(const QString& path) { memory().open = path; }

QString SaveDialog::folder() {
  if (!memory().folder.isEmpty()) return memory().folder;
  return memory().open.isEmpty() ? QString() : QFileInfo(memory().open).absolutePath();
}

QString SaveDialog::proposal(const QString& what, Naming naming) {
  const QString base = naming == Naming::byItself ? QString() : QFileInfo(memory().open).completeBaseName();
  const QString name = base.isEmpty() ? what : base + QLatin1Char('-') + what;
  return folder().isEmpty() ? name : QDir(folder()).filePath(name);
}

void SaveDialog::ask(QWidget* parent, const QString& title, const QString& what, const QStringList& kinds,
                     std::function<void(const QString&)> then, Naming naming) {
  auto* dialog = new QFileDialog(parent, title, folder());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilters(kinds);
  dialog->setDefaultSuffix(suffixOf(kinds.front()));
  QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& kind) {
    dialog->setDefaultSuffix(suffixOf(kind));
    const QFileInfo named(dialog->selectedFiles().value(0));
    if (!named.completeBaseName().isEmpty() && !named.isDir())
      dialog->selectFile(named.completeBaseName() + QLatin1Char('.') + suffixOf(kind));
  });
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, [then = std::move(then)](const QString& path) {
    memory().folder = QFileInfo(path).absolutePath();
    then(path);
  });
  dialog->selectFile(proposal(what, naming));
  dialog->open();
}

QString savePicture(const QImage& picture, const QString& path) {
  QSaveFile file(path);
  if (file.open(QIODevice::WriteOnly) && picture.save(&file, "PNG") && file.commit()) return {};
  return QCoreApplication::translate("PictureFile", "The picture could not be written to %1: %2")
      .arg(path, file.errorString());
}

} // namespace lloyd
