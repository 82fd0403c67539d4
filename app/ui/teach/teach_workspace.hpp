// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/counter_service.hpp"

#include <QObject>

class QWidget;

namespace lloyd {

class Actions;
class CounterTable;
class LessonView;
class SourceView;
class VariantChooser;
class ColourByBar;
class TeachPanel;
class HalfStepBar;
class Viewport;

/// The Teach workspace: which variant is looked at, and the parts that show it. The parts are widgets for the
/// window to place; this object says what stands in them. Works with the window's own session. GUI thread.
class TeachWorkspace : public QObject {
  Q_OBJECT
public:
  TeachWorkspace(Session& session, const DeviceLease& lease, const Actions& actions, Viewport* viewport,
                 QWidget* window);

  // The parts. The window owns them once it has placed them.
  [[nodiscard]] QWidget* side() const;  ///< chooser, source, counters
  [[nodiscard]] QWidget* below() const; ///< the lesson, while there is room for it
  [[nodiscard]] bool belowEmpty() const;
  [[nodiscard]] QWidget* above() const; ///< what colours mean
  [[nodiscard]] QWidget* steps() const; ///< the half-step bar

  /// Whether the workspace is the one on the screen. Points get the colours of their clusters back when it is
  /// not, and nothing is counted.
  void setShown(bool shown);
  /// Whether a variant that the session takes up because it was chosen elsewhere is looked at here too.
  void setFollowing(bool following) { following_ = following; }
  /// Shows a variant and, where it can run, has the session iterate with it.
  void choose(Stage stage, const Variant& variant);
  /// The variant with this id ("classify.v3"); false when there is no kernel of that name.
  bool choose(const std::string& id);
  /// The next (1) or previous (-1) variant of the stage; false at the end.
  bool step(int direction);
  /// Fresh live times, and text that fits the window.
  void refresh();
  void renewColours();
  /// Steps of the text's size, 0 and up.
  void setTextStep(int step);
  [[nodiscard]] int textStep() const { return textStep_; }

  [[nodiscard]] const TeachSubject& subject() const { return trace_.subject(); }
  [[nodiscard]] const CounterService& trace() const { return trace_; }
  [[nodiscard]] HalfStepBar& stepsBar() const { return *steps_; }
  [[nodiscard]] ColourByBar& colours() const { return *colours_; }
  [[nodiscard]] SourceView& source() const { return *source_; }
  [[nodiscard]] CounterTable& counters() const { return *counters_; }
  [[nodiscard]] LessonView& lesson() const { return *lesson_; }
  [[nodiscard]] VariantChooser& chooser() const { return *chooser_; }

Q_SIGNALS:
  void arranged(); ///< belowEmpty() may be another

private:
  void connectSession();
  void setSubject(Stage stage, const Variant& variant);
  void useInSession();
  void useSimulator();
  void followPlan();
  void showCounts();
  void showUse();
  void showFigures();
  void applyFont();
  [[nodiscard]] std::optional<std::string> whyNot(const DeviceInfo& device) const;

  Session& session_;
  CounterService trace_;
  QWidget* window_;
  VariantChooser* chooser_;
  SourceView* source_;
  CounterTable* counters_;
  LessonView* lesson_;
  HalfStepBar* steps_;
  ColourByBar* colours_;
  TeachPanel* panel_;
  Plan seenPlan_;
  bool shown_ = false;
  bool following_ = true;
  bool named_ = false;   ///< whether the subject was asked for by its id
  bool pending_ = false; ///< a choice made before there was a device to judge it
  int textStep_ = 0;
  double textPoints_ = 0;
};

} // namespace lloyd
