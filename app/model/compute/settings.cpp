// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/settings.hpp"

namespace lloyd {

std::string_view name(InteropChoice choice) {
  switch (choice) {
  case InteropChoice::shared:
    return "shared";
  case InteropChoice::staged:
    return "staged";
  default:
    return "auto";
  }
}

} // namespace lloyd
