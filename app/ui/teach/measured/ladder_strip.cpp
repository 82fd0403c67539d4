// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/measured/ladder_strip.hpp"

#include "app/model/session/variant_list_model.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/theme.hpp"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

namespace lloyd {

/// One version: its time above its bar, its name below.
class LadderRung : public QAbstractButton {
public:
  using Keys = std::function<void(int key)>;
  LadderRung(QWidget* parent, Keys keys) : QAbstractButton(parent), keys_(std::move(keys)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
  }

  /// part: of the strip's height that the bar has, 0 to 1; NaN: there is none. flat: nobody in the row has
  /// one.
  void show(const QString& name, const QString& time, double part, bool here, bool flat) {
    setText(name);
    flat_ = flat;
    time_ = time;
    part_ = part;
    here_ = here;
    setFocusPolicy(here ? Qt::StrongFocus : Qt::NoFocus); // the strip is one stop of the Tab key
    updateGeometry();
    update();
  }

  [[nodiscard]] QSize sizeHint() const override { return sizeWith(padding); }
  /// A person's name gives way, and is cut further where it is drawn.
  [[nodiscard]] QSize minimumSizeHint() const override {
    const QSize least = sizeWith(leastPadding);
    return {std::min(least.width(), mostNeeded * fontMetrics().averageCharWidth()), least.height()};
  }

protected:
  bool event(QEvent* event) override {
    if (event->type() == QEvent::ShortcutOverride && isOurs(static_cast<QKeyEvent*>(event)->key())) {
      event->accept(); // or the window's own Left and Right would take them
      return true;
    }
    return QAbstractButton::event(event);
  }

  void keyPressEvent(QKeyEvent* event) override {
    if (!isOurs(event->key()) || event->modifiers() != Qt::NoModifier)
      return QAbstractButton::keyPressEvent(event);
    keys_(event->key());
  }

  void paintEvent(QPaintEvent*) override {
    const UiTheme& theme = UiTheme::current();
    const int line = fontMetrics().height();
    QPainter painter(this);
    painter.setFont(font());
    const QRect label(0, height() - line - gap, width(), line + gap);
    if (std::isfinite(part_)) {
      const int high = std::max(2, static_cast<int>(std::lround(part_ * barHeight)));
      const int wide = std::clamp(width() / 2, 8, 28);
      const int bottom = label.top() - gap;
      painter.fillRect((width() - wide) / 2, bottom - high, wide, high, here_ ? theme.accent : theme.bar);
      painter.setPen(here_ ? theme.text : theme.dim);
      if (fontMetrics().horizontalAdvance(time_) <= width())
        painter.drawText(QRect(0, bottom - high - line, width(), line), Qt::AlignHCenter | Qt::AlignBottom,
                         time_);
    }
    QFont bold = font();
    bold.setBold(here_);
    painter.setFont(bold);
    if (here_) { // told by more than its colour
      const int wide = std::min(width(), QFontMetrics(bold).horizontalAdvance(text()) + 2 * padding);
      const QRect pill((width() - wide) / 2, label.top(), wide, label.height());
      painter.setRenderHint(QPainter::Antialiasing);
      painter.setPen(hasFocus() ? QPen(theme.text, 2) : QPen(Qt::NoPen));
      painter.setBrush(theme.accent);
      painter.drawRoundedRect(QRectF(pill).adjusted(1, 1, -1, -1), 4, 4);
    }
    painter.setPen(here_ ? theme.onAccent : underMouse() ? theme.text : theme.dim);
    painter.drawText(label, Qt::AlignCenter,
                     painter.fontMetrics().elidedText(text(), Qt::ElideMiddle, width()));
  }

private:
  static constexpr int barHeight = 34, gap = 3, padding = 5, leastPadding = 1; ///< pixels
  static constexpr int mostNeeded = 6;                                         ///< letters

  [[nodiscard]] QSize sizeWith(int besideText) const {
    QFont bold = font();
    bold.setBold(true);
    return {QFontMetrics(bold).horizontalAdvance(text()) + 2 * besideText,
            fontMetrics().height() + 2 * gap + (flat_ ? 0 : fontMetrics().height() + barHeight)};
  }

  static bool isOurs(int key) {
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Home || key == Qt::Key_End;
  }

