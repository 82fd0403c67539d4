// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/inked_bars.hpp"

#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lloyd {

namespace {

constexpr int widestBar = 28;

} // namespace

InkedBars::InkedBars(QCPAxis* x, QCPAxis* y, std::vector<PlotInk> inks)
    : QCPBars(x, y), inks_(std::move(inks)) {}

void InkedBars::draw(QCPPainter* painter) {
  painter->setAntialiasing(false);
  const double slot = std::abs(keyAxis()->coordToPixel(width()) - keyAxis()->coordToPixel(0));
  const int wide = std::clamp(static_cast<int>(slot) - 1, 1, widestBar);
  for (int i = 0; i < data()->size(); ++i) {
    const QCPBarsData& bar = *data()->at(i);
    const QRectF exact = getBarRect(bar.key, bar.value);
    const int high = std::max(bar.value > 0 ? 1 : 0, static_cast<int>(std::lround(exact.height())));
    const QRect whole(static_cast<int>(std::lround(exact.center().x() - wide / 2.0)),
                      static_cast<int>(std::lround(exact.bottom())) - high, wide, high);
    // A colour near the panel's own keeps a visible edge.
    const bool edged = wide > 4 && high > 2;
    if (edged) painter->fillRect(whole, UiTheme::current().line);
    painter->fillRect(edged ? whole.adjusted(1, 1, -1, 0) : whole,
                      colourOf(inks_[static_cast<std::size_t>(i) % inks_.size()]));
  }
}

} // namespace lloyd
