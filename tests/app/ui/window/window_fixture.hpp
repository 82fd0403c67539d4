// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/view/viewport.hpp"
#include "app/ui/window/main_window.hpp"

#include <QAction>
#include <QApplication>
#include <QImage>
#include <QTest>

#include <memory>

namespace lloyd::test {

/// A window, unless another backend is wished for on the CPU so that every machine takes the same path, on a
/// sample file or a generator's text.
inline std::unique_ptr<MainWindow> windowOn(const std::string& data, int k, const char* theme = "dark",
                                            BackendRequest backend = BackendRequest::cpu) {
  WindowOptions options;
  options.settings.backend = backend;
  options.settings.k = k;
  options.theme = QString::fromLatin1(theme);
  DataRequest request;
  if (data.find(':') == std::string::npos) {
    request.path = std::string(LLOYD_SOURCE_DIR "/resources/data/") + data;
  } else {
    request.generator = data;
  }
  options.request = request;
  auto window = std::make_unique<MainWindow>(options, false);
  window->resize(1100, 760);
  window->show();
  window->activateWindow();
  window->begin();
  return window;
}

inline bool converges(MainWindow& window) {
  return QTest::qWaitFor([&] { return window.session().data() && window.session().converged(); }, 20000);
}

inline bool settles(MainWindow& window) {
  return QTest::qWaitFor([&] { return !window.viewport() || window.viewport()->settled(); }, 20000);
}

inline void press(MainWindow& window, ActionId id) { window.actions()[id]->trigger(); }

/// How many pixels of a picture differ clearly from the ground that they are drawn on.
inline int inked(const QImage& picture, QColor ground) {
  int count = 0;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      const QColor pixel = picture.pixelColor(x, y);
      const int off = std::abs(pixel.red() - ground.red()) + std::abs(pixel.green() - ground.green()) +
                      std::abs(pixel.blue() - ground.blue());
      count += off > 60;
    }
  }
  return count;
}

/// The mean difference of two pictures of one size, in levels of a channel.
inline double meanDifference(const QImage& a, const QImage& b) {
  if (a.size() != b.size() || a.isNull()) return 255;
  double sum = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
      sum += std::abs(qRed(p) - qRed(q)) + std::abs(qGreen(p) - qGreen(q)) + std::abs(qBlue(p) - qBlue(q));
    }
  }
  return sum / 3 / (static_cast<double>(a.width()) * a.height());
}

/// The share of pixels that differ between two pictures of one size.
inline double difference(const QImage& a, const QImage& b) {
  if (a.size() != b.size() || a.isNull()) return 1;
  int count = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x)
      count += a.pixel(x, y) != b.pixel(x, y);
  }
  return static_cast<double>(count) / (static_cast<double>(a.width()) * a.height());
}

/// Runs a test class as QTEST_MAIN does. sharing: with the attribute that the program itself sets before its
/// application, which spares widgets that change their window the loss of their context.
template <class Test>
int runWindowTest(int argc, char** argv, bool sharing = true) {
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts, sharing);
  QApplication application(argc, argv);
  Test test;
  return QTest::qExec(&test, argc, argv);
}

} // namespace lloyd::test
