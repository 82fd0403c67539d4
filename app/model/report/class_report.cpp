// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/class_report.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QJsonArray>
#include <QStringList>

#include <algorithm>
#include <numeric>
#include <vector>

namespace lloyd {
namespace {

/// The largest so many classes, in their own order.
std::vector<int> largestClasses(const Confusion& confusion, int most) {
  std::vector<int> order(static_cast<std::size_t>(confusion.classes));
  std::iota(order.begin(), order.end(), 0);
  if (confusion.classes <= most) return order;
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](int ofClass) { return confusion.classSize(ofClass); });
  order.resize(static_cast<std::size_t>(most));
  std::ranges::sort(order);
  return order;
}

QString nameOf(const ClassAgreement& agreement, int ofClass) {
  return qtext(agreement.classes[static_cast<std::size_t>(ofClass)]);
}

} // namespace

TextTable confusionTable(const ClassAgreement& agreement, int most) {
  const Confusion& confusion = agreement.confusion;
  const std::vector<int> shown = largestClasses(confusion, most);
  TextTable table({">cluster"});
  for (const int ofClass : shown)
    table.addColumn(nameOf(agreement, ofClass), TextTable::Align::right);
  if (std::ssize(shown) < confusion.classes)
    table.addColumn(countedText(static_cast<std::uint64_t>(confusion.classes) - shown.size(),
                                QStringLiteral("%1 other"), QStringLiteral("%1 others")),
                    TextTable::Align::right);
  for (int cluster = 0; cluster < confusion.clusters; ++cluster) {
    QStringList cells{QString::number(cluster)};
    std::uint64_t others = confusion.clusterSize(cluster);
    for (const int ofClass : shown) {
      cells << countText(confusion.at(cluster, ofClass));
      others -= confusion.at(cluster, ofClass);
    }
    if (std::ssize(shown) < confusion.classes) cells << countText(others);
    table.addRow(cells);
  }
  return table;
}

QJsonObject classJson(const ClassAgreement& agreement) {
  QJsonArray names;
  for (const std::string& name : agreement.classes)
    names.append(qtext(name));
  QJsonArray rows;
  for (int cluster = 0; cluster < agreement.confusion.clusters; ++cluster) {
    QJsonArray row;
    for (int ofClass = 0; ofClass < agreement.confusion.classes; ++ofClass)
      row.append(countJson(agreement.confusion.at(cluster, ofClass)));
    rows.append(row);
  }
  return {{QStringLiteral("column"), qtext(agreement.column)},
          {QStringLiteral("classes"), names},
          {QStringLiteral("confusion"), rows},
          {QStringLiteral("without_class"), countJson(agreement.confusion.left)},
          {QStringLiteral("adjusted_rand"), agreement.adjustedRand},
          {QStringLiteral("normalised_mutual_information"), agreement.normalisedMutualInformation}};
}

} // namespace lloyd
