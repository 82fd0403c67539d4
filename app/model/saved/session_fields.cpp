// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/saved/session_fields.hpp"

#include "app/text/strings.hpp"
#include "gpu/core/contract/registry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace lloyd {
namespace {

constexpr int mostClusters = 1 << 24;
constexpr std::uint64_t exactlyHeld = std::uint64_t{1} << 53; ///< by a double

constexpr std::initializer_list<BackendRequest> backends{BackendRequest::automatic, BackendRequest::cuda,
                                                         BackendRequest::cpu, BackendRequest::simt};

QJsonArray textsJson(const std::vector<std::string>& texts) {
  QJsonArray list;
  for (const std::string& text : texts)
    list.append(qtext(text));
  return list;
}

std::vector<std::string> textsFrom(const JsonObject& object, const char* key) {
  std::vector<std::string> texts;
  const QJsonArray list = object.listOr(key);
  for (const auto& value : list) {
    if (!value.isString()) throw JsonError(object.placeOf(key) + " has an entry that is no text");
    texts.push_back(value.toString().toStdString());
  }
  return texts;
}

/// A double holds every float, and is written with as many digits as tell it from its neighbours.
QJsonArray rowsJson(std::span<const float> values, int rows) {
  QJsonArray list;
  const std::size_t width = values.size() / static_cast<std::size_t>(std::max(1, rows));
  for (std::size_t row = 0; width > 0 && row * width < values.size(); ++row) {
    QJsonArray one;
    for (const float value : values.subspan(row * width, width))
      one.append(static_cast<double>(value));
    list.append(one);
  }
  return list;
}

/// As many rows, all of one length, or none at all where the key is absent.
std::vector<float> rowsFrom(const JsonObject& object, const char* key, int rows) {
  std::vector<float> values;
  const QJsonArray list = object.listOr(key);
  const auto refuse = [&](const std::string& why) { throw JsonError(object.placeOf(key) + ' ' + why); };
  if (list.isEmpty()) return values;
  if (list.size() != rows)
    refuse("has " + std::to_string(list.size()) + " rows, but k is " + std::to_string(rows));
  qsizetype width = -1;
  for (const auto& row : list) {
    const QJsonArray numbers = row.toArray();
    if (width < 0) width = numbers.size();
    if (!row.isArray() || numbers.isEmpty() || numbers.size() != width)
      refuse("must be a list of rows of equally many numbers");
    for (const auto& number : numbers) {
      const double value = number.toDouble(std::numeric_limits<double>::quiet_NaN());
      if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max())))
        refuse("has an entry that is no number of single precision");
      values.push_back(static_cast<float>(value));
    }
  }
  return values;
}

} // namespace

QJsonValue wholeJson(std::uint64_t number) {
  if (number <= exactlyHeld) return countJson(number);
  return QString::number(number);
}

std::uint64_t wholeFrom(const JsonObject& object, const char* key, std::uint64_t fallback) {
  if (!object.has(key)) return fallback;
  if (!object.value(key).isString()) return object.count(key);
  bool whole = false;
  const std::uint64_t number = object.value(key).toString().toULongLong(&whole);
  if (!whole) object.refuse(key, "a whole number");
  return number;
}

QJsonObject requestJson(const DataRequest& request) {
  QJsonObject object;
  if (request.path.empty()) {
    object[QStringLiteral("generator")] = qtext(request.generator);
    object[QStringLiteral("default_n")] = wholeJson(request.defaultCount);
    object[QStringLiteral("default_k")] = request.defaultClusters;
    object[QStringLiteral("default_seed")] = wholeJson(request.seed);
  } else {
    if (!request.columns.empty()) object[QStringLiteral("columns")] = textsJson(request.columns);
    if (request.classColumn) object[QStringLiteral("class")] = qtext(*request.classColumn);
    if (request.nameColumn) object[QStringLiteral("name")] = qtext(*request.nameColumn);
    if (request.dropRagged) object[QStringLiteral("drop_ragged")] = true;
    object[QStringLiteral("image")] = qtext(name(request.image));
  }
  object[QStringLiteral("scale")] = qtext(name(request.scaling));
  return object;
}

