// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/simulated_band.hpp"

#include "app/text/numbers.hpp"

namespace lloyd {

SimulatedBand::SimulatedBand(Session& session, QWidget* parent) : QLabel(parent), session_(session) {
  setObjectName(QStringLiteral("simulatedBand"));
  setAccessibleName(tr("What the SIMT simulator's results mean"));
  setAlignment(Qt::AlignCenter);
  setMargin(3);
  setMinimumWidth(1);
  setWordWrap(true); // beside other panels there is less room than the sentence takes
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  connect(&session_, &Session::pathChanged, this, &SimulatedBand::renew);
  connect(&session_, &Session::dataChanged, this, &SimulatedBand::renew);
  connect(&session_, &Session::stateChanged, this, &SimulatedBand::renew);
  renew();
}

void SimulatedBand::renew() {
  setVisible(session_.simulated());
  QString words = tr("SIMT simulator: results and counters exact, times are the simulator's");
  const SharedPointSet points = session_.data();
  if (points && points->n < session_.pointsRead())
    words += tr("; %1 of %2 points").arg(countText(points->n), countText(session_.pointsRead()));
  if (words != text()) setText(words);
}

} // namespace lloyd
