// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QString>

#include <tl/expected.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lloyd {

/// The files that a command writes, each whole or not at all, and only when the work is done. "-" is standard
/// output, which can be asked for once.
class Outputs {
public:
  using Writer = std::function<tl::expected<void, std::string>()>;

  /// Says that a file will be written. Throws RequestError at once when it is a directory, when its folder is
  /// missing or read-only, when it was promised before, or when it is the file that points are read from.
  void promise(const std::string& path, const std::string& input = {});
  [[nodiscard]] bool toStandardOutput() const { return standardOutput_; }

  void add(const std::string& path, QByteArray bytes);
  void add(Writer writer) { writers_.push_back(std::move(writer)); }
  /// Writes all that was added, in order. Throws RequestError at the first that fails.
  void write();

private:
  std::vector<QString> promised_;
  std::vector<Writer> writers_;
  bool standardOutput_ = false;
};

} // namespace lloyd
