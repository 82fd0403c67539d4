// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/axis_texts.hpp"

#include "app/render/overlay/axes_frame.hpp"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lloyd {

namespace {

constexpr std::size_t enough = 3; ///< numbers on an axis
constexpr double apart = 3;       ///< pixels between two texts beside each other
constexpr int rows = 3;           ///< more in which numbers along an edge of a flat view may stand
constexpr int beside = 2;         ///< lines that a number may go out before others make way
constexpr int farthest = 7;       ///< lines that a text may stray from its tick

/// A step from where a text would stand, in lines: away from the drawing, and along its edge.
struct Step {
  int out = 0;
  int along = 0;
};

/// All steps, the shortest first.
std::vector<Step> stepsUpTo(int most) {
  std::vector<Step> steps;
  for (int out = -1; out <= most; ++out)
    for (int along = -most; along <= most; ++along)
      if (std::max(out, 0) + std::abs(along) <= most) steps.push_back({out, along});
  std::ranges::stable_sort(steps, {}, [](const Step& step) {
    return 2 * step.out * step.out + 3 * step.along * step.along + (step.out < 0 ? 12 : 0);
  });
  return steps;
}

const std::vector<Step>& steps() {
  static const std::vector<Step> all = stepsUpTo(farthest);
  return all;
}

/// How far numbers go to find room.
enum class Reach : std::uint8_t { none, outwards, around, overPoints, anywhere };

/// A side of the box of the data as it is seen.
using Side = std::array<QPointF, 4>;

/// Whether a convex shape meets a box: no straight line along an edge of either lies between them.
bool meets(const Side& side, const QRectF& box) {
  const Side corners{box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()};
  const auto apartAcross = [&](QPointF way) {
    const QPointF across(-way.y(), way.x());
    const auto extent = [&](const Side& shape) {
      std::array<double, 4> along;
      std::ranges::transform(shape, along.begin(),
                             [&](QPointF at) { return QPointF::dotProduct(at, across); });
      return std::ranges::minmax(along);
    };
    const auto [low, high] = extent(side);
    const auto [from, to] = extent(corners);
    return high < from || to < low;
  };
  if (apartAcross({1, 0}) || apartAcross({0, 1})) return false;
  for (std::size_t i = 0; i < side.size(); ++i)
    if (apartAcross(side[(i + 1) % side.size()] - side[i])) return false;
  return true;
}

bool crosses(const QLineF& line, const QRectF& box) {
  if (box.contains(line.p1()) || box.contains(line.p2())) return true;
  for (const QLineF& side :
       {QLineF(box.topLeft(), box.topRight()), QLineF(box.topRight(), box.bottomRight()),
        QLineF(box.bottomRight(), box.bottomLeft()), QLineF(box.bottomLeft(), box.topLeft())})
    if (line.intersects(side, nullptr) == QLineF::BoundedIntersection) return true;
  return false;
}

/// From a tick to the nearest place on the edge of its number.
QLineF leaderTo(QPointF at, const QRectF& box) {
  return {at,
          QPointF(std::clamp(at.x(), box.left(), box.right()), std::clamp(at.y(), box.top(), box.bottom()))};
}

class Placing {
public:
  Placing(const AxisTextsWanted& wanted, const AxesFrame& frame)
      : wanted_(wanted), metrics_(wanted.font), flat_(wanted.camera.dimensions() < 3),
        inside_(QRectF(QPointF(0, 0), QSizeF(wanted.view)).adjusted(2, 2, -2, -2)) {
    for (const FrameLabel& label : frame.labels) {
      std::vector<FrameLabel>& list =
          label.text.empty() ? middles_ : ticks_[static_cast<std::size_t>(label.axis)];
      list.push_back(label);
    }
    for (const auto& corners : frame.nearSides) {
      Side& side = sides_.emplace_back();
      for (std::size_t i = 0; i < side.size(); ++i)
        side[i] = QPointF(corners[i].x, corners[i].y) / wanted.pixelRatio;
    }
  }

  /// The axes in this order. freeTicks: no number stands on a tick of another axis.
  std::vector<AxisText> placed(const std::array<int, 3>& order, bool freeTicks) {
    texts_.clear();
    freeTicks_ = freeTicks;
    if (flat_) nameFlat();
    for (const int axis : order)
      number(ticks_[static_cast<std::size_t>(axis)]);
    if (!flat_)
      for (const FrameLabel& middle : middles_)
        nameInSpace(middle);
    return std::exchange(texts_, {});
  }

