// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/block/block_view.hpp"

#include "app/model/teach/block/block_texts.hpp"
#include "app/text/named_lines.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/flow_layout.hpp"
#include "app/ui/common/keyboard.hpp"
#include "app/ui/common/labels.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <bit>
#include <utility>

namespace lloyd {
namespace {

constexpr int captionSpace = 2; ///< pixels between the caption of shared memory and its words

} // namespace

BlockView::BlockView(QWidget* parent)
    : QWidget(parent), block_(new QSpinBox(this)), number_(new QSpinBox(this)), of_(new ElidedLabel(this)),
      note_(wrappedLabel(this, true)), slider_(new StepSlider(this)), line_(new ElidedLabel(this)),
      sentence_(new QLabel(this)), raceRow_(new QWidget(this)), first_(new QToolButton(this)),
      second_(new QToolButton(this)), nextRace_(new QToolButton(this)), warps_(new WarpRows(this)),
      caption_(new ElidedLabel(this)), shared_(new SharedGrid(this)), readOut_(new QLabel(this)),
      parts_(new QSplitter(Qt::Vertical, this)) {
  setObjectName(QStringLiteral("block"));
  setAccessibleName(tr("One block, step by step"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  makeControls();

  auto* head = new FlowLayout(6, 4);
  for (const auto& [words, control] : {std::pair(tr("Block"), block_), std::pair(tr("Step"), number_)}) {
    auto* named = new QHBoxLayout;
    named->setSpacing(6);
    addNamed(*named, words, control);
    head->addGroup(named);
  }
  of_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  head->addWidget(of_);
  auto* buttons = new FlowLayout(4, 4);
  addButtons(*buttons);
  auto* race = new FlowLayout(6, 4, raceRow_);
  race->setContentsMargins(0, 0, 0, 0);
  race->addWidget(first_);
  race->addWidget(second_);
  raceRow_->hide();

  auto* above = new QWidget(this);
  auto* warps = new QVBoxLayout(above);
  warps->setContentsMargins(0, 0, 0, 0);
  warps->addWidget(warps_, 1);
  auto* below = new QWidget(this);
  auto* memory = new QVBoxLayout(below);
  memory->setContentsMargins(0, 0, 0, 0);
  memory->setSpacing(captionSpace);
  memory->addWidget(caption_);
  memory->addWidget(shared_, 1);
  parts_->setObjectName(QStringLiteral("blockParts"));
  parts_->setChildrenCollapsible(false);
  parts_->addWidget(above);
  parts_->addWidget(below);
  connect(parts_, &QSplitter::splitterMoved, this, [this] { parted_ = true; });
  parts_->installEventFilter(this);
  note_->setObjectName(QStringLiteral("blockNote"));
  note_->hide();

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 5, 8, 4);
  layout->setSpacing(4);
  layout->addLayout(head);
  layout->addWidget(note_);
  layout->addLayout(buttons);
  layout->addWidget(slider_);
  layout->addWidget(line_);
  layout->addWidget(sentence_);
  layout->addWidget(raceRow_);
  layout->addWidget(parts_, 1);
  layout->addWidget(readOut_);
  clear();
}

void BlockView::makeControls() {
  const auto name = [](QWidget* part, const char* object, const QString& accessible, const QString& tip) {
    part->setObjectName(QLatin1String(object));
    part->setAccessibleName(accessible);
    part->setToolTip(tip);
  };
  const QString keys = tr("Left and Right go a step, Page Up and Page Down or Ctrl+Left and Ctrl+Right to a "
                          "barrier, Shift+Page Up and Shift+Page Down to a race, Home and End to the ends");
  name(block_, "blockNumber", tr("Block"), tr("The block that is looked at, from 0 on"));
  name(number_, "blockStep", tr("Step"),
       tr("How many steps are done. A step is one request or exchange of a warp, or a barrier"));
  name(slider_, "blockSlider", tr("Step"),
       tr("The block's steps; above them a line for each barrier and a triangle for each race. ") + keys);
  name(warps_, "blockWarps", tr("Warps"),
       tr("Filled: the lanes that took part in the warp's last step. Between two barriers the warps go in "
          "turn here, one step each; a card may run them in any order. Up and Down read the rows"));
  name(shared_, "blockShared", tr("Shared memory"),
       tr("A box is a word of 4 bytes, with number and colour of the warp that wrote to it last; those of "
          "this step are framed. Arrow keys read the words"));
  name(of_, "blockOf", tr("Number of steps"), tr("And the memory that the steps take while they are kept"));
  name(first_, "raceFirst", tr("First step of the race"),
       tr("Goes to this step and its line, or to the other block"));
  name(second_, "raceSecond", tr("Second step of the race"), tr("Goes to this step and its line"));
  line_->setObjectName(QStringLiteral("blockLine"));
  sentence_->setObjectName(QStringLiteral("blockSentence"));
  caption_->setObjectName(QStringLiteral("blockCaption"));
  caption_->setMostLines(2);
  caption_->setProperty("dim", true);
  readOut_->setObjectName(QStringLiteral("blockReadOut"));
  readOut_->setProperty("dim", true);
  for (QLabel* label : {sentence_, readOut_}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  }
  for (QToolButton* button : {first_, second_})
    button->setFocusPolicy(Qt::TabFocus);
  number_->setKeyboardTracking(false);
  setKeysOf(*this, slider_);
  connect(block_, &QSpinBox::valueChanged, this, [this](int block) {
    if (wants()) Q_EMIT wanted(static_cast<std::uint32_t>(block));
  });
  connect(slider_, &QSlider::valueChanged, this, &BlockView::drawStep);
  connect(number_, &QSpinBox::valueChanged, slider_, &QSlider::setValue);
  connect(first_, &QToolButton::clicked, this, [this] {
    const BlockReplay::Race* seen = race();
    if (!seen) return;
    if (!seen->other) return goTo(seen->first);
    there_ = seen->other->there;
    block_->setValue(static_cast<int>(there_->block));
  });
  connect(second_, &QToolButton::clicked, this, [this] { Q_EMIT linesShown(lines()); });
  connect(warps_, &WarpRows::said, readOut_, &QLabel::setText);
  connect(shared_, &SharedGrid::said, readOut_, &QLabel::setText);
  for (QWidget* part : std::initializer_list<QWidget*>{slider_, warps_, shared_})
    part->installEventFilter(this);
}

void BlockView::addButtons(QLayout& row) {
  const auto add = [&](QToolButton* button, const QString& words, const QString& tip, Move how, int by) {
    button->setText(words);
    button->setAccessibleName(tip);
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, [this, how, by] { move(how, by); });
    row.addWidget(button);
    moves_ << button;
    return button;
  };
  const auto made = [this] { return new QToolButton(this); };
  add(made(), tr("\u2016\u25c2"), tr("The barrier before (Page Up)"), Move::barrier, -1)
      ->setObjectName(QStringLiteral("barrierBefore"));
  QToolButton* back = add(made(), tr("\u25c2 Back"), tr("A step back (Left)"), Move::step, -1);
  back->setObjectName(QStringLiteral("stepBack"));
  QToolButton* forward = add(made(), tr("Forward \u25b8"), tr("A step forward (Right)"), Move::step, 1);
  forward->setObjectName(QStringLiteral("stepForward"));
  for (QToolButton* button : {back, forward})
    button->setAutoRepeat(true);
  add(made(), tr("\u25b8\u2016"), tr("The next barrier (Page Down)"), Move::barrier, 1)
      ->setObjectName(QStringLiteral("barrierNext"));
  add(nextRace_, tr("Next race"), tr("The next race (Shift+Page Down)"), Move::race, 1)
      ->setObjectName(QStringLiteral("raceNext"));
}

std::uint32_t BlockView::block() const { return static_cast<std::uint32_t>(block_->value()); }
std::size_t BlockView::step() const { return static_cast<std::size_t>(slider_->value()); }
void BlockView::goTo(std::size_t step) { slider_->setValue(static_cast<int>(step)); }

void BlockView::setBlock(std::uint32_t block) {
  const QSignalBlocker quiet(block_);
  block_->setRange(0, std::max(block_->maximum(), static_cast<int>(block)));
  block_->setValue(static_cast<int>(block));
}

void BlockView::goToTrouble() {
  if (!found_) return;
  if (const BlockReplay::Race* race = found_->namedRace())
    goTo(race->second);
  else if (found_->end() == BlockReplay::End::fault)
    goTo(size());
}

void BlockView::setNote(const QString& note) {
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
}

QString BlockView::note() const { return note_->text(); }

QString BlockView::sentence() const { return sentence_->text(); }

void BlockView::clear() {
  {
    const QSignalBlocker quiet(block_), still(slider_);
    block_->setRange(0, 0);
    slider_->setValue(0);
  }
  showFound(nullptr);
}

void BlockView::renew() {
  if (wants())
    Q_EMIT wanted(block());
  else
    found_.reset();
}

void BlockView::showLooking() {
  if (!found_) sentence_->setText(tr("The simulator runs the kernel once more\u2026"));
}

void BlockView::showFound(const std::shared_ptr<const BlockReplay>& found) {
  found_ = found;
  source_ = found_ ? sourceOf(*found_->block()->subject.variant) : SourceText();
  if (found_ && found_->block()->blocks > 0) {
    const QSignalBlocker quiet(block_);
    block_->setRange(0, static_cast<int>(found_->block()->blocks) - 1);
    block_->setValue(static_cast<int>(found_->block()->block));
  }
  std::vector<int> barriers, races;
  if (found_) {
    barriers.assign(found_->barriers().begin(), found_->barriers().end());
    for (const BlockReplay::Race& race : found_->races())
      if (races.empty() || races.back() != static_cast<int>(race.second))
        races.push_back(static_cast<int>(race.second));
  }
  const QString more = found_ && found_->racesCut() ? QStringLiteral("+") : QString();
  nextRace_->setText(size() == 0     ? tr("Next race")
                     : races.empty() ? tr("No race")
                                     : tr("Next race (%1%2)").arg(countText(races.size()), more));
  nextRace_->setToolTip(tr("The next race (Shift+Page Down)") +
                        (more.isEmpty() ? QString()
                                        : tr("; of the block's races on %1 words are kept, the first")
                                              .arg(countText(simt::BlockRecord::mostRaces))));
  {
    const QSignalBlocker quiet(slider_), still(number_);
    slider_->setRange(0, static_cast<int>(size()));
    slider_->setPageStep(std::max(1, static_cast<int>(size() / 20)));
    number_->setRange(0, static_cast<int>(size()));
  }
  const bool hasRaces = !races.empty();
  slider_->setMarks(std::move(barriers), std::move(races));
  for (QToolButton* button : moves_)
    button->setEnabled(size() > 0 && (button != nextRace_ || hasRaces));
  number_->setEnabled(size() > 0);
  // While the simulator is at it the keys stay here: the window would go back by iterations with them.
  slider_->setEnabled(!found_ || size() > 0);
  shared_->setReplay(size() > 0 ? found_ : nullptr);
  readOut_->clear(); // of a step that is no longer there
  drawStep();
  if (found_) goToOtherAccess();
}

/// What a race of another block named, once its block is shown.
void BlockView::goToOtherAccess() {
  const std::optional<Access> access = std::exchange(there_, {});
  if (!access || access->block != block()) return;
  for (const BlockReplay::Race& race : found_->races())
    if (race.other && race.other->here == *access) return goTo(race.second);
}

const BlockReplay::Race* BlockView::race() const {
  if (!found_) return nullptr;
  const auto at = std::ranges::lower_bound(found_->races(), step(), {}, &BlockReplay::Race::second);
  return at != found_->races().end() && at->second == step() ? &*at : nullptr;
}

/// Of the source that is shown beside; 0 where it is not part of it.
int BlockView::lineOf(std::size_t step) const {
  if (step == 0 || step > size()) return 0;
  const simt::WarpStep& one = found_->step(step);
  return lineOf(one.file, one.line);
}
int BlockView::lineOf(std::string_view file, int line) const { return source_.lineOf(qtext(file), line) + 1; }

/// The places that the sentence of a fault names, once the step that leads to it is done.
QList<int> BlockView::faultLines() const {
  if (!found_ || found_->end() != BlockReplay::End::fault || step() != size()) return {};
  const std::string_view source = found_->block()->subject.variant->info.source;
  QList<int> lines;
  for (const int named : linesNamed(found_->block()->fault, qtext(source)))
    if (const int line = lineOf(source, named); line > 0) lines << line;
  return lines;
}

QList<int> BlockView::lines() const {
  if (QList<int> fault = faultLines(); !fault.isEmpty()) return fault;
  QList<int> lines;
  if (const int line = lineOf(step()); line > 0) lines << line;
  if (const BlockReplay::Race* seen = race()) {
    const int line =
        seen->other ? lineOf(seen->other->there.file, seen->other->there.line) : lineOf(seen->first);
    if (line > 0 && !lines.contains(line)) lines << line;
  }
  return lines;
}

QString BlockView::captionText() const {
  if (size() == 0 || found_->block()->sharedArrays.empty()) return tr("Shared memory");
  QString text = tr("Shared memory, by the warp that wrote last");
  if (found_->launches() > 1)
    text += tr("; launch %1 of %2").arg(found_->launchOf(step()) + 1).arg(found_->launches());
  return text;
}

void BlockView::fillRows() {
  std::vector<WarpRows::Row> rows;
  std::optional<std::size_t> current;
  if (size() > 0) {
    if (step() > 0) current = found_->warpOf(step());
    std::vector<BlockReplay::WarpState> states = found_->warpsAfter(step());
    // What the present step is comes before where it leads to, until all is over.
    if (current && step() < size()) {
      const simt::WarpStep& now = found_->step(step());
      states[*current] = {BlockReplay::WarpState::Doing::running, now.lanes, &now};
    }
    for (const BlockReplay::WarpState& state : states)
      rows.push_back({state.doing, state.lanes, warpText(*found_, state), briefWarpText(*found_, state)});
  }
  const bool others = rows.size() != warps_->rows().size();
  warps_->setRows(std::move(rows), current);
  if (others) shareHeight();
}

/// As many warps as there are, in whole rows: of half the height, or of all that shared memory leaves. Or as
/// a person made them.
void BlockView::shareHeight() {
  fitCaption();
  if (parted_) return;
  const int all = parts_->height() - parts_->handleWidth();
  const int memory = caption_->heightForWidth(parts_->width()) + captionSpace + shared_->wholeHeight();
  const int wanted = warps_->heightWithin(std::max(all / 2, all - memory));
  parts_->setSizes({wanted, all - wanted});
}

/// A splitter does not know that the height of a part depends on its width.
void BlockView::fitCaption() { caption_->setMinimumHeight(caption_->heightForWidth(parts_->width())); }

/// Two lines always, so that nothing jumps under the pointer.
void BlockView::fitLabels() {
  for (QLabel* label : {sentence_, readOut_})
    label->setMinimumHeight(2 * label->fontMetrics().lineSpacing());
}

void BlockView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitLabels();
}

