// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window_run.hpp"

#include "app/ui/icons.hpp"
#include "app/ui/main_window.hpp"

#include <QApplication>

namespace lloyd {

int runWindow(const WindowOptions& options) {
  MainWindow window(options, true);
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/lloydscope.svg")));
  window.show();
  window.begin();
  return QApplication::exec();
}

} // namespace lloyd
