// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/apart/apart_window.hpp"

#include "app/model/apart/apart_table.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/report/apart_report.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/copy_table.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/plot/apart_plot.hpp"

#include <QBoxLayout>
#include <QCloseEvent>
#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QTableWidget>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr int progressHeight = 4; ///< pixels

/// "NVIDIA H200, in the program: 1,048,576 points, 2 dimensions, k = 16"
QString choiceText(const StepApart& apart, bool own) {
  return (own ? ApartWindow::tr("%1, raced here: %2") : ApartWindow::tr("%1, in the program: %2"))
      .arg(qtext(apart.device), problemText(apart.problem));
}

} // namespace

ApartWindow::ApartWindow(Session& session, ApartRunner& runner, QWidget* parent)
    : QWidget(parent, Qt::Window), session_(session), runner_(runner), race_(new QPushButton(this)),
      choice_(new QComboBox(this)), state_(new ElidedLabel(this)), progress_(new QProgressBar(this)),
      plot_(new ApartPlot(this)), sentences_(wrappedLabel(this)), changes_(wrappedLabel(this, true)),
      table_(new QTableWidget(this)) {
  race_->setObjectName(QStringLiteral("apartRace"));
  choice_->setObjectName(QStringLiteral("apartFigures"));
  choice_->setAccessibleName(tr("Whose figures are shown"));
  choice_->setToolTip(tr("The card or processor that the figures were measured on, and the points"));
  choice_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  state_->setObjectName(QStringLiteral("apartState"));
  state_->setProperty("dim", true);
  state_->setMostLines(4); // a reason is a sentence or two
  progress_->setTextVisible(false);
  progress_->setFixedHeight(progressHeight);
  progress_->setAccessibleName(tr("Progress of the race"));
  sentences_->setObjectName(QStringLiteral("apartSentences"));
  sentences_->setAccessibleName(tr("What there is to say of the shares"));
  changes_->setAccessibleName(tr("What each change is"));
  table_->setAccessibleName(tr("All combinations of the changes"));
  table_->setToolTip(tr("Medians in microseconds of one launch, the slowest first; the numbers are those of "
                        "the changes that are on. Ctrl+C copies the table."));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setTabKeyNavigation(false);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  table_->horizontalHeader()->setHighlightSections(false);
  offerCopy(*table_);

  auto* top = new QHBoxLayout;
  top->addWidget(race_);
  top->addWidget(choice_);
  top->addWidget(state_, 1);
  auto* words = new QWidget(this);
  auto* lines = new QVBoxLayout(words);
  lines->addWidget(sentences_);
  lines->addWidget(changes_);
  lines->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setWidget(words);
  auto* below = new QSplitter(Qt::Horizontal, this);
  below->addWidget(scroll);
  below->addWidget(table_);
  auto* parts = new QSplitter(Qt::Vertical, this);
  parts->addWidget(plot_);
  parts->addWidget(below);
  // Heights and widths in proportion: neither the plot nor the table may leave the words a strip.
  parts->setSizes({310, 290});
  below->setSizes({470, 530});
  scroll->setMinimumWidth(fontMetrics().averageCharWidth() * 36);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  for (QSplitter* one : {below, parts})
    one->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->addLayout(top);
  column->addWidget(progress_);
  column->addWidget(parts, 1);
  resize(1020, 660);

  connect(race_, &QPushButton::clicked, this, &ApartWindow::race);
  connect(new QShortcut(QKeySequence::Close, this), &QShortcut::activated, this, &QWidget::close);
  connect(choice_, &QComboBox::currentIndexChanged, this, &ApartWindow::showChoice);
  connect(&runner_, &ApartRunner::started, this, &ApartWindow::showState);
  connect(&runner_, &ApartRunner::ended, this, &ApartWindow::showState);
  connect(&runner_, &ApartRunner::progressed, this, &ApartWindow::showProgress);
  connect(&runner_, &ApartRunner::message, this, [this](const QString& text) { state_->setText(text); });
  connect(&runner_, &ApartRunner::updated, this, [this] {
    if (!step_ || runner_.last()->to != step_->info.to) return;
    own_ = runner_.last();
    offerFigures(true);
  });
  for (const auto signal : {&Session::dataChanged, &Session::settingsChanged, &Session::pathChanged})
    connect(&session_, signal, this, &ApartWindow::showState);
}