  /// How many of the numbers and names that there should be are there.
  [[nodiscard]] std::size_t worth(const std::vector<AxisText>& texts) const {
    std::size_t sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto of = [&](bool name) {
        return static_cast<std::size_t>(std::ranges::count_if(
            texts, [&](const AxisText& text) { return text.axis == axis && text.name == name; }));
      };
      sum += 2 * std::min(enough, of(false)) + of(true);
    }
    return sum;
  }
  /// The most that it can be.
  [[nodiscard]] std::size_t most() const {
    std::size_t sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (!ticks_[axis].empty()) sum += 2 * enough + (wanted_.names[axis].isEmpty() ? 0 : 1);
    return sum;
  }

private:
  [[nodiscard]] bool free(const QRectF& box) const {
    if (!inside_.contains(box)) return false;
    const QRectF spaced = box.adjusted(-apart, 0, apart, 0);
    return std::ranges::none_of(wanted_.taken,
                                [&](const QRectF& other) { return other.intersects(spaced); }) &&
           std::ranges::none_of(texts_, [&](const AxisText& other) {
             return other.box.intersects(spaced) || (other.leader && crosses(*other.leader, box));
           });
  }
  [[nodiscard]] bool clearOfPoints(const QRectF& box) const {
    return std::ranges::none_of(sides_, [&](const Side& side) { return meets(side, box); });
  }
  [[nodiscard]] bool hidesNoText(const QLineF& leader) const {
    return std::ranges::none_of(wanted_.taken, [&](const QRectF& other) { return crosses(leader, other); }) &&
           std::ranges::none_of(texts_, [&](const AxisText& other) { return crosses(leader, other.box); });
  }
  [[nodiscard]] bool hidesNothing(const QLineF& leader) const {
    return hidesNoText(leader) && std::ranges::none_of(texts_, [&](const AxisText& other) {
             return other.leader && leader.intersects(*other.leader, nullptr) == QLineF::BoundedIntersection;
           });
  }
  [[nodiscard]] QRectF intoView(QRectF box) const {
    box.moveLeft(
        std::clamp(box.left(), inside_.left(), std::max(inside_.left(), inside_.right() - box.width())));
    box.moveTop(
        std::clamp(box.top(), inside_.top(), std::max(inside_.top(), inside_.bottom() - box.height())));
    return box;
  }
  [[nodiscard]] QPointF at(const FrameLabel& label) const {
    return QPointF(label.pixel.x, label.pixel.y) / wanted_.pixelRatio;
  }
  [[nodiscard]] QRectF boxAt(const FrameLabel& label, const QString& text, Step step = {}) const {
    const QSizeF extent(metrics_.horizontalAdvance(text) + 4, metrics_.height());
    const QPointF towards(label.towards.x, label.towards.y);
    const QPointF along(-towards.y(), towards.x());
    const QPointF middle =
        at(label) + QPointF(towards.x() * (extent.width() / 2 + 4), towards.y() * (extent.height() / 2 + 3)) +
        (towards * step.out + along * step.along) * extent.height();
    return {middle - QPointF(extent.width(), extent.height()) / 2, extent};
  }

  bool numberInSpace(const FrameLabel& label, const QString& text, Reach reach) {
    const QPointF tick = at(label);
    // A tick at the edge of the view has its number beside it; one beyond has none.
    if (!inside_.contains(tick)) return false;
    for (const Step& step : steps()) {
      const bool home = step.out == 0 && step.along == 0;
      if (reach == Reach::none && !home) break;
      if (reach == Reach::outwards && (step.along != 0 || step.out < 0 || step.out > beside)) continue;
      const QRectF box = intoView(boxAt(label, text, step));
      if (!free(box) || coversTicks(box, tick)) continue;
      if (!home && reach < Reach::overPoints && !clearOfPoints(box)) continue;
      const QLineF leader = leaderTo(tick, box);
      const bool led = leader.length() > metrics_.height() / 2 && !home;
      if (led && (leader.length() > farthest * metrics_.height() || !hidesNothing(leader))) continue;
      texts_.push_back({text, box, label.axis, false, led ? std::optional(leader) : std::nullopt});
      return true;
    }
    if (reach != Reach::anywhere) return false;
    for (const QPointF& topLeft : placesNear(tick)) {
      const QRectF box(topLeft, boxAt(label, text).size());
      const QLineF leader = leaderTo(tick, box);
      if (!free(box) || coversTicks(box, tick) || !hidesNoText(leader)) continue;
      texts_.push_back({text, box, label.axis, false, leader});
      return true;
    }
    return false;
  }

