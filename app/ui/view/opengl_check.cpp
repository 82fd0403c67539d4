// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/opengl_check.hpp"

#include "app/render/gl/gl.hpp"
#include "app/render/gl/gl_report.hpp"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QScreen>
#include <QSurfaceFormat>

namespace lloyd {

namespace {

/// Bits of colour. Qt composes a window with OpenGL in it from pictures of 8 bits a channel; with fewer on
/// the display the points stay black and no call fails.
constexpr int leastDepth = 24;

QString words(const char* text) { return QCoreApplication::translate("OpenGlCheck", text); }

QString cure() {
  return words("Install a driver for the graphics card, or Mesa's software OpenGL (Debian: libgl1-mesa-dri), "
               "and start "
               "the program on a display with 24-bit colour.");
}

} // namespace

QString whyNoOpenGl() {
  // A platform without OpenGL may still hand out a context that cannot be used.
  const QString platform = QGuiApplication::platformName();
  if (platform == QLatin1String("offscreen") || platform == QLatin1String("minimal")) {
    return words("There is no OpenGL on the display platform \"%1\", so points cannot be drawn.")
               .arg(platform) +
           QLatin1Char(' ') +
           words("Unset QT_QPA_PLATFORM, or set it to xcb or wayland, and start on a display.");
  }
  const QScreen* screen = QGuiApplication::primaryScreen();
  if (screen && screen->depth() < leastDepth) {
    return words("This display has %1-bit colour and points are drawn in %2-bit colour only: start the "
                 "program on a display with %2-bit colour.")
        .arg(screen->depth())
        .arg(leastDepth);
  }
  QSurfaceFormat format = QSurfaceFormat::defaultFormat();
  format.setVersion(kGlMajor, kGlMinor);
  format.setProfile(QSurfaceFormat::CoreProfile);
  QOpenGLContext context;
  context.setFormat(format);
  if (!context.create()) {
    return words("This display offers no OpenGL, so points cannot be drawn.") + QLatin1Char(' ') + cure();
  }
  QOffscreenSurface surface;
  surface.setFormat(context.format());
  surface.create();
  if (!surface.isValid() || !context.makeCurrent(&surface)) {
    return words("OpenGL could be created but not used, so points cannot be drawn.") + QLatin1Char(' ') +
           cure();
  }
  QString why = QString::fromStdString(reportGl(&context).whyNot());
  context.doneCurrent();
  return why;
}

} // namespace lloyd
