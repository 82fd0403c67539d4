// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/view/cluster_colours.hpp"

#include <QObject>
#include <QString>

#include <cstddef>
#include <vector>

namespace lloyd {

class KCurvePanel;
class RestartsStrip;
class Session;

/// Runs that were made beside the session's and are taken over: gives clusters their colours once the session
/// goes on from such a run, and passes on what is said of it.
class AdoptedRuns : public QObject {
  Q_OBJECT
public:
  /// All must outlive it.
  AdoptedRuns(Session& session, ClusterColours& colours, RestartsStrip& strip, KCurvePanel& kCurve,
              QObject* parent);

Q_SIGNALS:
  void message(const QString& text, bool error);

private:
  ClusterColours& colours_;
  std::vector<std::size_t> next_; ///< of the run that is being taken over; empty: assigned afresh
};

} // namespace lloyd
