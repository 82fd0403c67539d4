// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/baseline.hpp"
#include "app/model/race/race_runner.hpp"

#include <QToolButton>

#include <functional>
#include <optional>

class QMenu;

namespace lloyd {

/// The button that says what times are held against, and its menu: nothing, the first of each family, the
/// current variant, the last race, an earlier one, a saved report.
class BaselineMenu : public QToolButton {
  Q_OBJECT
public:
  /// current gives the variant that can be pinned, if there is one.
  BaselineMenu(RaceRunner& runner, std::function<std::optional<Candidate>()> current,
               QWidget* parent = nullptr);

  [[nodiscard]] const Baseline& baseline() const { return baseline_; }
  void choose(const Baseline& baseline);
  /// Pins the current variant; one that is pinned already is let go again.
  void pinCurrent();
  /// Reads a report of bench --json and takes its race on as many points and clusters as the last race here,
  /// else its first. What is wrong with it is said with message().
  void openReport(const QString& path);

Q_SIGNALS:
  void changed();
  void message(const QString& text, bool error);

private:
  void fill();
  void askForReport();

  RaceRunner& runner_;
  std::function<std::optional<Candidate>()> current_;
  QMenu* menu_;
  Baseline baseline_;
};

} // namespace lloyd
