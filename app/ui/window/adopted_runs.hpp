// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/restarts/other_starts.hpp"
#include "app/ui/view/cluster_colours.hpp"

#include <QObject>
#include <QString>

#include <cstddef>
#include <vector>

namespace lloyd {

class ClusteringPanel;
class KCurvePanel;
class RestartsStrip;
class Viewport;
class WorkspaceLayout;
struct WindowSettings;

/// Runs that were made beside the session's and are taken over: from the strip, from Choose k, and from other
/// starts that are tried unasked, in Explore alone. Gives clusters their colours once the session goes on
/// from such a run, and says what it is.
class AdoptedRuns : public QObject {
  Q_OBJECT
public:
  struct Parts {
    RestartsStrip& strip;
    KCurvePanel& kCurve;
    ClusteringPanel& clustering;
    const WorkspaceLayout& arrangement;
    const Viewport* viewport; ///< null where there is no OpenGL
  };
  /// All must outlive its use.
  AdoptedRuns(Session& session, const DeviceLease& lease, ClusterColours& colours, const Parts& parts,
              QObject* parent);

  [[nodiscard]] OtherStarts& otherStarts() { return others_; }
  /// Takes what a window remembers. unasked: whether other starts may be tried in this window.
  void restore(const WindowSettings& past, bool unasked);
  void remember(WindowSettings& settings) const;

  /// Whether a run that no person chose is being taken over.
  [[nodiscard]] bool takesUnasked() const { return takesUnasked_; }

  /// The run that is taken over next has the present clusters by other numbers. before: which each was; -1: a
  /// new one.
  void renumber(const std::vector<int>& before);

Q_SIGNALS:
  void chosen();  ///< a person takes one over next
  void unasked(); ///< one was taken over just now that no person chose
  void message(const QString& text, bool error);

private:
  void showOthers();
  void take(const KRunPtr& better, int starts);
  void begin(const std::vector<std::size_t>& colours);
  /// Those of its clusters; empty: assigned afresh.
  [[nodiscard]] std::vector<std::size_t> coloursOf(const KRun& run) const;
  void pass(const QString& text, bool error);
  void adopted();

  Session& session_;
  ClusterColours& colours_;
  RestartsStrip& strip_;
  ClusteringPanel& clustering_;
  OtherStarts others_;
  std::vector<std::size_t> next_; ///< of the run that is being taken over; empty: assigned afresh
  bool pending_ = false;          ///< a run is being taken over
  QString said_;                  ///< of it: told once it is there, because what was true before goes then
  bool takesUnasked_ = false;
  bool unasked_ = false;
  bool remembered_ = true; ///< where other starts may not be tried: what the settings said of them
};

} // namespace lloyd
