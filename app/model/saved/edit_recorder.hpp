// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/saved/edit_history.hpp"
#include "app/model/saved/edit_name.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <optional>

namespace lloyd {

class AxesFinder;
class MomentRestorer;
class Session;

/// How the owner of a session takes what it shows, and brings it back with the restorer.
struct EditSide {
  std::function<EditState()> take;
  std::function<ViewChoices()> view; ///< of it
  std::function<void(const EditState&)> give;
  std::function<bool()> isNobodys = [] { return false; }; ///< what changes now was chosen by no person
};

/// Makes steps of what a person changes of a session and of how it is drawn, takes them back and makes them
/// again. All that changes until the event loop goes on is one step, and so are changes of one kind that
/// follow at once. Iterations are no steps: what is taken back is the state before the change, and what is
/// made again the state that was left. Other points, and a session from a file, begin without steps. GUI
/// thread.
class EditRecorder : public QObject {
  Q_OBJECT
public:
  /// All must outlive it.
  EditRecorder(Session& session, AxesFinder& axes, MomentRestorer& restorer, EditSide side,
               QObject* parent = nullptr);

  void undo() { turn(Way::back); }
  void redo() { turn(Way::again); }
  [[nodiscard]] const EditHistory& steps() const { return history_; }

  /// Something of the view may have been chosen.
  void viewChosen();
  /// What is being changed is a centroid's place. held: it is still on the pointer.
  void centroidMoved(int cluster, bool held);
  /// What is being changed, or comes at once, has this name where no setting is another.
  void name(const QString& text);
  /// What is being changed is a step of its own, and has this name whatever else it changes.
  void nameAnyway(const QString& text);
  /// What is being changed is nobody's choice.
  void forget() { step_.reset(); }
  /// What the restorer brings next is none of the steps.
  void expectOther();
  /// So soon a change of one kind follows another; milliseconds.
  void setAtOnce(int ms) { atOnceMs_ = ms; }

Q_SIGNALS:
  void changed(); ///< steps() are others

private:
  enum class Way : std::uint8_t { back, again };
  /// What is being changed.
  struct Step {
    EditState before;
    EditName name; ///< where nothing that is set differs; empty: the run begins again
    bool held = false;
    bool certain = false; ///< the name stays
  };
  void begin();
  void end();
  void take(Step step);
  void forgetSteps();
  void turn(Way way);
  void axesChosen();
  void settingsChanged();
  void arrived();
  void dropped();
  [[nodiscard]] bool ignores() const;
  [[nodiscard]] EditState present() const;

  Session& session_;
  AxesFinder& axes_;
  MomentRestorer& restorer_;
  EditSide side_;
  EditHistory history_;
  std::optional<Step> step_;
  std::optional<EditState> asked_;  ///< as it was when the points that are being loaded were asked for
  std::optional<EditState> target_; ///< on its way
  Way way_ = Way::back;             ///< to it
  // As they were before what is told next.
  ViewChoices view_;
  Axes shownAxes_;
  SharedPointSet points_;
  // The last step, while it may go on.
  QString kind_;
  bool held_ = false;
  QElapsedTimer since_;
  int atOnceMs_ = 1000;
};

} // namespace lloyd