DataRequest requestFrom(const JsonObject& object) {
  DataRequest request;
  request.generator = object.textOr("generator", "");
  request.defaultCount = static_cast<std::size_t>(wholeFrom(object, "default_n", 0));
  if (object.has("default_k")) request.defaultClusters = object.smallCount("default_k", 1);
  request.seed = wholeFrom(object, "default_seed", request.seed);
  request.columns = textsFrom(object, "columns");
  if (object.has("class")) request.classColumn = object.text("class");
  if (object.has("name")) request.nameColumn = object.text("name");
  request.dropRagged = object.booleanOr("drop_ragged", false);
  request.image =
      object.oneOf("image", request.image, {ImageColumns::rgb, ImageColumns::xyrgb}, "rgb or xyrgb");
  request.scaling = object.oneOf("scale", Scale::none, {Scale::none, Scale::standard, Scale::minmax},
                                 "none, standard or minmax");
  return request;
}

QJsonObject selectionJson(const Selection& selection) {
  QJsonObject object;
  for (const auto& [key, id] : {std::pair("classify", &selection.classify),
                                {"reduce", &selection.reduce},
                                {"fused", &selection.fused},
                                {"update", &selection.update},
                                {"schedule", &selection.schedule}})
    if (!id->empty()) object[QLatin1String(key)] = qtext(*id);
  const Tuning own;
  for (const std::string_view parameter : tuningParameters) {
    const int value = selection.tuning.value(parameter);
    if (value == own.value(parameter)) continue;
    object[qtext(parameter)] =
        parameter == "arithmetic" ? QJsonValue(qtext(name(selection.tuning.arithmetic))) : QJsonValue(value);
  }
  return object;
}

Selection selectionFrom(const JsonObject& object) {
  Selection selection;
  for (const auto& [key, id] : {std::pair("classify", &selection.classify),
                                {"reduce", &selection.reduce},
                                {"fused", &selection.fused},
                                {"update", &selection.update},
                                {"schedule", &selection.schedule}})
    *id = object.textOr(key, "");
  for (const std::string_view parameter : tuningParameters)
    if (parameter != "arithmetic")
      selection.tuning.set(parameter, object.smallCountOr(std::string(parameter).c_str(), 0));
  selection.tuning.arithmetic =
      object.oneOf("arithmetic", Arithmetic::multiply,
                   {Arithmetic::multiply, Arithmetic::pow, Arithmetic::powf}, "multiply, pow or powf");
  return selection;
}

QJsonObject settingsJson(const Settings& settings) {
  QJsonObject object;
  object[QStringLiteral("k")] = settings.k;
  object[QStringLiteral("init")] = qtext(name(settings.init.kind));
  if (settings.init.kind == InitKind::given) {
    object[QStringLiteral("init_file")] = qtext(settings.init.path);
    object[QStringLiteral("init_centroids")] = rowsJson(settings.init.given, settings.k);
  }
  object[QStringLiteral("seed")] = wholeJson(settings.seed);
  object[QStringLiteral("iterations")] = settings.iterations;
  object[QStringLiteral("tolerance")] = settings.tolerance;
  object[QStringLiteral("backend")] = qtext(name(settings.backend));
  object[QStringLiteral("interop")] = qtext(name(settings.interop));
  object[QStringLiteral("variants")] = selectionJson(settings.selection);
  return object;
}

