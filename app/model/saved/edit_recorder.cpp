// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/saved/edit_recorder.hpp"

#include "app/model/projection/axes_finder.hpp"
#include "app/model/saved/moment_restorer.hpp"
#include "app/model/session/session.hpp"

#include <utility>

namespace lloyd {

EditRecorder::EditRecorder(Session& session, AxesFinder& axes, MomentRestorer& restorer, EditSide side,
                           QObject* parent)
    : QObject(parent), session_(session), axes_(axes), restorer_(restorer), side_(std::move(side)),
      view_(side_.view()), shownAxes_(axes.axes()), points_(session.data()) {
  connect(&session_, &Session::changing, this, &EditRecorder::begin);
  connect(&session_, &Session::loadProgress, this, [this](const QString&, qulonglong rows, double) {
    if (rows == 0 && !asked_ && !target_ && session_.data()) asked_ = present();
  });
  connect(&session_, &Session::loadEnded, this, [this] { asked_.reset(); });
  connect(&session_, &Session::settingsChanged, this, &EditRecorder::settingsChanged);
  // The finder has heard of them before: what it chose with them is no step of its own.
  connect(&session_, &Session::dataChanged, this, [this] {
    // No step leads to or from rows that a person has selected.
    const auto selected = [](const SharedPointSet& points) { return points && points->selected; };
    if (selected(points_) || selected(session_.data())) forgetSteps();
    points_ = session_.data();
    shownAxes_ = axes_.axes();
    view_ = side_.view();
  });
  connect(&axes_, &AxesFinder::chosen, this, &EditRecorder::axesChosen);
  connect(&restorer_, &MomentRestorer::restored, this, &EditRecorder::arrived);
  connect(&restorer_, &MomentRestorer::dropped, this, &EditRecorder::dropped);
}

/// While points are on their way, what is changed of those before is overtaken by what comes with them.
bool EditRecorder::ignores() const {
  return restorer_.applying() || restorer_.loading() || side_.isNobodys();
}

EditState EditRecorder::present() const { return restorer_.pending() && target_ ? *target_ : side_.take(); }

void EditRecorder::begin() {
  if (step_ || ignores() || !session_.data()) return;
  step_ = Step{asked_ && !session_.loading() ? std::move(*asked_) : present(), {}, false};
  asked_.reset();
  step_->before.view = view_;
  step_->before.moment.axes = shownAxes_;
  QMetaObject::invokeMethod(this, &EditRecorder::end, Qt::QueuedConnection);
}

void EditRecorder::axesChosen() {
  if (session_.data() != points_) return; // with new points
  // Axes that could not be found are as they were.
  const bool back = !step_ && !ignores() && kind_ == axesKind && history_.canUndo() &&
                    history_.before().moment.axes == axes_.axes();
  if (back) {
    history_.dropLast();
    kind_.clear();
    Q_EMIT changed();
  } else {
    begin();
  }
  shownAxes_ = axes_.axes();
}

void EditRecorder::viewChosen() {
  const ViewChoices now = side_.view();
  if (now == view_) return;
  // A photograph's colours, or a column that is gone, come and go with the points.
  if (session_.data() == points_) begin();
  view_ = now;
}

void EditRecorder::centroidMoved(int cluster, bool held) {
  if (!step_) return;
  step_->name = moveName(cluster);
  step_->held = held;
}

void EditRecorder::name(const QString& text) {
  begin(); // also where the change comes next
  if (step_) step_->name = {text, {}};
}

void EditRecorder::nameAnyway(const QString& text) {
  if (!step_) return;
  step_->name = {text, {}};
  step_->certain = true;
}

void EditRecorder::expectOther() { target_.reset(); }

void EditRecorder::end() {
  if (std::optional<Step> step = std::exchange(step_, std::nullopt)) take(std::move(*step));
}

void EditRecorder::forgetSteps() {
  step_.reset();
  history_.clear();
  kind_.clear();
  Q_EMIT changed();
}

void EditRecorder::take(Step step) {
  if (sourceOf(session_.request()) != sourceOf(step.before.moment.request)) return forgetSteps();
  EditState after;
  after.moment = {session_.request(), session_.settings(), shownAxes_, std::nullopt};
  after.view = view_;
  if (const EditName its = editName(step.before, after); !its.text.isEmpty() && !step.certain)
    step.name = its;
  if (step.name.text.isEmpty()) step.name.text = tr("restart");
  const bool goesOn = !step.name.kind.isEmpty() && step.name.kind == kind_ && history_.canUndo() &&
                      (held_ || since_.elapsed() < atOnceMs_);
  if (goesOn)
    history_.extend(step.name.text);
  else
    history_.push(step.name.text, std::move(step.before));
  kind_ = step.name.kind;
  held_ = step.held;
  since_.start();
  Q_EMIT changed();
}

/// What cannot be met is taken back by the session itself.
void EditRecorder::settingsChanged() {
  if (ignores() || step_ || !history_.canUndo()) return;
  const EditState& before = history_.before();
  const bool back = session_.settings() == before.moment.settings && sameEdit(present(), before);
  if (!back) return;
  history_.dropLast();
  kind_.clear();
  Q_EMIT changed();
}

void EditRecorder::turn(Way way) {
  end();
  const bool back = way == Way::back;
  if (back && asked_ && session_.loading()) return session_.cancelLoading(); // no step yet
  std::optional<EditState> wanted = back ? history_.undo(present()) : history_.redo(present());
  if (!wanted) return;
  kind_.clear();
  way_ = way;
  // What was on its way before is dropped without a word of ours.
  target_.reset();
  const EditState state = *wanted;
  target_ = std::move(wanted);
  side_.give(state);
  Q_EMIT changed();
}

void EditRecorder::arrived() {
  // A session from a file has no steps yet.
  if (!std::exchange(target_, std::nullopt)) history_.clear();
  view_ = side_.view();
  shownAxes_ = axes_.axes();
  kind_.clear();
  Q_EMIT changed();
}

/// Points that cannot be had any more: the step is still to be taken.
void EditRecorder::dropped() {
  const std::optional<EditState> missed = std::exchange(target_, std::nullopt);
  view_ = side_.view();
  shownAxes_ = axes_.axes();
  if (!missed || step_) return;
  static_cast<void>(way_ == Way::back ? history_.redo(*missed) : history_.undo(*missed));
  Q_EMIT changed();
}

} // namespace lloyd
