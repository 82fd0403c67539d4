// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/counter_table.hpp"

#include "app/model/session/variant_list_model.hpp"
#include "app/model/teach/warp_waits.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/copy_table.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/teach/measured/instruction_view.hpp"
#include "app/ui/teach/measured/ladder_strip.hpp"
#include "app/ui/teach/measured/measured_view.hpp"
#include "app/ui/teach/measured/step_view.hpp"
#include "app/ui/teach/measured/version_table.hpp"
#include "app/ui/teach/measured/wait_view.hpp"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lloyd {

namespace {

constexpr int sideMargins = 16;     ///< pixels, left and right together
constexpr int leastCharacters = 16; ///< of the pane's width
constexpr int rowSpace = 7;         ///< pixels, above and below a row's text together

/// Differences stand out by weight; what is the same steps back.
class CounterDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != CounterModel::differenceColumn) return;
    const bool differs = index.data(CounterModel::differsRole).toBool();
    option->font.setBold(differs);
    if (!differs) option->palette.setColor(QPalette::Text, UiTheme::current().dim);
  }
};

QString problemText(const Problem& problem) {
  return QStringLiteral("N = %1, D = %2, K = %3").arg(countText(problem.n)).arg(problem.d).arg(problem.k);
}

/// Nothing of the usual one.
QString orderText(const simt::Schedule& schedule) {
  using Order = simt::Schedule::Order;
  return schedule.order == Order::reverse  ? CounterTable::tr(", blocks and lanes in reverse order")
         : schedule.order == Order::seeded ? CounterTable::tr(", blocks and lanes in an order drawn by lot")
                                           : QString();
}

/// Whether a fault ended the launch.
bool isCut(const StageCount& count) { return count.trace && !count.trace->faults.empty(); }

QString countedText(const TeachCounts& counts) {
  const QString counted = countText(counts.problem.n);
  if (counts.ownInput)
    return CounterTable::tr("Asked by the source, one launch on the %1 points of the trial").arg(counted) +
           orderText(counts.input->schedule) +
           (isCut(counts.now) ? CounterTable::tr(", up to its fault") : QString());
  QString text = counts.points == 1 ? CounterTable::tr("Asked by the source, one launch on the one point")
                 : counts.problem.n == counts.points
                     ? CounterTable::tr("Asked by the source, one launch on all %1 points").arg(counted)
                     : CounterTable::tr("Asked by the source, one launch on the first %1 of %2 points")
                           .arg(counted, countText(counts.points));
  text += CounterTable::tr(", iteration %1").arg(countText(static_cast<std::uint64_t>(counts.iteration)));
  if (counts.atRest) text += CounterTable::tr(", where they rest");
  return text;
}

/// A person's file may be called at any length, and there is room for a few letters.
QString headOf(const Variant& variant) {
  return isOwn(variant) ? CounterTable::tr("yours") : versionText(variant);
}

/// Of a launch that a fault ended before it asked for anything, nobody knows what it would have asked.
bool isUnknown(const StageCount& count) { return isCut(count) && count.trace->counters == simt::Counters(); }

CounterModel::Asked askedOf(const StageCount& count) {
  CounterModel::Asked asked;
  if (!count.variant) return asked;
  asked.name = headOf(*count.variant);
  if (count.trace && !isUnknown(count)) asked.counters = count.trace->counters;
  asked.cut = isCut(count);
  return asked;
}

/// In which shape, of both versions or of the one that can run here.
QString launchedText(const TeachCounts& counts) {
  const StageCount& missing = counts.now.trace ? counts.before : counts.now;
  if (!missing.variant || missing.trace) return shapeText(counts.subject, counts.shapes, counts.problem);
  TeachSubject subject = counts.subject;
  LaunchShapes shapes = counts.shapes;
  if (&missing == &counts.now) {
    subject.variant = counts.before.variant;
    shapes.now = shapes.before;
  }
  subject.before = nullptr;
  return CounterTable::tr("%1 alone, since %2 was not launched. %3")
      .arg(versionText(*subject.variant), versionText(*missing.variant),
           shapeText(subject, shapes, counts.problem));
}

