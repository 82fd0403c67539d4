// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/memory_view.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/flow_layout.hpp"
#include "app/ui/common/keyboard.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/save_dialog.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <bit>
#include <utility>

namespace lloyd {
namespace {

using Cell = WordGridPicture::Cell;
using Hue = WordGridPicture::Hue;

constexpr std::size_t stripRows = 12; ///< of 32 elements

enum class StripBy { thread, warp, block };

QString kindText(const MemoryRequest& request) {
  switch (request.asked) {
  case simt::Asked::globalLoad:
    return MemoryView::tr("load from global memory");
  case simt::Asked::globalStore:
    return MemoryView::tr("store to global memory");
  case simt::Asked::globalAtomic:
    return MemoryView::tr("atomic on global memory");
  case simt::Asked::sharedLoad:
    return MemoryView::tr("load from shared memory");
  case simt::Asked::sharedStore:
    return MemoryView::tr("store to shared memory");
  default:
    return MemoryView::tr("atomic on shared memory");
  }
}

/// The lanes of one word: "5", or how many there are.
QString lanesText(std::uint32_t lanes) {
  const int count = std::popcount(lanes);
  if (count == 0) return {};
  return count == 1 ? QString::number(std::countr_zero(lanes)) : QStringLiteral("\u00d7%1").arg(count);
}

Cell legendCell(unsigned used, bool fetched, bool contended, Hue hue = {Hue::Of::lane, 16}) {
  Cell cell;
  cell.hue = hue;
  cell.used = used;
  cell.fetched = fetched;
  cell.contended = contended;
  return cell;
}

} // namespace

MemoryView::MemoryView(QWidget* parent)
    : QWidget(parent), title_(new ElidedLabel(this)), block_(new QSpinBox(this)), warp_(new QSpinBox(this)),
      slider_(new QSlider(Qt::Horizontal, this)), number_(new QLabel(this)), sentence_(new QLabel(this)),
      picture_(new WordGrid(this)), readOut_(new QLabel(this)), colours_(new QComboBox(this)),
      strip_(new WordGrid(this)) {
  setObjectName(QStringLiteral("memory"));
  setAccessibleName(tr("Requests to memory"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  makeControls();
  sentence_->setObjectName(QStringLiteral("memorySentence"));
  picture_->setObjectName(QStringLiteral("memoryPicture"));
  setKeysOf(*this, picture_);
  picture_->setAccessibleName(tr("Lanes of the request and the memory that they touch"));
  strip_->setObjectName(QStringLiteral("memoryStrip"));
  strip_->setAccessibleName(tr("The points as a strip of memory"));
  readOut_->setObjectName(QStringLiteral("memoryReadOut"));
  readOut_->setProperty("dim", true);
  for (QLabel* label : {sentence_, readOut_}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  // Two lines always, so that nothing jumps under the pointer.
  readOut_->setMinimumHeight(2 * fontMetrics().height());
  readOut_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  for (WordGrid* grid : {picture_, strip_})
    connect(grid, &WordGrid::said, readOut_, &QLabel::setText);

  auto* controls = new QHBoxLayout;
  controls->setSpacing(6);
  addNamed(*controls, tr("Block"), block_);
  addNamed(*controls, tr("Warp"), warp_);
  controls->addStretch(1);
  auto* requests = new QHBoxLayout;
  requests->setSpacing(6);
  addNamed(*requests, tr("Request"), slider_, 1);
  requests->addWidget(number_);
  const auto saveButton = [&](const QString& words, WordGrid* grid, const QString& name) {
    auto* button = new QToolButton(this);
    button->setText(words);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(words);
    button->setToolTip(tr("As SVG, or as PNG in twice the size"));
    connect(button, &QToolButton::clicked, this, [this, grid, name] { save(*grid, name); });
    return button;
  };
  auto* below = new FlowLayout(6, 4);
  auto* coloured = new ElidedLabel(this);
  coloured->setText(tr("The points in memory, by"));
  coloured->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  coloured->setBuddy(colours_);
  below->addWidget(coloured);
  below->addWidget(colours_);
  saveStrip_ = saveButton(tr("Save strip\u2026"), strip_, QStringLiteral("strip.svg"));
  below->addWidget(saveStrip_);
  auto* head = new QHBoxLayout;
  head->addWidget(title_, 1);
  savePicture_ = saveButton(tr("Save picture\u2026"), picture_, QStringLiteral("request.svg"));
  head->addWidget(savePicture_);

  auto* body = new QWidget(this);
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(picture_);
  column->addLayout(below);
  column->addWidget(strip_);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(body);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 5, 8, 4);
  layout->setSpacing(4);
  layout->addLayout(head);
  layout->addLayout(controls);
  layout->addLayout(requests);
  layout->addWidget(sentence_);
  layout->addWidget(scroll, 1);
  layout->addWidget(readOut_);
  clear();
}

void MemoryView::makeControls() {
  title_->setObjectName(QStringLiteral("memoryLine"));
  block_->setObjectName(QStringLiteral("memoryBlock"));
  block_->setAccessibleName(tr("Block"));
  block_->setToolTip(tr("The block whose warps are looked at, from 0 on"));
  warp_->setObjectName(QStringLiteral("memoryWarp"));
  warp_->setAccessibleName(tr("Warp"));
  warp_->setToolTip(tr("The warp of the block, from 0 on: 32 threads that ask together"));
  slider_->setObjectName(QStringLiteral("memoryRequest"));
  slider_->setAccessibleName(tr("Request"));
  slider_->setToolTip(tr("The warp's requests at this line, in the order in which it makes them"));
  slider_->setPageStep(1);
  slider_->setMinimumWidth(60);
  number_->setObjectName(QStringLiteral("memoryNumber"));
  colours_->setObjectName(QStringLiteral("memoryColours"));
  colours_->setAccessibleName(tr("Colours of the strip"));
  colours_->setToolTip(tr("Who loads each element of the points"));
  for (const QString& name : {tr("thread"), tr("warp"), tr("block")})
    colours_->addItem(name);
  connect(block_, &QSpinBox::valueChanged, this, [this](int block) {
    if (wants()) Q_EMIT wanted(static_cast<std::uint32_t>(block));
  });
  connect(warp_, &QSpinBox::valueChanged, this, &MemoryView::listRequests);
  connect(slider_, &QSlider::valueChanged, this, &MemoryView::draw);
  connect(colours_, &QComboBox::currentIndexChanged, this, &MemoryView::drawStrip);
}

std::uint32_t MemoryView::block() const { return static_cast<std::uint32_t>(block_->value()); }
std::size_t MemoryView::request() const { return static_cast<std::size_t>(slider_->value()); }
QString MemoryView::sentence() const { return sentence_->text(); }

void MemoryView::clear() {
  line_ = {};
  found_.reset();
  const QSignalBlocker quiet(block_);
  block_->setRange(0, 0);
  listRequests();
}

void MemoryView::showLine(const Line& line) {
  line_ = line;
  if (!found_ && wants()) Q_EMIT wanted(block());
  listRequests();
}

void MemoryView::renew() {
  found_.reset();
  if (wants()) Q_EMIT wanted(block());
}

void MemoryView::showLooking() { sentence_->setText(tr("The simulator runs the kernel once more\u2026")); }

void MemoryView::showFound(const std::shared_ptr<const BlockRequests>& found) {
  found_ = found;
  if (found_ && found_->blocks > 0) {
    const QSignalBlocker quiet(block_);
    block_->setRange(0, static_cast<int>(found_->blocks) - 1);
    block_->setValue(static_cast<int>(found_->block));
  }
  listRequests();
}

void MemoryView::listRequests() {
  requests_.clear();
  {
    const QSignalBlocker quiet(warp_);
    warp_->setRange(0, found_ ? std::max(0, static_cast<int>(found_->steps.size()) - 1) : 0);
  }
  if (found_ && line_.line > 0)
    requests_ =
        requestsOf(*found_, static_cast<std::size_t>(warp_->value()), line_.file.toStdString(), line_.line);
  const QSignalBlocker quiet(slider_);
  slider_->setRange(0, std::max(0, static_cast<int>(requests_.size()) - 1));
  draw();
}

WordGridPicture MemoryView::pictureOf(const MemoryRequest& request) const {
  WordGridPicture picture;
  picture.aboveText = tr("lane");
  picture.lanes = request.lanes;
  picture.group = request.shared() ? 1 : 8;
  if (request.shared()) picture.columnsText = tr("bank");
  std::uint64_t before = 0;
  for (const MemoryRow& row : memoryRows(request)) {
    WordGridPicture::Row& made = picture.rows.emplace_back();
    made.label = tr("byte %1").arg(countText(row.number * 128));
    made.apart = row.number != before + 1;
    before = row.number;
    for (std::size_t column = 0; column < 32; ++column) {
      const MemoryRow::Word& word = row.words[column];
      Cell& cell = made.cells[column];
      cell.fetched = word.fetched;
      cell.used = word.used;
      cell.contended = word.contended;
      cell.lanes = word.lanes;
      cell.text = lanesText(word.lanes);
      if (word.lanes != 0) {
        const auto lane = static_cast<unsigned>(std::countr_zero(word.lanes));
        cell.hue = std::popcount(word.lanes) > 1 ? Hue{Hue::Of::several, 0} : Hue{Hue::Of::lane, lane};
        cell.tip = laneText(*found_, request, lane);
        const int others = std::popcount(word.lanes) - 1;
        if (others > 0)
          cell.tip += countedText(static_cast<std::uint64_t>(others), tr("; and %1 more lane"),
                                  tr("; and %1 more lanes"));
      } else {
        const QString at = countText(row.number * 128 + column * 4);
        cell.tip = !word.fetched ? tr("byte %1: not touched").arg(at)
                   : request.asked == simt::Asked::globalLoad
                       ? tr("byte %1: fetched with its sector, and not used").arg(at)
                       : tr("byte %1: in a touched sector, and not asked for").arg(at);
      }
    }
  }
  const auto anyWord = [&](auto which) {
    return std::ranges::any_of(picture.rows,
                               [&](const auto& row) { return std::ranges::any_of(row.cells, which); });
  };
  picture.legend.emplace_back(tr("asked for, in the lane's colour"), legendCell(0xf, true, false));
  if (anyWord([](const Cell& cell) { return std::popcount(cell.lanes) > 1; }))
    picture.legend.emplace_back(tr("by several lanes"), legendCell(0xf, true, false, {Hue::Of::several, 0}));
  if (!request.shared())
    picture.legend.emplace_back(request.asked == simt::Asked::globalLoad ? tr("fetched in vain")
                                                                         : tr("not asked for"),
                                legendCell(0, true, false));
  picture.legend.emplace_back(tr("not touched"), legendCell(0, false, false));
  if (request.turns > request.parts)
    picture.legend.emplace_back(tr("waits its turn"), legendCell(0xf, true, true));
  return picture;
}

void MemoryView::draw() {
  const bool chosen = line_.line > 0;
  title_->setText(chosen ? tr("Line %1: %2").arg(line_.line).arg(line_.text.trimmed())
                         : tr("No line is chosen"));
  const auto at = request();
  const bool has = at < requests_.size();
  number_->setText(has ? tr("%1 of %2").arg(at + 1).arg(requests_.size()) : QStringLiteral("\u2013"));
  picture_->setVisible(has);
  savePicture_->setEnabled(has);
  if (has) {
    const MemoryRequest& request = requests_[at];
    WordGridPicture picture = pictureOf(request);
    picture.sentence = requestText(*found_, request);
    picture.title = tr("%1, line %2: %3")
                        .arg(qtext(found_->subject.variant->id()))
                        .arg(line_.line)
                        .arg(line_.text.trimmed());
    sentence_->setText(picture.sentence);
    number_->setToolTip(tr("%1, %2 bytes a lane").arg(kindText(request)).arg(request.bytes));
    picture_->setPicture(std::move(picture));
  } else if (!chosen) {
    sentence_->setText(
        tr("Click what a line asked, at the right of the source, or press Return on the line: here "
           "is each request of a warp, with the sectors or banks that it touches."));
  } else if (!found_) {
    sentence_->setText(tr("Nothing is known yet."));
  } else if (!found_->why.isEmpty()) {
    sentence_->setText(found_->why);
  } else {
    sentence_->setText(
        found_->cut
            ? tr("Warp %1 of this block asks nothing here in the steps that are kept.").arg(warp_->value())
            : tr("Warp %1 of this block asks nothing at this line.").arg(warp_->value()));
  }
  drawStrip();
}

Cell MemoryView::touchedCell(std::size_t element) const {
  Cell cell;
  if (element >= found_->touched.size()) return cell;
  cell.tip = touchText(*found_, element);
  cell.used = 0xf;
  const simt::Owner& owner = found_->touched[element];
  if (owner.block == simt::Owner::nobody) return cell;
  cell.fetched = true;
  switch (static_cast<StripBy>(colours_->currentIndex())) {
  case StripBy::thread:
    cell.hue = {Hue::Of::lane, owner.thread % 32};
    cell.text = QString::number(owner.thread % 32);
    break;
  case StripBy::warp:
    cell.hue = {Hue::Of::series, owner.thread / 32};
    cell.text = QString::number(owner.thread / 32);
    break;
  default:
    cell.hue = {Hue::Of::series, owner.block};
    cell.text = QString::number(owner.block);
  }
  return cell;
}

/// Of points in rows the first of each coordinate, so that those of one point are seen.
void MemoryView::drawStrip() {
  const bool has = found_ && !found_->touched.empty();
  strip_->setVisible(has);
  saveStrip_->setEnabled(has);
  if (!has) return;
  const simt::TracedArray& points = found_->arrays.front();
  const std::size_t elements = found_->touched.size();
  const bool rows = points.of == simt::TracedArray::Of::pointRows;
  const std::size_t pieces = rows ? std::min<std::size_t>(elements / points.row, 3) : 1;
  const MemoryRequest* seen = request() < requests_.size() ? &requests_[request()] : nullptr;
  if (seen && (seen->shared() || seen->array != 0)) seen = nullptr;
  std::vector<bool> marked(elements);
  for (std::uint32_t left = seen ? seen->lanes : 0; left != 0; left &= left - 1) {
    const std::uint64_t first = seen->at[static_cast<unsigned>(std::countr_zero(left))];
    for (std::uint64_t byte = first; byte < first + seen->bytes; byte += points.elementBytes)
      if (byte / points.elementBytes < elements) marked[byte / points.elementBytes] = true;
  }
  WordGridPicture picture;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const std::size_t begin = rows ? piece * points.row : 0;
    const std::size_t end = std::min(elements, rows ? begin + points.row : elements);
    for (std::size_t row = 0; row < stripRows / pieces && begin + 32 * row < end; ++row) {
      WordGridPicture::Row& made = picture.rows.emplace_back();
      made.label = tr("byte %1").arg(countText((begin + 32 * row) * points.elementBytes));
      if (pieces > 1 && row == 0) made.label.prepend(QLatin1Char("xyz"[piece]) + QStringLiteral(": "));
      made.apart = row == 0;
      for (std::size_t column = 0; column < 32 && begin + 32 * row + column < end; ++column) {
        made.cells[column] = touchedCell(begin + 32 * row + column);
        made.cells[column].marked = marked[begin + 32 * row + column];
      }
    }
  }
  picture.title = tr("The points of %1 in memory, by %2")
                      .arg(qtext(found_->subject.variant->id()), colours_->currentText());
  picture.sentence =
      tr("Each box is 4 bytes, with the %1 that loads it; a group is a sector, a row a line of 128 "
         "bytes.")
          .arg(colours_->currentIndex() == 0 ? tr("lane") : colours_->currentText());
  strip_->setPicture(std::move(picture));
}

void MemoryView::save(WordGrid& grid, const QString& name) {
  SaveDialog::ask(this, tr("Save picture"), name, {tr("SVG (*.svg)"), tr("PNG (*.png)")},
                  [this, &grid](const QString& path) {
                    const QString error = grid.saveTo(path);
                    readOut_->setText(error.isEmpty() ? tr("Saved %1").arg(path) : error);
                  });
}

void MemoryView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!found_ && wants()) Q_EMIT wanted(block());
}

} // namespace lloyd
