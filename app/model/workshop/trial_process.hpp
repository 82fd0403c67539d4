// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/workshop/kernel_compiler.hpp"
#include "app/model/workshop/kernel_trial.hpp"

#include <QByteArray>
#include <QElapsedTimer>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>

#include <map>
#include <set>
#include <vector>

namespace lloyd {

/// Everything that one save of a kernel file came to.
struct TrialReport {
  QString file;
  QString source;                    ///< the file's text before it was compiled
  QString module;                    ///< what was compiled; empty where nothing could be
  std::vector<CompilerError> errors; ///< of the compiler; empty where it was content
  std::vector<KernelTrial> trials;
  bool withdrawn = false; ///< the verdict was there, and what its trial did not call is wrong
  QString failure;    ///< what ended the trial before its end, a whole sentence: a crash, or too long a time
  double seconds = 0; ///< from the start to this

  /// It compiled, and every stage that was tried is right.
  [[nodiscard]] bool right() const;
  /// All of it for a terminal; errors as compilers print them, so that editors find the lines.
  [[nodiscard]] QString text() const;
};

/// Compiles a kernel file, and beside it the original's own file in the same way, so that a race compares
/// kernels and not compilers; then tries it in another process, the program's own "try", so that whatever the
/// kernel does, this one goes on. A kernel that does not end within the limit is stopped with that process.
///
/// Where all kernels of a file take long to compile, it is compiled for what its trials called, and for the
/// first for what the original's trial calls; the original is compiled for what is raced. The module that the
/// report names has the rest when complete() is said. Where the trial calls something else, it begins again
/// with all. GUI thread, or any thread with an event loop.
class TrialProcess : public QObject {
  Q_OBJECT
public:
  /// Seconds for the trial, without the compiler's. A sanitized program takes several times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr double usualLimit = 60;
#else
  static constexpr double usualLimit = 10;
#endif
  static constexpr int usualPatienceMs = 1500;
  /// As long as nobody knows how long they take, from so many choices called on it is too long; with fewer, a
  /// compiler mostly reads headers.
  static constexpr int manyChoices = 16;

  /// program: the path of lloydscope.
  explicit TrialProcess(QString program, QObject* parent = nullptr);
  ~TrialProcess() override;

  [[nodiscard]] QString whyNot() const { return compiler_.whyNot(); }
  /// Begins; a trial under way is given up.
  void start(const QString& file, double limitSeconds = usualLimit);
  /// For how long all kernels of a file may compile each time it is tried.
  void setPatience(int milliseconds) { patienceMs_ = milliseconds; }
  /// Waits for nothing.
  void stop();
  [[nodiscard]] bool running() const {
    return compiler_.running() || alike_.running() ||
           (process_ && process_->state() != QProcess::NotRunning && !ended_);
  }
  /// The verdict is there, and the module's rest or the original is being compiled.
  [[nodiscard]] bool completing() const { return ended_ && (lacksRest_ || alike_.running()); }
  [[nodiscard]] const TrialReport& report() const { return report_; } ///< the last one's, as far as it is

Q_SIGNALS:
  void doing(const QString& what); ///< "compile", "verify, case 3 of 100: ...", "race"
  void ended();
  void complete(); ///< behind ended(), at once where nothing is left to compile; errors of the rest are in
                   ///< report()

private:
  void findOriginal();
  [[nodiscard]] QString originalPath() const; ///< empty where there is none
  [[nodiscard]] QString choicesToCompile() const;
  void startOriginal(const QString& called);
  void takeOriginal(const QString& module);
  void findAlike();
  void giveOriginal();

  void startProcess();
  void startCompiler(const QString& called);
  void compiled(const QString& module, const std::vector<CompilerError>& errors);
  void tryOut();
  void startOver();
  void stopTrial();
  void keepCalled(const QString& called);
  /// Whether what was tried may have called something that was not compiled.
  [[nodiscard]] bool isPartly() const {
    return partial_ || (isOriginalGiven_ && alikeParts_.contains(originalPath()));
  }
  void say(const QJsonObject& line);
  void read();
  void finish(int status, QProcess::ExitStatus how);
  void end();

  QString program_;
  KernelCompiler compiler_;
  KernelCompiler alike_;                    ///< for the original
  std::map<QString, QString> alikeModules_; ///< by the original's path; empty where it did not compile
  std::set<QString> alikeParts_;            ///< paths of originals that were not compiled whole
  const Variant* original_ = nullptr;       ///< the present one; null where there is none
  QProcess* process_ = nullptr;             ///< of the present trial or the last; null: stopped
  QTimer limit_;
  QElapsedTimer clock_;
  QElapsedTimer compiling_;
  int patienceMs_ = usualPatienceMs;
  QByteArray unread_;
  QString doing_;
  double limitSeconds_ = usualLimit;
  bool late_ = false;
  bool partial_ = false; ///< the module is for what is known to be called
  bool lacksRest_ = false;
  bool isUnchanged_ = false; ///< the file is the original's, byte by byte
  bool waitsForOriginal_ = false;
  bool isOriginalGiven_ = false;            ///< to the present process
  int leftMs_ = 0;                          ///< of the limit, while the trial waits
  bool allSaid_ = false;                    ///< the trial came to its end
  bool ended_ = false;                      ///< the process may still be there, with nothing more to say
  int trial_ = 0;                           ///< counts them
  std::map<QString, QJsonObject> launched_; ///< on a card by the last trial of a file, for its next
  std::map<QString, QStringList> called_;   ///< CalledChoices, by all trials of a file
  std::map<QString, qint64> wholeMs_;       ///< how long all kernels of a file took the last time
  TrialReport report_;
};

} // namespace lloyd
