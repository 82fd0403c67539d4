// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"

#include <QLabel>

namespace lloyd {

/// A plain band above the points, there while the SIMT simulator computes: what of all that is shown may be
/// believed, and how many of the points it is given.
class SimulatedBand : public QLabel {
  Q_OBJECT
public:
  explicit SimulatedBand(Session& session, QWidget* parent = nullptr);

private:
  void renew();

  Session& session_;
};

} // namespace lloyd
