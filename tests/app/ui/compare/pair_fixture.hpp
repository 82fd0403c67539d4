// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/race/race_runner.hpp"
#include "app/render/gl/resources.hpp"
#include "app/ui/common/keyboard.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/pair_bar.hpp"
#include "app/ui/compare/pair_metrics_view.hpp"
#include "app/ui/compare/pair_views.hpp"
#include "app/ui/compare/split_divider.hpp"
#include "app/ui/view/cluster_colours.hpp"
#include "app/ui/view/opengl_check.hpp"
#include "app/ui/view/viewport.hpp"
#include "tests/app/model/session/session_support.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QSplitter>
#include <QVBoxLayout>

#include <memory>
#include <string>

namespace lloyd::test {

/// A small window of A | B alone, wired as the program's window wires its session and view.
class PairWindow : public QWidget {
public:
  explicit PairWindow(bool dark = true, QSize size = {1100, 760}) : races_(session_, lease_) {
    initResources();
    UiTheme::apply(*qApp, dark);
    new ShortcutGuard(this);
    splitter_ = new QSplitter(this);
    if (whyNoOpenGl().isEmpty()) {
      view_ = new Viewport(splitter_);
      view_->setMinimumSize(1, 1);
      view_->setDark(dark);
      splitter_->addWidget(view_);
    }
    pair_ = new PairViews(session_, races_, lease_, view_, this);
    splitter_->addWidget(pair_->beside());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(pair_->bar());
    column->addWidget(splitter_, 3);
    column->addWidget(pair_->metrics(), 2);
    resize(size);
    splitter_->setSizes({size.width() / 2, size.width() / 2});
    QObject::connect(&session_, &Session::iterated, this, [this, dark](const IterationPtr& result) {
      if (!view_) return;
      view_->setColours(colours_.take(*result, *session_.data(), dark));
      view_->setResult(result, session_.playing() ? session_.rate() : 1.0);
    });
    QObject::connect(&session_, &Session::seeded, this, [this] {
      colours_.startRun();
      if (view_) view_->forgetRun();
    });
    QObject::connect(&session_, &Session::stateChanged, this, [this] {
      if (view_) view_->setPlaying(session_.playing() && !session_.converged());
    });
    if (!view_) return;
    QObject::connect(view_, &Viewport::ready, this, [this] { session_.setSurface(view_); });
    QObject::connect(view_, &Viewport::lost, this, [this] {
      if (session_.sharing() == Sharing::shared) session_.setSurface(nullptr);
    });
    QObject::connect(view_, &Viewport::shown, &session_, &Session::frameShown);
    QObject::connect(view_, &Viewport::centroidMoved, &session_, &Session::moveCentroid);
  }
  ~PairWindow() override {
    session_.disconnect();
    if (view_) view_->disconnect(this);
  }

  /// Shows the window on a generator's points, paused at the start.
  void begin(const std::string& points, int k, BackendRequest backend = BackendRequest::cpu) {
    Settings settings = cpuSettings(k);
    settings.backend = backend;
    session_.setSettings(settings);
    SideChoice side = pair_->run().side();
    side.backend = backend;
    pair_->run().setSide(side);
    show();
    activateWindow();
    session_.open(generator(points));
    pair_->setShown(true);
  }

  /// Both rest at the same state, compared and drawn.
  [[nodiscard]] bool settles() {
    PairedRun& run = pair_->run();
    return QTest::qWaitFor(
        [&] {
          const bool drawnA = !view_ || view_->settled();
          Viewport* other = pair_->otherView();
          const bool drawnB = pair_->mode() != PairMode::beside || (other && other->settled());
          return run.inStep() && (run.upToDate() || !run.whyNotCompared().isEmpty()) && drawnA && drawnB;
        },
        20000);
  }
  [[nodiscard]] bool step() {
    const int before = session_.last() ? session_.last()->iteration : 0;
    session_.step();
    return QTest::qWaitFor([&] { return session_.last()->iteration > before; }, 20000) && settles();
  }

  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] RaceRunner& races() { return races_; }
  [[nodiscard]] DeviceLease& lease() { return lease_; }
  [[nodiscard]] PairViews& pair() { return *pair_; }
  [[nodiscard]] Viewport* view() { return view_; }

private:
  Session session_;
  DeviceLease lease_;
  RaceRunner races_;
  ClusterColours colours_;
  QSplitter* splitter_ = nullptr;
  Viewport* view_ = nullptr;
  PairViews* pair_ = nullptr;
};

} // namespace lloyd::test
