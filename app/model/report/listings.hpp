// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonDocument>
#include <QString>

namespace lloyd {

/// A list of what this build and machine have, for people and for programs.
struct ListReport {
  QString text;
  QJsonDocument json;
};

[[nodiscard]] ListReport listVariants();
/// The devices, the one that auto takes, and how points would reach a window from it.
[[nodiscard]] ListReport listDevicesReport();
[[nodiscard]] ListReport listGenerators();
[[nodiscard]] ListReport listFormats();

} // namespace lloyd
