// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/axes_panel.hpp"

#include "app/text/strings.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace lloyd {
namespace {

constexpr int lateMs = 300;
constexpr int mostComponents = 10; ///< in a list; the command line takes any
constexpr int none = -1;           ///< as data of an item: a drawing without that axis

/// An item's data for an axis: columns from 0 on, components below none.
int codeOf(const Axis& axis) { return axis.kind == Axis::Kind::column ? axis.index : none - 1 - axis.index; }

Axis axisOf(int code) {
  return code >= 0 ? Axis{Axis::Kind::column, code} : Axis{Axis::Kind::component, none - 1 - code};
}

/// What a drawing shows that nobody chose.
Axes firstColumns(const PointSet& points) {
  Axes axes;
  for (int j = 0; j < std::min(points.d, 3); ++j)
    axes.push_back({Axis::Kind::column, j});
  return axes;
}

} // namespace

Axes toggledComponents(const AxesFinder& axes, const PointSet& points) {
  Axes components;
  for (int i = 0; i < std::min(points.d, 3); ++i)
    components.push_back({Axis::Kind::component, i});
  return axes.axes() == components ? Axes{} : components;
}

AxesPanel::AxesPanel(const Session& session, AxesFinder& axes, QWidget* parent)
    : CollapsibleSection(tr("Axes"), parent), session_(session), axes_(axes),
      orthographic_(new QCheckBox(tr("Orthographic"), this)), busy_(new QWidget(this)),
      progress_(new QProgressBar(busy_)), cancel_(new QToolButton(busy_)) {
  const std::array<QString, 3> captions{tr("x"), tr("y"), tr("z")};
  for (std::size_t a = 0; a < boxes_.size(); ++a) {
    auto* box = new QComboBox(this);
    box->setObjectName(QStringLiteral("axis") + captions[a]);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(10);
    addRow(captions[a], box);
    box->setAccessibleName(tr("What the %1 axis shows").arg(captions[a]));
    connect(box, &QComboBox::activated, this, &AxesPanel::choose);
    boxes_[a] = box;
  }
  orthographic_->setObjectName(QStringLiteral("orthographic"));
  orthographic_->setToolTip(tr("Far points are as large as near ones, and parallel lines stay parallel (O)"));
  addWide(orthographic_);
  auto* row = new QHBoxLayout(busy_);
  row->setContentsMargins(0, 0, 0, 0);
  progress_->setRange(0, 100);
  progress_->setAccessibleName(tr("How far the axes are"));
  cancel_->setText(tr("Cancel"));
  cancel_->setToolTip(tr("Keep the axes that are shown"));
  row->addWidget(progress_, 1);
  row->addWidget(cancel_);
  addWide(busy_);
  busy_->hide();

  late_.setSingleShot(true);
  late_.setInterval(lateMs);
  connect(&late_, &QTimer::timeout, this, [this] { busy_->setVisible(axes_.busy()); });
  connect(cancel_, &QToolButton::clicked, &axes_, &AxesFinder::cancel);
  connect(orthographic_, &QCheckBox::toggled, this, &AxesPanel::orthographicWanted);
  connect(&session_, &Session::dataChanged, this, &AxesPanel::fill);
  connect(&axes_, &AxesFinder::chosen, this, &AxesPanel::show);
  connect(&axes_, &AxesFinder::progress, this, [this](double fraction) {
    progress_->setValue(static_cast<int>(100 * fraction));
    if (!late_.isActive() && !busy_->isVisible()) late_.start();
  });
  connect(&axes_, &AxesFinder::ended, this, [this] {
    late_.stop();
    busy_->hide();
    progress_->setValue(0);
  });
  fill();
}

void AxesPanel::fill() {
  const SharedPointSet points = session_.data();
  const QString why = points ? qtext(whyNoAxes(*points)) : tr("there are no points");
  for (std::size_t a = 0; a < boxes_.size(); ++a) {
    QComboBox& box = *boxes_[a];
    const QSignalBlocker blocker(&box);
    box.clear();
    box.setEnabled(why.isEmpty());
    box.setToolTip(why.isEmpty()
                       ? tr("A column, or a principal component: a direction in which the points vary most")
                       : tr("Not to be chosen: %1").arg(why));
    if (!points) continue;
    if (a == 2) box.addItem(tr("none: a flat drawing"), none);
    for (int j = 0; j < points->d; ++j)
      box.addItem(qtext(axisText({Axis::Kind::column, j}, *points)), j);
    if (points->d > mostComponentColumns) continue;
    for (int i = 0; i < std::min(points->d, mostComponents); ++i)
      box.addItem(qtext(axisText({Axis::Kind::component, i}, *points)), codeOf({Axis::Kind::component, i}));
  }
  show();
}

void AxesPanel::show() {
  const SharedPointSet points = session_.data();
  if (!points) return;
  const Axes axes = axes_.axes().empty() ? firstColumns(*points) : axes_.axes();
  for (std::size_t a = 0; a < boxes_.size(); ++a) {
    const QSignalBlocker blocker(boxes_[a]);
    const int code = a < axes.size() ? codeOf(axes[a]) : none;
    int at = boxes_[a]->findData(code);
    if (at < 0 && a < axes.size()) { // a component that is not in the list
      boxes_[a]->addItem(qtext(axisText(axes[a], *points)), code);
      at = boxes_[a]->count() - 1;
    }
    boxes_[a]->setCurrentIndex(at);
  }
}

/// An axis that another one shows already is exchanged with it.
void AxesPanel::choose() {
  const SharedPointSet points = session_.data();
  if (!points) return;
  const Axes before = axes_.axes().empty() ? firstColumns(*points) : axes_.axes();
  std::array<int, 3> codes{};
  for (std::size_t a = 0; a < codes.size(); ++a)
    codes[a] = boxes_[a]->currentData().toInt();
  for (std::size_t a = 0; a < codes.size(); ++a) {
    const int old = a < before.size() ? codeOf(before[a]) : none;
    if (codes[a] == old) continue; // this one was not touched
    for (std::size_t other = 0; other < codes.size(); ++other)
      if (other != a && codes[other] == codes[a]) codes[other] = old;
    break;
  }
  Axes axes;
  for (const int code : codes)
    if (code != none) axes.push_back(axisOf(code));
  const bool first = axes == firstColumns(*points);
  axes_.choose(first ? Axes{} : axes);
  show();
}

void AxesPanel::showOrthographic(bool on) {
  const QSignalBlocker blocker(orthographic_);
  orthographic_->setChecked(on);
}

} // namespace lloyd
