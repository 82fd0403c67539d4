// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/read_error.hpp"

namespace lloyd {

std::string ReadError::sentence() const {
  std::string text = file;
  if (line != 0) text.append(":").append(std::to_string(line));
  if (line != 0 && column != 0) text.append(":").append(std::to_string(column));
  return text.empty() ? message : text + ": " + message;
}

} // namespace lloyd
