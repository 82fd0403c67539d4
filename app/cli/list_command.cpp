// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/presets.hpp"
#include "app/data/generate/generators.hpp"
#include "app/data/read/read_points.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/report/step_report.hpp"
#include "app/model/report/text_table.hpp"
#include "app/model/teach/source_text.hpp"
#include "app/model/tuning/default_origin_text.hpp"
#include "app/text/numbers.hpp"
#include "app/text/provenance.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/engine/device_choice.hpp"
#include "gpu/interop/shared_points.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>

#include <algorithm>

namespace lloyd {
namespace {

/// A list of what this build and machine have, for people and for programs.
struct ListReport {
  QString text;
  QJsonDocument json;
};

QStringList backendsOf(const Variant& variant) {
  QStringList backends;
  for (const Backend backend : {Backend::cuda, Backend::simt, Backend::cpu})
    if (variant.runsOn(backend)) backends << qtext(name(backend));
  return backends;
}

QStringList stagesOf(const Variant& variant) {
  QStringList stages;
  for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::iterate,
                            Stage::sets, Stage::layout})
    if (variant.has(stage)) stages << qtext(name(stage));
  return stages;
}

QJsonObject parametersJson(const Variant& variant) {
  QJsonObject parameters;
  for (const Parameter& parameter : variant.info.parameters) {
    QJsonArray values;
    for (const int value : parameter.values)
      values.append(parameterJson(parameter.name, value));
    parameters.insert(
        qtext(parameter.name),
        QJsonObject{{QStringLiteral("values"), values},
                    {QStringLiteral("default"), parameterJson(parameter.name, parameter.fallback)}});
  }
  return parameters;
}

/// The lesson's path from the repository's top, as source is; null for a variant without one.
QJsonValue lessonOf(const Variant& variant) {
  const QString path = QStringLiteral("lessons/%1.md").arg(qtext(variant.id()));
  return QFile::exists(QStringLiteral(":/") + path) ? QJsonValue(QStringLiteral("resources/") + path)
                                                    : QJsonValue();
}

/// "block 32 to 1024 (128), items 1 to 8 (4)"
QString parametersText(const Variant& variant) {
  QStringList parts;
  for (const Parameter& parameter : variant.info.parameters) {
    const bool isText = parameter.name == "arithmetic" || parameter.values.size() < 3;
    const QString range =
        isText ? qtext(parameter.range())
               : QStringLiteral("%1 to %2").arg(parameter.values.front()).arg(parameter.values.back());
    parts << qtext(parameter.name) + QLatin1Char(' ') + range;
  }
  return parts.join(QStringLiteral("; "));
}

ListReport listVariants() {
  initTexts(); // lessons are among them
  QJsonArray json;
  TextTable table({"variant", "stage", "runs on", "parameters", "name"});
  for (const Variant* variant : Registry::instance().all()) {
    const VariantInfo& info = variant->info;
    json.append(QJsonObject{
        {QStringLiteral("id"), qtext(variant->id())},
        {QStringLiteral("stage"), stagesOf(*variant).value(0)},
        {QStringLiteral("stages"), QJsonArray::fromStringList(stagesOf(*variant))},
        {QStringLiteral("name"), qtext(info.name)},
        {QStringLiteral("idea"), qtext(info.idea)},
        {QStringLiteral("backends"), QJsonArray::fromStringList(backendsOf(*variant))},
        {QStringLiteral("published_us"), info.publishedUs ? QJsonValue(*info.publishedUs) : QJsonValue()},
        {QStringLiteral("published_where"), textOrNull(info.publishedIn)},
        {QStringLiteral("source"), qtext(info.source)},
        {QStringLiteral("lesson"), lessonOf(*variant)},
        {QStringLiteral("parameters"), parametersJson(*variant)}});
    table.addRow({qtext(variant->id()), stagesOf(*variant).join(QStringLiteral(", ")),
                  backendsOf(*variant).join(QStringLiteral(", ")), parametersText(*variant),
                  qtext(info.name)});
  }
  return {table.text(), QJsonDocument(json)};
}

/// The devices, the one that auto takes, and how points would reach a window from it.
ListReport listDevicesReport() {
  const DeviceList list = listDevices();
  const auto chosen = std::ranges::find_if(list.devices, [](const DeviceInfo& d) { return d.usable; });
  const bool gpu = chosen != list.devices.end() && chosen->backend == Backend::cuda;
  const QString backend = chosen == list.devices.end() ? QString() : qtext(name(chosen->backend));
  // Whether OpenGL's buffers can be shared is known only once a window has drawn with them.
  const QString interop = gpu ? QStringLiteral("auto") : qtext(name(Sharing::none));
  const QString why =
      gpu ? QStringLiteral("the window tries to share its buffers first and copies through pinned "
                           "memory when they are drawn by something else")
          : qtext(list.cudaWhy);
  QJsonArray devices;
  QString text = QStringLiteral("backend  %1\ninterop  %2\n").arg(backend, interop);
  if (!why.isEmpty()) text += QStringLiteral("why      %1\n").arg(why);
  TextTable table({"device", "backend", "compute capability", "memory", "driver", "runtime", "usable"});
  QString reasons;
  QString defaults;
  for (const DeviceInfo& device : list.devices) {
    QJsonObject object = deviceJson(device);
    object.insert(QStringLiteral("defaults"), defaultsText(device));
    devices.append(object);
    if (device.usable)
      defaults +=
          QStringLiteral("\n%1, default variants: %2\n").arg(qtext(device.name), defaultsText(device));
    table.addRow({qtext(device.name), qtext(name(device.backend)), qtext(device.computeCapability),
                  bytesText(device.memoryBytes), qtext(device.driver), qtext(device.runtime),
                  device.usable ? QStringLiteral("yes") : QStringLiteral("no")});
    if (!device.why.empty())
      reasons += QStringLiteral("\n%1: %2\n").arg(qtext(device.name), qtext(device.why));
  }
  const QJsonObject json{{QStringLiteral("backend"), backend},
                         {QStringLiteral("interop"), interop},
                         {QStringLiteral("why"), why},
                         {QStringLiteral("devices"), devices}};
  return {text + QLatin1Char('\n') + table.text() + reasons + defaults, QJsonDocument(json)};
}

