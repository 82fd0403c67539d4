// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/generator_rows.hpp"

#include "app/data/input/parse_number.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/collapsible_section.hpp"
#include "app/ui/explore/allowed_values.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr double mostExact = 0x1p53; ///< whole numbers up to here are doubles

/// Counts as they are shown everywhere, "65,536", and read as the command line reads them: 1e6, 2^20.
class CountBox : public QDoubleSpinBox {
public:
  using QDoubleSpinBox::QDoubleSpinBox;

  [[nodiscard]] QString textFromValue(double value) const override {
    return countText(static_cast<std::uint64_t>(value));
  }
  [[nodiscard]] double valueFromText(const QString& text) const override {
    const auto count = parsed(text);
    return count ? static_cast<double>(*count) : value();
  }
  QValidator::State validate(QString& text, int& /*position*/) const override {
    const QValidator::State state = stateOf(text);
    if (state == QValidator::Invalid) tell();
    return state;
  }
  void fixup(QString& text) const override {
    if (stateOf(text) != QValidator::Acceptable) tell();
  }

private:
  [[nodiscard]] QValidator::State stateOf(const QString& text) const {
    const auto foreign = [](QChar c) { return !c.isDigit() && !QStringLiteral("eE^,").contains(c); };
    if (std::any_of(text.begin(), text.end(), foreign)) return QValidator::Invalid;
    const auto count = parsed(text);
    const bool fits =
        count && static_cast<double>(*count) >= minimum() && static_cast<double>(*count) <= maximum();
    return fits ? QValidator::Acceptable : QValidator::Intermediate;
  }
  void tell() const {
    tellAllowed(*this, GeneratorRows::tr("Allowed: a whole number from %1 to %2, as in 65,536, 1e6 or 2^20")
                           .arg(textFromValue(minimum()), textFromValue(maximum())));
  }
  static auto parsed(QString text) -> decltype(parseCount("")) {
    return parseCount(text.remove(QLatin1Char(',')).trimmed().toStdString());
  }
};

/// Measures without zeros that say nothing.
class MeasureBox : public QDoubleSpinBox {
public:
  using QDoubleSpinBox::QDoubleSpinBox;
  [[nodiscard]] QString textFromValue(double value) const override { return QString::number(value, 'g', 9); }
};

} // namespace

GeneratorRows::GeneratorRows(CollapsibleSection& section)
    : QObject(&section), section_(section), order_(new QComboBox(&section)) {
  addNumber("n", tr("Points"), 0);
  addNumber("d", tr("Dimensions"), 0);
  addNumber("k", tr("Groups"), 0);
  addNumber("seed", tr("Data seed"), 0);
  addNumber("spread", tr("Spread"), 3);
  addNumber("noise", tr("Noise"), 3);
  addNumber("reach", tr("Reach"), 3);
  addNumber("skew", tr("Skew of sizes"), 3);
  order_->setObjectName(QStringLiteral("generator.order"));
  order_->addItems({QStringLiteral("shuffled"), QStringLiteral("sorted")});
  section_.addRow(tr("Order"), order_);
  connect(order_, &QComboBox::activated, this,
          [this] { change("order", order_->currentText().toStdString()); });
  show(nullptr);
}

void GeneratorRows::addNumber(std::string_view key, const QString& caption, int decimals) {
  QDoubleSpinBox* box =
      decimals == 0 ? static_cast<QDoubleSpinBox*>(new CountBox(&section_)) : new MeasureBox(&section_);
  box->setObjectName(QStringLiteral("generator.") + qtext(key));
  box->setDecimals(decimals);
  box->setKeyboardTracking(false);
  box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  section_.addRow(caption, box);
  connect(box, &QDoubleSpinBox::valueChanged, this, [this, key, decimals](double value) {
    change(key, decimals == 0 ? std::to_string(static_cast<std::uint64_t>(value))
                              : QString::number(value, 'g', 10).toStdString());
  });
  rows_.push_back({key, box});
}

const GeneratorKey* GeneratorRows::keyOf(std::string_view name) const {
  if (!spec_.generator) return nullptr;
  const auto& keys = spec_.generator->keys;
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const GeneratorKey& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

void GeneratorRows::show(const GeneratorSpec* spec) {
  spec_ = spec ? *spec : GeneratorSpec{};
  for (const auto& [name, number] : rows_) {
    const GeneratorKey* key = keyOf(name);
    section_.setRowVisible(number, key != nullptr);
    if (!key) continue;
    const QSignalBlocker block(number);
    number->setRange(key->least, std::min(key->most, mostExact));
    number->setValue(QString::fromStdString(spec_.value(name)).toDouble());
    number->setToolTip(
        tr("%1; from %2 to %3")
            .arg(qtext(key->meaning), significantText(key->least), significantText(key->most)));
  }
  const GeneratorKey* order = keyOf("order");
  section_.setRowVisible(order_, order != nullptr);
  if (!order) return;
  // A share of shuffled points, which no list can hold, stands behind the two that it has.
  const QString text = QString::fromStdString(spec_.value("order"));
  while (order_->count() > 2)
    order_->removeItem(2);
  if (order_->findText(text) < 0) order_->addItem(text);
  order_->setCurrentText(text);
  order_->setToolTip(tr("The order of the points in memory: %1").arg(qtext(order->meaning)));
}

void GeneratorRows::change(std::string_view key, const std::string& value) {
  // A field that is hidden with a number half typed says it once more, when the points are others.
  if (!keyOf(key)) return;
  QString text = qtext(spec_.generator->name);
  for (const GeneratorKey& one : spec_.generator->keys) {
    const std::string held = one.name == key ? value : spec_.value(one.name);
    if (one.name == "skew" && held == "0") continue; // as GeneratorSpec::text() has it
    text += (text.contains(QLatin1Char(':')) ? QStringLiteral(",%1=%2") : QStringLiteral(":%1=%2"))
                .arg(qtext(one.name), QString::fromStdString(held));
  }
  const auto spec = parseGenerator(text.toStdString(), {});
  if (!spec) return;
  spec_ = *spec; // another value may be set before these points are made
  Q_EMIT changed(text);
}

} // namespace lloyd
