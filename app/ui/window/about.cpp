// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/about.hpp"

#include "app/text/provenance.hpp"

#include <QCoreApplication>
#include <QMessageBox>

namespace lloyd {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("About", text); }

} // namespace

void showAbout(QWidget* window, const QString& device) {
  QMessageBox about(window);
  about.setWindowTitle(translated("About Lloydscope"));
  about.setTextFormat(Qt::PlainText);
  about.setText(translated("Lloydscope %1").arg(buildInfo().version));
  about.setInformativeText(
      translated("Points, clustered before your eyes: k-means on CUDA, with every kernel variant timed.\n\n"
                 "Computes on: %1\nBuilt as: %2\nQt %3\n\nGPL-3.0-or-later; comes without any warranty.")
          .arg(device.isEmpty() ? translated("no device yet") : device, programText(),
               QString::fromLatin1(qVersion())));
  about.exec();
}

} // namespace lloyd
