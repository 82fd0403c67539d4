// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/lesson/experiment.hpp"

#include "app/data/generate/generators.hpp"
#include "app/text/strings.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace lloyd {
namespace {

constexpr std::size_t usualPoints = 4096; ///< a count of which the simulator is done at once

QString tr(const char* text) { return QCoreApplication::translate("Experiment", text); }

tl::unexpected<QString> unreadable(const QString& text, const QString& why) {
  return tl::unexpected(tr("The lesson's experiment \"%1\" cannot be set up: %2").arg(text, why));
}

/// Nothing where the word is no value of the parameter.
std::optional<int> valueOf(const QString& key, const QString& word) {
  if (key == QLatin1String("arithmetic")) {
    for (const Arithmetic one : {Arithmetic::multiply, Arithmetic::pow, Arithmetic::powf})
      if (word == qtext(name(one))) return static_cast<int>(one);
    return std::nullopt;
  }
  bool whole = false;
  const int value = word.toInt(&whole);
  return whole && value > 0 ? std::optional(value) : std::nullopt;
}

} // namespace

tl::expected<Experiment, QString> readExperiment(const QString& text) {
  const QStringList parts = text.split(QLatin1Char(';'));
  Experiment experiment;
  experiment.request.generator = parts.front().toStdString();
  experiment.request.defaultCount = usualPoints;
  const auto spec = parseGenerator(experiment.request.generator, {.n = usualPoints});
  if (!spec) return unreadable(text, QString::fromStdString(spec.error()));
  for (const QString& part : parts.mid(1)) {
    const QString key = part.section(QLatin1Char('='), 0, 0);
    const auto value = valueOf(key, part.section(QLatin1Char('='), 1));
    const bool known = key == QLatin1String("k") ||
                       std::find(tuningParameters.begin(), tuningParameters.end(), key.toStdString()) !=
                           tuningParameters.end();
    if (!known) return unreadable(text, tr("\"%1\" is neither k nor a tuning parameter").arg(key));
    if (!value) return unreadable(text, tr("\"%1\" says no value of %2").arg(part, key));
    if (key != QLatin1String("k")) {
      experiment.tuning.set(key.toStdString(), *value);
    } else if (static_cast<std::size_t>(*value) > spec->n) {
      return unreadable(text, tr("k = %1 is more than its %2 points").arg(*value).arg(spec->n));
    } else {
      experiment.k = *value;
      experiment.request.defaultClusters = *value; // as for --k: a group of points for each
    }
  }
  return experiment;
}

QString experimentText(QString text) {
  static const QRegularExpression sign(QStringLiteral("([:,;])"));
  return text.replace(sign, QStringLiteral("\\1 "));
}

Settings withExperiment(Settings settings, const Experiment& experiment) {
  settings.k = experiment.k.value_or(settings.k);
  settings.selection.tuning = experiment.tuning;
  return settings;
}

} // namespace lloyd
