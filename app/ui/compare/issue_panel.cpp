// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/issue_panel.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/plot/issue_plot.hpp"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <exception>
#include <utility>

namespace lloyd {

namespace {

constexpr IssueLatencies usual;
constexpr IssueShape shape; // its items are replaced
constexpr int usualWarps = 4;

QString itemsText(int items) {
  return countedText(static_cast<std::uint64_t>(items), IssuePanel::tr("%1 point a thread"),
                     IssuePanel::tr("%1 points a thread"));
}

/// What a row of numbers says, one a column.
QStringList numbersOf(int items, const IssuePicture& picture) {
  return {QString::number(items),      countText(picture.cycles),   significantText(picture.cyclesAPoint()),
          percentText(picture.used()), percentText(picture.idle()), countText(picture.mostLoads)};
}

QStringList headings() {
  return {IssuePanel::tr("points a thread"), IssuePanel::tr("cycles"),
          IssuePanel::tr("cycles a point"),  IssuePanel::tr("slots used %"),
          IssuePanel::tr("idle %"),          IssuePanel::tr("most loads in flight")};
}

QStringList headingTips() {
  return {IssuePanel::tr("Points that each thread classifies (items)"),
          IssuePanel::tr("Of the model, from the first instruction to the last"),
          IssuePanel::tr("Cycles by the points that all warps classify, 32 a warp for each point a thread"),
          IssuePanel::tr("Cycles in which the scheduler issued an instruction"),
          IssuePanel::tr("Cycles in which no warp was ready"),
          IssuePanel::tr("Loads from global memory under way at once, a warp's counted as one")};
}

} // namespace

IssuePanel::IssuePanel(QWidget* parent)
    : QWidget(parent), latency_(new QSlider(Qt::Horizontal, this)), latencyBox_(new QSpinBox(this)),
      warps_(new QSpinBox(this)), items_(new QComboBox(this)), plot_(new IssuePlot(this)),
      numbers_(new QWidget(this)), finding_(new QLabel(this)), source_(new QLabel(this)) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  latency_->setObjectName(QStringLiteral("issueLatency"));
  latency_->setRange(leastLatency, mostLatency);
  latency_->setSingleStep(4);
  latency_->setPageStep(100);
  latency_->setMinimumWidth(90);
  latencyBox_->setRange(leastLatency, mostLatency);
  latencyBox_->setSingleStep(4);
  latencyBox_->setSuffix(tr(" cycles"));
  latencyBox_->setObjectName(QStringLiteral("issueLatencyBox"));
  const QString latencyTip =
      tr("Cycles of the model from the issue of a load from global memory until its value can be used");
  for (QWidget* one : std::initializer_list<QWidget*>{latency_, latencyBox_}) {
    one->setAccessibleName(tr("A load's latency in the model, cycles"));
    one->setToolTip(latencyTip);
  }
  latency_->setValue(usual.globalLoad);
  latencyBox_->setValue(usual.globalLoad);
  warps_->setObjectName(QStringLiteral("issueWarps"));
  warps_->setRange(1, mostWarps);
  warps_->setValue(usualWarps);
  warps_->setAccessibleName(tr("Warps on the scheduler"));
  warps_->setToolTip(tr("Warps that one scheduler chooses among. Four are a block of %1 threads; more are of "
                        "a second block, fewer the first of one.")
                         .arg(issueBlock));
  items_->setObjectName(QStringLiteral("issueItems"));
  items_->addItem(tr("1, 2 and 4"), 0);
  for (const int items : itemsPictured)
    items_->addItem(QString::number(items), items);
  items_->setAccessibleName(tr("Points a thread"));
  items_->setToolTip(
      tr("Points that each thread of the kernel classifies (items): all pictures on one axis, or one"));
  finding_->setObjectName(QStringLiteral("issueFinding"));
  source_->setObjectName(QStringLiteral("issueSource"));
  source_->setProperty("dim", true);
  for (QLabel* label : {finding_, source_}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }

  explain();

  auto* controls = new QHBoxLayout;
  controls->setContentsMargins(8, 5, 8, 0);
  controls->setSpacing(6);
  addNamed(*controls, tr("A load takes"), latency_, 1);
  controls->addWidget(latencyBox_);
  controls->addSpacing(8);
  addNamed(*controls, tr("Warps"), warps_);
  controls->addSpacing(8);
  addNamed(*controls, tr("Points a thread"), items_);
  auto* body = new QWidget(this);
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(8, 0, 8, 6);
  column->setSpacing(4);
  column->addWidget(makeNumbers());
  column->addWidget(plot_, 1);
  column->addWidget(finding_);
  column->addWidget(source_);
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(body);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addLayout(controls);
  layout->addWidget(scroll, 1);

  connect(latency_, &QSlider::valueChanged, this, [this](int cycles) {
    const QSignalBlocker quiet(latencyBox_);
    latencyBox_->setValue(cycles);
    draw();
  });
  connect(latencyBox_, &QSpinBox::valueChanged, latency_, &QSlider::setValue);
  connect(warps_, &QSpinBox::valueChanged, this, &IssuePanel::draw);
  connect(items_, &QComboBox::currentIndexChanged, this, &IssuePanel::draw);
  draw();
}

