// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace lloyd {

namespace {

constexpr std::size_t kColours = 256;
constexpr std::array<Rgb, 7> kOnDark{Rgb{0xE6, 0x9F, 0x00}, {0x56, 0xB4, 0xE9}, {0x00, 0x9E, 0x73},
                                     {0xF0, 0xE4, 0x42},    {0x00, 0x72, 0xB2}, {0xD5, 0x5E, 0x00},
                                     {0xCC, 0x79, 0xA7}};
constexpr std::array<Rgb, 7> kOnLight{Rgb{0xB9, 0x7F, 0x00}, {0x00, 0x8F, 0xF5}, {0x12, 0x9E, 0x74},
                                      {0x73, 0x6C, 0x01},    {0x05, 0x5D, 0xC8}, {0x84, 0x39, 0x04},
                                      {0xA8, 0x1F, 0x79}};

struct Candidate {
  Rgb rgb;
  Oklab lab;
  double nearest = std::numeric_limits<double>::infinity(); ///< distance to what has been chosen
};

/// The colours of the grid that can be read on the background. Dull ones would pass for unlabelled, and close
/// to black or white a hue has no name.
std::vector<Candidate> candidates(Theme theme) {
  constexpr double kTurn = 6.283185307179586;
  constexpr double kStep = 0.03; // of lightness and of chroma
  constexpr int kHues = 48, kChromas = 8;
  std::vector<Candidate> found;
  const double darkest = theme == Theme::dark ? 0.44 : 0.40;
  for (int level = 0; darkest + level * kStep < 0.89; ++level) {
    for (int ring = 0; ring < kChromas; ++ring) {
      for (int hue = 0; hue < kHues; ++hue) {
        const auto rgb = fromOklch(darkest + level * kStep, 0.09 + ring * kStep, kTurn * hue / kHues);
        if (rgb && contrast(*rgb, backgroundOf(theme)) >= kLeastContrast)
          found.push_back({*rgb, toOklab(*rgb)});
      }
    }
  }
  return found;
}

void exclude(std::vector<Candidate>& among, Rgb chosen) {
  const Oklab lab = toOklab(chosen);
  for (Candidate& candidate : among)
    candidate.nearest = std::min(candidate.nearest, distance(candidate.lab, lab));
}

std::vector<Rgb> makePalette(Theme theme) {
  const auto& first = theme == Theme::dark ? kOnDark : kOnLight;
  std::vector<Rgb> chosen(first.begin(), first.end());
  std::vector<Candidate> open = candidates(theme);
  exclude(open, unlabelledOf(theme));
  for (const Rgb colour : chosen)
    exclude(open, colour);
  while (chosen.size() < kColours) {
    const auto farthest =
        std::max_element(open.begin(), open.end(),
                         [](const Candidate& a, const Candidate& b) { return a.nearest < b.nearest; });
    chosen.push_back(farthest->rgb);
    exclude(open, farthest->rgb);
  }
  return chosen;
}

/// squared distance of centroids a and b.
double apart(std::span<const float> centroids, std::size_t d, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const double difference =
        static_cast<double>(centroids[a * d + j]) - static_cast<double>(centroids[b * d + j]);
    sum += difference * difference;
  }
  return sum;
}

struct Neighbour {
  std::size_t cluster;
  double weight; ///< the nearer, the more
};

/// The few clusters nearest to each, and those that have it among their few: near is a symmetric relation.
std::vector<std::vector<Neighbour>> neighbours(std::span<const float> centroids, std::size_t k,
                                               std::size_t d) {
  constexpr std::size_t kNear = 6;
  std::vector<std::vector<Neighbour>> near(k);
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t a = 0; a < k; ++a) {
    others.clear();
    for (std::size_t b = 0; b < k; ++b)
      if (b != a) others.emplace_back(apart(centroids, d, a, b), b);
    const std::size_t few = std::min(kNear, others.size());
    std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(few), others.end());
    for (std::size_t rank = 0; rank < few; ++rank) {
      const double weight = 1.0 / static_cast<double>(1 + rank);
      near[a].push_back({others[rank].second, weight});
      near[others[rank].second].push_back({a, weight});
    }
  }
  return near;
}

/// [k][k], how easily two palette entries are taken for each other in the theme in which they are closer.
std::vector<double> colourLikeness(std::size_t k) {
  std::vector<double> likeness(k * k, 0);
  for (const Theme theme : {Theme::dark, Theme::light}) {
    std::vector<Oklab> labs;
    for (std::size_t i = 0; i < k; ++i)
      labs.push_back(toOklab(paletteColour(theme, i)));
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        const double difference = std::max(distance(labs[i], labs[j]), 1e-3);
        likeness[i * k + j] = std::max(likeness[i * k + j], 1 / (difference * difference));
      }
    }
  }
  return likeness;
}

