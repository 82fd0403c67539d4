// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/instruction_view.hpp"

#include "app/model/session/variant_list_model.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/copy_table.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"

#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

constexpr int gap = 6; ///< pixels between the bars, and beside them
constexpr int swatch = 11;

/// Of neighbours in a bar, hues far apart: green, sky, purple, orange, vermillion, yellow, blue, grey.
QColor colourOf(std::size_t of) {
  constexpr std::array<std::size_t, instructionClasses> series{2, 0, 3, 1, 4, 5, 6, 7};
  return seriesColour(series[of], UiTheme::current());
}

/// The class's colour before its name.
class LegendDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != InstructionModel::nameColumn) return;
    QPixmap square(swatch, swatch);
    const QVariant of = index.data(InstructionModel::classRole);
    square.fill(of.isValid() ? colourOf(static_cast<std::size_t>(of.toInt())) : QColor(Qt::transparent));
    option->icon = QIcon(square);
    option->decorationSize = {swatch, swatch};
    option->features |= QStyleOptionViewItem::HasDecoration;
  }
};

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

InstructionBars::InstructionBars(const InstructionModel& model, QWidget* parent)
    : QWidget(parent), model_(model) {
  setObjectName(QStringLiteral("instructionBars"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void InstructionBars::renew() {
  QStringList words;
  for (const InstructionModel::Version* version : versions())
    words << InstructionModel::spoken(*version);
  setAccessibleName(tr("Instructions in the inner loop"));
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

std::vector<const InstructionModel::Version*> InstructionBars::versions() const {
  std::vector<const InstructionModel::Version*> all;
  for (const InstructionModel::Version* version : {&model_.before(), &model_.now()})
    if (version->mix) all.push_back(version);
  return all;
}

QSize InstructionBars::sizeHint() const {
  const int rows = static_cast<int>(versions().size());
  return {240, rows * (fontMetrics().height() + 4) + std::max(0, rows - 1) * gap};
}

QSize InstructionBars::minimumSizeHint() const { return {160, sizeHint().height()}; }

/// Between the version's name and the number of all.
QRect InstructionBars::barAt(std::size_t row) const {
  int names = 0, numbers = 0;
  for (const InstructionModel::Version* version : versions()) {
    names = std::max(names, fontMetrics().horizontalAdvance(version->name));
    numbers = std::max(numbers, fontMetrics().horizontalAdvance(number(version->mix->instructions)));
  }
  const int height = fontMetrics().height() + 4;
  return {names + gap, static_cast<int>(row) * (height + gap), width() - names - numbers - 2 * gap, height};
}

std::vector<InstructionBars::Part> InstructionBars::parts() const {
  std::vector<Part> all;
  const auto rows = versions();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const QRect bar = barAt(row);
    int before = 0;
    for (std::size_t of = 0; of < instructionClasses; ++of) {
      const int count = rows[row]->mix->counts[of];
      if (count == 0) continue;
      // Each begins where the one before ends, whatever was rounded.
      const auto at = [&](int sum) { return bar.left() + bar.width() * sum / rows[row]->mix->instructions; };
      all.push_back({QRect(QPoint(at(before), bar.top()), QPoint(at(before + count) - 1, bar.bottom())), of,
                     rows[row]});
      before += count;
    }
  }
  return all;
}

void InstructionBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(font());
  const auto rows = versions();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const QRect bar = barAt(row);
    painter.setPen(UiTheme::current().text);
    painter.drawText(QRect(0, bar.top(), bar.left() - gap, bar.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     rows[row]->name);
    painter.drawText(QRect(bar.right() + gap, bar.top(), width() - bar.right() - gap, bar.height()),
                     Qt::AlignRight | Qt::AlignVCenter, number(rows[row]->mix->instructions));
  }
  for (const Part& part : parts()) {
    const QColor ground = colourOf(part.of);
    // A hairline of the panel between neighbours, where there is room for one.
    painter.fillRect(part.place.adjusted(0, 0, part.place.width() > 3 ? -1 : 0, 0), ground);
    const QString count = number(part.version->mix->counts[part.of]);
    if (fontMetrics().horizontalAdvance(count) + 4 > part.place.width()) continue;
    painter.setPen(inkOn(ground));
    painter.drawText(part.place, Qt::AlignCenter, count);
  }
}

QString InstructionBars::wordsAt(const QPoint& place) const {
  for (const Part& part : parts()) {
    if (!part.place.contains(place)) continue;
    const InstructionMix& mix = *part.version->mix;
    QStringList words{tr("%1: %2 of %3 instructions, %4")
                          .arg(part.version->name, number(mix.counts[part.of]), number(mix.instructions),
                               instructionClassName(part.of)),
                      instructionClassMeaning(part.of)};
    if (const QString where = linesText(mix.places[part.of]); !where.isEmpty()) words << where;
    return words.join(QLatin1Char('\n'));
  }
  return {};
}

bool InstructionBars::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), wordsAt(help->pos()), this);
  return true;
}

InstructionView::InstructionView(QWidget* parent)
    : QWidget(parent), caption_(new QLabel(this)), bars_(new InstructionBars(model_, this)),
      table_(new QTableView(this)), whereBefore_(new ElidedLabel(this)), whereNow_(new ElidedLabel(this)) {
  setObjectName(QStringLiteral("instructions"));
  caption_->setWordWrap(true);
  caption_->setProperty("dim", true);
  for (ElidedLabel* where : {whereBefore_, whereNow_}) {
    where->setMostLines(2);
    where->setProperty("dim", true);
    where->setAccessibleName(tr("Lines of the loop"));
  }
  table_->setObjectName(QStringLiteral("mix"));
  table_->setAccessibleName(tr("Instructions in the inner loops of both versions"));
  table_->setModel(&model_);
  table_->setItemDelegate(new LegendDelegate(table_));
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setTabKeyNavigation(false);
  table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->setAlternatingRowColors(true);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setMinimumSectionSize(20);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  offerCopy(*table_);
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
  bars_->renew();
  fit();
}

int InstructionView::fit() {
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 5);
  int width = 0;
  for (int column = 0; column < model_.columnCount(); ++column) {
    if (table_->isColumnHidden(column)) continue;
    int wanted = table_->horizontalHeader()->sectionSizeHint(column);
    for (int row = 0; row < model_.rowCount(); ++row)
      wanted = std::max(
          wanted, table_->fontMetrics().horizontalAdvance(model_.index(row, column).data().toString()) + 14);
    if (column == InstructionModel::nameColumn) wanted += swatch + 8;
    table_->setColumnWidth(column, wanted);
    width += wanted;
  }
  int height = table_->horizontalHeader()->sizeHint().height() + 2;
  for (int row = 0; row < model_.rowCount(); ++row)
    height += table_->rowHeight(row);
  table_->setFixedSize(width + 2, height);
  bars_->updateGeometry();
  return width + 2;
}

} // namespace lloyd
