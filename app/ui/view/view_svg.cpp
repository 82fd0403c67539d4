// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/view_svg.hpp"

#include "app/model/report/html/markup.hpp"
#include "app/render/overlay/axes_frame.hpp"
#include "app/text/strings.hpp"
#include "app/ui/view/unhovered.hpp"

#include <QBuffer>
#include <QCoreApplication>
#include <QFontInfo>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

QString words(const char* text) { return QCoreApplication::translate("ViewSvg", text); }

QString number(double value) {
  const double rounded = std::round(value * 100) / 100;
  return QString::number(rounded == 0 ? 0 : rounded, 'g', 9);
}

QString hex(glm::dvec3 colour) {
  const auto level = [](double part) {
    return static_cast<int>(std::lround(255 * std::clamp(part, 0.0, 1.0)));
  };
  return QStringLiteral("#%1%2%3")
      .arg(level(colour.r), 2, 16, QLatin1Char('0'))
      .arg(level(colour.g), 2, 16, QLatin1Char('0'))
      .arg(level(colour.b), 2, 16, QLatin1Char('0'));
}
QString hex(Rgb colour) { return hex(glm::dvec3(toVec(colour))); }

/// Of a circle that covers what the shaders cover, device pixels: a square where points are small, half of
/// the soft edge of a disc, and the whole of a ball.
double radiusOf(const PointLook& look, bool space) {
  const double size = std::max(look.size, 1.0F);
  if (size <= 2) return size / std::sqrt(std::numbers::pi);
  return space ? size / 2 : size / 2 - 0.5;
}

/// One view while it is written. Pixels of the file are logical ones.
class SvgWriter {
public:
  SvgWriter(const ViewState& state, QSize size, double ratio)
      : state_(state), size_(size), ratio_(ratio), view_(state.camera.view()),
        theme_(state.dark ? Theme::dark : Theme::light),
        strong_(state.dark ? Rgb{255, 255, 255} : Rgb{20, 22, 26}), right_(view_.viewport.x) {}

  void begin(const SvgWish& wish, bool circles);
  /// What is written until closeSide() is cut to these logical pixels of the width.
  void openSide(const QString& id, double from, double to);
  void closeSide();
  void frame();
  void circles(std::span<const std::int32_t> groups);
  void image(const QImage& points);
  void regions();
  void dividerLine(); ///< between the two sides
  void trails();
  void rings(double pointSize);
  void centroids();
  void overlay(const QFont& font, const Drawn& drawn, bool transparent);
  [[nodiscard]] QByteArray end();
  [[nodiscard]] double pointSize() const { return look().size / ratio_; }
  /// From the left edge, logical pixels.
  [[nodiscard]] double divider() const {
    return std::round(state_.divider * size_.width() * ratio_) / ratio_;
  }

private:
  [[nodiscard]] PointLook look() const {
    return suitableLook(state_.points.data()->n, view_.dimensions, view_.viewport, theme_, ratio_,
                        state_.sizeFactor);
  }
  void line(glm::dvec2 from, glm::dvec2 to, double width, double opacity) {
    line(from, to, width, opacity, strong_);
  }
  void line(glm::dvec2 from, glm::dvec2 to, double width, double opacity, Rgb ink);
  void circle(glm::dvec2 at, double radius, const QString& fill);
  /// The name of a group, which no other has.
  [[nodiscard]] QString named(const char* group) const { return QString::fromLatin1(group) + side_; }
  /// Whether something that reaches so far is in the side, device pixels.
  [[nodiscard]] bool inside(glm::dvec2 at, double reach) const {
    return at.x > left_ - reach && at.x < right_ + reach && at.y > -reach && at.y < view_.viewport.y + reach;
  }

  const ViewState& state_;
  QSize size_;
  double ratio_;
  CameraView view_;
  Theme theme_;
  Rgb strong_;
  double left_ = 0, right_; ///< of what is written, device pixels
  QString side_;            ///< its name; empty for the whole
  Markup svg_;
};

void SvgWriter::begin(const SvgWish& wish, bool circles) {
  svg_.open("svg", {{"xmlns", QStringLiteral("http://www.w3.org/2000/svg")},
                    {"xmlns:xlink", QStringLiteral("http://www.w3.org/1999/xlink")},
                    {"width", QString::number(size_.width() * wish.scale)},
                    {"height", QString::number(size_.height() * wish.scale)},
                    {"viewBox", QStringLiteral("0 0 %1 %2").arg(size_.width()).arg(size_.height())}});
  svg_.element("title", qtext(state_.points.data()->title()));
  svg_.element("desc", circles ? words("Each point is a circle.")
                               : words("The points are an image, because there are more than %1 of them.")
                                     .arg(SvgWish::mostCircles));
  if (!wish.transparent)
    svg_.empty("rect", {{"width", QString::number(size_.width())},
                        {"height", QString::number(size_.height())},
                        {"fill", hex(backgroundOf(theme_))}});
}