void BlockView::drawStep() {
  {
    const QSignalBlocker quiet(number_);
    number_->setValue(static_cast<int>(step()));
  }
  fillRows();
  caption_->setText(captionText());
  fitCaption();
  std::set<std::size_t> touched, raced;
  if (size() == 0) {
    of_->setText(QStringLiteral("\u2013"));
    line_->setText({});
    sentence_->setText(!found_ ? tr("Nothing is known yet.") : found_->block()->why);
  } else {
    of_->setText(sizeText(*found_));
    const QList<int> fault = faultLines();
    const int line = fault.isEmpty() ? lineOf(step()) : fault.front();
    line_->setText(
        line > 0 ? tr("Line %1: %2").arg(source_.numberOf(line - 1)).arg(source_.lines[line - 1].trimmed())
                 : QString());
    QString text = stepText(*found_, step());
    if (const QString end = endText(*found_, step()); !end.isEmpty()) text += QLatin1Char(' ') + end;
    sentence_->setText(text);
    if (step() > 0 && found_->warpOf(step())) {
      const simt::WarpStep& one = found_->step(step());
      if (one.asked < simt::Asked::barrier) {
        const MemoryRequest request = requestOf(*found_->block(), one);
        sentence_->setToolTip(requestText(*found_->block(), request));
        for (const MemoryRequest::Word& word : request.words)
          touched.insert(word.number);
      }
    }
  }
  showRace();
  if (const BlockReplay::Race* seen = race(); seen && !seen->other) raced.insert(seen->word);
  shared_->setStep(step(), std::move(touched), std::move(raced));
  warps_->setAccessibleDescription(sentence_->text());
  shared_->setAccessibleDescription(sentence_->text());
  if (isVisible()) Q_EMIT linesShown(lines());
}

