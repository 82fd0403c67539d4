// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/status_line.hpp"

#include "app/text/numbers.hpp"

#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace lloyd {

namespace {

constexpr int passingMs = 10'000; ///< long enough to be read twice

} // namespace

StatusLine::StatusLine(Session& session, QWidget* parent)
    : QStatusBar(parent), session_(session), path_(new QLabel(this)), why_(new ElidedLabel(this)),
      device_(new QLabel(this)), dropped_(new QLabel(this)), said_(new ElidedLabel(this)),
      loading_(new QLabel(this)), progress_(new QProgressBar(this)),
      cancel_(new QPushButton(tr("Cancel"), this)) {
  setSizeGripEnabled(false);
  path_->setObjectName(QStringLiteral("chip"));
  path_->setAccessibleName(tr("Path of the results to the screen"));
  path_->setFocusPolicy(Qt::TabFocus);
  device_->setAccessibleName(tr("Device"));
  for (QLabel* quiet : std::initializer_list<QLabel*>{why_, dropped_, said_})
    quiet->setProperty("dim", true);
  said_->setAccessibleName(tr("Last message"));
  said_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  said_->setIndent(8);
  progress_->setFixedWidth(110);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Loading"));
  cancel_->setObjectName(QStringLiteral("cancelWork"));
  addWidget(path_);
  addWidget(device_);
  addWidget(why_, 2); // the chip has it, too
  addWidget(dropped_);
  addWidget(said_, 3);
  for (QWidget* widget :
       {static_cast<QWidget*>(loading_), static_cast<QWidget*>(progress_), static_cast<QWidget*>(cancel_)}) {
    addPermanentWidget(widget);
    widget->hide();
  }
  connect(cancel_, &QPushButton::clicked, this, &StatusLine::cancel);
  connect(&session_, &Session::pathChanged, this, &StatusLine::showPath);
  connect(&session_, &Session::stateChanged, this, &StatusLine::showPath);
  connect(&session_, &Session::dataChanged, this, &StatusLine::showData);
  connect(&session_, &Session::loadProgress, this, &StatusLine::showProgress);
  connect(&session_, &Session::seedProgress, this, &StatusLine::showSeeding);
  connect(&session_, &Session::loadEnded, this, [this] {
    loading_->setMinimumWidth(0);
    loading_->hide();
    progress_->hide();
    cancel_->hide();
  });
  passed_.setSingleShot(true);
  connect(&passed_, &QTimer::timeout, this, [this] { retract(std::exchange(passing_, {})); });
  showPath();
  showData();
}

void StatusLine::retract(const QString& text) {
  if (!text.isEmpty() && lastMessage() == text) say({});
}

void StatusLine::tell(const QString& text) {
  say(text);
  passing_ = text;
  passed_.start(passingMs);
}

void StatusLine::answer(const QString& text) {
  tell(text);
  answer_ = text;
}

void StatusLine::forgetAnswer() { retract(std::exchange(answer_, {})); }

void StatusLine::setStanding(const QString& text) {
  standing_ = text;
  showMessages();
}

QString StatusLine::pathText() const { return path_->text(); }

void StatusLine::showPath() {
  const bool known = !session_.device().name.empty();
  const bool cuda = session_.device().backend == Backend::cuda;
  QString path = tr("no device yet");
  if (known) {
    path = session_.simulated()                    ? tr("SIMT simulator")
           : !cuda                                 ? tr("CPU")
           : session_.sharing() == Sharing::shared ? tr("CUDA shared buffer")
           : session_.sharing() == Sharing::staged ? tr("CUDA staged copy")
                                                   : tr("CUDA, nothing drawn");
  }
  path_->setText(path);
  const QString why = session_.simulated()
                          ? tr("The SIMT simulator was chosen: it runs kernels as they are written")
                      : session_.why().isEmpty() ? tr("There is no better path than this one")
                                                 : session_.why();
  path_->setToolTip(why);
  path_->setAccessibleDescription(session_.why());
  device_->setVisible(!session_.simulated()); // the path has said it
  device_->setText(known ? QString::fromStdString(session_.device().name) : QString());
  why_->setText(known ? session_.why() : QString());
}

void StatusLine::showData() {
  const SharedPointSet points = session_.data();
  const std::size_t dropped = points ? points->dropped.size() : 0;
  dropped_->setVisible(dropped > 0);
  dropped_->setText(dropped == 1 ? tr("1 row dropped") : tr("%1 rows dropped").arg(countText(dropped)));
  dropped_->setToolTip(tr("Rows with a value that is not finite are left out and labelled -1"));
}

void StatusLine::showProgress(const QString& source, qulonglong rows, double fraction) {
  const QString name = QFileInfo(source).fileName().isEmpty() ? source : QFileInfo(source).fileName();
  QString text = rows > 0 ? tr("Loading %1: %2 rows").arg(name, countText(rows)) : tr("Loading %1").arg(name);
  if (!session_.loadNeeds().isEmpty()) text += tr(" (%1)").arg(session_.loadNeeds());
  loading_->setMinimumWidth(0);
  loading_->setText(text);
  progress_->setAccessibleName(tr("Loading"));
  progress_->setRange(0, fraction < 0 ? 0 : 1000);
  if (fraction >= 0) progress_->setValue(static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 1000));
  cancel_->setToolTip(tr("Stop loading; the present data stay"));
  cancel_->setAccessibleName(tr("Cancel loading"));
  loading_->show();
  progress_->show();
  cancel_->show();
}

/// Points that are being loaded come first.
void StatusLine::showSeeding(int done, int of) {
  if (session_.loading()) return;
  const bool on = done < of;
  const auto text = [of](int found) {
    return tr("First centroids: %1 of %2")
        .arg(countText(static_cast<std::uint64_t>(found)), countText(static_cast<std::uint64_t>(of)));
  };
  // Room for the last of them from the first on: a line that is laid out late would be cut in the middle of a
  // number.
  loading_->setMinimumWidth(on ? fontMetrics().horizontalAdvance(text(of)) : 0);
  loading_->setText(text(done));
  progress_->setAccessibleName(tr("Search of the first centroids"));
  progress_->setRange(0, of);
  progress_->setValue(done);
  cancel_->setToolTip(tr("Stop the search; random points are the first centroids instead"));
  cancel_->setAccessibleName(tr("Cancel the search of first centroids"));
  for (QWidget* widget : std::initializer_list<QWidget*>{loading_, progress_, cancel_})
    widget->setVisible(on);
}

/// What is not needed for the work at hand goes on without it: the present data, or the simplest centroids.
void StatusLine::cancel() {
  if (session_.loading()) return session_.cancelLoading();
  Settings settings = session_.settings();
  settings.init = Init{};
  settings.init.kind = InitKind::random;
  session_.setSettings(settings);
  tell(tr("The search was stopped: the first centroids are random points"));
}

void StatusLine::say(const QString& text) {
  last_ = text;
  showMessages();
}

void StatusLine::showMessages() {
  QStringList texts{standing_, last_};
  texts.removeAll({});
  said_->setText(texts.join(QStringLiteral(" \u00b7 ")));
}

} // namespace lloyd
