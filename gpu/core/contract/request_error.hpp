// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stdexcept>
#include <string>

namespace lloyd {

/// A request that cannot be met: a sentence for the person who made it.
class RequestError : public std::runtime_error {
public:
  enum class Kind {
    wrong, ///< it could not be met anywhere: unknown name, value out of range
    absent ///< it needs something that this machine or build does not have
  };
  explicit RequestError(const std::string& sentence, Kind kind = Kind::wrong)
      : std::runtime_error(sentence), kind_(kind) {}
  [[nodiscard]] Kind kind() const noexcept { return kind_; }

private:
  Kind kind_;
};

} // namespace lloyd
