// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/plot/figure.hpp"

#include <qcustomplot.h>

#include <vector>

namespace lloyd {

/// Upright bars that each have an ink, with a gap between them: all of one width on whole pixels, so that
/// none looks wider than another.
class InkedBars : public QCPBars {
  Q_OBJECT
public:
  /// inks: of the bars in the order of their keys; they come again where there are more bars.
  InkedBars(QCPAxis* x, QCPAxis* y, std::vector<PlotInk> inks);

protected:
  void draw(QCPPainter* painter) override;

private:
  std::vector<PlotInk> inks_;
};

} // namespace lloyd
