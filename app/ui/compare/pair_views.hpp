// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/stage_harness.hpp"
#include "app/model/pair/pair_counters.hpp"
#include "app/model/pair/paired_run.hpp"
#include "app/render/points/colour.hpp"
#include "app/ui/compare/pair_bar.hpp"

#include <QObject>
#include <QPointer>
#include <QWidget>

#include <vector>

class QLabel;
class QStackedLayout;

namespace lloyd {

class PairMetricsView;
class RaceRunner;
class SplitDivider;
class Viewport;

/// The home of B's view: the view, or words why it is not there. It says when it goes while the view in it is
/// still there: buffers that a session uses must come back first.
class PairBeside : public QWidget {
  Q_OBJECT
public:
  explicit PairBeside(QWidget* parent);
  ~PairBeside() override { Q_EMIT closing(); }

  void setView(QWidget* view);
  /// Empty: the view, if there is one.
  void showText(const QString& text);

Q_SIGNALS:
  void closing();

private:
  QStackedLayout* stack_;
  QLabel* text_;
  QPointer<QWidget> view_;
};

/// A | B around the window's own view: a second view with the same camera, both runs in one view with a
/// divider, or the points in which they differ. The parts are widgets for the window to place; A's view stays
/// where it is, because a view that changes its parent loses its context. GUI thread.
class PairViews : public QObject {
  Q_OBJECT
public:
  /// viewA null: nothing is drawn here; metrics are shown all the same.
  PairViews(Session& a, RaceRunner& races, const DeviceLease& lease, Viewport* viewA, QWidget* parent,
            KMeansRunner::DeviceFactory factory = chooseDevice);
  ~PairViews() override;

  // The parts. The window owns them once it has placed them.
  [[nodiscard]] QWidget* beside() const;  ///< B's view, right of A's
  [[nodiscard]] QWidget* bar() const;     ///< above them
  [[nodiscard]] QWidget* metrics() const; ///< beneath

  /// Whether the workspace is the one on the screen. When it is not there is no B, and A's view is as before.
  void setShown(bool shown);
  void setMode(PairMode mode);
  void nextMode();
  [[nodiscard]] PairMode mode() const { return mode_; }
  /// Fresh metrics.
  void refresh();
  void renewColours();
  /// A and B as they are chosen on the ladder: side B takes its variant up for that stage, and so does side A
  /// when it is to change, because a person chose it.
  void setCompared(const Candidate& a, const Candidate& b, bool changeA = true);
  /// What B does otherwise than A.
  void setSideB(const SideChoice& side);
  /// Where the two runs of one view part, 0 at the left edge to 1.
  void setDivider(double share);

  /// Null while there is none.
  [[nodiscard]] const Session* other() const { return run_.other(); }
  [[nodiscard]] PairedRun& run() { return run_; }
  [[nodiscard]] PairBar& pairBar() const { return *bar_; }
  [[nodiscard]] Viewport* otherView() const { return viewB_; }
  [[nodiscard]] SplitDivider* divider() const { return divider_; }

Q_SIGNALS:
  void otherChanged();
  void sidesChanged(); ///< A or B computes with other variants, or was asked to
  void message(const QString& text, bool error);
  void centroidMoved(int cluster, bool held); ///< in the view of B; held: it is still on the pointer

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void connectViewA();
  void makeViewB();
  void connectOther();
  void apply();
  void restWhileMeasured();
  void placeSurface();
  void showResultOfB();
  void giveOther();
  void showDifference();
  void showSentence();
  void showBeside();
  void showSides();
  void showCaptions();
  void placeCaptions();
  void setSideA(BackendRequest backend, const Selection& selection);
  void swap();
  [[nodiscard]] double shownRate() const;
  [[nodiscard]] bool playing() const;
  [[nodiscard]] std::vector<Rgb> coloursOfB() const;
  [[nodiscard]] bool active() const { return shown_ && mode_ != PairMode::alone; }

  Session& a_;
  RaceRunner& races_;
  const DeviceLease& lease_;
  QPointer<Viewport> viewA_;
  QPointer<Viewport> viewB_;
  PairedRun run_;
  PairCounters counts_;
  PairMode mode_ = PairMode::beside;
  bool shown_ = false;
  bool grouped_ = false; ///< A's view has the groups of a difference
  QPointer<PairBeside> beside_;
  PairBar* bar_;
  PairMetricsView* metrics_;
  SplitDivider* divider_ = nullptr; ///< these are children of A's view
  QLabel* captionA_ = nullptr;
  QLabel* captionSplit_ = nullptr;
  QLabel* captionB_ = nullptr; ///< of B's
};

} // namespace lloyd