Settings settingsFrom(const JsonObject& object) {
  Settings settings;
  settings.k = static_cast<int>(object.count("k", 1, mostClusters));
  settings.init.kind = object.oneOf(
      "init", settings.init.kind,
      {InitKind::kmeansPlusPlus, InitKind::random, InitKind::first, InitKind::bands, InitKind::given},
      "kmeans++, random, first, bands or file");
  if (settings.init.kind == InitKind::given) {
    settings.init.path = object.textOr("init_file", "");
    settings.init.given = rowsFrom(object, "init_centroids", settings.k);
    if (settings.init.given.empty()) object.refuse("init_centroids", "a list of rows");
  }
  settings.seed = wholeFrom(object, "seed", settings.seed);
  if (object.has("iterations")) settings.iterations = object.smallCount("iterations", 1);
  settings.tolerance = object.numberOr("tolerance", 0);
  settings.backend = object.oneOf("backend", settings.backend, backends, "auto, cuda, cpu or simt");
  settings.interop = object.oneOf("interop", settings.interop,
                                  {InteropRequest::automatic, InteropRequest::shared, InteropRequest::staged},
                                  "auto, shared or staged");
  if (object.has("variants")) settings.selection = selectionFrom(object.object("variants"));
  return settings;
}

QJsonArray axesJson(const Axes& axes) {
  QJsonArray list;
  for (const Axis& axis : axes) {
    const bool component = axis.kind == Axis::Kind::component;
    list.append(
        QJsonObject{{component ? QStringLiteral("component") : QStringLiteral("column"), axis.index}});
  }
  return list;
}

Axes axesFrom(const JsonObject& object, const char* key) {
  Axes axes;
  if (!object.has(key)) return axes;
  for (const JsonObject& one : object.objects(key)) {
    const bool component = one.has("component");
    const Axis axis{component ? Axis::Kind::component : Axis::Kind::column,
                    one.smallCount(component ? "component" : "column", 0)};
    if (std::ranges::find(axes, axis) != axes.end())
      throw JsonError(object.placeOf(key) + " has an axis twice");
    axes.push_back(axis);
  }
  if (axes.size() == 1 || axes.size() > 3)
    throw JsonError(object.placeOf(key) + " has " + std::to_string(axes.size()) +
                    " axes, but 2 or 3 were expected");
  return axes;
}

QJsonObject runJson(const RunState& run, int k) {
  const IterationResult& result = run.result;
  QJsonObject object;
  object[QStringLiteral("iteration")] = result.iteration;
  if (result.halfway) object[QStringLiteral("halfway")] = true;
  object[QStringLiteral("centroids")] = rowsJson(result.centroids, k);
  object[QStringLiteral("labelled_with")] = rowsJson(result.usedCentroids, k);
  if (!run.usedBefore.empty()) object[QStringLiteral("labelled_before_with")] = rowsJson(run.usedBefore, k);
  if (!run.usedLast.empty()) object[QStringLiteral("labelled_last_with")] = rowsJson(run.usedLast, k);
  if (run.driftTime != 0) object[QStringLiteral("drift_time")] = run.driftTime;
  if (run.byHand) object[QStringLiteral("by_hand")] = true;
  QJsonArray sizes;
  for (const std::uint32_t size : result.sizes)
    sizes.append(static_cast<qint64>(size));
  object[QStringLiteral("sizes")] = sizes;
  if (result.changed) object[QStringLiteral("changed")] = countJson(*result.changed);
  object[QStringLiteral("any_changed")] = result.anyChanged;
  if (result.rechecked) object[QStringLiteral("rechecked")] = countJson(*result.rechecked);
  object[QStringLiteral("shift")] = result.shift;
  if (result.inertia) object[QStringLiteral("inertia")] = *result.inertia;
  object[QStringLiteral("empty_clusters")] = static_cast<qint64>(result.emptyClusters);
  return object;
}

