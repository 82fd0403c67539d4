// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/teach_subject.hpp"

#include <QList>
#include <QWidget>

class QSplitter;
class QTabWidget;

namespace lloyd {

class Actions;
class CounterTable;
class ElidedLabel;
class LessonView;
class SourceView;
class VariantChooser;

/// Chooser above; source and counters beside each other where there is room, else behind tabs, and the lesson
/// with them.
class TeachPanel : public QWidget {
  Q_OBJECT
public:
  TeachPanel(VariantChooser* chooser, SourceView* source, CounterTable* counters, LessonView* lesson,
             const Actions& actions, QWidget* parent = nullptr);

  /// What the difference comes to: "since V2: +6 new, ~9 changed, −12 gone".
  void showDifference(const SourceComparison& comparison, const TeachSubject& subject);
  [[nodiscard]] QString difference() const;
  /// Everything is behind tabs: nothing of the lesson is left for its home.
  [[nodiscard]] bool compact() const { return compact_; }
  /// Where the lesson is while there is room.
  [[nodiscard]] QWidget* lessonHome() const { return lessonHome_; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {360, 240}; }

Q_SIGNALS:
  void arranged(); ///< compact() is another

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void arrange();

  SourceView* source_;
  CounterTable* counters_;
  LessonView* lesson_;
  QWidget* lessonHome_;
  QWidget* sourcePane_;
  ElidedLabel* difference_;
  QList<QWidget*> forDifferences_; ///< buttons that mean nothing without a version before
  QSplitter* splitter_;
  QTabWidget* tabs_;
  bool compact_ = false;
};

} // namespace lloyd
