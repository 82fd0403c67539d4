// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/lesson/glossary.hpp"
#include "app/model/teach/lesson/lesson.hpp"

#include <QDir>
#include <QRegularExpression>
#include <QTest>

using namespace lloyd;

/// No word of a lesson is used before it is explained: there, or by a link to the page of words.
class TestGlossary : public QObject {
  Q_OBJECT

private slots:
  void wordsAreExplainedByThoseBefore() {
    QVERIFY(glossary().size() >= 20);
    for (std::size_t at = 0; at < glossary().size(); ++at) {
      const GlossaryWord& word = glossary()[at];
      QVERIFY2(word.meaning.endsWith(u'.') && !word.meaning.contains(u'"') && !word.meaning.contains(u'`'),
               qPrintable(word.meaning));
      for (std::size_t later = at + 1; later < glossary().size(); ++later)
        for (const QString& form : glossary()[later].forms) {
          const QRegularExpression used(QStringLiteral(R"(\b%1s?\b)").arg(QRegularExpression::escape(form)));
          QVERIFY2(!word.meaning.contains(used), qPrintable(word.forms.first() + " needs " + form));
        }
    }
  }

  void theFirstUseIsLinked_data() {
    QTest::addColumn<QString>("lesson");
    QTest::addColumn<QStringList>("linked");
    QTest::newRow("once") << "A lane asks, and lanes wait.\n" << QStringList{"lane"};
    QTest::newRow("plural, capital") << "Sectors a load.\n" << QStringList{"Sectors"};
    QTest::newRow("explained there") << "A *lane* is a thread. A lane asks.\n" << QStringList{};
    QTest::newRow("explained too late") << "A lane asks. A *lane* is a thread.\n" << QStringList{"lane"};
    QTest::newRow("explained in words around") << "*Bank conflicts* are turns.\n" << QStringList{};
    QTest::newRow("heading") << "## Lanes\n\n| lane |\n" << QStringList{};
    QTest::newRow("code") << "`lane + 1`, `pow`\n" << QStringList{"`pow`"};
    QTest::newRow("link") << "[each lane](lesson:data)\n" << QStringList{};
    QTest::newRow("name") << "`reduce.sorted` and classify.sorted, lane-wise\n" << QStringList{};
    QTest::newRow("setting") << "With order=sorted: how many lanes?\n" << QStringList{"lanes"};
    QTest::newRow("several") << "Each warp, a barrier.\n" << QStringList{"warp", "barrier"};
  }
  void theFirstUseIsLinked() {
    QFETCH(QString, lesson);
    QFETCH(QStringList, linked);
    static const QRegularExpression link(QStringLiteral("\\[([^\\]]+)\\]\\(lesson:words \"[^\"]+\\.\"\\)"));
    const QString with = withGlossary(lesson);
    QStringList found;
    for (const QRegularExpressionMatch& one : link.globalMatch(with))
      found << one.captured(1);
    QCOMPARE(found, linked);
    QCOMPARE(QString(with).replace(link, QStringLiteral("\\1")), lesson); // and nothing else is changed
  }

  void lessonsExplainOrLink_data() {
    QTest::addColumn<QString>("lesson");
    for (const QString& file : QDir(QStringLiteral(":/lessons")).entryList({QStringLiteral("*.md")}))
      if (file != QLatin1String("words.md")) QTest::newRow(qPrintable(file)) << file.chopped(3);
  }
  /// Whoever opens any lesson first finds what a lane or a sector is.
  void lessonsExplainOrLink() {
    QFETCH(QString, lesson);
    static const QRegularExpression title(QStringLiteral(" \"[^\"]*\"\\)"));
    const QString with = withGlossary(lessonPage(lesson)).replace(title, QStringLiteral(")"));
    for (const QString word : {"lane", "sector", "barrier", "warp"}) {
      const auto finds = [&](const QString& form) {
        return with.contains(QRegularExpression(form.arg(word), QRegularExpression::CaseInsensitiveOption));
      };
      const bool told = finds(QStringLiteral("\\[%1s?\\]\\(lesson:words")) ||
                        finds(QStringLiteral("\\*[^*\\n]*\\b%1s?\\b[^*\\n]*\\*"));
      QVERIFY2(told || !finds(QStringLiteral("(?m)^[^#|`]*[ (]%1s?\\b")), qPrintable(word));
    }
  }
};

QTEST_GUILESS_MAIN(TestGlossary)
#include "tst_glossary.moc"
