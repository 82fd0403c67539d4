// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/bands.hpp"

#include "app/model/compute/load_points.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/collapsible_section.hpp"
#include "app/ui/common/theme.hpp"

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

constexpr int columns = 4;
constexpr int widest = 190; ///< pixels of a button: a long name is cut and told in the tooltip

/// Buttons in rows below a heading, behind those that the grid has.
class Rows {
public:
  explicit Rows(QGridLayout& grid) : grid_(grid) {}

  void heading(const QString& text) {
    auto* label = quietLabel(grid_.parentWidget());
    label->setText(text);
    grid_.addWidget(label, ++row_, 0, 1, columns);
    column_ = columns;
  }
  QPushButton* button(const QString& name, const QString& tip) {
    if (column_ == columns) {
      column_ = 0;
      ++row_;
    }
    auto* button = new QPushButton(grid_.parentWidget());
    const QString shown = button->fontMetrics().elidedText(name, Qt::ElideMiddle, widest - 30);
    button->setText(QString(shown).replace(QLatin1Char('&'), QStringLiteral("&&")));
    button->setMaximumWidth(widest);
    button->setToolTip(tip);
    button->setAutoDefault(true); // Return presses it, as Space does
    button->setAccessibleName(name);
    button->setAccessibleDescription(tip);
    grid_.addWidget(button, row_, column_++);
    return button;
  }

private:
  QGridLayout& grid_;
  int row_ = -1;
  int column_ = columns;
};

} // namespace

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), label_(new QLabel(this)) {
  setObjectName(QStringLiteral("message"));
  label_->setWordWrap(true);
  label_->setTextFormat(Qt::PlainText);
  label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label_->setAccessibleName(tr("Error"));
  auto* dismiss = new QPushButton(tr("Dismiss"), this);
  connect(dismiss, &QPushButton::clicked, this, &QWidget::hide);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 5, 6, 5);
  layout->addWidget(label_, 1);
  layout->addWidget(dismiss, 0, Qt::AlignTop);
  paintTheme();
  hide();
}

void MessageBar::showError(const QString& text) {
  if (!isHidden()) Q_EMIT gone(); // what stood there
  label_->setText(text);
  show();
  fresh_ = true;
  QTimer::singleShot(0, this, [this] { fresh_ = false; });
}

void MessageBar::supersede() {
  if (!fresh_) hide();
}

QString MessageBar::text() const { return isHidden() ? QString() : label_->text(); }

/// A window that is hidden takes no error back.
void MessageBar::hideEvent(QHideEvent* event) {
  QFrame::hideEvent(event);
  if (isHidden()) Q_EMIT gone();
}

void MessageBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  // A style sheet of its own changes the palette again; once is enough.
  if (event->type() == QEvent::PaletteChange && !painting_) paintTheme();
}

void MessageBar::paintTheme() {
  painting_ = true;
  setStyleSheet(UiTheme::current().styleSheet("QFrame#message { background: %control; border-left: 3px solid "
                                              "%alert; border-bottom: 1px solid %line; }"
                                              "QLabel { color: %text; }"));
  painting_ = false;
}

SimulatedBand::SimulatedBand(Session& session, QWidget* parent) : QLabel(parent), session_(session) {
  setObjectName(QStringLiteral("simulatedBand"));
  setAccessibleName(tr("What the SIMT simulator's results mean"));
  setAlignment(Qt::AlignCenter);
  setMargin(3);
  setMinimumWidth(1);
  setWordWrap(true); // beside other panels there is less room than the sentence takes
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  connect(&session_, &Session::pathChanged, this, &SimulatedBand::renew);
  connect(&session_, &Session::dataChanged, this, &SimulatedBand::renew);
  connect(&session_, &Session::stateChanged, this, &SimulatedBand::renew);
  renew();
}

void SimulatedBand::renew() {
  setVisible(session_.simulated());
  QString words = tr("SIMT simulator: results and counters exact, times are the simulator's");
  const SharedPointSet points = session_.data();
  if (points && points->n < session_.pointsRead())
    words += tr("; %1 of %2 points").arg(countText(points->n), countText(session_.pointsRead()));
  if (words != text()) setText(words);
}

PresentBar::PresentBar(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setAccessibleName(tr("Headline"));
  hide();
}

int PresentBar::letterPixels() const {
  const int height = screen() ? screen()->size().height() : 900;
  return std::max(20, static_cast<int>(std::ceil(0.032 * height)));
}

QSize PresentBar::sizeHint() const { return {400, 4 * letterPixels()}; }

void PresentBar::showText(const QString& headline, const QStringList& numbers) {
  headline_ = headline;
  numbers_ = numbers.mid(0, 3);
  setAccessibleDescription(headline_ + QStringLiteral(". ") + numbers_.join(QStringLiteral(", ")));
  update();
}

void PresentBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const UiTheme& theme = UiTheme::current();
  painter.fillRect(rect(), theme.view);
  QFont large = font();
  large.setPixelSize(letterPixels() + letterPixels() / 4);
  large.setBold(true);
  QFont plain = font();
  plain.setPixelSize(letterPixels());
  const QRect inside = rect().adjusted(24, 6, -24, -10);
  const QRect top(inside.left(), inside.top(), inside.width(), inside.height() / 2);
  const QRect below(inside.left(), top.bottom(), inside.width(), inside.height() - top.height());
  painter.setPen(theme.text);
  painter.setFont(large);
  painter.drawText(top, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(headline_, Qt::ElideRight, top.width()));
  painter.setFont(plain);
  painter.setPen(theme.dim);
  const QString line = numbers_.join(QStringLiteral("   "));
  painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(line, Qt::ElideRight, below.width()));
}

StartPage::StartPage(QAction* open, QWidget* parent)
    : QWidget(parent), open_(open), area_(new QScrollArea(this)) {
  setObjectName(QStringLiteral("startPage"));
  setAccessibleName(tr("Points to begin with"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(32, 12, 32, 12);
  auto* title = new QLabel(tr("No points yet. Drop a file here, or begin with one of these."), this);
  title->setWordWrap(true);
  layout->addWidget(title);
  // Where the points have little room, the buttons keep theirs.
  area_->setWidgetResizable(true);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setFocusPolicy(Qt::NoFocus);
  layout->addWidget(area_, 1);
  hide();
}

void StartPage::offer(const QStringList& recent) {
  auto* buttons = new QWidget(area_);
  auto* grid = new QGridLayout(buttons);
  grid->setContentsMargins(0, 12, 0, 0);
  Rows rows(*grid);
  auto* open = rows.button(tr("Open a file…"), open_->toolTip());
  connect(open, &QPushButton::clicked, open_, &QAction::trigger);
  if (!recent.isEmpty()) rows.heading(tr("Open before"));
  for (const QString& path : recent)
    connect(rows.button(QFileInfo(path).fileName(), path), &QPushButton::clicked, this,
            [this, path] { Q_EMIT fileWanted(path); });
  rows.heading(tr("Samples"));
  for (const Sample& sample : samples())
    connect(rows.button(sample.name, sample.idea), &QPushButton::clicked, this,
            [this, request = sample.request] { Q_EMIT sampleWanted(request); });
  if (const QString why = whyNoSampleFiles(); !why.isEmpty()) rows.heading(why);
  grid->setColumnStretch(columns, 1);
  grid->setRowStretch(grid->rowCount(), 1);
  area_->setWidget(buttons); // and the ones before go
}

} // namespace lloyd
