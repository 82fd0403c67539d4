// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/settings.hpp"

namespace lloyd {

std::string_view name(InteropRequest choice) {
  switch (choice) {
  case InteropRequest::shared:
    return "shared";
  case InteropRequest::staged:
    return "staged";
  default:
    return "auto";
  }
}

} // namespace lloyd