  Keys keys_;
  QString time_;
  double part_ = 0;
  bool here_ = false;
  bool flat_ = false;
};

LadderStrip::LadderStrip(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("ladderStrip"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
}

/// A person's file may be called at any length.
QString LadderStrip::shortName(const QString& name) const {
  return fontMetrics().elidedText(name, Qt::ElideMiddle, ownLetters * fontMetrics().averageCharWidth());
}

QHBoxLayout* LadderStrip::addRow() {
  auto* row = new QWidget(this);
  row->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  rows_.push_back(row);
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(1);
  layout()->addWidget(row);
  return line;
}

/// A person's own stand below, so that however many there are, the program's keep their room.
void LadderStrip::makeRungs() {
  for (QWidget* row : rows_) {
    row->hide();
    row->deleteLater(); // the key that is being handled may be one of its rungs'
  }
  rows_.clear();
  rungs_.clear();
  QHBoxLayout* line = nullptr;
  bool isOwnLine = false;
  for (std::size_t i = 0; i < ladder_.rungs.size(); ++i) {
    const bool own = isOwn(*ladder_.rungs[i].variant);
    if (!line || own != isOwnLine || (own && line->count() > ownInRow)) {
      line = addRow();
      isOwnLine = own;
      if (own) line->addStretch(1);
    }
    auto* rung = new LadderRung(line->parentWidget(), [this, i](int key) { chooseBy(i, key); });
    connect(rung, &QAbstractButton::clicked, this, [this, i] { choose(i); });
    line->insertWidget(own ? line->count() - 1 : line->count(), rung);
    rungs_.push_back(rung);
  }
  for (QWidget* row : rows_)
    row->show(); // or it could not be given the keys
}

void LadderStrip::showLadder(const VersionLadder& ladder) {
  const bool focused = std::ranges::any_of(rungs_, [](const LadderRung* rung) { return rung->hasFocus(); });
  const bool sameFamily = std::ranges::equal(ladder.rungs, ladder_.rungs, {}, &VersionLadder::Rung::variant,
                                             &VersionLadder::Rung::variant);
  ladder_ = ladder;
  if (!sameFamily) makeRungs();
  setVisible(!ladder_.rungs.empty());
  setAccessibleName(tr("Versions by their time on %1").arg(ladder_.place()));
  std::set<const QWidget*> timed; ///< rows with a bar
  for (std::size_t i = 0; i < rungs_.size(); ++i)
    if (std::isfinite(ladder_.rungs[i].us)) timed.insert(rungs_[i]->parentWidget());
  QStringList words;
  for (std::size_t i = 0; i < rungs_.size(); ++i) {
    const auto& [variant, us] = ladder_.rungs[i];
    const bool here = i == ladder_.here;
    const QString version = versionText(*variant);
    const QString time = std::isfinite(us) ? tr("%1 µs").arg(microsecondsText(us)) : tr("not measured");
    QString words_ = tr("%1: %2").arg(version, time);
    if (here) words_ += tr(", you are here");
    rungs_[i]->show(isOwn(*variant) ? shortName(version) : version, microsecondsText(us),
                    us / ladder_.longestUs(), here, !timed.contains(rungs_[i]->parentWidget()));
    rungs_[i]->setAccessibleName(words_);
    rungs_[i]->setToolTip(
        tr("%1\n%2\nOn %3: %4").arg(words_, qtext(variant->info.name), ladder_.place(), ladder_.meaning));
    words << words_;
  }
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  if (focused && !rungs_.empty()) rungs_[ladder_.here]->setFocus();
}

void LadderStrip::choose(std::size_t rung) {
  if (rung >= ladder_.rungs.size()) return;
  const Variant* variant = ladder_.rungs[rung].variant;
  if (rung != ladder_.here) Q_EMIT chosen(variant);
  // Behind a click the keys are the ladder's, too.
  if (ladder_.here < rungs_.size() && ladder_.rungs[ladder_.here].variant == variant)
    rungs_[ladder_.here]->setFocus(Qt::MouseFocusReason);
}

void LadderStrip::chooseBy(std::size_t from, int key) {
  const std::size_t last = ladder_.rungs.size() - 1;
  choose(key == Qt::Key_Home    ? 0
         : key == Qt::Key_End   ? last
         : key == Qt::Key_Right ? std::min(from + 1, last)
                                : from - std::min<std::size_t>(from, 1));
}

} // namespace lloyd
