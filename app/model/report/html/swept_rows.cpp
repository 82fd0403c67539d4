// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/swept_rows.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <array>
#include <cmath>
#include <iterator>

namespace lloyd {

double Swept::of(const Measurement& m) const {
  return ofProblem ? ofProblem(m.problem) : m.candidate.tuning.value(parameterName);
}

QString Swept::text(double value) const {
  if (parameterName == "arithmetic") return qtext(name(static_cast<Arithmetic>(static_cast<int>(value))));
  const auto count = static_cast<std::uint64_t>(value);
  if (count < 4096 || (count & (count - 1)) != 0) return countText(count);
  QString power = QStringLiteral("2");
  for (const QChar digit : QString::number(static_cast<int>(std::log2(value)))) {
    constexpr std::array<char16_t, 10> raised{u'⁰', u'¹', u'²', u'³', u'⁴', u'⁵', u'⁶', u'⁷', u'⁸', u'⁹'};
    power += QChar(raised[static_cast<std::size_t>(digit.digitValue())]);
  }
  return power;
}

PlotAxis Swept::axis() const {
  std::vector<PlotTick> places;
  for (const double value : values)
    places.push_back({value, text(value)});
  return PlotAxis::through(title, std::move(places));
}

std::vector<QString> Swept::labels() const {
  std::vector<QString> texts;
  for (const double value : values)
    texts.push_back(text(value));
  return texts;
}

std::size_t Swept::index(double value) const {
  return static_cast<std::size_t>(std::distance(values.begin(), values.find(value)));
}

} // namespace lloyd