void SvgWriter::openSide(const QString& id, double from, double to) {
  left_ = from * ratio_;
  right_ = to * ratio_;
  const QString clip = QStringLiteral("clip") + id;
  side_ = id;
  svg_.open("clipPath", {{"id", clip}});
  svg_.empty("rect", {{"x", number(from)},
                      {"width", number(std::max(0.0, to - from))},
                      {"height", QString::number(size_.height())}});
  svg_.close();
  svg_.open("g", {{"id", named("side")}, {"clip-path", QStringLiteral("url(#%1)").arg(clip)}});
}

void SvgWriter::closeSide() {
  svg_.close();
  side_.clear();
  left_ = 0;
  right_ = view_.viewport.x;
}

void SvgWriter::line(glm::dvec2 from, glm::dvec2 to, double width, double opacity, Rgb ink) {
  svg_.empty("line", {{"x1", number(from.x / ratio_)},
                      {"y1", number(from.y / ratio_)},
                      {"x2", number(to.x / ratio_)},
                      {"y2", number(to.y / ratio_)},
                      {"stroke", hex(ink)},
                      {"stroke-width", number(width)},
                      {"stroke-opacity", number(opacity)}});
}

void SvgWriter::circle(glm::dvec2 at, double radius, const QString& fill) {
  svg_.empty(
      "circle",
      {{"cx", number(at.x / ratio_)}, {"cy", number(at.y / ratio_)}, {"r", number(radius)}, {"fill", fill}});
}

void SvgWriter::frame() {
  svg_.open("g", {{"id", QStringLiteral("axes")}});
  for (const FrameLine& each : axesFrame(state_.camera, ratio_).lines)
    line(each.from, each.to, 1, each.strong ? 0.22 : 0.08);
  svg_.close();
}

void SvgWriter::dividerLine() {
  svg_.open("g", {{"id", QStringLiteral("divider")}});
  line({divider() * ratio_, 0}, {divider() * ratio_, view_.viewport.y}, 1.5, 0.6);
  svg_.close();
}

/// As the shaders of points do it, but for the light on balls, for which these have a rim.
void SvgWriter::circles(std::span<const std::int32_t> groups) {
  const std::size_t n = state_.points.data()->n;
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<glm::dvec3> places = state_.points.places(all);
  if (places.size() != n) return;
  const std::vector<Label> labels = groups.empty() ? state_.points.labels() : std::vector<Label>();
  const std::vector<Rgb>& colours = groups.empty() ? state_.colours : state_.groupColours;
  const bool space = view_.dimensions == 3;
  const PointLook look = this->look();
  struct Circle {
    glm::dvec2 at;
    double depth;
    double radius;
    glm::dvec3 colour;
  };
  std::vector<Circle> circles;
  for (std::size_t i = 0; i < n; ++i) {
    if (!groups.empty() && groups[i] == hiddenGroup) continue;
    const auto at = projectToPixel(view_, places[i]);
    const double reach = space ? look.largest : look.size;
    if (!at || !inside(*at, reach)) continue;
    const std::int32_t label = !groups.empty() ? groups[i] : i < labels.size() ? labels[i] : -1;
    const bool known = label >= 0 && static_cast<std::size_t>(label) < colours.size();
    Circle circle{*at, 0, radiusOf(look, space),
                  glm::dvec3(toVec(known ? colours[static_cast<std::size_t>(label)] : look.unlabelled))};
    if (space) {
      const glm::dvec4 clip = view_.clipFromOffset * glm::dvec4(places[i] - view_.origin, 1);
      const double range = view_.farthest - view_.nearest;
      circle.depth = view_.orthographic ? view_.nearest + range * (0.5 * clip.z / clip.w + 0.5) : clip.w;
      if (!view_.orthographic)
        circle.radius = std::clamp(circle.radius * (view_.nearest + view_.farthest) / 2 / circle.depth, 0.5,
                                   look.largest / 2.0);
      const double away = std::clamp((circle.depth - view_.nearest) / range, 0.0, 1.0);
      circle.colour = glm::mix(circle.colour, glm::dvec3(toVec(look.background)), 0.55 * away * away);
    } else {
      circle.depth =
          (static_cast<std::uint32_t>(i) * 2654435769U) >> 8U; // the rank that decides who is on top
    }
    circles.push_back(circle);
  }
  std::ranges::sort(circles, std::ranges::greater(), &Circle::depth);
  if (space && look.size > 2)
    svg_.open("g", {{"id", named("points")},
                    {"stroke", QStringLiteral("#000000")},
                    {"stroke-opacity", QStringLiteral("0.3")},
                    {"stroke-width", number(0.12 * look.size / ratio_)}});
  else
    svg_.open("g", {{"id", named("points")}});
  for (const Circle& each : circles)
    circle(each.at, each.radius / ratio_, hex(each.colour));
  svg_.close();
}

