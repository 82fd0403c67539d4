// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/units.hpp"

#include "app/text/numbers.hpp"

namespace lloyd {

QString bytesText(std::size_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes >= 1'000'000'000) return significantText(size / 1e9) + QStringLiteral(" GB");
  if (bytes >= 1'000'000) return significantText(size / 1e6) + QStringLiteral(" MB");
  if (bytes >= 1'000) return significantText(size / 1e3) + QStringLiteral(" kB");
  return countText(bytes) + QStringLiteral(" bytes");
}

} // namespace lloyd
