// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/labels.hpp"

#include <QTest>

#include <algorithm>

using namespace lloyd;

/// What labels and choosers show where there is little room.
class TestElided : public QObject {
  Q_OBJECT
private slots:
  void aNumberIsShownWholeOrNotAtAll() {
    const QString text = QStringLiteral("since V2: +12 new, ~5 changed, \u221229,828 gone");
    const QStringList words = text.split(QLatin1Char(' '));
    ElidedLabel label;
    label.setText(text);
    const int whole = label.fontMetrics().horizontalAdvance(text);
    int cut = 0;
    for (int width = label.fontMetrics().horizontalAdvance(QChar(0x2026)) + 2; width <= whole + 10; ++width) {
      label.resize(width, 20);
      const QString shown = label.shownLines().join(QLatin1Char(' '));
      if (shown == text) continue;
      ++cut;
      QVERIFY2(shown.endsWith(QChar(0x2026)), qPrintable(shown));
      const QString last = shown.chopped(1).section(QLatin1Char(' '), -1);
      const bool number = std::any_of(last.begin(), last.end(), [](QChar c) { return c.isDigit(); }) &&
                          !last.startsWith(QLatin1Char('V'));
      if (number) QVERIFY2(words.contains(last), qPrintable(shown));
    }
    QVERIFY(cut > whole / 2);
    QCOMPARE(label.shownLines(), QStringList(text));
  }

  void aSecondLineTakesWhatTheFirstHasNoRoomFor() {
    ElidedLabel label;
    label.setMostLines(2);
    label.setText(QStringLiteral("each cluster of B is compared with its best match in A"));
    label.resize(label.fontMetrics().horizontalAdvance(label.text()) * 3 / 5, 60);
    QCOMPARE(label.shownLines().size(), 2);
    QCOMPARE(label.shownLines().join(QLatin1Char(' ')), label.text());
  }

  void aChooserTakesAShorterTextBeforeItCuts() {
    ElidedCombo box;
    box.addItem(QStringLiteral("classify.v7, automatic"));
    const QStringList shorter{QStringLiteral("classify.v7, auto"), QStringLiteral("classify.v7")};
    box.setItemData(0, shorter, ElidedCombo::shorterRole);
    QStringList seen;
    for (int width = 400; width > 40; --width) {
      box.resize(width, 30);
      if (!seen.contains(box.shownText())) seen << box.shownText();
    }
    QCOMPARE(seen.mid(0, 3), QStringList(box.currentText()) + shorter);
    QVERIFY(seen.size() > 3 && seen[3].endsWith(QChar(0x2026)));
  }
};

QTEST_MAIN(TestElided)
#include "tst_elided.moc"
