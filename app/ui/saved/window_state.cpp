// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/saved/window_state.hpp"

#include "app/model/projection/axes_finder.hpp"
#include "app/model/saved/moment_restorer.hpp"
#include "app/model/selection/cluster_watch.hpp"
#include "app/model/session/session.hpp"
#include "app/text/strings.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/compare/pair_views.hpp"
#include "app/ui/compare/race_panel.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/teach/colour_by_bar.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/view/cluster_colours.hpp"
#include "app/ui/view/viewport.hpp"

#include <QAction>

#include <string_view>
#include <utility>

namespace lloyd {
namespace {

constexpr std::pair<PairMode, std::string_view> modes[] = {{PairMode::beside, "beside"},
                                                           {PairMode::split, "split"},
                                                           {PairMode::difference, "difference"},
                                                           {PairMode::alone, "alone"}};

constexpr ColourBy teachColours[] = {ColourBy::cluster, ColourBy::thread, ColourBy::warp, ColourBy::block,
                                     ColourBy::changed};

SavedCamera savedCamera(const CameraPose& pose) {
  return {.fitted = pose.fitted,
          .target = {pose.target.x, pose.target.y, pose.target.z},
          .pixelsPerUnit = {pose.pixelsPerUnit.x, pose.pixelsPerUnit.y},
          .viewport = {pose.viewport.x, pose.viewport.y},
          .yaw = pose.yaw,
          .pitch = pose.pitch,
          .distance = pose.distance};
}

CameraPose poseOf(const SavedCamera& camera) {
  return {.fitted = camera.fitted,
          .target = {camera.target[0], camera.target[1], camera.target[2]},
          .pixelsPerUnit = {camera.pixelsPerUnit[0], camera.pixelsPerUnit[1]},
          .viewport = {camera.viewport[0], camera.viewport[1]},
          .yaw = camera.yaw,
          .pitch = camera.pitch,
          .distance = camera.distance};
}

} // namespace

WindowState::WindowState(const StateParts& parts, QObject* parent) : QObject(parent), parts_(parts) {
  connect(&parts_.restorer, &MomentRestorer::pointsThere, this, [this] {
    if (coming_) arrange();
  });
  connect(&parts_.restorer, &MomentRestorer::restored, this, [this](bool whole) {
    if (!std::exchange(coming_, false)) return;
    const auto k = static_cast<std::size_t>(saved_.moment.settings.k);
    if (whole && saved_.colours.size() == k) parts_.colours.startRun(saved_.colours);
    if (whole) parts_.clusters.setNames(saved_.names);
    camera_ = saved_.camera;
    if (whole_) Q_EMIT restored(whole);
  });
  connect(&parts_.restorer, &MomentRestorer::dropped, this, [this] {
    if (std::exchange(coming_, false) && whole_) Q_EMIT dropped();
  });
  if (!parts_.viewport) return;
  connect(&parts_.session, &Session::iterated, this, &WindowState::tryCamera);
  connect(&parts_.axes, &AxesFinder::ended, this, &WindowState::tryCamera);
}

ViewChoices WindowState::choices() const {
  return {.orthographic = parts_.orthographic.isChecked(),
          .trails = parts_.trails.isChecked(),
          .regions = parts_.regions.isChecked(),
          .pointSize = parts_.viewport ? parts_.viewport->sizeFactor() : 1,
          .meanColour = parts_.colours.by() == ClusterColours::By::centroid,
          .colourColumn = parts_.appearance.column()};
}

EditState WindowState::takenEdit() const {
  EditState now;
  now.moment = momentOf(parts_.session, parts_.axes);
  now.playing = parts_.session.playing();
  now.view = choices();
  now.colours = parts_.colours.assignment();
  now.names = parts_.clusters.names();
  if (parts_.viewport) now.camera = savedCamera(parts_.viewport->camera().pose());
  return now;
}

SavedSession WindowState::taken() const {
  EditState edit = takenEdit();
  SavedSession now;
  now.moment = std::move(edit.moment);
  now.playing = edit.playing;
  now.view = edit.view;
  now.colours = std::move(edit.colours);
  now.names = std::move(edit.names);
  now.camera = edit.camera;
  now.workspace = parts_.workspace().toStdString();
  if (const Variant* variant = parts_.teach.subject().variant; variant && !parts_.teach.showsWrong())
    now.teach = variant->id();
  now.teachColours = name(parts_.teach.colours().by());
  const PairViews& pair = parts_.compare.pair();
  for (const auto& [mode, word] : modes)
    if (mode == pair.mode()) now.pair.mode = word;
  now.pair.b = parts_.compare.pair().run().side();
  if (parts_.viewport) now.pair.divider = parts_.viewport->divider();
  const RacePanel& race = parts_.compare.racePanel();
  if (race.pairByHand()) {
    now.pair.ladderA = race.a();
    now.pair.ladderB = race.b();
  }
  const Baseline& baseline = parts_.compare.racePanel().baseline();
  now.pair.baseline = "none";
  if (baseline.kind == Baseline::Kind::first) now.pair.baseline = "first";
  if (baseline.kind == Baseline::Kind::variant && baseline.candidate.variant) {
    now.pair.baseline = "variant";
    now.pair.pinned = baseline.candidate;
  }
  return now;
}

void WindowState::restore(const SavedSession& session) {
  Q_EMIT sessionComing();
  saved_ = session;
  whole_ = true;
  begin();
}

void WindowState::restoreEdit(const EditState& edit) {
  const Moment& moment = edit.moment;
  const bool looksAnew = moment.request != parts_.session.request() || moment.axes != parts_.axes.axes();
  if (std::exchange(coming_, false) && whole_) Q_EMIT dropped(); // a session on its way gives way
  saved_ = {};
  saved_.moment = moment;
  saved_.playing = edit.playing;
  saved_.view = edit.view;
  saved_.colours = edit.colours;
  saved_.names = edit.names;
  if (looksAnew) saved_.camera = edit.camera;
  whole_ = false;
  begin();
}

void WindowState::begin() {
  camera_.reset();
  coming_ = true; // points that are there already get everything at once
  parts_.restorer.restore(saved_.moment);
}

/// What stands around the points, before the run's state comes: side B follows from its first result on.
void WindowState::arrange() {
  playOrRest(parts_.session, saved_.moment, saved_.playing);
  restoreChoices();
  if (!whole_) return;
  if (!saved_.teach.empty()) static_cast<void>(parts_.teach.choose(saved_.teach));
  for (const ColourBy by : teachColours)
    if (name(by) == saved_.teachColours) parts_.teach.colours().setBy(by);
  parts_.setWorkspace(qtext(saved_.workspace));
  restorePair(); // after a workspace that had chosen one by itself
}

void WindowState::restoreChoices() {
  const ViewChoices& choices = saved_.view;
  parts_.orthographic.setChecked(choices.orthographic);
  parts_.trails.setChecked(choices.trails);
  parts_.regions.setChecked(choices.regions);
  const bool mean = choices.meanColour && parts_.session.data()->colours;
  if (const ViewChoices now = this->choices();
      now.meanColour != mean || now.colourColumn != choices.colourColumn)
    parts_.appearance.chooseColours(mean ? ClusterColours::By::centroid : ClusterColours::By::palette,
                                    choices.colourColumn);
  if (!parts_.viewport) return;
  parts_.viewport->setSizeFactor(choices.pointSize);
  parts_.appearance.showSize(parts_.viewport->sizeFactor());
}

void WindowState::restorePair() {
  PairViews& pair = parts_.compare.pair();
  RacePanel& race = parts_.compare.racePanel();
  if (saved_.pair.ladderA && saved_.pair.ladderB) {
    race.setA(*saved_.pair.ladderA);
    race.setB(*saved_.pair.ladderB);
  }
  pair.setSideB(saved_.pair.b);
  pair.setDivider(saved_.pair.divider);
  for (const auto& [mode, word] : modes)
    if (word == saved_.pair.mode) pair.setMode(mode);
  if (saved_.pair.baseline == "none") race.setBaseline({});
  if (saved_.pair.baseline == "first") race.setBaseline(Baseline::ofFirst());
  if (saved_.pair.baseline == "variant" && saved_.pair.pinned)
    race.setBaseline(Baseline::ofVariant(*saved_.pair.pinned));
}

/// A view looks at all points anew when it gets them, and when they get other axes.
void WindowState::tryCamera() {
  if (parts_.session.request() != saved_.moment.request) camera_.reset();
  if (!camera_ || parts_.axes.busy() || parts_.viewport->points() != parts_.session.data()) return;
  if (parts_.viewport->projection() != parts_.axes.projection()) return;
  parts_.viewport->setPose(poseOf(*std::exchange(camera_, std::nullopt)));
}

} // namespace lloyd
