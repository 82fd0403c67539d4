// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/linker_errors.hpp"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace lloyd {
namespace {

/// "best(unsigned int)" of "_ZN5lloyd12_GLOBAL__N_14bestEj" and of what that reads in full.
QString plainName(const QString& symbol) {
  static const QRegularExpression scopes(
      QStringLiteral("\\(anonymous namespace\\)::|\\b(?:lloyd|simt|words)::"));
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(symbol.toUtf8().constData(), nullptr, nullptr, &status), &std::free);
  QString name = status == 0 ? QString::fromUtf8(demangled.get()) : symbol;
  return name.remove(scopes);
}

/// Where the file first says the name of a function or a variable, which is where it declares it, if it does.
void findIn(const QString& file, const QString& name, CompilerError& error) {
  static const QRegularExpression identifier(QStringLiteral("(\\w+)\\s*(?:[<(\\[].*)?$"));
  QFile opened(file);
  const QString word = identifier.match(name).captured(1);
  if (word.isEmpty() || !opened.open(QIODevice::ReadOnly)) return;
  const QStringList lines = QString::fromUtf8(opened.readAll()).split(QLatin1Char('\n'));
  const QRegularExpression whole(QStringLiteral("\\b%1\\b").arg(word));
  for (qsizetype line = 0; line < lines.size(); ++line) {
    const QRegularExpressionMatch at = whole.match(lines[line].section(QStringLiteral("//"), 0, 0));
    if (!at.hasMatch()) continue;
    error.line = static_cast<int>(line) + 1;
    error.column = static_cast<int>(at.capturedStart()) + 1;
    return;
  }
}

} // namespace

std::vector<CompilerError> linkerErrors(const QString& printed, const QString& file) {
  // GNU's linker, and others after it; then how the loader of modules puts it.
  static const QRegularExpression undefined(
      QStringLiteral("undefined (?:reference to|(?:\\w+ )?symbol:?) [`']?(?<name>[^`'\\n]+?)(?:'|\\)?$|' )"));
  static const QRegularExpression place(QStringLiteral("(?<file>[^\\s:][^:]*):(?<line>\\d+): undefined"));
  std::vector<CompilerError> errors;
  for (const QString& line : printed.split(QLatin1Char('\n'))) {
    const QRegularExpressionMatch found = undefined.match(line.trimmed());
    if (!found.hasMatch()) continue;
    CompilerError error;
    error.text = QCoreApplication::translate("LinkerErrors",
                                             "%1 is declared and used, and nothing defines it: the file has "
                                             "to, or a header that it includes")
                     .arg(plainName(found.captured(u"name")));
    if (const QRegularExpressionMatch at = place.match(line); at.hasMatch() && at.captured(u"file") == file)
      error.line = at.captured(u"line").toInt();
    else
      findIn(file, plainName(found.captured(u"name")), error);
    const auto known = std::ranges::find(errors, error.text, &CompilerError::text);
    if (known == errors.end())
      errors.push_back(error);
    else if (known->line == 0)
      known->line = error.line;
  }
  return errors;
}

} // namespace lloyd
