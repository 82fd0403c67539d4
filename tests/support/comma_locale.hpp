// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <clocale>

namespace lloyd::test {

/// The C library's locale is one with a decimal comma while this lives. Where none is installed one is made
/// of the system's sources (Debian: locales).
class CommaLocale {
public:
  CommaLocale() {
    for (const char* name : {"de_DE.UTF-8", "pl_PL.UTF-8", "fr_FR.UTF-8"})
      if (!set_) set_ = std::setlocale(LC_ALL, name) != nullptr;
    if (set_ || !folder_.isValid()) return;
    QProcess::execute(QStringLiteral("localedef"),
                      {QStringLiteral("-i"), QStringLiteral("pl_PL"), QStringLiteral("-f"),
                       QStringLiteral("UTF-8"), folder_.filePath(QStringLiteral("comma"))});
    qputenv("LOCPATH", folder_.path().toUtf8());
    set_ = std::setlocale(LC_ALL, "comma") != nullptr;
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;
  ~CommaLocale() {
    std::setlocale(LC_ALL, "C");
    qunsetenv("LOCPATH");
  }

  /// Whether there is one.
  [[nodiscard]] bool isSet() const { return set_; }

private:
  QTemporaryDir folder_;
  bool set_ = false;
};

} // namespace lloyd::test