/// Where the picture comes from, which is the same for every latency.
void IssuePanel::explain() {
  source_->setText(tr("The latencies are a model's, not a card's: shared memory %1 cycles, arithmetic %2, "
                      "one instruction a cycle, the warps in turn. What a warp does is the simulator's log "
                      "of classify.v8 (block %3, vector 1, D = %4, K = %5). Arithmetic is not in the log: %6 "
                      "instructions a point and cluster are put in.")
                       .arg(usual.sharedLoad)
                       .arg(usual.arithmetic)
                       .arg(issueBlock)
                       .arg(shape.d)
                       .arg(shape.k)
                       .arg(issueArithmetic(shape.d)));
  source_->setToolTip(
      tr("A load is issued without waiting for its value. The first instruction that needs the value waits: "
         "arithmetic for its point's coordinates and the centroid's, a store for what it stores, and behind "
         "a barrier all warps of a block for the last of them. Gaps in a warp's row are another warp's turn. "
         "The kernel's machine code has as much arithmetic; addresses, loops and branches are left out."));
}

QWidget* IssuePanel::makeNumbers() {
  numbers_->setObjectName(QStringLiteral("issueNumbers"));
  numbers_->setAccessibleName(tr("Issue picture in numbers"));
  auto* grid = new QGridLayout(numbers_);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(0);
  const QStringList names = headings();
  const QStringList tips = headingTips();
  for (int column = 0; column < static_cast<int>(cellColumns); ++column) {
    auto* heading = new QLabel(names[column], numbers_);
    heading->setProperty("dim", true);
    heading->setToolTip(tips[column]);
    grid->addWidget(heading, 0, column, Qt::AlignRight);
    for (std::size_t row = 0; row < cells_.size(); ++row) {
      QLabel*& cell = cells_[row][static_cast<std::size_t>(column)];
      cell = new QLabel(numbers_);
      cell->setToolTip(tips[column]);
      grid->addWidget(cell, static_cast<int>(row) + 1, column, Qt::AlignRight);
    }
  }
  grid->setColumnStretch(static_cast<int>(cellColumns), 1);
  return numbers_;
}

/// A few milliseconds, so that no thread of its own is needed.
void IssuePanel::refresh() {
  if (std::exchange(asked_, true)) return;
  try {
    for (const int items : itemsPictured) {
      IssueShape one = shape;
      one.items = items;
      blocks_.push_back(issueSequences(one));
    }
  } catch (const std::exception& wrong) {
    blocks_.clear();
    why_ = tr("There is no picture: %1").arg(QString::fromUtf8(wrong.what()));
  }
  draw();
}

bool IssuePanel::isSeen(std::size_t picture) const {
  const int chosen = items_->currentData().toInt();
  return chosen == 0 || chosen == itemsPictured[picture];
}

void IssuePanel::draw() {
  IssueLatencies latencies;
  latencies.globalLoad = latency_->value();
  pictures_.clear();
  NamedTimelines seen;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    pictures_.push_back(issuePicture(blocks_[i], static_cast<std::size_t>(warps_->value()),
                                     32ull * static_cast<std::uint64_t>(itemsPictured[i]), latencies));
    if (isSeen(i)) seen.push_back({itemsText(itemsPictured[i]), pictures_.back().timeline});
  }
  plot_->show(seen, why_);
  showNumbers();
}

QString IssuePanel::numbers() const {
  QStringList lines;
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    if (!isSeen(i)) continue;
    const QStringList texts = numbersOf(itemsPictured[i], pictures_[i]);
    QStringList parts;
    for (qsizetype column = 0; column < texts.size(); ++column)
      parts << headings()[column] + u' ' + texts[column];
    lines << parts.join(QStringLiteral(", "));
  }
  return lines.join(u'\n');
}

void IssuePanel::showNumbers() {
  for (QWidget* part : std::initializer_list<QWidget*>{numbers_, finding_, source_})
    part->setVisible(!pictures_.empty());
  if (pictures_.empty()) return;
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    const QStringList texts = numbersOf(itemsPictured[i], pictures_[i]);
    for (std::size_t column = 0; column < cellColumns; ++column) {
      cells_[i][column]->setText(texts[static_cast<qsizetype>(column)]);
      cells_[i][column]->setVisible(isSeen(i));
    }
  }
  numbers_->setAccessibleDescription(numbers());
  finding_->setText(finding());
}

/// Of all pictures, or of the one that is seen.
QString IssuePanel::finding() const {
  if (const int chosen = items_->currentData().toInt(); chosen != 0)
    for (std::size_t i = 0; i < pictures_.size(); ++i)
      if (isSeen(i))
        return tr("With %1 a point takes %2 cycles, and the scheduler has nothing to issue in %3\u00a0% of "
                  "them. Until the first warp of their block has fetched the centroids, the others wait at a "
                  "barrier.")
            .arg(itemsText(chosen), significantText(pictures_[i].cyclesAPoint()),
                 percentText(pictures_[i].idle()));
  const IssuePicture& few = pictures_.front();
  const IssuePicture& many = pictures_.back();
  return tr("From %1 to %2, a warp asks for more before it waits, and has more to compute behind each wait: "
            "cycles a point go from %3 to %4, idle issue slots from %5\u00a0% to %6\u00a0%. Until the first "
            "warp of their block has fetched the centroids, the others wait at a barrier.")
      .arg(itemsText(itemsPictured.front()), QString::number(itemsPictured.back()),
           significantText(few.cyclesAPoint()), significantText(many.cyclesAPoint()), percentText(few.idle()),
           percentText(many.idle()));
}

void IssuePanel::renewColours() { plot_->renewColours(); }

} // namespace lloyd
