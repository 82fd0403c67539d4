// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/window_options.hpp"

#include "app/ui/common/icons.hpp"
#include "app/ui/window/main_window.hpp"
#include "app/ui/window/termination.hpp"

#include <QApplication>

#include <utility>

namespace lloyd {

int runWindow(WindowOptions options) {
  MainWindow window(std::move(options), true);
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/lloydscope.svg")));
  const Termination termination;
  QObject::connect(&termination, &Termination::asked, &window, &QWidget::close);
  window.begin(); // reads while the window is made
  window.show();
  return QApplication::exec();
}

} // namespace lloyd
