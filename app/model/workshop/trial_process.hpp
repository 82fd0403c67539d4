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
#include <vector>

namespace lloyd {

/// Everything that one save of a kernel file came to.
struct TrialReport {
  QString file;
  QString module;                    ///< what was compiled; empty where nothing could be
  std::vector<CompilerError> errors; ///< of the compiler; empty where it was content
  std::vector<KernelTrial> trials;
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
/// GUI thread, or any thread with an event loop.
class TrialProcess : public QObject {
  Q_OBJECT
public:
  /// Seconds for the trial, without the compiler's. A sanitized program takes several times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr double usualLimit = 60;
#else
  static constexpr double usualLimit = 10;
#endif

  /// program: the path of lloydscope.
  explicit TrialProcess(QString program, QObject* parent = nullptr);
  ~TrialProcess() override;

  [[nodiscard]] QString whyNot() const { return compiler_.whyNot(); }
  /// Begins; a trial under way is given up.
  void start(const QString& file, double limitSeconds = usualLimit);
  /// Waits for nothing.
  void stop();
  [[nodiscard]] bool running() const {
    return compiler_.running() || alike_.running() ||
           (process_ && process_->state() != QProcess::NotRunning && !ended_);
  }
  [[nodiscard]] const TrialReport& report() const { return report_; } ///< the last one's, as far as it is

Q_SIGNALS:
  void doing(const QString& what); ///< "compile", "verify, case 3 of 100: ...", "race"
  void ended();

private:
  void startProcess();
  void startOriginal();
  void compiled(const QString& module, const std::vector<CompilerError>& errors);
  void tryOut();
  void stopTrial();
  void say(const QJsonObject& line);
  void read();
  void finish(int status, QProcess::ExitStatus how);
  void end();

  QString program_;
  KernelCompiler compiler_;
  KernelCompiler alike_;                    ///< for the original
  std::map<QString, QString> alikeModules_; ///< by the original's path; empty where it did not compile
  QString original_;                        ///< the path of the present one; empty where there is none
  QProcess* process_ = nullptr;             ///< of the present trial or the last; null: stopped
  QTimer limit_;
  QElapsedTimer clock_;
  QByteArray unread_;
  QString doing_;
  double limitSeconds_ = usualLimit;
  bool late_ = false;
  bool ended_ = false;                      ///< the process may still be there, with nothing more to say
  int trial_ = 0;                           ///< counts them
  std::map<QString, QJsonObject> launched_; ///< on a card by the last trial of a file, for its next
  TrialReport report_;
};

} // namespace lloyd
