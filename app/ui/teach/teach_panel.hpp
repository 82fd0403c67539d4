// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/teach_subject.hpp"

#include <QList>
#include <QWidget>

#include <optional>

class QAction;
class QBoxLayout;
class QLabel;
class QSplitter;
class QTabWidget;
class QToolButton;

namespace lloyd {

class Actions;
class CounterTable;
class ElidedLabel;
class LessonView;
class MemoryView;
class SourceView;
class VariantChooser;

enum class TeachPane { source, counters, lesson };

/// What a person made of the panes, from one start of the program to the next. The lesson's is the lower
/// panel's (WorkspacePanels).
struct TeachPanes {
  bool source = true;
  bool counters = true;
  double countersPart = 0; ///< of the width that source and counters have; 0: as wide as the tables
};

/// Chooser above; source and counters beside each other where there is room, else behind tabs, and the lesson
/// with them. Each pane can be hidden, and one can have all of the room; the window's actions say which.
class TeachPanel : public QWidget {
  Q_OBJECT
public:
  TeachPanel(VariantChooser* chooser, SourceView* source, CounterTable* counters, MemoryView* memory,
             LessonView* lesson, const Actions& actions, QWidget* parent = nullptr);

  /// What the difference comes to: "since V2: +6 new, ~9 changed, −12 gone".
  void showDifference(const SourceComparison& comparison, const TeachSubject& subject);
  [[nodiscard]] QString difference() const;
  /// Nothing of the lesson is left for its home: it is here, or another pane is alone.
  [[nodiscard]] bool lessonAway() const { return lessonAway_; }
  /// Brings the memory view to the front, and its pane back where it is hidden.
  void showMemory();
  /// Another tab of the counters' pane, which the action leads to. tells: it tells what lines asked, as the
  /// memory view does.
  void addMeasure(QWidget* view, const QString& name, QAction* action, bool tells = false);
  /// Whether the views that tell what lines asked can be looked at.
  void offerMemory(bool offered);
  /// Whether a view is the one of its pane that is turned to, and the pane is not hidden. It is so too while
  /// another pane is alone, or in front of this one.
  [[nodiscard]] bool isFront(const QWidget* view) const;
  /// Where the lesson is while there is room.
  [[nodiscard]] QWidget* lessonHome() const { return lessonHome_; }
  /// The pane that is alone on the screen.
  [[nodiscard]] std::optional<TeachPane> alone() const { return alone_; }
  void setPanes(const TeachPanes& panes);
  /// Gives the panes what they need in the present font, with the present badges and tables.
  void fitPanes();
  [[nodiscard]] TeachPanes panes() const;
  [[nodiscard]] QSize minimumSizeHint() const override { return {360, 240}; }

Q_SIGNALS:
  void arranged(); ///< lessonAway(), alone() or isFront() may be another, and the order of Tab is
  void turned();   ///< isFront() may be another

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void makeDifferenceRow(QBoxLayout& row);
  void connectPanes();
  void arrange();
  void shareWidths();
  bool isCompact() const;
  void showMeasure(QWidget* view);
  void tipTab(int tab);
  void moveBorder(int direction);
  void setAlone(bool alone);
  [[nodiscard]] QWidget* widgetOf(TeachPane pane) const;
  [[nodiscard]] bool isShown(TeachPane pane) const;
  [[nodiscard]] TeachPane focused() const;

  const Actions& actions_;
  VariantChooser* chooser_;
  SourceView* source_;
  CounterTable* counters_;
  MemoryView* memory_;
  QTabWidget* measures_;        ///< counters, memory and more, one pane
  QList<QWidget*> views_;       ///< what its tabs show, in their order
  QList<QAction*> measureKeys_; ///< of its tabs, in their order
  QList<QWidget*> tell_;        ///< what lines asked
  LessonView* lesson_;
  QWidget* lessonHome_;
  QWidget* sourcePane_;
  ElidedLabel* difference_;
  QLabel* title_;                  ///< of the variant, while the chooser is not seen
  QLabel* nothing_;                ///< while every pane is hidden
  QToolButton* apart_;             ///< of a step that can be taken apart
  QList<QWidget*> forDifferences_; ///< buttons that mean nothing without a version before
  QSplitter* splitter_;
  QTabWidget* tabs_;
  QWidget* asked_ = nullptr; ///< the pane that was asked for last, which comes first once there are tabs
  bool compact_ = false;
  bool lessonAway_ = false;
  double countersPart_ = 0;
  std::optional<TeachPane> alone_;
};

} // namespace lloyd
