// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <array>
#include <map>
#include <vector>

namespace lloyd {

/// One thing that a compiler says against a file.
struct CompilerError {
  int line = 0;   ///< of the person's file, from 1
  int column = 0; ///< from 1; 0 where the compiler named none
  QString text;
  bool operator==(const CompilerError&) const = default;
};

/// The errors in what g++ or clang printed, at the lines of file. One inside a header is told at the line of
/// the file that led there, or else at the one that includes the header; one that leads to no line of the
/// file has line 0 and names its own place.
[[nodiscard]] std::vector<CompilerError> compilerErrors(const QString& printed, const QString& file);

/// The same errors in the file with this text, for whoever wrote it: a missing semicolon is told where the
/// line before ends, though a compiler names what comes behind it; and words of CUDA that only NVIDIA's
/// compiler knows have those beside them that every backend does.
[[nodiscard]] std::vector<CompilerError> explained(std::vector<CompilerError> errors, const QString& text);

/// The lines with which a kernel file begins that include headers of the program's or of the system, comments
/// and empty ones left out; up to the first that does anything else.
[[nodiscard]] QString leadingIncludes(const QString& text);

/// The file, then the headers of the person's own that it includes, and that those include.
[[nodiscard]] QStringList ownSources(const QString& file);

/// Makes modules for the simulator of kernel files: compiles them with the system's C++ compiler (CXX where
/// it is set, else g++ or c++) against the headers that the program carries. A folder of its own holds
/// headers and modules as long as it lives. GUI thread, or any thread with an event loop.
///
/// Modules are not optimised: the simulator, which is, does nearly all of a trial's work, and optimising
/// takes longer than it saves. A file whose kernels are templates is compiled in several parts at once, one a
/// processor (gpu/kernels/part.hpp).
class KernelCompiler : public QObject {
  Q_OBJECT
public:
  explicit KernelCompiler(QObject* parent = nullptr);
  ~KernelCompiler() override;

  /// Why nothing can be compiled here, as a whole sentence; empty where it can.
  [[nodiscard]] QString whyNot() const;
  /// Begins; what was being compiled before is given up. called: as CalledChoices::text() has it, where the
  /// module is to have no other choices of templates; they are as good as all kernels to a trial, and a
  /// fraction of them. Empty: all.
  void start(const QString& file, const QString& called = {});
  /// The same of a file that the program carries: "gpu/kernels/classify/v3_unrolled_dimensions.cu".
  void startCarried(const QString& path, const QString& called = {});
  /// Whether the module has no other choices, which a file without dispatch() always has.
  [[nodiscard]] bool isPartial() const { return partial_; }
  /// How many processors it may use from the next start on, at least one; all, where nobody says so.
  void setProcessors(int count) { processors_ = count; }
  void stop();
  [[nodiscard]] bool running() const { return parts_ > 0; }
  /// Compiles the headers that the last file begins with, once and while nothing waits for it: reading them
  /// takes longer than most kernels do. Files that begin with the same take what was made of them.
  void precompileHeaders();
  [[nodiscard]] bool precompiling() const { return precompiling_.state() != QProcess::NotRunning; }

Q_SIGNALS:
  /// module is a file that lasts as long as this object; empty where errors say why.
  void ended(const QString& module, const std::vector<lloyd::CompilerError>& errors);

private:
  static constexpr int mostParts = 4;

  [[nodiscard]] QStringList options() const;
  [[nodiscard]] QString objectOf(int part) const;
  void removeObjects() const;
  /// A part has been compiled, or the parts have been linked.
  void finish(QProcess& process, int status, QProcess::ExitStatus how);

  QTemporaryDir folder_;
  QString compiler_;
  std::array<QProcess, mostParts> compiling_;
  QProcess linking_;
  QProcess precompiling_;
  std::map<QString, QString> headers_; ///< files that are compiled, by the lines in them
  QString file_;
  QString module_;
  int parts_ = 0; ///< of the file that is being compiled; 0 when none is
  bool partial_ = false;
  int processors_;
  int count_ = 0; ///< a module that was loaded is never written again
};

} // namespace lloyd
