// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/baseline_menu.hpp"

#include "app/model/race/race_summary_text.hpp"
#include "app/model/report/saved_report.hpp"
#include "app/ui/common/save_dialog.hpp"

#include <QAction>
#include <QFileDialog>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace lloyd {

namespace {

constexpr int titleLength = 44; ///< characters, beyond which the button would push its neighbours away

QString pinText(const std::optional<Candidate>& candidate) {
  return candidate ? BaselineMenu::tr("Pin %1").arg(Baseline::ofVariant(*candidate).title)
                   : BaselineMenu::tr("Pin the current row");
}

} // namespace

BaselineMenu::BaselineMenu(RaceRunner& runner, std::function<std::optional<Candidate>()> current,
                           QWidget* parent)
    : QToolButton(parent), runner_(runner), current_(std::move(current)), menu_(new QMenu(this)) {
  setObjectName(QStringLiteral("baseline"));
  setPopupMode(QToolButton::InstantPopup);
  setToolButtonStyle(Qt::ToolButtonTextOnly);
  setFocusPolicy(Qt::TabFocus);
  setMenu(menu_);
  setToolTip(tr("What the times of all rows are held against. B pins the current row"));
  connect(menu_, &QMenu::aboutToShow, this, &BaselineMenu::fill);
  choose(Baseline::ofFirst());
}

void BaselineMenu::choose(const Baseline& baseline) {
  baseline_ = baseline;
  QString title = baseline.kind == Baseline::Kind::none ? tr("none") : baseline.title;
  setAccessibleName(tr("Baseline: %1").arg(title));
  if (title.size() > titleLength) title = title.left(titleLength - 1) + QChar(0x2026);
  setText(tr("Baseline: %1").arg(title));
  Q_EMIT changed();
}

void BaselineMenu::pinCurrent() {
  const auto candidate = current_();
  if (!candidate) {
    Q_EMIT message(tr("No row of a variant is chosen that could be pinned"), false);
    return;
  }
  const bool pinned =
      baseline_.kind == Baseline::Kind::variant && sameCandidate(baseline_.candidate, *candidate);
  choose(pinned ? Baseline::ofFirst() : Baseline::ofVariant(*candidate));
}

void BaselineMenu::fill() {
  menu_->clear();
  const auto add = [&](const QString& text, bool checked, const std::function<void()>& chosen) {
    QAction* action = menu_->addAction(text);
    action->setCheckable(true);
    action->setChecked(checked);
    connect(action, &QAction::triggered, this, chosen);
    return action;
  };
  add(tr("None"), baseline_.kind == Baseline::Kind::none, [this] { choose({}); });
  add(tr("The first of each family"), baseline_.kind == Baseline::Kind::first,
      [this] { choose(Baseline::ofFirst()); });
  const auto candidate = current_();
  QAction* pin = add(pinText(candidate),
                     candidate && baseline_.kind == Baseline::Kind::variant &&
                         sameCandidate(baseline_.candidate, *candidate),
                     [this] { pinCurrent(); });
  // The key itself belongs to whoever hears it first, the window or the table; here it is only told.
  pin->setText(pin->text() + QStringLiteral("\tB"));
  pin->setEnabled(candidate.has_value());
  menu_->addSection(tr("Earlier moments"));
  const auto& past = runner_.past();
  if (past.empty()) menu_->addAction(tr("No race yet"))->setEnabled(false);
  for (auto race = past.rbegin(); race != past.rend(); ++race) {
    const bool last = *race == runner_.last();
    QString text = raceMomentText(**race);
    if (last) text = tr("This moment: %1").arg(text);
    add(text, baseline_.race == *race, [this, moment = *race] { choose(Baseline::ofMoment(moment)); });
  }
  menu_->addSeparator();
  add(tr("Open a saved report ..."), baseline_.kind == Baseline::Kind::report, [this] { askForReport(); });
}

void BaselineMenu::askForReport() {
  const QString path =
      QFileDialog::getOpenFileName(window(), tr("A report of lloydscope bench --json"), SaveDialog::folder(),
                                   tr("Reports (*.json);;All files (*)"));
  if (!path.isEmpty()) openReport(path);
}

void BaselineMenu::openReport(const QString& path) {
  const auto report = readBenchReport(path.toStdString());
  if (!report) {
    Q_EMIT message(QString::fromStdString(report.error()), true);
    return;
  }
  if (report->races.empty()) {
    Q_EMIT message(tr("%1 has no results of variants that this program knows").arg(path), true);
    return;
  }
  const auto problemOf = [](const RaceResult& race) {
    return race.rows.empty() ? Problem{} : race.rows.front().problem;
  };
  RaceResultPtr chosen = report->races.front();
  if (const RaceResultPtr last = runner_.last()) {
    const Problem problem = problemOf(*last);
    const RaceResultPtr same = raceOf(report->races, problem, last->source);
    if (!same && severalSources(report->races, problem)) {
      Q_EMIT message(tr("%1 has this problem of other points only").arg(path), true);
      return;
    }
    if (same) chosen = same;
  }
  choose(Baseline::ofReport(chosen, path));
}

} // namespace lloyd
