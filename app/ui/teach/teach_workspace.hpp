// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/teach/block/block_service.hpp"
#include "app/model/teach/counter_service.hpp"
#include "app/model/teach/memory_service.hpp"

#include <QObject>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

class QAction;
class QWidget;

namespace lloyd {

class Actions;
class BlockView;
class CounterTable;
class LessonView;
class MemoryView;
class PredictPanel;
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
  /// One pane has all of the screen: nothing but side() is to be seen.
  [[nodiscard]] bool alone() const;
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
  /// Shows it and leaves the session's choice as it is. stage: the one by its name that it is shown at, where
  /// it is of several; else the first.
  bool lookAt(const std::string& id, std::string_view stage = {});
  /// Shows a kernel and has the session iterate with it, on the simulator where the session's device is none
  /// for kernels. What became of it, as a sentence.
  QString use(Stage stage, const Variant& variant);
  /// Shows a version that is wrong, and so in no list, on the input that its trial found it wrong on: nothing
  /// iterates with it, and it never runs on other points. Once this block's steps are there, Block goes to
  /// the race that a trace names first, or to the fault. copied: of what it is a copy, so that a step goes to
  /// that one's neighbours; null: to those of the variant that was shown before.
  void showWrong(std::shared_ptr<const CountInput> input, std::uint32_t block, const Variant* copied);
  /// Shows the version before a wrong one instead of it, or the first of its stage; does nothing where none
  /// is shown.
  void leaveWrong();
  /// The wrong version that is shown is of an earlier text than the one saved last, which cannot be shown.
  void sayWrongIsEarlier();
  /// Whether the subject is such a version. It has an id that nobody else finds.
  [[nodiscard]] bool showsWrong() const { return trace_.ownInput() != nullptr; }
  /// The subject's variant; of a wrong version, which is in no list, the one whose place it takes there.
  [[nodiscard]] const Variant& listed() const;
  /// The next (1) or previous (-1) variant of the stage; null at the end.
  [[nodiscard]] const Variant* neighbour(int direction) const;
  /// Goes to that one; false at the end.
  bool step(int direction);
  /// After a variant has come or has taken another's place.
  void renewVariants();
  /// A race of this machine: the steps that it has are told by its verdicts.
  void showRace(const RaceResultPtr& race);
  /// Fresh live times, and text that fits the window.
  void refresh();
  void renewColours();
  /// Steps of the text's size, 0 and up.
  void setTextStep(int step);
  [[nodiscard]] int textStep() const { return textStep_; }
  [[nodiscard]] TeachPanel& panel() const { return *panel_; }

  [[nodiscard]] const TeachSubject& subject() const { return trace_.subject(); }
  [[nodiscard]] const CounterService& trace() const { return trace_; }
  [[nodiscard]] HalfStepBar& stepsBar() const { return *steps_; }
  [[nodiscard]] ColourByBar& colours() const { return *colours_; }
  [[nodiscard]] SourceView& source() const { return *source_; }
  [[nodiscard]] CounterTable& counters() const { return *counters_; }
  [[nodiscard]] MemoryView& memory() const { return *memory_; }
  [[nodiscard]] const MemoryService& requests() const { return requests_; }
  [[nodiscard]] BlockView& block() const { return *block_; }
  [[nodiscard]] const BlockService& replays() const { return replays_; }
  [[nodiscard]] LessonView& lesson() const { return *lesson_; }
  [[nodiscard]] PredictPanel& predict() const { return *predict_; }
  [[nodiscard]] VariantChooser& chooser() const { return *chooser_; }

Q_SIGNALS:
  void arranged(); ///< belowEmpty() may be another

private:
  void connectSession();
  void setSubject(Stage stage, const Variant& variant);
  void show(const TeachSubject& subject, std::shared_ptr<const CountInput> ownInput);
  void useInSession();
  void useSimulator();
  void followPlan();
  void showCounts();
  void connectMemory();
  void connectBlock(QAction* open);
  void connectPredict(const QAction& hide, QAction* open);
  void showMemoryOf(int line);
  void showUse();
  void showFigures();
  void applyFont();
  void fitCanvas();
  void fitBars(double points);
  void setUp(const QString& experiment);
  [[nodiscard]] Tuning launch() const;
  void renewReasons();
  [[nodiscard]] std::optional<std::string> whyNot(Stage stage, const Variant& variant,
                                                  const DeviceInfo& device) const;

  Session& session_;
  CounterService trace_;
  MemoryService requests_;
  BlockService replays_;
  QWidget* window_;
  Viewport* viewport_; ///< null where there is no OpenGL
  VariantChooser* chooser_;
  SourceView* source_;
  CounterTable* counters_;
  MemoryView* memory_;
  BlockView* block_;
  LessonView* lesson_;
  PredictPanel* predict_;
  HalfStepBar* steps_;
  ColourByBar* colours_;
  TeachPanel* panel_;
  const Variant* home_ = nullptr; ///< listed() of a wrong version
  Plan seenPlan_;
  DataRequest experimentRequest_; ///< of the lesson's experiment, and its launch while its points are shown
  Tuning experimentLaunch_;
  bool shown_ = false;
  bool following_ = true;
  bool named_ = false;          ///< whether the subject was asked for by its id
  bool pending_ = false;        ///< a choice made before there was a device to judge it
  bool goingToTrouble_ = false; ///< of a wrong version, whose steps are not there yet
  QString editKey_;             ///< brings the editor of a kernel to the front
  int textStep_ = 0;
  double textPoints_ = 0;
  int textWidth_ = 0; ///< of the window, for which the bars were fitted
};

} // namespace lloyd
