// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/measured/measured_view.hpp"

#include "app/model/session/variant_list_model.hpp"
#include "app/model/teach/steps/version_ladder.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/teach/measured/version_table.hpp"

#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <vector>

namespace lloyd {

MeasuredView::MeasuredView(QWidget* parent)
    : QWidget(parent), caption_(wrappedLabel(this, true)), table_(new QTableView(this)) {
  setObjectName(QStringLiteral("measured"));
  table_->setObjectName(QStringLiteral("measuredTable"));
  table_->setAccessibleName(tr("What a card did with both versions"));
  makeVersionTable(*table_, model_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(6);
  column->addWidget(caption_);
  column->addWidget(table_);
}

void MeasuredView::showMeasured(const TeachSubject& subject, const std::string& card) {
  std::vector<const Variant*> versions;
  for (const Variant* variant : {subject.before, subject.variant})
    if (variant) versions.push_back(variant);
  const CardTimes times(card, subject.tuning, versions);
  const WaitTable* table = waitsOf(card);
  const auto version = [&](const Variant* variant) {
    const WarpWaits* waits =
        variant && table ? table->find(qtext(variant->id()), measuredArithmetic(*variant, subject.tuning))
                         : nullptr;
    return MeasuredModel::Version{waits ? versionText(*variant) : QString(), waits,
                                  waits ? times.us(*variant) : 0};
  };
  model_.setVersions(version(subject.before), version(subject.variant), times.meaning());
  const WarpWaits* now = model_.now().waits;
  setVisible(now != nullptr);
  table_->setColumnHidden(MeasuredModel::beforeColumn, model_.before().waits == nullptr);
  if (now) {
    const WarpWaits* before = model_.before().waits;
    const QString launches = launchesText(before, *now, model_.before().name, model_.now().name);
    QStringList caption{tr("Measured on an %1 (%2)").arg(table->card, launches), launchCaution(before, *now)};
    caption.removeAll(QString());
    caption_->setText(caption.join(QStringLiteral(". ")));
    caption_->setToolTip(
        tr("Time: %1. The rest: %2, one launch with the variant's own parameters, caches warm.")
            .arg(times.meaning(), table->profiler));
  }
  fit();
}

int MeasuredView::fit(int room) { return fitVersionTable(*table_, room); }

} // namespace lloyd
