// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/standing_text.hpp"

#include <QCoreApplication>

#include <cmath>
#include <utility>

namespace lloyd {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(KernelTrial)
};

} // namespace

QString standingText(const Comparison& comparison, const QString& where, const QString& original) {
  const double percent = std::abs(1 - comparison.ratio) * 100;
  const QString share = QString::number(percent, 'f', percent < 10 ? 1 : 0);
  switch (comparison.verdict) {
  case Verdict::faster:
    return Words::tr("%1 it takes %2 % less time than %3.").arg(where, share, original);
  case Verdict::slower:
    return Words::tr("%1 it takes %2 % more time than %3.").arg(where, share, original);
  case Verdict::same:
    return Words::tr("%1 it takes as long as %2.").arg(where, original);
  default:
    if (!(comparison.low > 0) || !std::isfinite(comparison.high))
      return Words::tr("%1 it cannot be told apart from %2: %3 pairs are too few for that.")
          .arg(where, original)
          .arg(comparison.pairs);
    return Words::tr("%1 it cannot be told apart from %2: it takes %3 to %4 times as long.")
        .arg(where, original, QString::number(comparison.low, 'f', 2),
             QString::number(comparison.high, 'f', 2));
  }
}

QString inputText(const VerifyProgress& now, const QString& where) {
  if (now.done == 0) return Words::tr("verify%1, the first of %2 inputs").arg(where).arg(now.total);
  return Words::tr("verify%1, input %2 of %3: %4")
      .arg(where)
      .arg(now.done + 1)
      .arg(now.total)
      .arg(QString::fromUtf8(now.caseName.data(), static_cast<qsizetype>(now.caseName.size())));
}

QString faultedText(const VerifyResult& result, const QString& match, const QString& differ) {
  QString text = Words::tr("of %1 cases %2 end in a fault, before there is anything to compare")
                     .arg(result.cases)
                     .arg(result.faulted);
  for (const auto& [count, words] :
       {std::pair(result.passed, match), std::pair(result.failed - result.faulted, differ),
        std::pair(result.cases - result.passed - result.failed, Words::tr("%1 do not apply"))})
    if (count > 0) text += QStringLiteral(", ") + words.arg(count);
  return text;
}

} // namespace lloyd