RunState runFrom(const JsonObject& object, int k) {
  RunState run;
  IterationResult& result = run.result;
  result.iteration = object.smallCount("iteration", 0);
  result.halfway = object.booleanOr("halfway", false);
  if (result.halfway && result.iteration == 0) object.refuse("iteration", "at least 1 halfway through one");
  result.centroids = rowsFrom(object, "centroids", k);
  result.usedCentroids = rowsFrom(object, "labelled_with", k);
  run.usedBefore = rowsFrom(object, "labelled_before_with", k);
  run.usedLast = rowsFrom(object, "labelled_last_with", k);
  if (result.centroids.empty()) object.refuse("centroids", "a list of rows");
  for (const auto& [key, rows] : {std::pair("labelled_with", &result.usedCentroids),
                                  {"labelled_before_with", &run.usedBefore},
                                  {"labelled_last_with", &run.usedLast}})
    if (rows->size() != result.centroids.size() && (rows == &result.usedCentroids || !rows->empty()))
      object.refuse(key, "of the sizes of the centroids");
  run.driftTime = object.numberOr("drift_time", 0);
  run.byHand = object.booleanOr("by_hand", false);
  const QJsonArray sizes = object.listOr("sizes");
  if (sizes.size() != k)
    throw JsonError(object.placeOf("sizes") + " has " + std::to_string(sizes.size()) + " entries, but k is " +
                    std::to_string(k));
  for (const auto& size : sizes) {
    const double count = size.toDouble(-1);
    if (!(count >= 0 && count <= std::numeric_limits<std::uint32_t>::max()))
      throw JsonError(object.placeOf("sizes") + " has an entry that is no number of points");
    result.sizes.push_back(static_cast<std::uint32_t>(count));
  }
  if (object.has("changed")) result.changed = object.count("changed");
  result.anyChanged = object.booleanOr("any_changed", true);
  if (object.has("rechecked")) result.rechecked = object.count("rechecked");
  result.shift = object.numberOr("shift", 0);
  if (object.has("inertia")) result.inertia = object.number("inertia");
  result.emptyClusters = static_cast<std::uint32_t>(
      object.has("empty_clusters") ? object.count("empty_clusters", 0, mostClusters) : 0);
  return run;
}

QJsonObject sideJson(const SideChoice& side) {
  QJsonObject object;
  object[QStringLiteral("backend")] = qtext(name(side.backend));
  object[QStringLiteral("variants")] = selectionJson(side.selection);
  if (side.seed) object[QStringLiteral("seed")] = wholeJson(*side.seed);
  return object;
}

SideChoice sideFrom(const JsonObject& object) {
  SideChoice side;
  side.backend = object.oneOf("backend", side.backend, backends, "auto, cuda, cpu or simt");
  if (object.has("variants")) side.selection = selectionFrom(object.object("variants"));
  if (object.has("seed")) side.seed = wholeFrom(object, "seed", 0);
  return side;
}

QJsonArray namesJson(const std::vector<QString>& names) {
  QJsonArray list;
  for (const QString& name : names)
    list.append(name);
  return list;
}

std::vector<QString> namesFrom(const JsonObject& object, const char* key, int k) {
  std::vector<QString> names;
  for (const std::string& name : textsFrom(object, key))
    names.push_back(qtext(name).simplified());
  if (names.size() > static_cast<std::size_t>(k))
    throw JsonError(object.placeOf(key) + " has " + std::to_string(names.size()) + " entries, but k is " +
                    std::to_string(k));
  return names;
}

QJsonObject candidateJson(const Candidate& candidate) {
  Selection tuned;
  tuned.tuning = candidate.tuning;
  QJsonObject object = selectionJson(tuned);
  object[QStringLiteral("variant")] = qtext(candidate.variant->id());
  object[QStringLiteral("stage")] = qtext(name(candidate.stage));
  return object;
}

std::optional<Candidate> candidateFrom(const JsonObject& object) {
  const Variant* variant = Registry::instance().find(object.text("variant"));
  const std::string stage = object.text("stage");
  const Tuning tuning = selectionFrom(object).tuning;
  for (std::size_t i = 0; variant && i < stageCount; ++i)
    if (const auto its = static_cast<Stage>(i); name(its) == stage && variant->has(its))
      return Candidate{variant, its, variant->complete(tuning)};
  return std::nullopt;
}

} // namespace lloyd