  /// Whether a number would stand on the tick of another one.
  [[nodiscard]] bool coversTicks(const QRectF& box, QPointF own) const {
    return std::ranges::any_of(numbered_, [&](QPointF tick) { return tick != own && box.contains(tick); });
  }

  /// Places all over the view, the nearest first.
  [[nodiscard]] std::vector<QPointF> placesNear(QPointF at) const {
    std::vector<QPointF> places;
    for (double y = inside_.top(); y < inside_.bottom(); y += metrics_.height() / 2)
      for (double x = inside_.left(); x < inside_.right(); x += metrics_.height() / 2)
        places.emplace_back(x, y);
    std::ranges::stable_sort(places, {}, [&](const QPointF& place) { return QLineF(place, at).length(); });
    return places;
  }

  /// The lines across the view lead to numbers that stand farther in.
  bool numberOnFlat(const FrameLabel& label, const QString& text, Reach reach) {
    const bool low = label.axis == 0;
    for (int row = 0; row <= (reach == Reach::none ? 0 : rows); ++row) {
      QRectF box = boxAt(label, text);
      box.translate(low ? QPointF(0, -row * box.height()) : QPointF(row * (box.width() + apart), 0));
      if (reach != Reach::none && inside_.adjusted(-4, -4, 4, 4).contains(at(label))) box = intoView(box);
      if (!free(box)) continue;
      texts_.push_back({text, box, label.axis, false});
      return true;
    }
    return false;
  }

  /// Every n-th of the ticks, from one on.
  std::size_t numberEvery(const std::vector<FrameLabel>& ticks, std::size_t every, std::size_t from,
                          Reach reach) {
    std::size_t count = 0;
    numbered_.clear();
    for (const std::vector<FrameLabel>& others : ticks_)
      for (const FrameLabel& other : others)
        if (freeTicks_ && other.axis != ticks.front().axis) numbered_.push_back(at(other));
    for (std::size_t i = from; i < ticks.size(); i += every)
      numbered_.push_back(at(ticks[i]));
    for (std::size_t i = from; i < ticks.size(); i += every) {
      const QString text = QString::fromStdString(ticks[i].text);
      count += (flat_ ? numberOnFlat(ticks[i], text, reach) : numberInSpace(ticks[i], text, reach)) ? 1 : 0;
    }
    return count;
  }

  /// All ticks that have a number when they are alone; fewer, evenly spaced, where they are too close; else
  /// as many as there is room for.
  void number(const std::vector<FrameLabel>& ticks) {
    const std::size_t before = texts_.size();
    std::vector<AxisText> best;
    for (const Reach reach :
         {Reach::none, Reach::outwards, Reach::around, Reach::overPoints, Reach::anywhere}) {
      if (flat_ && reach > Reach::outwards) break;
      for (std::size_t every = 1; every == 1 || (every - 1) * (enough - 1) < ticks.size(); ++every) {
        for (std::size_t from = 0; from < std::min(every, ticks.size()); ++from) {
          const std::size_t count = numberEvery(ticks, every, from, reach);
          const std::size_t asked = (ticks.size() - from + every - 1) / every;
          const auto first = texts_.begin() + static_cast<std::ptrdiff_t>(before);
          std::vector<AxisText> found(first, texts_.end());
          texts_.resize(before);
          const bool all = count == asked || (flat_ && evenly(ticks, found));
          if (count >= enough && all) {
            texts_.insert(texts_.end(), found.begin(), found.end());
            return;
          }
          if (count > best.size()) best = std::move(found);
        }
      }
      if (best.size() >= enough) break;
    }
    texts_.insert(texts_.end(), best.begin(), best.end());
  }

  /// On a flat view the ends of an axis belong to other words; between them no number may be left out.
  [[nodiscard]] bool evenly(const std::vector<FrameLabel>& ticks, const std::vector<AxisText>& found) const {
    std::vector<std::size_t> indices;
    for (const AxisText& text : found)
      for (std::size_t i = 0; i < ticks.size(); ++i)
        if (QString::fromStdString(ticks[i].text) == text.text) indices.push_back(i);
    for (std::size_t i = 2; i < indices.size(); ++i)
      if (indices[i] - indices[i - 1] != indices[1] - indices[0]) return false;
    return indices.size() == found.size();
  }