void addFindings(QStringList& lines, const StageCount& count) {
  if (!count.variant) return;
  const QString who = versionText(*count.variant);
  if (!count.why.isEmpty()) lines << CounterTable::tr("%1 was not counted: %2").arg(who, count.why);
  if (!count.trace) return;
  for (const std::string& fault : count.trace->faults)
    lines << CounterTable::tr("%1 faulted: %2").arg(who, QString::fromStdString(fault));
  if (isUnknown(count))
    lines << CounterTable::tr(
        "The fault ended the launch before anything was asked: there is nothing to count");
  else if (isCut(count))
    lines << CounterTable::tr("The fault ended the launch: the numbers are what was asked until then");
  if (count.trace->races > 0)
    lines << CounterTable::tr("%1 has races, which can change its result: %2 words of shared memory")
                 .arg(who, countText(count.trace->races));
  for (const simt::Race& race : count.trace->examples)
    if (!race.sameValue) lines << QStringLiteral("%1: %2").arg(who, QString::fromStdString(race.what));
  if (count.trace->races > 0 || !count.trace->faults.empty()) return;
  lines << (count.trace->sameValueRaces == 0
                ? CounterTable::tr("%1: no race, no fault").arg(who)
                : CounterTable::tr("%1: no fault; several threads store one value, which is no failure")
                      .arg(who));
}

} // namespace