void SvgWriter::image(const QImage& points) {
  QByteArray png;
  QBuffer buffer(&png);
  buffer.open(QIODevice::WriteOnly);
  points.save(&buffer, "PNG");
  svg_.empty("image", {{"id", QStringLiteral("points")},
                       {"width", QString::number(size_.width())},
                       {"height", QString::number(size_.height())},
                       {"preserveAspectRatio", QStringLiteral("none")},
                       {"xlink:href",
                        QStringLiteral("data:image/png;base64,") + QString::fromLatin1(png.toBase64())}});
}

void SvgWriter::regions() {
  if (!showsRegions(state_)) return;
  const std::vector<RegionBorder> borders =
      regionBorders(state_.centroids.positions(), seenRectangle(view_, region_lines::groundWidth * ratio_));
  svg_.open("g", {{"id", named("regions")}, {"stroke-linecap", QStringLiteral("round")}});
  const auto lines = [&](double width, double opacity, Rgb ink) {
    for (const RegionBorder& border : borders) {
      const auto from = projectToPixel(view_, {border.from, 0});
      const auto to = projectToPixel(view_, {border.to, 0});
      if (from && to) line(*from, *to, width, opacity, ink);
    }
  };
  lines(region_lines::groundWidth, region_lines::groundOpacity, backgroundOf(theme_));
  lines(region_lines::width, region_lines::opacity, strong_);
  svg_.close();
}

void SvgWriter::trails() {
  if (!state_.trails) return;
  const auto& steps = state_.centroids.trails();
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const auto from = projectCentroids(state_.camera, steps[step]);
    const auto to = projectCentroids(state_.camera, step + 1 < steps.size() ? steps[step + 1]
                                                                            : state_.centroids.positions());
    const double age = (static_cast<double>(step) + 0.5) / static_cast<double>(steps.size());
    for (std::size_t cluster = 0; cluster < std::min(from.size(), to.size()); ++cluster)
      if (from[cluster] && to[cluster] && state_.centroids.shows(cluster))
        line(*from[cluster], *to[cluster], 1.6, 0.7 * age);
  }
}

void SvgWriter::rings(double pointSize) {
  if (state_.ringed.empty()) return;
  svg_.open(
      "g",
      {{"id", named("rings")}, {"stroke", hex(state_.ringColour)}, {"stroke-width", QStringLiteral("1.5")}});
  for (const glm::dvec3& ringed : state_.ringed)
    if (const auto at = projectToPixel(view_, ringed))
      circle(*at, std::max(5.0, pointSize / 2 + 3) - 0.75, QStringLiteral("none"));
  svg_.close();
}

void SvgWriter::centroids() {
  const std::vector<std::optional<glm::dvec2>> places =
      projectCentroids(state_.camera, state_.centroids.positions());
  const double radius = SceneRenderer::markerRadius(1, places.size());
  const double ring = radius > 6 ? 2.0 : 1.2;
  svg_.open("g", {{"id", named("centroids")}});
  for (std::size_t cluster = 0; cluster < places.size(); ++cluster) {
    if (!places[cluster] || !state_.centroids.shows(cluster) ||
        !inside(*places[cluster], (radius + 1) * ratio_))
      continue;
    if (view_.dimensions == 1)
      line({0, places[cluster]->y}, {view_.viewport.x, places[cluster]->y}, 1.4, 0.3);
    const Rgb fill = cluster < state_.colours.size() ? state_.colours[cluster] : unlabelledOf(theme_);
    svg_.open("g", {{"stroke", hex(strong_)}, {"stroke-width", number(ring)}});
    circle(*places[cluster], radius - ring / 2, hex(fill));
    svg_.close();
  }
  svg_.close();
}

