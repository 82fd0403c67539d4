// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/read_error.hpp"

#include "app/data/read_control.hpp"

namespace lloyd {

std::string ReadError::sentence() const {
  std::string text = file;
  if (line != 0) text.append(":").append(std::to_string(line));
  if (line != 0 && column != 0) text.append(":").append(std::to_string(column));
  return text.empty() ? message : text + ": " + message;
}

void refuse(std::string message) { throw ReadFailure({.message = std::move(message)}); }

void throwIfCancelled(const ReadControl& control) {
  if (control.cancelled()) throw ReadFailure({.message = "reading was cancelled", .cancelled = true});
}

} // namespace lloyd
