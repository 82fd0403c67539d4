// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/counter_service.hpp"
#include "app/model/teach/point_groups.hpp"

#include <QWidget>

class QLabel;

namespace lloyd {

class Actions;
class Viewport;

/// What the colour of a point says: its cluster, the thread, warp or block that handles it, or whether its
/// label changed; and a line that says what the colours mean. While it is not shown, points have the colours
/// of their clusters.
class ColourByBar : public QWidget {
  Q_OBJECT
public:
  /// viewport: null where nothing is drawn.
  ColourByBar(Session& session, CounterService& trace, const Actions& actions, Viewport* viewport,
              QWidget* parent = nullptr);

  void setActive(bool active);
  void setBy(ColourBy by);
  [[nodiscard]] ColourBy by() const { return by_; }
  [[nodiscard]] QString legend() const;
  /// Colours again, in the present theme's.
  void apply();

private:
  void iterated(const IterationPtr& result);
  void explain(const QString& legend);
  [[nodiscard]] bool byOwner() const;
  void wantOwners();
  void applyOwners();
  [[nodiscard]] const TeachOwners* knownOwners() const;
  [[nodiscard]] QString noteOf(std::size_t point) const;
  void applyChanged();
  void give(const PointGroups& groups);

  Session& session_;
  CounterService& trace_;
  const Actions& actions_;
  Viewport* viewport_;
  QLabel* legend_;
  LabelHistory labels_;
  ColourBy by_ = ColourBy::cluster;
  bool active_ = false;
  bool pointed_ = false; ///< a person has looked at a point, and may ask who handles it
};

} // namespace lloyd