/// What a painter writes over points; as it is in the file that a generator makes, without the frame.
void SvgWriter::overlay(const QFont& font, const Drawn& drawn, bool transparent) {
  const QFontInfo info(font); // what is used, and not an alias that is known on this machine alone
  QByteArray written;
  QBuffer buffer(&written);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(size_);
  generator.setViewBox(QRect(QPoint(0, 0), size_));
  // As many dots an inch as the window has: what Qt finds out about a font for a device of others it keeps,
  // and menus that open later would take it.
  if (info.pointSizeF() > 0)
    generator.setResolution(static_cast<int>(std::lround(72 * info.pixelSize() / info.pointSizeF())));
  {
    QPainter painter(&generator);
    QFont used = font;
    used.setPixelSize(info.pixelSize());
    used.setFamily(info.family());
    painter.setFont(used);
    ViewCanvas canvas;
    canvas.size = size_;
    canvas.ratio = ratio_;
    canvas.transparent = transparent;
    canvas.atOnce = true;
    ViewPainter::write(painter, state_, state_.camera, canvas, drawn);
  }
  const QByteArray family = "font-family=\"" + escapedMarkup(info.family()).toUtf8();
  written.replace(family + '"', family + ", sans-serif\"");
  const qsizetype from = written.indexOf("<defs>");
  const qsizetype to = written.lastIndexOf("</svg>");
  if (from < 0 || to < from) return;
  svg_.open("g", {{"id", named("words")}});
  svg_.raw(QString::fromUtf8(written.mid(from, to - from)));
  svg_.close();
}

QByteArray SvgWriter::end() {
  svg_.close();
  return QByteArrayLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") + svg_.toString().toUtf8();
}

/// A view of two runs as one of a single run, for as long as it lives.
class OneSide {
public:
  enum class Which { own, other };
  OneSide(ViewState& state, Which which)
      : state_(state), which_(which), other_(std::exchange(state.other, std::nullopt)),
        key_(std::exchange(state.key, {})), groupColours_(std::exchange(state.groupColours, {})) {
    if (which_ == Which::other) swap();
    state_.groupColours = state_.colours;
  }
  ~OneSide() {
    if (which_ == Which::other) swap();
    state_.other = std::move(other_);
    state_.key = std::move(key_);
    state_.groupColours = std::move(groupColours_);
  }
  OneSide(const OneSide&) = delete;
  OneSide& operator=(const OneSide&) = delete;

  /// Of the other run; empty for the own, whose labels the points have.
  [[nodiscard]] std::span<const Label> labels() const {
    if (which_ == Which::own) return {};
    return {other_->labels->data(), other_->labels->size()};
  }

private:
  void swap() {
    std::swap(state_.centroids, state_.otherCentroids);
    std::swap(state_.colours, other_->colours);
  }

  ViewState& state_;
  Which which_;
  std::optional<OtherRun> other_;
  ColourKey key_;
  std::vector<Rgb> groupColours_;
};

/// What lies over the points, and what is written over that.
void writeOver(SvgWriter& writer, const QFont& font, const Drawn& drawn, const SvgWish& wish) {
  writer.regions();
  writer.trails();
  writer.rings(writer.pointSize());
  writer.centroids();
  writer.overlay(font, drawn, wish.transparent);
}

} // namespace

QByteArray viewSvg(ViewState& state, QSize size, double ratio, const QFont& font,
                   std::span<const std::int32_t> groups, const SvgPoints* points, const SvgWish& wish) {
  const Unhovered unhovered(state);
  const std::size_t n = state.points.data()->n;
  const Drawn drawn =
      points ? points->drawn : Drawn{.points = n, .total = n, .hidden = state.other ? 0 : state.hidden};
  SvgWriter writer(state, size, ratio);
  writer.begin(wish, !points);
  writer.frame();
  if (points) writer.image(points->image);
  if (!state.other) {
    if (!points) writer.circles(groups);
    writeOver(writer, font, drawn, wish);
    return writer.end();
  }
  const double divider = writer.divider();
  for (const auto which : {OneSide::Which::own, OneSide::Which::other}) {
    const bool own = which == OneSide::Which::own;
    const OneSide side(state, which);
    writer.openSide(own ? QStringLiteral("A") : QStringLiteral("B"), own ? 0 : divider,
                    own ? divider : size.width());
    if (!points) writer.circles(side.labels());
    writeOver(writer, font, drawn, wish);
    writer.closeSide();
  }
  writer.dividerLine();
  return writer.end();
}

} // namespace lloyd