void BlockView::showRace() {
  const BlockReplay::Race* seen = race();
  raceRow_->setVisible(seen != nullptr);
  if (!seen) return;
  sentence_->setText(raceText(*found_, *seen));
  const auto words = [&](std::size_t step) {
    return tr("Step %1: %2").arg(countText(step), placeText(*found_, found_->step(step)));
  };
  if (seen->other)
    first_->setText(tr("Block %1: %2")
                        .arg(seen->other->there.block)
                        .arg(placeText(*found_, seen->other->there.file, seen->other->there.line)));
  else
    first_->setText(words(seen->first));
  second_->setText(words(seen->second));
}

void BlockView::move(Move how, int direction) {
  if (size() == 0) return;
  const std::size_t now = step();
  const auto along = [&](const auto& marks, auto stepOf) {
    std::optional<std::size_t> found;
    for (const auto& mark : marks) {
      const auto at = static_cast<std::size_t>(stepOf(mark));
      if (direction > 0 && at > now) return std::optional(at);
      if (direction < 0 && at < now) found = at;
    }
    return found;
  };
  switch (how) {
  case Move::step:
    return slider_->setValue(slider_->value() + direction);
  case Move::end:
    return goTo(direction > 0 ? size() : 0);
  case Move::barrier:
    // Beyond the last barrier lies the end, before the first the beginning.
    return goTo(
        along(found_->barriers(), [](std::uint32_t at) { return at; }).value_or(direction > 0 ? size() : 0));
  case Move::race:
    if (found_->races().empty()) return;
    return goTo(along(found_->races(), [](const BlockReplay::Race& race) {
                  return race.second;
                }).value_or(direction > 0 ? found_->races().front().second : found_->races().back().second));
  }
}

