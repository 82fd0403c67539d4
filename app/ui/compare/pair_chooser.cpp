// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/pair_chooser.hpp"

#include "app/model/compute/settings.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/elided_combo.hpp"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>

namespace lloyd {

namespace {

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
  backend_->addItem(tr("CUDA"), static_cast<int>(BackendRequest::cuda));
  backend_->addItem(tr("CPU"), static_cast<int>(BackendRequest::cpu));
  backend_->addItem(tr("simulator"), static_cast<int>(BackendRequest::simt));
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
  setItem(box, 0, true, tr("The program's choice"));
  const auto add = [&](const LadderRow& rung) {
    const QString id = QString::fromStdString(rung.variant->id());
    box.addItem(rung.stage == Stage::fused ? tr("%1, one pass").arg(id) : id);
    const int at = box.count() - 1;
    box.setItemData(at, QVariant::fromValue(static_cast<const void*>(rung.variant)), variantRole);
    box.setItemData(at, static_cast<int>(rung.stage), stageRole);
    const bool can = rung.whyNot.isEmpty();
    setItem(box, at, can,
            can ? QStringLiteral("%1: %2").arg(qtext(rung.variant->info.name), qtext(rung.variant->info.idea))
                : rung.whyNot);
    if (!automatic && rung.variant == used) box.setCurrentIndex(at);
  };
  for (const bool can : {true, false})
    for (const LadderRow& rung : ladder_.rungs())
      if ((rung.stage == stage || (stage == Stage::classify && rung.stage == Stage::fused)) &&
          rung.whyNot.isEmpty() == can)
        add(rung);
  box.view()->setMinimumWidth(box.view()->sizeHintForColumn(0) + 24);
  const bool spare = stage == Stage::reduce && onePass;
  box.setEnabled(!spare && !ladder_.rungs().empty());
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
