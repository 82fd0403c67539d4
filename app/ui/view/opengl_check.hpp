// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace lloyd {

/// Why points cannot be drawn here, and the cure; empty when they can. Asked before any OpenGL widget is
/// made, because showing one without OpenGL ends the program. Needs a QGuiApplication.
[[nodiscard]] QString whyNoOpenGl();

} // namespace lloyd
