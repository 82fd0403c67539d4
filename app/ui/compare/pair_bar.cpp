// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/pair_bar.hpp"

#include "app/model/compute/settings.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/labels.hpp"

#include <QAbstractItemView>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <limits>

namespace lloyd {

namespace {

constexpr int wideFrom = 1040;    ///< pixels in which both sides stand in one line, with whole names
constexpr int sentenceFrom = 720; ///< in which the sentence stands beside the buttons

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

/// Why labels of two seeds are not compared as they are.
QString matchMeaning() {
  return PairBar::tr(
      "Another seed numbers its clusters in another order, so cluster 3 of B may be cluster 0 of A. Before "
      "labels are compared, each cluster of B is paired with the cluster of A that has most of the same "
      "points.");
}

enum ItemRole { variantRole = Qt::UserRole, stageRole };

/// What was asked for at a stage while nothing runs yet, or any more.
std::string askedFor(const Selection& selection, Stage stage) {
  if (stage == Stage::update) return selection.update;
  if (stage == Stage::reduce) return selection.reduce;
  return selection.fused.empty() ? selection.classify : selection.fused;
}

void setItem(QComboBox& box, int index, bool enabled, const QString& tip) {
  box.setItemData(index, tip, Qt::ToolTipRole);
  if (auto* model = qobject_cast<QStandardItemModel*>(box.model())) model->item(index)->setEnabled(enabled);
}

} // namespace

PairBar::PairBar(Session& a, PairedRun& run, QWidget* parent)
    : QWidget(parent), session_(a), run_(run), a_(new PairChooser(QStringLiteral("A"), this)),
      b_(new PairChooser(QStringLiteral("B"), this)), sentence_(new ElidedLabel(this)),
      grid_(new QGridLayout),
      swap_(button(tr("Swap"), tr("A takes B's backend and variants, and B takes A's"), this)),
      ownSeed_(new QCheckBox(tr("B's own seed"), this)), seed_(new QSpinBox(this)),
      seeds_(new QWidget(this)) {
  setObjectName(QStringLiteral("pairBar"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  auto* top = top_ = new QHBoxLayout;
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
  sentenceAt_ = top->count();
  top->addWidget(sentence_, 1);
  top->addWidget(seeds_);
  top->addWidget(swap_);
  auto* seedRow = new QHBoxLayout(seeds_);
  seedRow->setContentsMargins(0, 0, 0, 0);
  seedRow->setSpacing(4);
  seedRow->addWidget(ownSeed_);
  seedRow->addWidget(seed_);
  ownSeed_->setObjectName(QStringLiteral("pairOwnSeed"));
  ownSeed_->setToolTip(
      tr("Side B begins with centroids of its own, drawn from this seed. %1 Both sides begin again.")
          .arg(matchMeaning()));
  seed_->setObjectName(QStringLiteral("pairSeed"));
  seed_->setAccessibleName(tr("Seed of side B"));
  seed_->setToolTip(ownSeed_->toolTip());
  seed_->setRange(0, std::numeric_limits<int>::max());
  seed_->setKeyboardTracking(false);
  grid_->setHorizontalSpacing(16);
  grid_->setVerticalSpacing(3);
  auto* column = column_ = new QVBoxLayout(this);
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

/// Both sides in one line where there is room, and the sentence in that of the buttons.
void PairBar::arrange() {
  if (const bool beside = width() >= sentenceFrom; beside != sentenceBeside_) {
    sentenceBeside_ = beside;
    (beside ? static_cast<QLayout*>(column_) : top_)->removeWidget(sentence_);
    beside ? top_->insertWidget(sentenceAt_, sentence_, 1) : column_->insertWidget(1, sentence_);
  }
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

void PairBar::showSentence(const QString& sentence, bool strong, bool matched) {
  sentence_->setToolTip(matched ? matchMeaning() : QString());
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
  const QString& whyNoCuda = session_.whyNoCuda();
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

PairChooser::PairChooser(const QString& name, QWidget* parent)
    : QWidget(parent), name_(name), backend_(new ElidedCombo(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  auto* title = new QLabel(name, this);
  title->setObjectName(QStringLiteral("caption"));
  row->addWidget(title);
  const auto place = [&](QComboBox* box, const QString& object, const QString& what, const QString& tip) {
    box->setObjectName(object + name_);
    box->setAccessibleName(tr("%1 of side %2").arg(what, name_));
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(5);
    row->addWidget(box, 1);
  };
  place(backend_, QStringLiteral("pairBackend"), tr("Backend"),
        tr("What computes side %1: automatic takes a CUDA device when there is one").arg(name_));
  backend_->addItem(tr("automatic"), static_cast<int>(BackendRequest::automatic));
  backend_->setItemData(0, QStringList{tr("auto")}, ElidedCombo::shorterRole);
  backend_->addItem(tr("CUDA"), static_cast<int>(BackendRequest::cuda));
  backend_->addItem(tr("CPU"), static_cast<int>(BackendRequest::cpu));
  backend_->addItem(tr("SIMT simulator"), static_cast<int>(BackendRequest::simt));
  setItem(*backend_, 3, true,
          tr("The SIMT simulator: runs the CUDA variants' own source thread by thread, exact results, a "
             "simulator's times; at most %L1 points")
              .arg(Session::simulatorPoints));
  const std::pair<Stage, QString> stages[] = {
      {Stage::classify, tr("What labels points on side %1, or does both in one pass").arg(name_)},
      {Stage::reduce, tr("What sums points up on side %1").arg(name_)},
      {Stage::update, tr("What moves centroids on side %1").arg(name_)}};
  for (const auto& [stage, tip] : stages) {
    auto* box = new ElidedCombo(this);
    boxes_[stage] = box;
    place(box, QStringLiteral("pair") + qtext(lloyd::name(stage)), qtext(lloyd::name(stage)), tip);
    connect(box, &QComboBox::activated, this, [this, of = stage, box] { choose(of, *box); });
  }
  connect(backend_, &QComboBox::activated, this, [this] {
    // Variants of one backend mean nothing to another.
    Q_EMIT chosen(static_cast<BackendRequest>(backend_->currentData().toInt()), {});
  });
}

void PairChooser::fill(Stage stage, QComboBox& box, bool automatic) {
  const QSignalBlocker blocker(box);
  box.clear();
  const bool onePass = plan_.fused != nullptr;
  const Variant* used = stage == Stage::classify && onePass ? plan_.fused : plan_.of(stage);
  box.addItem(used        ? tr("%1, automatic").arg(QString::fromStdString(used->id()))
              : automatic ? tr("automatic")
                          : QString::fromStdString(askedFor(selection_, stage)));
  setItem(box, 0, true, tr("The default"));
  if (used) {
    const QString id = QString::fromStdString(used->id());
    box.setItemData(0, QStringList{tr("%1, auto").arg(id), id}, ElidedCombo::shorterRole);
  }
  const auto add = [&](const LadderRow& row) {
    const QString id = QString::fromStdString(row.variant->id());
    box.addItem(row.stage == Stage::fused ? tr("%1, one pass").arg(id) : id);
    const int at = box.count() - 1;
    if (row.stage == Stage::fused) box.setItemData(at, QStringList{id}, ElidedCombo::shorterRole);
    box.setItemData(at, QVariant::fromValue(static_cast<const void*>(row.variant)), variantRole);
    box.setItemData(at, static_cast<int>(row.stage), stageRole);
    const bool can = row.whyNot.isEmpty();
    setItem(box, at, can,
            can ? QStringLiteral("%1: %2").arg(qtext(row.variant->info.name), qtext(row.variant->info.idea))
                : row.whyNot);
    if (!automatic && row.variant == used) box.setCurrentIndex(at);
  };
  for (const bool can : {true, false})
    for (const LadderRow& row : ladder_.rows())
      if ((row.stage == stage || (stage == Stage::classify && row.stage == Stage::fused)) &&
          row.whyNot.isEmpty() == can)
        add(row);
  box.view()->setMinimumWidth(box.view()->sizeHintForColumn(0) + 24);
  const bool spare = stage == Stage::reduce && onePass;
  box.setEnabled(!spare && !ladder_.rows().empty());
  if (spare) box.setItemText(0, tr("not used"));
}

void PairChooser::show(BackendRequest backend, const Selection& selection, const Plan& plan,
                       const DeviceInfo& device, const SharedPointSet& points, int k,
                       const QString& whyNoCuda) {
  choice_ = backend;
  selection_ = selection;
  plan_ = plan;
  backend_->setCurrentIndex(backend_->findData(static_cast<int>(backend)));
  setItem(*backend_, 1, whyNoCuda.isEmpty(),
          whyNoCuda.isEmpty() ? tr("The first usable NVIDIA GPU") : whyNoCuda);
  // A list that is open stays as it is under the pointer.
  for (const auto& [stage, box] : boxes_)
    if (box->view()->isVisible()) return;
  if (points && !device.name.empty()) ladder_.setProblem({points->n, points->d, k}, device, selection.tuning);
  const bool leftOpen = selection.classify.empty() && selection.fused.empty();
  fill(Stage::classify, *boxes_[Stage::classify], leftOpen);
  fill(Stage::reduce, *boxes_[Stage::reduce], selection.reduce.empty());
  fill(Stage::update, *boxes_[Stage::update], selection.update.empty());
}

void PairChooser::choose(Stage stage, const QComboBox& box) {
  const auto* variant = static_cast<const Variant*>(box.currentData(variantRole).value<const void*>());
  Selection next = selection_;
  next.tuning = {};
  if (variant) {
    next = withVariant(selection_, plan_, static_cast<Stage>(box.currentData(stageRole).toInt()), *variant);
  } else if (stage == Stage::update) {
    next.update.clear();
  } else {
    // What one pass does cannot be left open by halves.
    next.fused.clear();
    (stage == Stage::classify ? next.classify : next.reduce).clear();
  }
  Q_EMIT chosen(choice_, next);
}

} // namespace lloyd
