// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/projection/axes_finder.hpp"

#include "app/model/projection/projected_points.hpp"
#include "app/model/session/command_line_text.hpp"
#include "app/text/strings.hpp"

#include <chrono>
#include <utility>

namespace lloyd {

AxesFinder::AxesFinder(const Session& session, QObject* parent) : QObject(parent), session_(session) {
  connect(&session_, &Session::dataChanged, this, &AxesFinder::takeData);
  takeData();
}

AxesFinder::~AxesFinder() {
  if (cancel_) *cancel_ = true;
}

void AxesFinder::setAxes(Axes axes) {
  if (axes == axes_) return;
  axes_ = std::move(axes);
  Q_EMIT chosen();
}

void AxesFinder::takeData() {
  const SharedPointSet before = std::exchange(points_, session_.data());
  if (points_ == before) return;
  components_.reset();
  const bool same = before && points_ && points_->columns == before->columns && whyNoAxes(*points_).empty();
  const std::optional<std::string> words = std::exchange(words_, std::nullopt);
  if (words && points_) return chooseWords(*words);
  choose(same ? axes_ : Axes{});
}

void AxesFinder::chooseWords(const std::string& words) {
  if (!points_) {
    words_ = words;
    return;
  }
  const auto axes = axesFrom(words, *points_);
  if (axes) return choose(*axes);
  choose({});
  Q_EMIT failed(qtext(axes.error()) + QLatin1Char('.'));
}

QString AxesFinder::words() const {
  QStringList words;
  for (const Axis& axis : axes_) {
    const QString word = points_ ? qtext(axisText(axis, *points_)) : QString();
    // A name that a list would take apart is told by its index.
    words << (word.contains(QLatin1Char(',')) || word.trimmed() != word ? QString::number(axis.index) : word);
  }
  return shellQuoted(words.join(QLatin1Char(',')));
}

void AxesFinder::choose(const Axes& axes) {
  if (cancel_) *cancel_ = true;
  setAxes(points_ ? axes : Axes{});
  if (axes_.empty()) {
    const bool busy = std::exchange(cancel_, nullptr) != nullptr;
    shownAxes_.clear();
    if (std::exchange(projection_, nullptr)) Q_EMIT changed();
    if (busy) Q_EMIT ended();
    return;
  }
  if (const std::string why = whyNoAxes(*points_); !why.empty()) {
    choose({});
    Q_EMIT failed(qtext(why) + QLatin1Char('.'));
    return;
  }
  find();
}

void AxesFinder::cancel() {
  if (!cancel_) return;
  *cancel_ = true;
  setAxes(shownAxes_);
}

void AxesFinder::find() {
  cancel_ = std::make_shared<std::atomic<bool>>(false);
  worker_.post([this, points = points_, axes = axes_, cancel = cancel_, components = components_] {
    using Clock = std::chrono::steady_clock;
    auto told = Clock::now();
    const auto tell = [&](std::uint64_t, double fraction) {
      if (Clock::now() - told < std::chrono::milliseconds(100)) return;
      told = Clock::now();
      toGui_.post([this, cancel, fraction] {
        if (cancel == cancel_) Q_EMIT progress(fraction);
      });
    };
    Outcome outcome = found(points, axes, components, {.progress = tell, .cancel = cancel.get()});
    toGui_.post([this, cancel, outcome = std::move(outcome)] {
      if (cancel == cancel_) take(outcome);
    });
  });
}

/// On the thread. Without a projection where it was cancelled.
AxesFinder::Outcome AxesFinder::found(const SharedPointSet& points, const Axes& axes,
                                      std::shared_ptr<const PrincipalComponents> components,
                                      const ReadControl& control) {
  Outcome outcome{.projection = {}, .components = std::move(components), .error = {}};
  auto projection = projectedPoints(points, axes, outcome.components, control);
  if (projection)
    outcome.projection = std::move(*projection);
  else
    outcome.error = projection.error();
  return outcome;
}

void AxesFinder::take(const Outcome& outcome) {
  cancel_.reset();
  if (outcome.components) components_ = outcome.components;
  if (outcome.projection) {
    shownAxes_ = axes_;
    projection_ = outcome.projection;
    Q_EMIT changed();
  } else {
    setAxes(shownAxes_);
    if (!outcome.error.empty()) Q_EMIT failed(qtext(outcome.error) + QLatin1Char('.'));
  }
  Q_EMIT ended();
}

} // namespace lloyd
