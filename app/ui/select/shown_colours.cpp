// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/select/shown_colours.hpp"

#include "app/data/parallel_ranges.hpp"
#include "app/render/points/palette.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/view/viewport.hpp"

#include <cmath>
#include <new>
#include <utility>

namespace lloyd {
namespace {

constexpr double palePart = 0.78;     ///< of a pale colour that is the ground
constexpr double faintestPart = 0.94; ///< beside what is shown alone, where the labels are not at hand

Rgb paleOn(Rgb ground, Rgb colour, double part = palePart) {
  const auto mix = [part](std::uint8_t under, std::uint8_t over) {
    return static_cast<std::uint8_t>(std::lround(part * under + (1 - part) * over));
  };
  return {mix(ground.r, colour.r), mix(ground.g, colour.g), mix(ground.b, colour.b)};
}

} // namespace

std::vector<std::int32_t> markedGroups(std::span<const std::int32_t> base, const PointMarks& selected,
                                       const PointMarks& hidden, std::int32_t colours,
                                       std::span<const std::int32_t> clusters, std::int32_t one) {
  std::vector<std::int32_t> groups(base.size());
  parallelRanges(base.size(), {}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const bool pale = selected && (*selected)[i] == 0;
      const bool unseen = (hidden && (*hidden)[i] != 0) || (!clusters.empty() && clusters[i] != one);
      groups[i] = unseen                              ? hiddenGroup
                  : base[i] < 0 || base[i] >= colours ? -1
                  : pale                              ? base[i] + colours
                                                      : base[i];
    }
  });
  return groups;
}

ShownColours::ShownColours(Session& session, Viewport* viewport, QObject* parent)
    : QObject(parent), session_(session), viewport_(viewport) {
  pause_.setSingleShot(true);
  pause_.setInterval(pauseMs);
  connect(&pause_, &QTimer::timeout, this, &ShownColours::compose);
  connect(&session_, &Session::iterated, this, [this] {
    if (marking()) showGroups();
  });
  connect(&session_, &Session::dataChanged, this, [this] {
    // The viewport drops groups of other points by itself.
    given_.reset();
    base_.reset();
    baseColours_.clear();
    baseKey_ = {};
    selected_.reset();
    hidden_.reset();
    showColours();
    setFocus(std::nullopt);
  });
}

ShownColours::~ShownColours() = default;

void ShownColours::setActive(bool active) {
  if (std::exchange(active_, active) == active || !viewport_) return;
  if (!active && given_ && viewport_->groups() == given_) viewport_->setGroups(nullptr, {});
  given_.reset();
  showColours();
  if (active) showGroups();
}

void ShownColours::setClusterColours(const std::vector<Rgb>& colours, bool dark) {
  const bool same = colours == clusterColours_ && dark == dark_;
  clusterColours_ = colours;
  dark_ = dark;
  showColours();
  if (same) return;
  if (marking() || base_) showGroups();
  Q_EMIT clusterColoursChanged();
}

void ShownColours::setBase(PointGroupsPtr groups, std::vector<Rgb> colours, ColourKey key) {
  if (groups == base_ && colours == baseColours_ && key == baseKey_) return;
  base_ = std::move(groups);
  baseColours_ = std::move(colours);
  baseKey_ = std::move(key);
  showColours();
  showGroups();
}

void ShownColours::setFocus(std::optional<ClusterFocus> focus) {
  if (focus == focus_) return;
  focus_ = focus;
  showColours();
  pause_.stop();
  showGroups();
}

void ShownColours::setMarks(PointMarks selected, PointMarks hidden) {
  if (selected == selected_ && hidden == hidden_) return;
  selected_ = std::move(selected);
  hidden_ = std::move(hidden);
  due_ = true;
  pause_.stop();
  showGroups();
}

std::vector<Rgb> ShownColours::withPale(std::vector<Rgb> colours) const {
  const Rgb ground = backgroundOf(dark_ ? Theme::dark : Theme::light);
  const std::size_t count = colours.size();
  for (std::size_t c = 0; c < count; ++c)
    colours.push_back(paleOn(ground, colours[c]));
  return colours;
}

/// While the colours of points mean something else, a marker in that of its cluster would seem to mean it
/// too.
std::vector<Rgb> ShownColours::ofCentroids() const {
  if (!base_ || !active_) return clusterColours_;
  const QColor text = UiTheme::current().text;
  const auto part = [](int value) { return static_cast<std::uint8_t>(value); };
  return std::vector<Rgb>(clusterColours_.size(), {part(text.red()), part(text.green()), part(text.blue())});
}

/// A focus is in the colours of the clusters, so that it follows the labels wherever they are.
void ShownColours::showColours() {
  shownColours_ = ofCentroids();
  const Theme theme = dark_ ? Theme::dark : Theme::light;
  if (focus_ && active_)
    for (std::size_t c = 0; c < shownColours_.size(); ++c)
      if (static_cast<int>(c) != focus_->cluster)
        shownColours_[c] = focus_->alone ? paleOn(backgroundOf(theme), unlabelledOf(theme), faintestPart)
                                         : paleOn(backgroundOf(theme), shownColours_[c]);
  if (!viewport_) return;
  viewport_->setColours(shownColours_);
  viewport_->showCentroidAlone(alone() && active_ ? std::optional(focus_->cluster) : std::nullopt);
}

void ShownColours::showGroups() {
  if (!viewport_ || !active_) return;
  if (!marking()) {
    due_ = false;
    const bool mine = given_ && viewport_->groups() == given_;
    if (base_) {
      if (viewport_->setGroups(base_, baseColours_, baseKey_)) given_ = base_;
    } else if (mine) {
      viewport_->setGroups(nullptr, {});
      given_.reset();
    }
    return;
  }
  due_ = true;
  if (busy_ || pause_.isActive()) return;
  compose();
}

/// From the newest labels, on the thread. Where they are lent the next state tries again.
void ShownColours::compose() {
  const SharedPointSet points = session_.data();
  if (busy_ || !due_ || !active_ || !points || !marking()) return;
  ShownLabels clusters = !base_ || alone() ? session_.labels() : ShownLabels{};
  const ShownLabels labels = base_ ? ShownLabels{base_, *base_} : clusters;
  if (labels.labels.size() != points->n) return;
  if (!alone() || clusters.labels.size() != points->n) clusters = {};
  const std::vector<Rgb> colours = base_ ? baseColours_ : shownColours_;
  busy_ = true;
  due_ = false;
  worker_.post([this, points, labels, clusters, colours, key = baseKey_, selected = selected_,
                hidden = hidden_, focus = focus_] {
    PointGroupsPtr groups;
    try {
      groups = std::make_shared<const std::vector<std::int32_t>>(
          markedGroups(labels.labels, selected, hidden, static_cast<std::int32_t>(colours.size()),
                       clusters.labels, focus ? focus->cluster : 0));
    } catch (const std::bad_alloc&) { // what was drawn stays
    }
    toGui_.post([this, points, groups, colours, key, selected, hidden, focus] {
      busy_ = false;
      const bool meant =
          selected == selected_ && hidden == hidden_ && focus == focus_ && points == session_.data();
      if (meant && groups && active_ && viewport_->setGroups(groups, withPale(colours), key)) given_ = groups;
      if (!due_) return;
      if (session_.playing() && !session_.converged())
        pause_.start();
      else
        compose();
    });
  });
}

} // namespace lloyd
