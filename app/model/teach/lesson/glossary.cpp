// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/lesson/glossary.hpp"

#include "app/model/teach/lesson/lesson.hpp"

#include <QRegularExpression>

#include <algorithm>

namespace lloyd {
namespace {

/// The lesson with a blank for each character that is no prose: what is slanted stays, for it explains.
QString proseOf(QString lesson) {
  static const QRegularExpression others[] = {
      QRegularExpression(QStringLiteral(R"((?m)^(?:#|\|).*$)")),
      QRegularExpression(QStringLiteral(R"(\[[^\]\n]*\]\([^)\n]*\))")),
  };
  for (const QRegularExpression& other : others)
    for (auto found = other.globalMatch(lesson); found.hasNext();) {
      const QRegularExpressionMatch one = found.next();
      for (qsizetype at = one.capturedStart(); at < one.capturedEnd(); ++at)
        if (lesson[at] != u'\n') lesson[at] = u' ';
    }
  return lesson;
}

QRegularExpression formsOf(const GlossaryWord& word) {
  QStringList all;
  for (const QString& form : word.forms) {
    const QString exact = QRegularExpression::escape(form);
    // No part of a name, of code or of a hyphenated word.
    all << (form.startsWith(u'`') ? exact : QStringLiteral(R"((?<![\w`.=-])%1s?(?![\w`-]))").arg(exact));
  }
  return QRegularExpression(all.join(u'|'), QRegularExpression::CaseInsensitiveOption);
}

/// Between two stars of its line, as in "*Bank conflicts*".
bool isSlanted(const QString& text, qsizetype from, qsizetype length) {
  const qsizetype line = text.lastIndexOf(u'\n', from) + 1;
  static const QRegularExpression code(QStringLiteral("`[^`\n]*`")); // where a star multiplies
  const QString before = text.mid(line, from - line).remove(code);
  return before.count(u'*') % 2 == 1 && text.indexOf(u'*', from + length) >= 0;
}

bool isCode(const QString& text, qsizetype from) {
  const qsizetype line = text.lastIndexOf(u'\n', from) + 1;
  return QStringView(text).mid(line, from - line).count(u'`') % 2 == 1;
}

} // namespace

const std::vector<GlossaryWord>& glossary() {
  static const std::vector<GlossaryWord> words = [] {
    static const QRegularExpression entry(QStringLiteral(R"((?m)^- \*\*(.+?)\*\*: (.+)$)"));
    std::vector<GlossaryWord> all;
    for (auto found = entry.globalMatch(lessonPage(QStringLiteral("words"))); found.hasNext();) {
      const QRegularExpressionMatch one = found.next();
      all.push_back({one.captured(1).split(QStringLiteral(", ")), one.captured(2)});
    }
    return all;
  }();
  return words;
}

QString withGlossary(const QString& lesson) {
  struct Link {
    qsizetype from;
    qsizetype length;
    const GlossaryWord* word;
  };
  const QString prose = proseOf(lesson);
  std::vector<Link> links;
  for (const GlossaryWord& word : glossary())
    for (auto found = formsOf(word).globalMatch(prose); found.hasNext();) {
      const QRegularExpressionMatch one = found.next();
      const qsizetype from = one.capturedStart();
      if (isCode(prose, from)) continue;
      if (!isSlanted(prose, from, one.capturedLength())) links.push_back({from, one.capturedLength(), &word});
      break; // the first use decides
    }
  QString linked = lesson;
  std::sort(links.begin(), links.end(),
            [](const Link& one, const Link& other) { return one.from > other.from; });
  qsizetype upTo = lesson.size(); // words may overlap, as "shared memory" and "memory" would
  for (const Link& link : links) {
    if (link.from + link.length > upTo) continue;
    upTo = link.from;
    const QString text = lesson.mid(link.from, link.length);
    linked.replace(link.from, link.length,
                   QStringLiteral("[%1](lesson:words \"%2\")").arg(text, link.word->meaning));
  }
  return linked;
}

} // namespace lloyd
