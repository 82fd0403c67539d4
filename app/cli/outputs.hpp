// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/options.hpp"
#include "app/data/write/atomic_file.hpp"
#include "app/model/timeline/named_timeline.hpp"
#include "gpu/core/data/problem.hpp"

#include <QByteArray>
#include <QString>

#include <tl/expected.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {

/// The files that a command writes, all of them or none, and only when the work is done. "-" is standard
/// output, which can be asked for once.
class Outputs {
public:
  /// Writes a file that is not in its place yet.
  using Writer = std::function<tl::expected<AtomicFile, std::string>(const std::string& path)>;

  /// Promises every file that an option names. inputs: the files that points are read from. Throws
  /// RequestError for a name that does not fit what is written.
  explicit Outputs(const Arguments& arguments, std::vector<std::string> inputs = {});
  /// Says that a file will be written. Throws RequestError at once when it is a directory, when its folder is
  /// missing or read-only, when it was promised before, or when it is a file that points are read from.
  void promise(const std::string& path);
  [[nodiscard]] bool toStandardOutput() const { return standardOutput_; }

  /// Adds what make returns, for the file that option names, where it was given.
  template <class Make>
  void addReport(std::string_view option, const Make& make) {
    if (arguments_.given(option)) add(arguments_.text(option), make());
  }
  /// The same for standard output, where no file goes there.
  template <class Make>
  void addText(const Make& make) {
    if (!standardOutput_) add("-", make());
  }
  /// Adds what writes the file that option names itself, where it was given.
  void addWriter(std::string_view option, Writer writer) {
    if (arguments_.given(option)) writers_.emplace_back(arguments_.text(option), std::move(writer));
  }
  /// Writes all that was added, and when all of it is written puts the files in their places; then follows
  /// what goes to standard output. Throws RequestError at the first that fails.
  void write();

private:
  void add(const std::string& path, QByteArray bytes);

  const Arguments& arguments_;
  std::vector<std::string> inputs_; ///< empty names stand for no file
  std::vector<QString> promised_;
  std::vector<std::pair<std::string, Writer>> writers_;
  std::vector<QByteArray> printed_;
  bool standardOutput_ = false;
};

/// Throws RequestError when the file of --timeline has a name that no timeline is written under.
void requireTimelineName(const Arguments& arguments);
/// Adds the file of --timeline, where it was given.
void addTimelines(Outputs& outputs, const Arguments& arguments, const NamedTimelines& timelines);

struct RunReport;
/// Adds every file that a clustering was asked to write. labels: of the points, belonging to the report's
/// centroids. Both must last until outputs are written.
void addOutputs(Outputs& outputs, const RunReport& report, const std::vector<Label>& labels);

} // namespace lloyd