void ApartWindow::setStep(const VersionStep& step) {
  if (step_ != &step) {
    if (step_ && runner_.running()) runner_.cancel();
    own_.reset();
    if (runner_.last() && runner_.last()->to == step.info.to) own_ = runner_.last();
  }
  step_ = &step;
  setWindowTitle(tr("%1 to %2, taken apart").arg(qtext(step.info.from), qtext(step.info.to)));
  QStringList lines;
  for (std::size_t i = 0; i < step.info.switches.size(); ++i)
    lines << tr("%1  %2: %3")
                 .arg(i + 1)
                 .arg(qtext(step.info.switches[i].name), qtext(step.info.switches[i].idea));
  changes_->setText(lines.join(u'\n'));
  offerFigures(own_.has_value());
  showState();
}

std::optional<StepApart> ApartWindow::shown() const {
  const int index = choice_->currentIndex();
  if (index < 0 || static_cast<std::size_t>(index) >= figures_.size()) return std::nullopt;
  return figures_[static_cast<std::size_t>(index)];
}

/// Those of the program first, then what was raced here.
void ApartWindow::offerFigures(bool newest) {
  figures_ = shippedStepsTo(std::string(step_->info.to));
  const std::size_t shipped = figures_.size();
  if (own_) figures_.push_back(*own_);
  choice_->clear();
  for (std::size_t i = 0; i < figures_.size(); ++i)
    choice_->addItem(choiceText(figures_[i], i >= shipped));
  choice_->setVisible(!figures_.empty());
  if (!figures_.empty()) choice_->setCurrentIndex(newest ? choice_->count() - 1 : 0);
  showChoice();
}

void ApartWindow::showChoice() {
  const std::optional<StepApart> apart = shown();
  plot_->show(apart, tr("Nothing was measured of this step yet. Race it here, or on a machine that has the "
                        "device: lloydscope apart %1")
                         .arg(qtext(step_->info.to)));
  sentences_->setVisible(apart.has_value());
  table_->setVisible(apart.has_value());
  if (!apart) return;
  sentences_->setText(apartSentences(*apart).join(u'\n'));
  fillTable(*apart);
}

void ApartWindow::fillTable(const StepApart& apart) {
  const TextTable text = combinationsTable(apart);
  table_->clear();
  table_->setColumnCount(static_cast<int>(text.headings().size()));
  table_->setHorizontalHeaderLabels(text.headings());
  table_->setRowCount(static_cast<int>(text.rows().size()));
  for (int row = 0; row < table_->rowCount(); ++row)
    for (int column = 0; column < table_->columnCount(); ++column) {
      auto* item = new QTableWidgetItem(text.rows()[static_cast<std::size_t>(row)][column]);
      item->setToolTip(item->text());
      if (column >= 2) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      table_->setItem(row, column, item);
    }
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch); // the names of the changes
}

void ApartWindow::race() {
  if (!step_) return;
  if (runner_.running()) return runner_.cancel();
  runner_.start(*step_);
}

void ApartWindow::showState() {
  if (!step_) return;
  const bool running = runner_.running();
  const QString why = running ? QString() : runner_.whyNot(*step_);
  race_->setText(running ? tr("&Stop") : tr("&Race it here"));
  race_->setEnabled(why.isEmpty());
  race_->setToolTip(running ? tr("End the race; nothing of it is kept")
                    : why.isEmpty()
                        ? tr("Race every combination on %1 and the points of this window, for 20 s "
                             "at the most")
                              .arg(qtext(session_.device().name))
                        : why);
  progress_->setVisible(running);
  if (running) {
    progress_->setRange(0, 0);
    state_->setText(tr("The race begins"));
  } else {
    state_->setText(why);
  }
}

void ApartWindow::showProgress(const RaceProgress& progress) {
  if (progress.toCheck > 0) {
    state_->setText(tr("Checking combination %1 of %2 against double precision")
                        .arg(countText(progress.checked + 1), countText(progress.toCheck)));
    return;
  }
  progress_->setRange(0, static_cast<int>(std::max<std::size_t>(1, progress.rounds)));
  progress_->setValue(static_cast<int>(progress.round));
  state_->setText(tr("Round %1 of %2, at most %3 s left")
                      .arg(countText(progress.round), countText(progress.rounds),
                           countText(static_cast<std::uint64_t>(std::ceil(progress.secondsLeft)))));
}

QString ApartWindow::sentences() const { return sentences_->text(); }

void ApartWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    close();
    return;
  }
  QWidget::keyPressEvent(event);
}

void ApartWindow::closeEvent(QCloseEvent* event) {
  if (runner_.running()) runner_.cancel();
  QWidget::closeEvent(event);
}

} // namespace lloyd
