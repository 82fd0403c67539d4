// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/saved/moment.hpp"
#include "app/model/saved/view_choices.hpp"

#include <QString>

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace lloyd {

/// All that undo brings back.
struct EditState {
  Moment moment;
  bool playing = false; ///< though nothing may have been left to do
  ViewChoices view;
  std::vector<std::size_t> colours;  ///< of the palette, by cluster
  std::vector<QString> names;        ///< that a person gave, by cluster
  std::optional<SavedCamera> camera; ///< for where other axes made the view look anew
};

/// Whether a person would see no difference; from where the points are looked at aside.
[[nodiscard]] bool sameEdit(const EditState& a, const EditState& b);

/// The steps that can be taken back, and those that were: each has a name, and the state on its other side.
class EditHistory {
public:
  static constexpr std::size_t mostSteps = 100;
  static constexpr std::size_t mostBytes = std::size_t{64} << 20; ///< the last step stays beyond it

  /// A step was made, from this state. What was taken back before is gone.
  void push(QString name, EditState before);
  /// The last step goes on, and is called this by now.
  void extend(QString name);
  /// The last step has changed nothing.
  void dropLast() { undo_.pop_back(); }
  void clear();

  /// Takes a step back, or makes one again, and answers the state that it leads to. now: the present one.
  /// The other of the two undoes it: with the answer as now, everything is as it was.
  [[nodiscard]] std::optional<EditState> undo(EditState now) { return turn(undo_, redo_, std::move(now)); }
  [[nodiscard]] std::optional<EditState> redo(EditState now) { return turn(redo_, undo_, std::move(now)); }

  [[nodiscard]] std::size_t size() const { return undo_.size(); } ///< that can be taken back
  [[nodiscard]] bool canUndo() const { return !undo_.empty(); }
  [[nodiscard]] bool canRedo() const { return !redo_.empty(); }
  [[nodiscard]] QString undoName() const { return canUndo() ? undo_.back().name : QString(); }
  [[nodiscard]] QString redoName() const { return canRedo() ? redo_.back().name : QString(); }
  /// Before the last step; there must be one.
  [[nodiscard]] const EditState& before() const { return undo_.back().state; }

private:
  struct Step {
    QString name;
    EditState state;
  };
  using Steps = std::deque<Step>; // the next is at the back
  [[nodiscard]] static std::optional<EditState> turn(Steps& from, Steps& to, EditState now);
  void limit();

  Steps undo_;
  Steps redo_;
};

} // namespace lloyd
