// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/lesson/stated_number.hpp"

#include <QRegularExpression>

namespace lloyd {
namespace {

const QRegularExpression& form() {
  static const QRegularExpression form(QStringLiteral(R"(\{\{([^{}=`\n]+?) (?:= ((?:`[^`\n]*`|[^`}\n])+))"
                                                      R"(|in `([^`\n]+)`(?: of ([\w./-]+))?)"
                                                      R"(|(?:counted|measured) (?:by|on) [^{}`\n]+)\}\})"));
  return form;
}

} // namespace

std::vector<StatedNumber> statedNumbers(const QString& lesson) {
  std::vector<StatedNumber> numbers;
  for (auto found = form().globalMatch(lesson); found.hasNext();) {
    const QRegularExpressionMatch one = found.next();
    numbers.push_back({.shown = one.captured(1),
                       .expression = one.captured(2),
                       .code = one.captured(3),
                       .file = one.captured(4),
                       .line = static_cast<int>(lesson.first(one.capturedStart()).count(u'\n')) + 1});
  }
  return numbers;
}

QString withStatedNumbers(QString lesson) { return lesson.replace(form(), QStringLiteral("\\1")); }

} // namespace lloyd
