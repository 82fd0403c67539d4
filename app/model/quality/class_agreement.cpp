// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/quality/class_agreement.hpp"

#include "app/data/table/table.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

namespace lloyd {

std::optional<ClassAgreement> agreementWithClass(const PointSet& points, std::span<const Label> labels,
                                                 int k) {
  if (!hasClass(points)) return std::nullopt;
  const std::vector<std::string>& names = classNames(points);
  if (names.empty() || names.size() * static_cast<std::size_t>(k) > mostConfusionCells) return std::nullopt;
  ClassAgreement found;
  if (const auto column = points.table->columnWith(ColumnRole::classes))
    found.column = points.table->columns[*column].name;
  found.classes = names;
  found.confusion = confusionOf(labels, classCodes(points), k, static_cast<int>(names.size()));
  if (found.confusion.counted == 0) return std::nullopt;
  found.adjustedRand = adjustedRand(found.confusion);
  found.normalisedMutualInformation = normalisedMutualInformation(found.confusion);
  return found;
}

QString classText(const ClassAgreement& agreement) {
  constexpr int digits = 4;
  QString text = QStringLiteral("%1: adjusted Rand %2, normalised mutual information %3")
                     .arg(qtext(agreement.column), significantText(agreement.adjustedRand, digits),
                          significantText(agreement.normalisedMutualInformation, digits));
  if (agreement.confusion.left > 0)
    text += countedText(agreement.confusion.left, QStringLiteral("; %1 point has none"),
                        QStringLiteral("; %1 points have none"));
  return text;
}

} // namespace lloyd