  /// At most so much of the view's width.
  [[nodiscard]] QString cut(const QString& name, double part) const {
    return metrics_.elidedText(name, Qt::ElideMiddle, std::max(40.0, inside_.width() * part - 12));
  }

  bool write(const QString& name, const QRectF& box, int axis) {
    if (name.isEmpty() || !free(box)) return false;
    texts_.push_back({name, box, axis, true});
    return true;
  }

  /// Where the axis ends, clear of the corner's words: a number gives way there.
  void nameFlat() {
    const double line = metrics_.height();
    for (int axis = 1; axis >= 0; --axis) {
      if (ticks_[static_cast<std::size_t>(axis)].empty()) continue;
      const QString name = cut(wanted_.names[static_cast<std::size_t>(axis)], 0.5);
      const double width = metrics_.horizontalAdvance(name) + 6;
      double top = inside_.top() + 2;
      for (const QRectF& taken : wanted_.taken)
        if (taken.left() < inside_.left() + 4 + width + apart && taken.top() < inside_.center().y())
          top = std::max(top, taken.bottom() + 2);
      write(name,
            axis == 0 ? QRectF(inside_.right() - width - 4, inside_.bottom() - line - 1, width, line)
                      : QRectF(inside_.left() + 4, top, width, line),
            axis);
    }
  }

  /// A name is cut where there is no room for all of it, and hides points only where there is no other place.
  void nameInSpace(const FrameLabel& label) {
    const QString& whole = wanted_.names[static_cast<std::size_t>(label.axis)];
    for (const bool clear : {true, false})
      for (const double part : {0.5, 0.35, 0.25})
        if (nameBeside(label, cut(whole, part), clear)) return;
  }

  /// Beside the numbers, as far out as it takes; where the view ends before, as far to the side, and else
  /// where there is room near by.
  bool nameBeside(const FrameLabel& label, const QString& name, bool clear) {
    const QRectF box = boxAt(label, name);
    const double step = metrics_.height() / 2;
    const QPointF out = QPointF(label.towards.x, label.towards.y) * step;
    const QPointF aside(label.towards.x < 0 ? -step : step, 0);
    constexpr int tries = 16;
    const auto tried = [&](const QRectF& place) {
      return (!clear || clearOfPoints(place)) && write(name, place, label.axis);
    };
    for (int i = 0; i < tries; ++i)
      if (tried(box.translated(out * i))) return true;
    for (const double far : {2.0, -2.0})
      for (int i = 0; i < 2 * tries; ++i)
        if (tried(intoView(box.translated(out * far + aside * i)))) return true;
    return std::ranges::any_of(placesNear(at(label)), [&](const QPointF& topLeft) {
      const bool near = QLineF(topLeft, box.topLeft()).length() <= farthest * metrics_.height();
      return (near || !clear) && tried({topLeft, box.size()});
    });
  }

  const AxisTextsWanted& wanted_;
  QFontMetricsF metrics_;
  bool flat_;
  QRectF inside_;
  std::array<std::vector<FrameLabel>, 3> ticks_;
  std::vector<FrameLabel> middles_;
  std::vector<Side> sides_; ///< of the box, where points are seen
  std::vector<AxisText> texts_;
  std::vector<QPointF> numbered_; ///< ticks that no number but their own may stand on
  bool freeTicks_ = false;
};

} // namespace

double axisTextsRoom(const QFont& font) { return 1.6 * QFontMetricsF(font).height(); }

std::vector<AxisText> axisTexts(const AxisTextsWanted& wanted) {
  Placing placing(wanted, axesFrame(wanted.camera, wanted.pixelRatio));
  std::vector<AxisText> best;
  std::size_t worth = 0;
  for (const bool freeTicks : {false, true}) {
    std::array<int, 3> order{0, 1, 2};
    do {
      std::vector<AxisText> texts = placing.placed(order, freeTicks);
      const std::size_t found = placing.worth(texts);
      if (best.empty() || found > worth) {
        best = std::move(texts);
        worth = found;
      }
      if (worth >= placing.most()) return best;
    } while (std::ranges::next_permutation(order).found);
  }
  return best;
}

} // namespace lloyd
