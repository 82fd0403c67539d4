// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/kernel_compiler.hpp"

#include "app/model/workshop/linker_errors.hpp"
#include "app/text/strings.hpp"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>

namespace lloyd {
namespace {

/// The headers that kernel files include, as they were when the program was built, below folder.
bool unpackHeaders(const QString& folder) {
  initTexts();
  for (const auto& [from, to] : {std::pair(QStringLiteral(":/headers"), QString()),
                                 std::pair(QStringLiteral(":/kernels"), QStringLiteral("/kernels"))}) {
    QDirIterator files(from, {QStringLiteral("*.hpp")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
      const QString path = folder + QStringLiteral("/gpu") + to + files.next().mid(from.size());
      QDir().mkpath(QFileInfo(path).path());
      if (!QFile::copy(files.filePath(), path)) return false;
    }
  }
  return true;
}

QString textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString findCompiler() {
  for (const QString& name : {qEnvironmentVariable("CXX"), QStringLiteral("g++"), QStringLiteral("c++")})
    if (QString path = QStandardPaths::findExecutable(name); !name.isEmpty() && !path.isEmpty()) return path;
  return {};
}

/// A compiler is several processes, which go together. behind: how far behind the program itself.
void makeGroup(QProcess& process, int behind = 0) {
  process.setChildProcessModifier([behind] {
    ::setpgid(0, 0);
    static_cast<void>(::nice(behind));
  });
}

/// Whether the file says dispatch(), and never inside the action of another. Actions are generic lambdas.
bool isForParts(const QString& text) {
  static const QRegularExpression generic(
      QStringLiteral("\\]\\s*(?:<.*|\\([^()]*\\bauto\\b[^()]*\\)[^;{}()]*)$"));
  static const QRegularExpression token(QStringLiteral("[{};]|\\bdispatch\\("));
  std::vector<bool> blocks; // those that are open: whether an action is around
  const auto inAction = [&] { return !blocks.empty() && blocks.back(); };
  bool any = false;
  qsizetype from = 0; // behind the last brace or semicolon
  for (auto tokens = token.globalMatch(text); tokens.hasNext();) {
    const QRegularExpressionMatch match = tokens.next();
    const QString found = match.captured();
    if (found.size() > 1) {
      if (inAction()) return false;
      any = true;
      continue;
    }
    if (found == QLatin1String("{"))
      blocks.push_back(inAction() || generic.match(text.mid(from, match.capturedStart() - from)).hasMatch());
    else if (found == QLatin1String("}") && !blocks.empty())
      blocks.pop_back();
    from = match.capturedEnd();
  }
  return any;
}

void giveUp(QProcess& process) {
  if (process.state() == QProcess::NotRunning) return;
  const QSignalBlocker quiet(process);
  if (process.waitForStarted()) ::kill(-static_cast<pid_t>(process.processId()), SIGKILL);
  process.waitForFinished();
}

} // namespace

std::vector<CompilerError> compilerErrors(const QString& printed, const QString& file) {
  static const QRegularExpression said(
      QStringLiteral("^(?<file>.+?):(?<line>\\d+):(?:(?<column>\\d+):)? +(?<what>.*)$"));
  static const QRegularExpression error(QStringLiteral("^(?:fatal )?error: (?<text>.*)$"));
  static const QRegularExpression led(
      QStringLiteral("^(?:In file included| +) from (?<file>.+?):(?<line>\\d+)(?::\\d+)?[,:]$"));
  std::vector<CompilerError> errors;
  std::vector<int> includes; // for each error in a header, the file's line that includes it; 0: none
  int includedAt = 0;
  CompilerError ledThere; // the file's line that a compiler names before an error in a header
  bool waiting = false;   // for the file's line that a compiler names after such an error
  for (const QString& line : printed.split(QLatin1Char('\n'))) {
    if (const QRegularExpressionMatch from = led.match(line); from.hasMatch()) {
      if (line.startsWith(QLatin1String("In"))) includedAt = 0;
      if (from.captured(u"file") == file) includedAt = from.captured(u"line").toInt();
      continue;
    }
    const QRegularExpressionMatch place = said.match(line);
    if (!place.hasMatch()) continue;
    const bool here = place.captured(u"file") == file;
    const int number = place.captured(u"line").toInt();
    const int column = place.captured(u"column").toInt();
    const QRegularExpressionMatch fault = error.match(place.captured(u"what"));
    if (!fault.hasMatch()) {
      if (!here) continue;
      ledThere = {number, column, {}};
      if (waiting && errors.back().line == 0) {
        errors.back().line = number;
        errors.back().column = column;
      }
      waiting = false;
      continue;
    }
    CompilerError found{number, column, fault.captured(u"text")};
    if (!here)
      found = {ledThere.line, ledThere.column,
               QStringLiteral("%1 (%2:%3)")
                   .arg(found.text, QFileInfo(place.captured(u"file")).fileName())
                   .arg(number)};
    waiting = !here && found.line == 0;
    ledThere = {};
    if (std::ranges::find(errors, found) != errors.end()) continue;
    errors.push_back(found);
    includes.push_back(here ? 0 : includedAt);
  }
  for (std::size_t e = 0; e < errors.size(); ++e)
    if (errors[e].line == 0 && includes[e] > 0) {
      errors[e].line = includes[e];
      errors[e].column = 1;
    }
  return errors;
}

std::vector<CompilerError> explained(std::vector<CompilerError> errors, const QString& text) {
  static const QRegularExpression missing(QStringLiteral("^expected .*';'.* before "));
  // Nothing to a compiler for processors.
  static const QRegularExpression pragma(
      QStringLiteral("^\\s*(?:#.*|LLOYD_(?:UNROLL|ROLLED|UNROLL_BY\\(.*\\)))$"));
  static const QRegularExpression cudaWord(QStringLiteral("'__(device|global|shared|forceinline)__'"));
  static const std::map<QString, QString> ours{
      {QStringLiteral("device"), QStringLiteral("LLOYD_DEVICE")},
      {QStringLiteral("forceinline"), QStringLiteral("LLOYD_DEVICE")},
      {QStringLiteral("global"), QStringLiteral("LLOYD_KERNEL")},
      {QStringLiteral("shared"), QStringLiteral("LLOYD_SHARED(type, name, count)")}};
  const QStringList lines = text.split(QLatin1Char('\n'));
  const auto codeOf = [&](int line) {
    QString code = lines[line - 1].section(QLatin1String("//"), 0, 0);
    while (!code.isEmpty() && code.back().isSpace())
      code.chop(1);
    return pragma.match(code).hasMatch() ? QString() : code;
  };
  for (CompilerError& error : errors) {
    if (const QRegularExpressionMatch word = cudaWord.match(error.text); word.hasMatch())
      error.text += KernelCompiler::tr(": write %1").arg(ours.at(word.captured(1)));
    if (error.line < 2 || error.line > lines.size() || !missing.match(error.text).hasMatch()) continue;
    if (!lines[error.line - 1].left(std::max(0, error.column - 1)).trimmed().isEmpty()) continue;
    int before = error.line - 1;
    while (before > 0 && codeOf(before).isEmpty())
      --before;
    if (before == 0) continue;
    error.line = before;
    error.column = static_cast<int>(codeOf(before).size()) + 1;
  }
  return errors;
}

QString leadingIncludes(const QString& text) {
  static const QRegularExpression include(QStringLiteral("^#include (?:\"gpu/[^\"]+\"|<[^>]+>)$"));
  QString lines;
  for (const QString& line : text.split(QLatin1Char('\n'))) {
    const QString code = line.section(QLatin1String("//"), 0, 0).trimmed();
    if (code.isEmpty() || code == QLatin1String("#pragma once")) continue;
    if (!include.match(code).hasMatch()) break;
    lines += code + QLatin1Char('\n');
  }
  return lines;
}

QStringList ownSources(const QString& file) {
  static const QRegularExpression include(QStringLiteral("^\\s*#\\s*include\\s*\"([^\"]+)\""),
                                          QRegularExpression::MultilineOption);
  QStringList sources{QFileInfo(file).absoluteFilePath()};
  for (qsizetype read = 0; read < sources.size(); ++read) {
    const QDir folder = QFileInfo(sources[read]).dir();
    for (auto said = include.globalMatch(textOf(sources[read])); said.hasNext();) {
      const QString header = QDir::cleanPath(folder.filePath(said.next().captured(1)));
      if (!sources.contains(header) && QFileInfo(header).isFile()) sources << header;
    }
  }
  return sources;
}

KernelCompiler::KernelCompiler(QObject* parent)
    : QObject(parent), compiler_(findCompiler()),
      processors_(static_cast<int>(std::thread::hardware_concurrency())) {
  if (!folder_.isValid() || !unpackHeaders(folder_.path())) folder_.remove();
  // For the trial after the next: a file that is saved meanwhile comes first.
  makeGroup(precompiling_, 19);
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C")); // messages that can be read by a program
  const auto prepare = [&](QProcess& process) {
    makeGroup(process);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setProcessEnvironment(environment);
    connect(&process, &QProcess::finished, this,
            [this, &process](int status, QProcess::ExitStatus how) { finish(process, status, how); });
    connect(&process, &QProcess::errorOccurred, this, [this, &process](QProcess::ProcessError error) {
      if (error != QProcess::FailedToStart) return;
      stop();
      Q_EMIT ended({}, {{0, 0, tr("%1 did not start: %2").arg(compiler_, process.errorString())}});
    });
  };
  for (QProcess& process : compiling_)
    prepare(process);
  prepare(linking_);
}

KernelCompiler::~KernelCompiler() {
  stop();
  giveUp(precompiling_);
}

/// What was made of headers with others is not taken. Contraction is off as in the simulator's own kernels
/// (gpu/simt).
QStringList KernelCompiler::options() const {
  return {QStringLiteral("-std=c++20"), QStringLiteral("-O0"), QStringLiteral("-ffp-contract=off"),
          QStringLiteral("-fPIC"),      QStringLiteral("-w"),  QStringLiteral("-pipe"),
          QStringLiteral("-I"),         folder_.path()};
}

QString KernelCompiler::whyNot() const {
  if (compiler_.isEmpty())
    return tr("There is no C++ compiler: install g++, or set CXX to one, and start the program again");
  if (!QFileInfo::exists(folder_.path()))
    return tr("The program's headers could not be written to a folder for temporary files");
  return {};
}

QString KernelCompiler::objectOf(int part) const { return QStringLiteral("%1.%2.o").arg(module_).arg(part); }

void KernelCompiler::start(const QString& file, const QString& called) {
  stop();
  file_ = QFileInfo(file).absoluteFilePath();
  module_ = folder_.filePath(QStringLiteral("kernel%1.so").arg(++count_));
  const QString text = textOf(file_);
  QStringList arguments = options();
  if (const auto made = headers_.find(leadingIncludes(text)); made != headers_.end())
    arguments << QStringLiteral("-include") << made->second;
  const bool forParts = isForParts(text);
  parts_ = forParts ? std::clamp(processors_, 1, mostParts) : 1;
  if (forParts)
    arguments << QStringLiteral("-include") << folder_.filePath(QStringLiteral("gpu/kernels/part.hpp"))
              << QStringLiteral("-DLLOYD_PARTS=%1").arg(parts_);
  partial_ = forParts && !called.isEmpty();
  if (partial_) arguments << QStringLiteral("-DLLOYD_CALLED=%1").arg(called);
  arguments << QStringLiteral("-fno-diagnostics-show-caret") << QStringLiteral("-fmax-errors=20")
            << QStringLiteral("-I") << QFileInfo(file_).path() << QStringLiteral("-c") << QStringLiteral("-x")
            << QStringLiteral("c++") << file_;
  for (int part = 0; part < parts_; ++part)
    compiling_[static_cast<std::size_t>(part)].start(
        compiler_, arguments + QStringList{QStringLiteral("-DLLOYD_PART=%1").arg(part), QStringLiteral("-o"),
                                           objectOf(part)});
}

void KernelCompiler::precompileHeaders() {
  const QString lines = leadingIncludes(textOf(file_));
  if (precompiling() || lines.isEmpty() || headers_.contains(lines)) return;
  const QString header = folder_.filePath(QStringLiteral("headers%1.hpp").arg(headers_.size() + 1));
  QFile file(header);
  if (!file.open(QIODevice::WriteOnly) || file.write(lines.toUtf8()) < 0) return;
  file.close();
  precompiling_.disconnect(this);
  connect(&precompiling_, &QProcess::finished, this,
          [this, lines, header](int status, QProcess::ExitStatus how) {
            if (how == QProcess::NormalExit && status == 0) headers_[lines] = header;
          });
  // g++ takes HEADER.gch for HEADER.
  precompiling_.start(compiler_, options() << QStringLiteral("-x") << QStringLiteral("c++-header") << header
                                           << QStringLiteral("-o") << header + QStringLiteral(".gch"));
}

void KernelCompiler::startCarried(const QString& path, const QString& called) {
  const QString copy = folder_.filePath(path);
  QDir().mkpath(QFileInfo(copy).path());
  QFile::copy(QStringLiteral(":/") + path.mid(QStringLiteral("gpu/").size()), copy);
  start(copy, called);
}

void KernelCompiler::stop() {
  for (QProcess& process : compiling_)
    giveUp(process);
  giveUp(linking_);
  removeObjects();
  parts_ = 0;
}

void KernelCompiler::removeObjects() const {
  for (int part = 0; part < parts_; ++part)
    QFile::remove(objectOf(part));
}

void KernelCompiler::finish(QProcess& process, int status, QProcess::ExitStatus how) {
  if (how != QProcess::NormalExit || status != 0) {
    const QString printed = QString::fromUtf8(process.readAll());
    stop(); // another part would say the same
    std::vector<CompilerError> errors = explained(compilerErrors(printed, file_), textOf(file_));
    if (errors.empty()) errors = linkerErrors(printed, file_);
    if (errors.empty())
      errors.push_back({0, 0, tr("the compiler failed: %1").arg(printed.trimmed().right(300))});
    Q_EMIT ended({}, errors);
    return;
  }
  if (&process == &linking_) {
    removeObjects();
    parts_ = 0;
    Q_EMIT ended(module_, {});
    return;
  }
  if (std::ranges::any_of(compiling_,
                          [](const QProcess& other) { return other.state() != QProcess::NotRunning; }))
    return;
  QStringList arguments{QStringLiteral("-shared"), QStringLiteral("-o"), module_};
  for (int part = 0; part < parts_; ++part)
    arguments << objectOf(part);
  linking_.start(compiler_, arguments);
}

} // namespace lloyd
