// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/restarts_strip.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/explore/restart_delegate.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QVBoxLayout>

namespace lloyd {

RestartsStrip::RestartsStrip(Session& session, DeviceLease& lease, const ClusterColours& colours,
                             QWidget* parent)
    : QWidget(parent), session_(session), colours_(colours), runner_(session, lease, this), model_(runner_),
      count_(new QSpinBox(this)), go_(new QPushButton(this)), words_(new ElidedLabel(this)),
      list_(new QListView(this)),
      delegate_(new RestartDelegate(
          [this](const RestartRun& run) {
            return colours_.coloursWith(assignmentOf(run), run.result, *session_.data(),
                                        UiTheme::current().dark);
          },
          this)) {
  setObjectName(QStringLiteral("restarts"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  count_->setObjectName(QStringLiteral("restartCount"));
  count_->setRange(1, RestartsRunner::mostRestarts);
  count_->setKeyboardTracking(false);
  count_->setAccessibleName(tr("Number of runs"));
  count_->setToolTip(tr("Runs from the first centroids of the seed and of those after it, 1 to %1")
                         .arg(RestartsRunner::mostRestarts));
  go_->setObjectName(QStringLiteral("restartsGo"));
  words_->setObjectName(QStringLiteral("restartsSentence"));
  words_->setMostLines(2);
  auto* caption = new QLabel(tr("&Runs"), this);
  caption->setBuddy(count_);
  list_->setModel(&model_);
  list_->setItemDelegate(delegate_);
  list_->setFlow(QListView::LeftToRight);
  list_->setWrapping(false);
  list_->setUniformItemSizes(true);
  list_->setMouseTracking(true);
  list_->setFocusPolicy(Qt::TabFocus); // after a click the keys are the window's still
  list_->setSelectionMode(QAbstractItemView::NoSelection);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setAccessibleName(tr("Runs from other first centroids"));
  list_->setAccessibleDescription(tr("Each with its inertia; a click or Enter takes one over"));

  auto* bar = new QHBoxLayout;
  bar->addWidget(caption);
  bar->addWidget(count_);
  bar->addWidget(go_);
  bar->addWidget(words_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 2);
  layout->setSpacing(2);
  layout->addLayout(bar);
  layout->addWidget(list_);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setMinimumWidth(1);

  connect(go_, &QPushButton::clicked, this, &RestartsStrip::startOrStop);
  connect(list_, &QListView::clicked, this, [this](const QModelIndex& index) {
    // A button that was clicked before would take Space, which is the window's.
    if (QWidget* focused = focusWidget()) focused->clearFocus();
    takeOver(index);
  });
  connect(list_, &QListView::activated, this, &RestartsStrip::takeOver);
  connect(&runner_, &RestartsRunner::message, this, &RestartsStrip::message);
  for (const auto signal : {&MeasuringTask::started, &MeasuringTask::ended})
    connect(&runner_, signal, this, &RestartsStrip::showState);
  connect(&runner_, &RestartsRunner::changed, this, &RestartsStrip::showState);
  // Queued: while the runner itself takes the lease, it is not running yet.
  connect(&lease, &DeviceLease::changed, this, &RestartsStrip::showState, Qt::QueuedConnection);
  for (const auto signal :
       {&Session::dataChanged, &Session::settingsChanged, &Session::pathChanged, &Session::seeded})
    connect(&session_, signal, this, &RestartsStrip::showState);
  // Whatever begins anew is no longer what was taken over.
  connect(&session_, &Session::seeded, this, [this] { model_.setShown(std::nullopt); });
  showState();
  hide();
}

void RestartsStrip::setCount(int count) { count_->setValue(count); }
int RestartsStrip::count() const { return count_->value(); }

QString RestartsStrip::sentence() const { return words_->text(); }

void RestartsStrip::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  // The pictures, and room for the bar that scrolls them.
  const QStyleOptionViewItem option = [this] {
    QStyleOptionViewItem item;
    item.initFrom(list_);
    return item;
  }();
  list_->setFixedHeight(delegate_->sizeHint(option, {}).height() +
                        list_->horizontalScrollBar()->sizeHint().height() + 2);
}

void RestartsStrip::startOrStop() {
  if (runner_.running()) return runner_.cancel();
  const IterationPtr last = session_.last();
  reference_ = last ? last->centroids : std::vector<float>{};
  assignment_ = colours_.assignment();
  runner_.start(count_->value());
}

void RestartsStrip::renewColours() {
  delegate_->forget();
  list_->viewport()->update();
}

void RestartsStrip::showState() {
  if (runner_.runs().empty()) delegate_->forget();
  const bool running = runner_.running();
  const QString why = running ? QString() : runner_.whyNotRestarts();
  go_->setText(running ? tr("Stop") : tr("Start"));
  go_->setEnabled(why.isEmpty());
  go_->setToolTip(!why.isEmpty() ? why
                  : running      ? tr("Stop; the runs that have ended stay")
                                 : tr("Cluster the points that often, from other first centroids each time"));
  count_->setEnabled(!running);
  list_->setVisible(running || !runner_.runs().empty());
  QString text = restartsSentence(runner_);
  if (running)
    text = tr("%1 of %2").arg(runner_.runs().size()).arg(runner_.asked()) +
           (text.isEmpty() ? QString() : QStringLiteral("; ") + text);
  else if (text.isEmpty())
    text = !why.isEmpty() ? why
                          : tr("A run ends in a local minimum that its first centroids decide; others may be "
                               "better");
  words_->setText(text);
}

std::vector<std::size_t> RestartsStrip::assignmentOf(const RestartRun& run) const {
  return coloursByNearest(reference_, assignment_, run.result.centroids, session_.data()->d);
}

void RestartsStrip::takeOver(const QModelIndex& index) {
  const RestartRunPtr run = index.data(RestartListModel::runRole).value<RestartRunPtr>();
  if (!run) return;
  Q_EMIT taking(assignmentOf(*run));
  Settings settings = session_.settings();
  if (settings.seed != run->seed) {
    settings.seed = run->seed;
    session_.setSettings(settings);
  }
  session_.adoptState({.result = run->result, .usedBefore = {}, .driftTime = 0, .history = run->history});
  model_.setShown(run->seed);
  Q_EMIT message(tr("Seed %1 is shown: %2")
                     .arg(run->seed)
                     .arg(countedText(static_cast<std::uint64_t>(run->iterations),
                                      tr("its run took %1 iteration"), tr("its run took %1 iterations"))),
                 false);
}

} // namespace lloyd
