// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/launch_shapes.hpp"

#include "app/model/compute/settings.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/text/strings.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

namespace lloyd {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(LaunchShapes)
};

std::span<const std::string_view> kernelParameters() {
  return std::span(tuningParameters).first<kernelParameterCount>();
}

bool runs(const Variant& variant, const TeachSubject& subject, const Problem& problem, const Tuning& tuning) {
  static const DeviceInfo simulator = simt::createSimtDevice()->info();
  return !variant.whyNot(subject.stage, problem, simulator, tuning);
}

/// What another version launches with when this one's values are taken over; only: all of them, or one.
Tuning takenOver(const TeachSubject& subject, const Tuning& now, std::string_view only = {}) {
  Tuning before = tuningParametersFor(*subject.before, subject.tuning);
  for (const Parameter& parameter : subject.before->info.parameters)
    if (subject.variant->parameter(parameter.name) && parameter.allows(now.value(parameter.name)) &&
        (only.empty() || only == parameter.name))
      before.set(parameter.name, now.value(parameter.name));
  return before;
}

/// Blocks that both versions have, the nearest to this one by their ratio first; of two, the smaller.
std::vector<int> blocksNear(int block, const Variant& now, const Variant& before) {
  const Parameter* own = now.parameter("block");
  const Parameter* its = before.parameter("block");
  std::vector<int> blocks;
  if (!own || !its) return blocks;
  std::ranges::copy_if(own->values, std::back_inserter(blocks),
                       [&](int value) { return its->allows(value); });
  std::ranges::sort(blocks);
  std::ranges::stable_sort(blocks, {},
                           [&](int value) { return std::abs(std::log2(value) - std::log2(block)); });
  return blocks;
}

QString valueText(const Variant& variant, const Tuning& tuning, std::string_view parameter) {
  if (!variant.parameter(parameter)) return Words::tr("none");
  if (parameter == "arithmetic") return qtext(name(tuning.arithmetic));
  return QString::number(tuning.value(parameter));
}

bool sameValue(const TeachSubject& subject, const LaunchShapes& shapes, std::string_view parameter) {
  if (!subject.before) return true;
  return valueText(*subject.variant, shapes.now, parameter) ==
         valueText(*subject.before, shapes.before, parameter);
}

} // namespace

LaunchShapes launchShapes(const TeachSubject& subject, const Problem& problem) {
  LaunchShapes shapes;
  if (!subject.variant) return shapes;
  const Variant& variant = *subject.variant;
  shapes.now = tuningParametersFor(variant, subject.tuning);
  if (!subject.before) return shapes;
  const Variant& other = *subject.before;
  shapes.before = tuningParametersFor(other, subject.tuning);
  if (!isCounted(variant, subject.stage) || !isCounted(other, subject.stage)) return shapes;
  // One that cannot run the problem at all decides nothing.
  const bool runsAtAll = runs(variant, subject, problem, shapes.now);
  if (!runs(other, subject, problem, shapes.before)) {
    shapes.before = takenOver(subject, shapes.now);
    return shapes;
  }
  const int wanted = shapes.now.block;
  const bool bothHaveBlocks = variant.parameter("block") && other.parameter("block");
  for (const std::string_view only : {std::string_view(), std::string_view("block")}) {
    const Tuning taken = takenOver(subject, shapes.now, only);
    if ((taken.block == wanted || !bothHaveBlocks) && runs(other, subject, problem, taken)) {
      shapes.before = taken;
      return shapes;
    }
    for (const int block : blocksNear(wanted, variant, other)) {
      Tuning now = shapes.now;
      now.block = block;
      const Tuning before = takenOver(subject, now, only);
      if (!runs(other, subject, problem, before) || (runsAtAll && !runs(variant, subject, problem, now)))
        continue;
      return {now, before, block == wanted ? 0 : wanted};
    }
  }
  return shapes;
}

QString shapeText(const TeachSubject& subject, const LaunchShapes& shapes, const Problem& problem) {
  QStringList parts;
  for (const std::string_view parameter : kernelParameters()) {
    if (!subject.variant->parameter(parameter) || !sameValue(subject, shapes, parameter)) continue;
    if (parameter == "arithmetic" && shapes.now.arithmetic == Arithmetic::multiply) continue; // as nearly all
    parts << QStringLiteral("%1 %2").arg(qtext(parameter),
                                         valueText(*subject.variant, shapes.now, parameter));
  }
  parts << QStringLiteral("D = %1").arg(problem.d) << QStringLiteral("K = %1").arg(problem.k);
  QString text = parts.join(QStringLiteral(", "));
  if (subject.before) return Words::tr("Both: %1").arg(text);
  text[0] = text[0].toUpper();
  return text;
}

QString shapeDifferences(const TeachSubject& subject, const LaunchShapes& shapes) {
  if (!subject.before) return {};
  QStringList parts;
  for (const std::string_view parameter : kernelParameters()) {
    if (sameValue(subject, shapes, parameter)) continue;
    const Variant& has = subject.variant->parameter(parameter) ? *subject.variant : *subject.before;
    const Tuning& its = &has == subject.variant ? shapes.now : shapes.before;
    if (parameter == "arithmetic" && its.arithmetic == Arithmetic::multiply) continue;
    parts << Words::tr("%1 %2 here, %3 before")
                 .arg(qtext(parameter), valueText(*subject.variant, shapes.now, parameter),
                      valueText(*subject.before, shapes.before, parameter));
  }
  QStringList sentences;
  if (!parts.isEmpty()) sentences << Words::tr("Differs: %1").arg(parts.join(QStringLiteral("; ")));
  if (shapes.askedBlock > 0)
    sentences << Words::tr("%1 cannot run with %2's block of %3, so both have the nearest that both take")
                     .arg(versionText(*subject.before), versionText(*subject.variant))
                     .arg(shapes.askedBlock);
  return sentences.join(QLatin1Char('\n'));
}

} // namespace lloyd
