// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/pair_bar.hpp"

#include "app/ui/common/elided_label.hpp"
#include "app/ui/compare/pair_chooser.hpp"

#include <QButtonGroup>
#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <limits>

namespace lloyd {

namespace {

constexpr int wideFrom = 720; ///< pixels in which both sides stand in one line

struct Mode {
  PairMode mode;
  const char* word;
  const char* tip;
};

constexpr Mode modes[] = {
    {PairMode::beside, QT_TRANSLATE_NOOP("PairBar", "A | B"),
     QT_TRANSLATE_NOOP("PairBar", "Two views side by side with one camera (V: the next way)")},
    {PairMode::split, QT_TRANSLATE_NOOP("PairBar", "Split"),
     QT_TRANSLATE_NOOP("PairBar",
                       "One view: A left of a divider that can be dragged, B right of it (V: the next way)")},
    {PairMode::difference, QT_TRANSLATE_NOOP("PairBar", "Difference"),
     QT_TRANSLATE_NOOP(
         "PairBar",
         "One view: points that both sides label alike step back, the others stand out (V: the next way)")},
    {PairMode::alone, QT_TRANSLATE_NOOP("PairBar", "A alone"),
     QT_TRANSLATE_NOOP("PairBar", "Side A only: side B is not computed (V: the next way)")}};

QToolButton* button(const QString& word, const QString& tip, QWidget* parent) {
  auto* made = new QToolButton(parent);
  made->setObjectName(QStringLiteral("colourBy")); // the look of the bar above the points in Teach
  made->setText(word);
  made->setToolTip(tip);
  made->setAccessibleName(word);
  made->setFocusPolicy(Qt::TabFocus);
  return made;
}

} // namespace

PairBar::PairBar(Session& a, PairedRun& run, QWidget* parent)
    : QWidget(parent), session_(a), run_(run), a_(new PairChooser(QStringLiteral("A"), this)),
      b_(new PairChooser(QStringLiteral("B"), this)), sentence_(new ElidedLabel(this)),
      grid_(new QGridLayout),
      swap_(button(tr("Swap"), tr("A takes B's backend and variants, and B takes A's"), this)),
      ownSeed_(new QCheckBox(tr("own seed"), this)), seed_(new QSpinBox(this)), seeds_(new QWidget(this)) {
  setObjectName(QStringLiteral("pairBar"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  auto* top = new QHBoxLayout;
  top->setSpacing(4);
  auto* group = new QButtonGroup(this);
  for (const Mode& mode : modes) {
    QToolButton* made = button(tr(mode.word), tr(mode.tip), this);
    made->setCheckable(true);
    group->addButton(made);
    top->addWidget(made);
    modes_[mode.mode] = made;
    connect(made, &QToolButton::clicked, this, [this, of = mode.mode] { Q_EMIT modeWanted(of); });
  }
  top->addSpacing(8);
  sentence_->setObjectName(QStringLiteral("pairSentence"));
  sentence_->setAccessibleName(tr("In how many labels A and B differ"));
  top->addWidget(sentence_, 1);
  top->addWidget(seeds_);
  top->addWidget(swap_);
  auto* seedRow = new QHBoxLayout(seeds_);
  seedRow->setContentsMargins(0, 0, 0, 0);
  seedRow->setSpacing(4);
  seedRow->addWidget(ownSeed_);
  seedRow->addWidget(seed_);
  ownSeed_->setObjectName(QStringLiteral("pairOwnSeed"));
  ownSeed_->setToolTip(tr("Side B begins with centroids of its own, from this seed; its clusters are matched "
                          "with A's by the points they share. Both sides begin again."));
  seed_->setObjectName(QStringLiteral("pairSeed"));
  seed_->setAccessibleName(tr("Seed of side B"));
  seed_->setToolTip(ownSeed_->toolTip());
  seed_->setRange(0, std::numeric_limits<int>::max());
  seed_->setKeyboardTracking(false);
  grid_->setHorizontalSpacing(16);
  grid_->setVerticalSpacing(3);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 5, 10, 5);
  column->setSpacing(4);
  column->addLayout(top);
  column->addLayout(grid_);
  grid_->addWidget(a_, 0, 0);
  grid_->addWidget(b_, 1, 0);
  connect(swap_, &QToolButton::clicked, this, &PairBar::swapWanted);
  connect(a_, &PairChooser::chosen, this, &PairBar::sideAWanted);
  connect(b_, &PairChooser::chosen, this, [this](BackendRequest backend, const Selection& selection) {
    SideChoice side = run_.side();
    side.backend = backend;
    side.selection = selection;
    Q_EMIT sideBWanted(side);
  });
  connect(ownSeed_, &QCheckBox::toggled, this, &PairBar::wantSeed);
  connect(seed_, &QSpinBox::valueChanged, this, &PairBar::wantSeed);
  showMode(PairMode::beside);
  showSides();
}

void PairBar::wantSeed() {
  SideChoice side = run_.side();
  side.seed.reset();
  if (ownSeed_->isChecked()) side.seed = static_cast<std::uint64_t>(seed_->value());
  Q_EMIT sideBWanted(side);
}

void PairBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

/// Both sides in one line where there is room.
void PairBar::arrange() {
  const bool wide = width() >= wideFrom;
  if (wide == wide_) return;
  wide_ = wide;
  grid_->removeWidget(b_);
  wide ? grid_->addWidget(b_, 0, 1) : grid_->addWidget(b_, 1, 0);
}

void PairBar::showMode(PairMode mode) {
  modes_[mode]->setChecked(true);
  const bool alone = mode == PairMode::alone;
  b_->setEnabled(!alone);
  seeds_->setEnabled(!alone);
  swap_->setEnabled(!alone);
}

void PairBar::setDrawing(bool drawing) {
  for (const PairMode mode : {PairMode::split, PairMode::difference}) {
    modes_[mode]->setEnabled(drawing);
    if (!drawing) modes_[mode]->setToolTip(tr("No points are drawn here"));
  }
}

void PairBar::showSentence(const QString& sentence, bool strong) {
  QFont font = sentence_->font();
  if (font.bold() != strong) {
    font.setBold(strong);
    sentence_->setFont(font);
  }
  if (sentence_->text() != sentence) sentence_->setText(sentence);
}

QString PairBar::sentence() const { return sentence_->text(); }

void PairBar::showSides() {
  const int k = session_.settings().k;
  const bool none = session_.data() && session_.settings().backend == BackendRequest::automatic &&
                    session_.device().backend == Backend::cpu;
  const QString whyNoCuda = none ? session_.why() : QString();
  a_->show(session_.settings().backend, session_.settings().selection, session_.plan(), session_.device(),
           session_.data(), k, whyNoCuda);
  const Session* other = run_.other();
  b_->show(run_.side().backend, run_.side().selection, other ? other->plan() : Plan{},
           other ? other->device() : DeviceInfo{}, other ? other->data() : nullptr, k, whyNoCuda);
  const QSignalBlocker noCheck(ownSeed_);
  const QSignalBlocker noValue(seed_);
  ownSeed_->setChecked(run_.side().seed.has_value());
  if (run_.side().seed) seed_->setValue(static_cast<int>(*run_.side().seed));
  seed_->setVisible(run_.side().seed.has_value());
}

} // namespace lloyd
