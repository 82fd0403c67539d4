// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/measured/wait_view.hpp"

#include "app/model/session/variant_list_model.hpp"
#include "app/model/teach/steps/version_ladder.hpp"
#include "app/plot/plot_palette.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"
#include "app/ui/teach/measured/version_table.hpp"

#include <QEvent>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lloyd {
namespace {

/// Of neighbours in a bar, hues far apart; what issues, or could have, is grey. The last few are seldom seen.
QColor colourOf(std::size_t reason) {
  constexpr std::array<std::size_t, waitReasons> series{4, 1, 5, 0, 3, 6, 2, 7, 6, 7,
                                                        1, 3, 5, 0, 2, 4, 7, 6, 1};
  // Hues that come again are paler each time.
  const QColor hue = seriesColour(series[reason], UiTheme::current());
  const QColor ground = UiTheme::current().panel;
  const std::size_t times = reason / plotHues;
  const double strength = std::pow(0.5, static_cast<double>(times));
  const auto mixed = [&](int of, int behind) {
    return static_cast<int>(std::lround(strength * of + (1 - strength) * behind));
  };
  return {mixed(hue.red(), ground.red()), mixed(hue.green(), ground.green()),
          mixed(hue.blue(), ground.blue())};
}

/// Why a kernel has no bars; empty for what runs on processors alone, and for a person's own, which nobody
/// expects to have been profiled.
QString whyNoWaits(const TeachSubject& subject) {
  if (!subject.variant || isOwn(*subject.variant)) return {};
  if (!subject.variant->has(subject.stage, Backend::simt)) return {};
  const QString name = versionText(*subject.variant);
  if (subject.stage == Stage::update)
    return WaitView::tr(
               "What warps of %1 wait for was not counted: a launch over K centroids is so short that "
               "what the profiler counts in different launches does not add up.")
        .arg(name);
  return WaitView::tr("What warps of %1 wait for was not counted on any card.").arg(name);
}

std::optional<QColor> colourOfRow(const QModelIndex& index) {
  const QVariant reason = index.data(WaitModel::partRole);
  return reason.isValid() ? std::optional(colourOf(static_cast<std::size_t>(reason.toInt()))) : std::nullopt;
}

} // namespace

WaitView::WaitView(QWidget* parent)
    : QWidget(parent), caption_(new QLabel(this)), bars_(new ShareBars(this)), table_(new QTableView(this)),
      diagnosis_(new QLabel(this)) {
  setObjectName(QStringLiteral("waits"));
  bars_->setObjectName(QStringLiteral("waitBars"));
  bars_->setAccessibleName(tr("What warps wait for"));
  for (QLabel* label : {caption_, diagnosis_})
    label->setWordWrap(true);
  caption_->setProperty("dim", true);
  diagnosis_->setAccessibleName(tr("What the text says of waiting, and what was measured"));
  table_->setObjectName(QStringLiteral("waitTable"));
  table_->setAccessibleName(tr("What warps of both versions wait for"));
  makeVersionTable(*table_, model_, colourOfRow);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(6);
  for (QWidget* part : std::initializer_list<QWidget*>{caption_, bars_, diagnosis_, table_})
    column->addWidget(part);
}

ShareBar WaitView::barOf(const WaitModel::Version& version) {
  const WarpWaits& waits = *version.waits;
  ShareBar bar{.name = version.name, .total = significantText(waits.sum()), .parts = {}};
  for (std::size_t reason = 0; reason < waitReasons; ++reason) {
    if (waits.cycles[reason] <= 0) continue;
    const QString share = percentText(waits.share(reason));
    bar.parts.push_back({.length = waits.cycles[reason],
                         .colour = colourOf(reason),
                         .text = QString::number(std::lround(100 * waits.share(reason))),
                         .tip = tr("%1: %2 %, %3 of %4 cycles an instruction\n%5")
                                    .arg(version.name + u' ' + waitReasonName(reason), share,
                                         significantText(waits.cycles[reason]), significantText(waits.sum()),
                                         waitReasonMeaning(reason))});
  }
  return bar;
}

void WaitView::renewBars() {
  std::vector<ShareBar> bars;
  QStringList words;
  double longest = 0;
  for (const WaitModel::Version* version : {&model_.before(), &model_.now()}) {
    if (!version->waits) continue;
    bars.push_back(barOf(*version));
    words << WaitModel::spoken(*version);
    longest = std::max(longest, version->waits->sum());
  }
  bars_->setAccessibleDescription(words.join(QStringLiteral("; ")));
  bars_->setBars(std::move(bars), longest);
}

void WaitView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) renewBars();
}

void WaitView::showWaits(const TeachSubject& subject, const std::string& card) {
  const WaitTable* table = waitsOf(card);
  const auto version = [&](const Variant* variant) {
    const WarpWaits* waits =
        !variant || !table ? nullptr
                           : table->find(qtext(variant->id()), measuredArithmetic(*variant, subject.tuning));
    return WaitModel::Version{waits ? versionText(*variant) : QString(), waits};
  };
  const WaitModel::Version now = version(subject.variant);
  model_.setVersions(version(subject.before), now,
                     now.waits ? std::optional(diagnosedReason(subject.variant->id(), *now.waits))
                               : std::nullopt);
  const QString why = now.waits ? QString() : whyNoWaits(subject);
  setVisible(now.waits || !why.isEmpty());
  for (QWidget* part : std::initializer_list<QWidget*>{bars_, diagnosis_, table_})
    part->setVisible(now.waits != nullptr);
  caption_->setText(why);
  caption_->setToolTip({});
  table_->setColumnHidden(WaitModel::beforeColumn, model_.before().waits == nullptr);
  if (const WarpWaits* waits = now.waits) {
    const WarpWaits* before = model_.before().waits;
    caption_->setText(
        tr("What a warp does for each instruction, in cycles (%1, %2; %3)")
            .arg(table->card, table->profiler, launchesText(before, *waits, model_.before().name, now.name)));
    caption_->setToolTip(
        tr("One launch with the variant's own parameters, caches warm. Kernel: %1").arg(waits->kernel));
    const QString said = textsDiagnosis(subject.variant->id());
    const QString found =
        measuredDiagnosis(subject.variant->id(), before, *waits, model_.before().name, now.name);
    QStringList sentences{launchCaution(before, *waits), said, found};
    sentences.removeAll(QString());
    diagnosis_->setText(sentences.join(u' '));
  }
  renewBars();
  fit();
}

int WaitView::fit(int room) {
  const int width = fitVersionTable(*table_, room);
  bars_->updateGeometry();
  return width;
}

QString WaitView::diagnosis() const { return diagnosis_->text(); }

} // namespace lloyd
