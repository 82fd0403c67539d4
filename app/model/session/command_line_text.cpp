// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/command_line_text.hpp"

#include "app/model/compute/load_points.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/variant.hpp"

#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

namespace lloyd {

namespace {

/// The generator's text with every value settled: the same points whatever a later start has as defaults.
QString generatorText(const DataRequest& request) {
  const auto spec = parseGenerator(request.generator, generatorDefaults(request));
  return QString::fromStdString(spec ? spec->text() : request.generator);
}

} // namespace

QString shellQuoted(const QString& word) {
  static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=,+@%^-]+$"));
  if (plain.match(word).hasMatch()) return word;
  QString inner = word;
  inner.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
  return QLatin1Char('\'') + inner + QLatin1Char('\'');
}

QString commandText(const DataRequest& request, const Settings& settings, const std::string& where) {
  const Settings standard;
  QStringList words{QStringLiteral("lloydscope")};
  const auto option = [&words](const char* name, const QString& value) {
    words << QString::fromLatin1(name) << shellQuoted(value);
  };
  if (!request.path.empty()) {
    const QString path = QString::fromStdString(request.path);
    // A name that begins with a dash would be read as an option.
    words << shellQuoted(path.startsWith(QLatin1Char('-')) ? QStringLiteral("./") + path : path);
  } else if (!request.generator.empty()) {
    option("--points", generatorText(request));
  }
  if (!request.columns.empty()) {
    QStringList columns;
    for (const std::string& column : request.columns)
      columns << QString::fromStdString(column);
    option("--columns", columns.join(QLatin1Char(',')));
  }
  for (const auto& [name, column] :
       {std::pair("--class", &request.classColumn), {"--name", &request.nameColumn}})
    if (*column) option(name, (*column)->empty() ? QStringLiteral("-") : QString::fromStdString(**column));
  if (request.dropRagged) words << QStringLiteral("--drop-ragged");
  if (!request.path.empty() && request.image != ImageColumns::rgb)
    option("--image", qtext(name(request.image)));
  if (!where.empty()) option("--where", QString::fromStdString(where));
  if (request.scaling != Scale::none) option("--scale", qtext(name(request.scaling)));
  option("--k", QString::number(settings.k));
  option("--seed", QString::number(settings.seed));
  if (settings.init.kind == InitKind::given) {
    option("--init", QStringLiteral("file:") + QString::fromStdString(settings.init.path));
  } else if (settings.init.kind != standard.init.kind) {
    option("--init", qtext(name(settings.init.kind)));
  }
  if (settings.iterations != standard.iterations)
    option("--iterations", QString::number(settings.iterations));
  if (settings.tolerance != standard.tolerance)
    option("--tolerance", QString::number(settings.tolerance, 'g', QLocale::FloatingPointShortest));
  if (settings.backend != standard.backend) option("--backend", qtext(name(settings.backend)));
  if (settings.interop != standard.interop) option("--interop", qtext(name(settings.interop)));
  const Selection& selection = settings.selection;
  for (const auto& [name, id] : {std::pair("--classify", &selection.classify),
                                 {"--reduce", &selection.reduce},
                                 {"--fused", &selection.fused},
                                 {"--schedule", &selection.schedule}})
    if (!id->empty()) option(name, QString::fromStdString(*id));
  for (const auto* parameterName : {"block", "items", "vector", "unroll", "streams", "late"}) {
    const int value = selection.tuning.value(parameterName);
    if (value != 0) option((std::string("--") + parameterName).c_str(), QString::number(value));
  }
  if (selection.tuning.arithmetic != standard.selection.tuning.arithmetic) {
    option("--arithmetic", qtext(name(selection.tuning.arithmetic)));
  }
  return words.join(QLatin1Char(' '));
}

QString repeatText(const DataRequest& request, const Settings& settings, const std::string& where) {
  const QString window = commandText(request, settings, where);
  const qsizetype program = window.indexOf(QLatin1Char(' '));
  return window.left(program) + QStringLiteral(" run") + window.mid(program);
}

} // namespace lloyd
