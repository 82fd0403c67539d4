// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

class QWidget;

namespace lloyd {

/// Tells what the program is, and waits until it was read. device: what computes; empty when there is none
/// yet.
void showAbout(QWidget* window, const QString& device);

} // namespace lloyd
