// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/reference/verify.hpp"

#include <QByteArray>

#include <vector>

namespace lloyd {

/// What was checked on one device.
struct VerifiedDevice {
  DeviceInfo device;
  std::vector<VerifyResult> results;

  [[nodiscard]] bool ok() const;
};

/// {"program", "thorough", "ok", "devices": [{"device", "results": [...]}]}
[[nodiscard]] QByteArray verifyJson(const std::vector<VerifiedDevice>& devices, bool thorough);
/// For a terminal: a table for each device, then what failed and what was skipped, and why.
[[nodiscard]] QByteArray verifyText(const std::vector<VerifiedDevice>& devices);

} // namespace lloyd