/// The place on the ramp at share, 0 to 1, as colourful as sRGB allows there up to a limit.
Oklab rampAt(Theme theme, double share) {
  constexpr double kTurn = 6.283185307179586;
  constexpr double kMostChroma = 0.14;
  const double darkest = theme == Theme::dark ? 0.52 : 0.30;
  const double lightest = theme == Theme::dark ? 0.92 : 0.64;
  const double lightness = darkest + (lightest - darkest) * share;
  const double hue = (300 - 195 * share) / 360 * kTurn;
  double inside = 0, outside = kMostChroma;
  if (fromOklch(lightness, outside, hue)) inside = outside;
  while (outside - inside > 1e-6) {
    const double middle = (inside + outside) / 2;
    (fromOklch(lightness, middle, hue) ? inside : outside) = middle;
  }
  return {lightness, inside * std::cos(hue), inside * std::sin(hue)};
}

} // namespace

const std::vector<Rgb>& palette(Theme theme) {
  static const std::vector<Rgb> dark = makePalette(Theme::dark);
  static const std::vector<Rgb> light = makePalette(Theme::light);
  return theme == Theme::dark ? dark : light;
}

Rgb paletteColour(Theme theme, std::size_t index) {
  const Rgb colour = palette(theme)[index % kColours];
  const std::size_t round = index / kColours;
  if (round == 0) return colour;
  const Oklab lab = toOklab(colour);
  const double shift = (round % 2 == 1 ? 0.06 : -0.06) * static_cast<double>(1 + (round - 1) / 2 % 2);
  // Chroma gives way where sRGB ends.
  for (int tenths = 10; tenths > 0; --tenths) {
    const double chroma = std::hypot(lab.a, lab.b) * tenths / 10;
    const auto shifted =
        fromOklch(std::clamp(lab.lightness + shift, 0.0, 1.0), chroma, std::atan2(lab.b, lab.a));
    if (shifted && contrast(*shifted, backgroundOf(theme)) >= kLeastContrast) return *shifted;
  }
  return colour;
}

std::vector<std::size_t> assignColours(std::span<const float> centroids, std::size_t k, std::size_t d) {
  constexpr std::size_t kMostAssigned = 256;
  std::vector<std::size_t> assignment(k);
  std::iota(assignment.begin(), assignment.end(), std::size_t{0});
  if (k < 3 || k > kMostAssigned || centroids.size() < k * d) return assignment;

  const std::vector<double> likeness = colourLikeness(k);
  const std::vector<std::vector<Neighbour>> near = neighbours(centroids, k, d);
  // How much cluster would blend into its neighbourhood with a colour, were one of them to be left out.
  const auto blend = [&](std::size_t cluster, std::size_t colour, std::size_t except) {
    double sum = 0;
    for (const Neighbour& neighbour : near[cluster])
      if (neighbour.cluster != except)
        sum += neighbour.weight * likeness[colour * k + assignment[neighbour.cluster]];
    return sum;
  };
  constexpr int kMostRounds = 12;
  bool better = true;
  for (int round = 0; better && round < kMostRounds; ++round) {
    better = false;
    for (std::size_t a = 0; a < k; ++a) {
      for (std::size_t b = a + 1; b < k; ++b) {
        const double now = blend(a, assignment[a], b) + blend(b, assignment[b], a);
        const double swapped = blend(a, assignment[b], b) + blend(b, assignment[a], a);
        if (!(swapped < now * (1 - 1e-9))) continue;
        std::swap(assignment[a], assignment[b]);
        better = true;
      }
    }
  }
  return assignment;
}

std::vector<Rgb> coloursOf(Theme theme, std::span<const std::size_t> assignment) {
  std::vector<Rgb> colours;
  colours.reserve(assignment.size());
  for (const std::size_t index : assignment)
    colours.push_back(paletteColour(theme, index));
  return colours;
}

std::vector<Rgb> groupColours(std::size_t count, Theme theme) {
  const std::vector<Rgb>& all = palette(theme);
  const std::size_t period = count <= kMostDistinctGroups ? kMostDistinctGroups : kOnDark.size();
  std::vector<Rgb> colours(count);
  for (std::size_t i = 0; i < count; ++i)
    colours[i] = all[i % period];
  return colours;
}

std::vector<Rgb> rampColours(std::size_t count, Theme theme) {
  if (count == 0) return {};
  // Many small steps along the path first, then the places that divide its length evenly.
  constexpr std::size_t kSamples = 1024;
  std::vector<Rgb> path(kSamples + 1);
  std::vector<double> length(kSamples + 1, 0);
  Oklab before;
  for (std::size_t i = 0; i <= kSamples; ++i) {
    const Oklab here = rampAt(theme, static_cast<double>(i) / kSamples);
    path[i] = *fromOklch(here.lightness, std::hypot(here.a, here.b), std::atan2(here.b, here.a));
    if (i > 0) length[i] = length[i - 1] + distance(before, here);
    before = here;
  }
  std::vector<Rgb> colours(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double share = count == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(count - 1);
    const auto at = std::lower_bound(length.begin(), length.end(), share * length.back());
    colours[i] = path[std::min(static_cast<std::size_t>(at - length.begin()), kSamples)];
  }
  return colours;
}

std::vector<Rgb> changeColours(Theme theme) {
  if (theme == Theme::dark) return {Rgb{0x68, 0x6c, 0x74}, Rgb{0xff, 0x8a, 0x1f}};
  return {Rgb{0x8b, 0x8f, 0x96}, Rgb{0xc4, 0x3c, 0x00}};
}

} // namespace lloyd
