// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/measured/instruction_view.hpp"

#include "app/model/session/variant_list_model.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"
#include "app/ui/teach/measured/version_table.hpp"

#include <QEvent>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

/// Of neighbours in a bar, hues far apart: green, sky, purple, orange, vermillion, yellow, blue, grey.
QColor colourOf(std::size_t of) {
  constexpr std::array<std::size_t, instructionClasses> series{2, 0, 3, 1, 4, 5, 6, 7};
  return seriesColour(series[of], UiTheme::current());
}

std::optional<QColor> colourOfRow(const QModelIndex& index) {
  const QVariant of = index.data(InstructionModel::partRole);
  return of.isValid() ? std::optional(colourOf(static_cast<std::size_t>(of.toInt()))) : std::nullopt;
}

const InstructionMix* mixOf(const Variant* variant) {
  if (!variant) return nullptr;
  const auto& mixes = shippedInstructions().mixes;
  const auto found = mixes.find(QString::fromStdString(variant->id()));
  return found == mixes.end() ? nullptr : &found->second;
}

QString number(int count) { return countText(static_cast<std::uint64_t>(count)); }

QString whereText(const InstructionModel::Version& version) {
  return version.mix->depth > 0
             ? InstructionView::tr("%1: %2").arg(version.name, linesText(version.mix->lines))
             : InstructionView::tr("%1 has no loop: the whole kernel, %2")
                   .arg(version.name, linesText(version.mix->lines));
}

} // namespace

/// A version's instructions as one bar, a part for each class, as wide as its share.
ShareBar InstructionView::barOf(const InstructionModel::Version& version) const {
  const InstructionMix& mix = *version.mix;
  ShareBar bar{.name = version.name, .total = number(mix.instructions), .parts = {}};
  for (std::size_t of = 0; of < instructionClasses; ++of) {
    if (mix.counts[of] == 0) continue;
    QStringList words{
        tr("%1: %2 of %3 instructions, %4")
            .arg(version.name, number(mix.counts[of]), number(mix.instructions), instructionClassName(of)),
        instructionClassMeaning(of)};
    if (const QString where = linesText(mix.places[of]); !where.isEmpty()) words << where;
    bar.parts.push_back({.length = static_cast<double>(mix.counts[of]) / mix.instructions,
                         .colour = colourOf(of),
                         .text = number(mix.counts[of]),
                         .tip = words.join(QLatin1Char('\n'))});
  }
  return bar;
}

void InstructionView::renewBars() {
  std::vector<ShareBar> bars;
  QStringList words;
  for (const InstructionModel::Version* version : {&model_.before(), &model_.now()}) {
    if (!version->mix) continue;
    bars.push_back(barOf(*version));
    words << InstructionModel::spoken(*version);
  }
  bars_->setAccessibleDescription(words.join(QStringLiteral("; ")));
  bars_->setBars(std::move(bars), 1);
}

/// Colours are those of the theme.
void InstructionView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) renewBars();
}

InstructionView::InstructionView(QWidget* parent)
    : QWidget(parent), caption_(new QLabel(this)), bars_(new ShareBars(this)), table_(new QTableView(this)),
      whereBefore_(new ElidedLabel(this)), whereNow_(new ElidedLabel(this)) {
  setObjectName(QStringLiteral("instructions"));
  bars_->setObjectName(QStringLiteral("instructionBars"));
  bars_->setAccessibleName(tr("Instructions in the inner loop"));
  caption_->setWordWrap(true);
  caption_->setProperty("dim", true);
  for (ElidedLabel* where : {whereBefore_, whereNow_}) {
    where->setMostLines(2);
    where->setProperty("dim", true);
    where->setAccessibleName(tr("Lines of the loop"));
  }
  table_->setObjectName(QStringLiteral("mix"));
  table_->setAccessibleName(tr("Instructions in the inner loops of both versions"));
  makeVersionTable(*table_, model_, colourOfRow);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(6);
  for (QWidget* part : std::initializer_list<QWidget*>{caption_, bars_, table_, whereBefore_, whereNow_})
    column->addWidget(part);
}

void InstructionView::showMix(const TeachSubject& subject) {
  const auto version = [](const Variant* variant) {
    const InstructionMix* mix = mixOf(variant);
    return InstructionModel::Version{mix ? versionText(*variant) : QString(), mix};
  };
  model_.setVersions(version(subject.before), version(subject.variant));
  setVisible(model_.now().mix != nullptr);
  table_->setColumnHidden(InstructionModel::beforeColumn, model_.before().mix == nullptr);
  if (model_.now().mix) {
    const InstructionTable& table = shippedInstructions();
    caption_->setText(tr("Inner loop's instructions (%1, %2)").arg(table.compiler, table.architecture));
    QStringList kernels{tr("Counted in the machine code of the loop that does most of the work:")};
    for (const auto& [of, where] : {std::pair(&model_.before(), whereBefore_), {&model_.now(), whereNow_}}) {
      where->setVisible(of->mix != nullptr);
      if (!of->mix) continue;
      kernels << QStringLiteral("%1: %2").arg(of->name, of->mix->kernel);
      where->setText(whereText(*of));
    }
    caption_->setToolTip(kernels.join(QLatin1Char('\n')));
  }
  renewBars();
  fit();
}

int InstructionView::fit(int room) {
  const int width = fitVersionTable(*table_, room);
  bars_->updateGeometry();
  return width;
}

} // namespace lloyd