CounterTable::CounterTable(QWidget* parent)
    : QScrollArea(parent), caption_(wrappedLabel(this, true)), differences_(wrappedLabel(this, false)),
      asked_(makeTable(QStringLiteral("asked"))), cardCaption_(wrappedLabel(this, true)),
      done_(makeTable(QStringLiteral("done"))), sentences_(wrappedLabel(this, false)),
      step_(new StepView(this)), measuredPart_(new QWidget(this)), measured_(new MeasuredView(this)),
      instructions_(new InstructionView(this)), waits_(new WaitView(this)),
      footnote_(wrappedLabel(this, true)) {
  setObjectName(QStringLiteral("counters"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  asked_->setAccessibleName(tr("Counters of both versions"));
  offerCopy(*asked_);
  offerCopy(*done_);
  done_->setAccessibleName(tr("Counters of a card"));
  done_->setColumnHidden(CounterModel::beforeColumn, true);
  done_->setColumnHidden(CounterModel::nowColumn, true);
  done_->setColumnHidden(CounterModel::differenceColumn, true);
  asked_->setColumnHidden(CounterModel::askedColumn, true);
  asked_->setColumnHidden(CounterModel::doneColumn, true);
  caption_->setObjectName(QStringLiteral("shape"));
  differences_->setObjectName(QStringLiteral("differences"));
  differences_->setAccessibleName(tr("Tuning parameters that differ"));
  sentences_->setAccessibleName(tr("Races and faults"));
  footnote_->setText(tr("Counted from the source by the SIMT simulator: no caches, no latency."));
  footnote_->setToolTip(tr("A compiler may merge, move or drop accesses, so a card may do something else; "
                           "the lesson says where."));

  connect(&step_->ladder(), &LadderStrip::chosen, this, &CounterTable::chosen);

  // Hidden and shown as one, whatever each of them has to show.
  cardPart_ = makeCardChooser();
  stepPart_ = new QWidget(this);
  for (const auto& [whole, parts] :
       {std::pair(stepPart_, QList<QWidget*>{cardPart_, step_}),
        std::pair(measuredPart_, QList<QWidget*>{measured_, waits_, instructions_})}) {
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    for (QWidget* part : parts)
      column->addWidget(part);
  }

  auto* inside = new QWidget(this);
  inside->setBackgroundRole(QPalette::Base);
  inside->setAutoFillBackground(true);
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(sideMargins / 2, 6, sideMargins / 2, 8);
  column->setSpacing(6);
  for (QWidget* part : std::initializer_list<QWidget*>{stepPart_, caption_, differences_, asked_, sentences_,
                                                       footnote_, measuredPart_, cardCaption_, done_})
    column->addWidget(part);
  column->addStretch(1);
  setWidget(inside);
  showCounting({}, false);
}

QWidget* CounterTable::makeCardChooser() {
  auto* part = new QWidget(this);
  cards_ = new QComboBox(part);
  cards_->setObjectName(QStringLiteral("profiledCard"));
  cards_->setAccessibleName(tr("Card whose figures are shown"));
  cards_->setToolTip(tr("Times, stalls and the other figures of a card are shown of this one: the card that "
                        "computes here was not measured"));
  for (const WaitTable& table : shippedWaits())
    cards_->addItem(table.card);
  auto* label = new QLabel(tr("Figures of"), part);
  label->setProperty("dim", true);
  label->setBuddy(cards_);
  auto* row = new QHBoxLayout(part);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(label);
  row->addWidget(cards_);
  row->addStretch(1);
  connect(cards_, &QComboBox::currentIndexChanged, this, [this] {
    showMeasured(measuredSubject_);
    fitAll();
  });
  return part;
}

std::string CounterTable::measuredCard() const {
  return isProfiled(card_) ? card_ : cards_->currentText().toStdString();
}

void CounterTable::chooseCard(const QString& name) {
  if (const int at = cards_->findText(name); at >= 0) cards_->setCurrentIndex(at);
}

QString CounterTable::chosenCard() const { return cards_->currentText(); }

QTableView* CounterTable::makeTable(const QString& name) {
  auto* table = new QTableView(this);
  table->setObjectName(name);
  table->setModel(&model_);
  table->setItemDelegate(new CounterDelegate(table));
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setTabKeyNavigation(false);
  table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->setAlternatingRowColors(true);
  table->verticalHeader()->hide();
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setMinimumSectionSize(20);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  return table;
}

/// The pane scrolls, not its tables.
void CounterTable::fitAll() {
  for (int row = 0; row < model_.rowCount(); ++row)
    done_->setRowHidden(row, !model_.index(row, 0).data(CounterModel::onCardRole).toBool());
  const int room = std::max(1, viewport()->width() - sideMargins);
  int asked = fitVersionTable(*asked_, room, rowSpace);
  int done = fitVersionTable(*done_, room, rowSpace);
  if (model_.hidden()) {
    // What is hidden for a while keeps its room: panes must not move when a tab is turned to.
    const QSignalBlocker quiet(model_);
    model_.setHidden(false);
    asked = versionTableWidth(*asked_);
    done = versionTableWidth(*done_);
    model_.setHidden(true);
  }
  // Read in lines, they need no more than there is to see, however wide the tables are.
  for (QWidget* lines : std::initializer_list<QWidget*>{stepPart_, caption_, differences_, sentences_,
                                                        footnote_, cardCaption_})
    lines->setMaximumWidth(room);
  for (const QWidget* view : std::initializer_list<const QWidget*>{measured_, waits_, instructions_})
    for (QWidget* lines : view->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
      if (!qobject_cast<QTableView*>(lines)) lines->setMaximumWidth(room);
  const int mix = instructions_->fit(room);
  const int waits = waits_->fit(room);
  const int measured = measured_->fit(room);
  const int wanted = std::max({asked, done_->isHidden() ? 0 : done, instructions_->isHidden() ? 0 : mix,
                               waits_->isHidden() ? 0 : waits, measured_->isHidden() ? 0 : measured}) +
                     sideMargins + verticalScrollBar()->sizeHint().width();
  // Narrower than its tables is a person's choice: a scroll bar comes.
  setMinimumWidth(std::min(wanted, leastCharacters * fontMetrics().averageCharWidth()));
  if (std::exchange(wantedWidth_, wanted) != wanted) Q_EMIT fitted();
}

/// Without a version before there is nothing to hold this one against.
void CounterTable::showVersions(bool both) {
  asked_->setColumnHidden(CounterModel::beforeColumn, !both);
  asked_->setColumnHidden(CounterModel::differenceColumn, !both);
}

void CounterTable::showPoints(bool points) {
  if (counted_) return;
  caption_->setText(hasSubject_ && points ? tr("Counting ...")
                    : hasSubject_         ? tr("Nothing is counted without points")
                                          : tr("Nothing is counted yet"));
}

/// Where nothing was launched, why stands in the table's place.
void CounterTable::showAsked(bool shown) {
  for (QWidget* part : std::initializer_list<QWidget*>{caption_, asked_, footnote_})
    part->setVisible(shown);
}

void CounterTable::showCounting(const TeachSubject& subject, bool points) {
  const auto nameOf = [](const Variant* variant) { return variant ? headOf(*variant) : QString(); };
  model_.setAsked({nameOf(subject.before), {}}, {nameOf(subject.variant), {}});
  model_.setCard({}, {});
  showVersions(subject.before != nullptr);
  showAsked(true);
  hasSubject_ = subject.variant != nullptr;
  counted_ = false;
  showPoints(points);
  sentences_->clear();
  differences_->hide();
  showMeasured(subject);
  cardCaption_->hide();
  done_->hide();
  fitAll();
}

void CounterTable::showCard(const std::string& name, const TeachSubject& subject) {
  if (card_ == name) return;
  card_ = name;
  showMeasured(subject);
  fitAll();
}

void CounterTable::showRace(const RaceResultPtr& race, const TeachSubject& subject) {
  race_ = race;
  step_->showStep(subject, measuredCard(), race_);
}

void CounterTable::renewStep() { step_->showStep(measuredSubject_, measuredCard(), race_); }

/// What was measured once, on a card or of machine code, and needs no points.
void CounterTable::showMeasured(const TeachSubject& subject) {
  measuredSubject_ = subject;
  const std::string card = measuredCard();
  step_->showStep(subject, card, race_);
  measured_->showMeasured(subject, card);
  waits_->showWaits(subject, card);
  const bool ofCards = step_->isOfCards() || !measured_->isHidden();
  cardPart_->setVisible(ofCards && !isProfiled(card_) && cards_->count() > 1);
  instructions_->showMix(subject);
}

void CounterTable::showCounts(const TeachCounts& counts) {
  counted_ = true;
  model_.setAsked(askedOf(counts.before), askedOf(counts.now));
  model_.setCard(counts.card, counts.askedOnCard);
  showVersions(counts.before.variant != nullptr);
  const bool launched = counts.now.trace || counts.before.trace;
  caption_->setText((launched ? launchedText(counts) + u'\n' : QString()) + countedText(counts));
  showAsked(launched);
  const QString differences = launched ? shapeDifferences(counts.subject, counts.shapes) : QString();
  differences_->setText(differences);
  differences_->setVisible(!differences.isEmpty());
  caption_->setToolTip(problemText(counts.problem));
  QStringList lines;
  addFindings(lines, counts.now);
  if (launched || counts.before.why != counts.now.why) addFindings(lines, counts.before);
  if (!counts.before.variant && counts.now.variant && !isOwn(*counts.now.variant))
    lines << tr("%1 is the first of its stage: there is no version before it to compare with")
                 .arg(versionText(*counts.now.variant));
  sentences_->setText(lines.join(QLatin1Char('\n')));
  showMeasured(counts.subject);
  cardCaption_->setVisible(counts.card.has_value());
  done_->setVisible(counts.card.has_value());
  if (counts.card)
    cardCaption_->setText(
        tr("%1 at %2").arg(versionText(*counts.now.variant), problemText(counts.card->problem)));
  fitAll();
}

void CounterTable::setHidden(bool hidden) {
  model_.setHidden(hidden);
  for (QWidget* part : {stepPart_, measuredPart_})
    part->setVisible(!hidden);
  fitAll();
}

QString CounterTable::sentences() const { return sentences_->text(); }

void CounterTable::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange) fitAll();
}

void CounterTable::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  fitAll();
}

} // namespace lloyd