ListReport listGenerators() {
  QJsonArray json;
  QString text;
  for (const Generator& generator : generators()) {
    QJsonArray keys;
    TextTable table({"key", "default", "meaning"});
    for (const GeneratorKey& key : generator.keys) {
      const bool isText = key.least == 0 && key.most == 0;
      keys.append(QJsonObject{{QStringLiteral("name"), qtext(key.name)},
                              {QStringLiteral("default"), qtext(key.fallback)},
                              {QStringLiteral("least"), isText ? QJsonValue() : QJsonValue(key.least)},
                              {QStringLiteral("most"), isText ? QJsonValue() : QJsonValue(key.most)},
                              {QStringLiteral("meaning"), qtext(key.meaning)}});
      table.addRow({qtext(key.name), qtext(key.fallback), qtext(key.meaning)});
    }
    json.append(QJsonObject{{QStringLiteral("name"), qtext(generator.name)},
                            {QStringLiteral("idea"), qtext(generator.idea)},
                            {QStringLiteral("keys"), keys}});
    text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + qtext(generator.name) +
            QStringLiteral(":  ") + qtext(generator.idea) + QLatin1Char('\n') + table.text();
  }
  return {text, QJsonDocument(json)};
}

ListReport listFormats() {
  QJsonArray json;
  QString text;
  for (const Format& format : formats()) {
    json.append(QJsonObject{{QStringLiteral("name"), qtext(format.name)},
                            {QStringLiteral("extensions"),
                             QJsonArray::fromStringList(qtext(format.extensions).split(QLatin1Char(' ')))},
                            {QStringLiteral("reads"), textOrNull(format.reads)},
                            {QStringLiteral("writes"), textOrNull(format.writes)}});
    text += QStringLiteral("%1 (%2)\n").arg(qtext(format.name), qtext(format.extensions));
    if (!format.reads.empty()) text += QStringLiteral("  reads   %1\n").arg(qtext(format.reads));
    if (!format.writes.empty()) text += QStringLiteral("  writes  %1\n").arg(qtext(format.writes));
  }
  return {text, QJsonDocument(json)};
}

ListReport listPresets() {
  QJsonArray json;
  QString text;
  for (const Preset& preset : presets()) {
    QJsonObject options;
    text += QStringLiteral("%1:  %2\n").arg(qtext(preset.name), qtext(preset.meaning));
    for (const auto& [name, value] : preset.options) {
      options.insert(qtext(name), qtext(value));
      text += QStringLiteral("  %1 %2\n").arg(qtext(name), qtext(value));
    }
    json.append(QJsonObject{{QStringLiteral("name"), qtext(preset.name)},
                            {QStringLiteral("meaning"), qtext(preset.meaning)},
                            {QStringLiteral("options"), options}});
  }
  return {text, QJsonDocument(json)};
}

/// Which steps of the articles' ladders still hold, with the figures in the program.
ListReport listSteps() {
  const std::vector<ReportedStep> steps = shippedSteps();
  QString text = stepTable(steps).text() + QLatin1Char('\n');
  for (const QString& remark : stepRemarks(steps))
    text += QStringLiteral("  %1\n").arg(remark);
  return {text, QJsonDocument(stepsJson(steps))};
}

struct Listing {
  std::string_view what;
  ListReport (*make)();
};

constexpr Listing listings[] = {{"variants", listVariants},     {"devices", listDevicesReport},
                                {"generators", listGenerators}, {"formats", listFormats},
                                {"presets", listPresets},       {"steps", listSteps}};

} // namespace

int listCommand(const Arguments& arguments) {
  const Messages messages(arguments);
  const std::string what = arguments.text("WHAT");
  if (what == "options") { // for docs/manual.md, which a test holds to this
    printOutput(QByteArray::fromStdString(optionsMarkdown()));
    return exitDone;
  }
  for (const Listing& listing : listings) {
    if (listing.what != what) continue;
    Outputs outputs(arguments);
    const ListReport report = listing.make();
    outputs.addReport("--json", [&] { return report.json.toJson(); });
    if (!arguments.given("--json")) outputs.addText([&] { return report.text.toUtf8(); });
    outputs.write();
    if (what == "variants")
      for (const std::string& problem : Registry::instance().problems())
        messages.warning(qtext(problem));
    return exitDone;
  }
  throw RequestError(
      what.empty() ? "list needs a word: variants, devices, generators, formats, presets, steps or options"
                   : "there is no list of '" + what +
                         "', but of variants, devices, generators, formats, presets, steps and options");
}

} // namespace lloyd
