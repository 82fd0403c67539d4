// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/points/colour.hpp"

#include <QFont>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <vector>

class QPainter;

namespace lloyd {

/// What the colours of points mean that are not those of their clusters: a name beside each colour, or a ramp
/// with its two ends. Nothing without names.
struct ColourKey {
  static constexpr qsizetype mostNames = 12;

  QString title; ///< of a picture that has no panel beside it
  QStringList names;
  std::vector<Rgb> colours;
  bool ramp = false;

  [[nodiscard]] bool empty() const { return names.isEmpty(); }
  /// Without the title.
  [[nodiscard]] int lines() const;
  [[nodiscard]] bool operator==(const ColourKey&) const = default;
};

[[nodiscard]] int colourKeyLine(const QFont& font);
/// The room that a key with its title would like to have. Logical pixels.
[[nodiscard]] QSizeF colourKeySize(const QFont& font, const ColourKey& key);
/// The lines of a key, without its title, from the top left of the box; names are cut at its right edge.
void paintColourKey(QPainter& painter, const QRectF& box, const ColourKey& key);

} // namespace lloyd