/// The keys of the slider, which the rows of warps take too; the words of shared memory keep their arrows.
bool BlockView::takeKey(const QObject* watched, const QKeyEvent& key, bool isPressed) {
  const Qt::KeyboardModifiers held = key.modifiers() & ~Qt::KeypadModifier;
  const bool plain = held == Qt::NoModifier, shift = held == Qt::ShiftModifier;
  const auto take = [&](Move how, int direction) {
    if (isPressed) move(how, direction);
    return true;
  };
  switch (key.key()) {
  case Qt::Key_PageUp:
  case Qt::Key_PageDown:
    if (!plain && !shift) return false;
    return take(shift ? Move::race : Move::barrier, key.key() == Qt::Key_PageDown ? 1 : -1);
  case Qt::Key_Left:
  case Qt::Key_Right:
    if (held != Qt::ControlModifier && (!plain || watched == shared_)) return false;
    return take(plain ? Move::step : Move::barrier, key.key() == Qt::Key_Right ? 1 : -1);
  case Qt::Key_Home:
  case Qt::Key_End:
    return plain && take(Move::end, key.key() == Qt::Key_End ? 1 : -1);
  default:
    return false;
  }
}

bool BlockView::eventFilter(QObject* watched, QEvent* event) {
  // A longer sentence leaves less for both parts, and the splitter would cut a row. It has to be done first.
  if (watched == parts_ && event->type() == QEvent::Resize)
    QMetaObject::invokeMethod(this, &BlockView::shareHeight, Qt::QueuedConnection);
  const bool asks = event->type() == QEvent::ShortcutOverride;
  if (asks || event->type() == QEvent::KeyPress) {
    if (takeKey(watched, static_cast<QKeyEvent&>(*event), !asks)) {
      event->accept();
      return true;
    }
    // Arrows that read rows and words are no shortcuts of the window.
    const int key = static_cast<QKeyEvent&>(*event).key();
    const bool arrow =
        key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (asks && arrow && static_cast<QKeyEvent&>(*event).modifiers() == Qt::NoModifier) {
      event->accept();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void BlockView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  fitLabels();
  if (!found_)
    Q_EMIT wanted(block());
  else
    Q_EMIT linesShown(lines());
}

void BlockView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  Q_EMIT linesShown({});
}

} // namespace lloyd
