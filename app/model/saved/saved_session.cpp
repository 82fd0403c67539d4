// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/saved/saved_session.hpp"

#include "app/data/input/unpack.hpp"
#include "app/data/read/read_points.hpp"
#include "app/model/saved/session_fields.hpp"
#include "app/text/json_object.hpp"
#include "app/text/strings.hpp"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr int version = 1;
constexpr const char* format = "lloydscope session";
constexpr std::size_t mostColours = std::size_t{1} << 24;

template <std::size_t N>
std::array<double, N> realsFrom(const JsonObject& object, const char* key) {
  const QJsonArray list = object.list(key);
  std::array<double, N> numbers{};
  if (list.size() != static_cast<qsizetype>(N)) object.refuse(key, std::to_string(N) + " numbers");
  for (std::size_t i = 0; i < N; ++i) {
    const auto& value = list[static_cast<qsizetype>(i)];
    if (!value.isDouble() || !std::isfinite(value.toDouble()))
      object.refuse(key, std::to_string(N) + " numbers");
    numbers[i] = value.toDouble();
  }
  return numbers;
}

QJsonObject dataJson(const SavedSession& session) {
  const DataRequest& request = session.moment.request;
  QJsonObject object = requestJson(request);
  if (request.path.empty()) return object;
  object[QStringLiteral("path")] = qtext(request.path);
  object[QStringLiteral("relative_path")] = qtext(session.relative);
  if (!session.member.empty()) object[QStringLiteral("member")] = qtext(session.member);
  object[QStringLiteral("bytes")] = wholeJson(session.data.bytes);
  object[QStringLiteral("sha256")] = qtext(session.data.sha256);
  return object;
}

void readData(const JsonObject& object, SavedSession& session) {
  DataRequest& request = session.moment.request;
  request = requestFrom(object);
  request.path = object.textOr("path", "");
  if (request.path.empty() == request.generator.empty())
    throw JsonError(object.place() + " must have either a path or a generator");
  session.relative = object.textOr("relative_path", "");
  session.member = object.textOr("member", "");
  session.data = {wholeFrom(object, "bytes", 0), object.textOr("sha256", "")};
}

QJsonObject cameraJson(const SavedCamera& camera) {
  QJsonObject object;
  object[QStringLiteral("fitted")] = camera.fitted;
  object[QStringLiteral("yaw")] = camera.yaw;
  object[QStringLiteral("pitch")] = camera.pitch;
  object[QStringLiteral("distance")] = camera.distance;
  object[QStringLiteral("target")] = QJsonArray{camera.target[0], camera.target[1], camera.target[2]};
  object[QStringLiteral("pixels_per_unit")] = QJsonArray{camera.pixelsPerUnit[0], camera.pixelsPerUnit[1]};
  object[QStringLiteral("viewport")] = QJsonArray{camera.viewport[0], camera.viewport[1]};
  return object;
}

SavedCamera cameraFrom(const JsonObject& object) {
  constexpr double mostPixels = 1 << 20;
  SavedCamera camera;
  camera.fitted = object.booleanOr("fitted", true);
  camera.yaw = object.realOr("yaw", camera.yaw);
  camera.pitch = object.realOr("pitch", camera.pitch);
  camera.distance = object.numberOr("distance", camera.distance);
  camera.target = realsFrom<3>(object, "target");
  camera.pixelsPerUnit = realsFrom<2>(object, "pixels_per_unit");
  const auto viewport = realsFrom<2>(object, "viewport");
  for (std::size_t i = 0; i < 2; ++i) {
    if (!(camera.pixelsPerUnit[i] > 0)) object.refuse("pixels_per_unit", "two numbers above 0");
    if (!(viewport[i] >= 1 && viewport[i] <= mostPixels)) object.refuse("viewport", "a width and a height");
    camera.viewport[i] = static_cast<int>(viewport[i]);
  }
  if (!(camera.distance > 0)) object.refuse("distance", "a number above 0");
  return camera;
}

QJsonObject choicesJson(const ViewChoices& choices) {
  QJsonObject object;
  object[QStringLiteral("orthographic")] = choices.orthographic;
  object[QStringLiteral("trails")] = choices.trails;
  object[QStringLiteral("regions")] = choices.regions;
  object[QStringLiteral("point_size")] = choices.pointSize;
  object[QStringLiteral("mean_colour")] = choices.meanColour;
  if (choices.colourColumn) object[QStringLiteral("colour_column")] = countJson(*choices.colourColumn);
  return object;
}

ViewChoices choicesFrom(const JsonObject& object) {
  constexpr double mostTimes = 1000;
  ViewChoices choices;
  choices.orthographic = object.booleanOr("orthographic", choices.orthographic);
  choices.trails = object.booleanOr("trails", choices.trails);
  choices.regions = object.booleanOr("regions", choices.regions);
  choices.pointSize = object.numberOr("point_size", choices.pointSize);
  if (!(choices.pointSize > 0 && choices.pointSize <= mostTimes))
    object.refuse("point_size", "a number above 0 and up to 1000");
  choices.meanColour = object.booleanOr("mean_colour", choices.meanColour);
  if (object.has("colour_column"))
    choices.colourColumn = static_cast<std::size_t>(object.count("colour_column"));
  return choices;
}

QJsonObject pairJson(const SavedPair& pair) {
  QJsonObject object;
  object[QStringLiteral("mode")] = qtext(pair.mode);
  object[QStringLiteral("b")] = sideJson(pair.b);
  object[QStringLiteral("divider")] = pair.divider;
  object[QStringLiteral("baseline")] = qtext(pair.baseline);
  if (pair.pinned) object[QStringLiteral("pinned")] = candidateJson(*pair.pinned);
  if (pair.ladderA) object[QStringLiteral("ladder_a")] = candidateJson(*pair.ladderA);
  if (pair.ladderB) object[QStringLiteral("ladder_b")] = candidateJson(*pair.ladderB);
  return object;
}

SavedPair pairFrom(const JsonObject& object) {
  SavedPair pair;
  pair.mode = object.textOr("mode", "");
  if (object.has("b")) pair.b = sideFrom(object.object("b"));
  pair.divider = std::min(object.numberOr("divider", pair.divider), 1.0);
  pair.baseline = object.textOr("baseline", "");
  if (object.has("pinned")) pair.pinned = candidateFrom(object.object("pinned"));
  if (object.has("ladder_a")) pair.ladderA = candidateFrom(object.object("ladder_a"));
  if (object.has("ladder_b")) pair.ladderB = candidateFrom(object.object("ladder_b"));
  return pair;
}

void readView(const JsonObject& object, SavedSession& session) {
  session.moment.axes = axesFrom(object, "axes");
  if (object.has("camera")) session.camera = cameraFrom(object.object("camera"));
  session.view = choicesFrom(object);
  session.workspace = object.textOr("workspace", "");
  session.teach = object.textOr("teach", "");
  session.teachColours = object.textOr("teach_colours", "");
  session.names = namesFrom(object, "cluster_names", session.moment.settings.k);
  const QJsonArray colours = object.listOr("colours");
  for (const auto& colour : colours) {
    const double number = colour.toDouble(-1);
    if (!(number >= 0 && number < static_cast<double>(mostColours)))
      throw JsonError(object.placeOf("colours") + " has an entry that is no number of a colour");
    session.colours.push_back(static_cast<std::size_t>(number));
  }
}

SavedSession sessionFrom(const QJsonDocument& document) {
  const JsonObject file(document.object(), "");
  if (!document.isObject() || file.value("format").toString() != QLatin1String(format))
    throw JsonError("this is no session of Lloydscope: its \"format\" is not \"" + std::string(format) + '"');
  const std::uint64_t its = file.count("version", 1);
  if (its > version)
    throw JsonError("a newer Lloydscope saved this session: it is of version " + std::to_string(its) +
                    ", and this program reads versions up to " + std::to_string(version));
  SavedSession session;
  readData(file.object("data"), session);
  session.moment.settings = settingsFrom(file.object("settings"));
  if (file.has("run")) session.moment.run = runFrom(file.object("run"), session.moment.settings.k);
  session.playing = file.booleanOr("playing", false);
  if (file.has("view")) readView(file.object("view"), session);
  if (file.has("compare")) session.pair = pairFrom(file.object("compare"));
  return session;
}

} // namespace

bool isSessionFile(std::string_view path) { return extensionOf(std::string(path)) == sessionEnding; }

std::string sessionText(const SavedSession& session) {
  const Moment& moment = session.moment;
  QJsonObject file;
  file[QStringLiteral("format")] = QLatin1String(format);
  file[QStringLiteral("version")] = version;
  file[QStringLiteral("data")] = dataJson(session);
  file[QStringLiteral("settings")] = settingsJson(moment.settings);
  if (moment.run) file[QStringLiteral("run")] = runJson(*moment.run, moment.settings.k);
  file[QStringLiteral("playing")] = session.playing;
  QJsonObject view = choicesJson(session.view);
  if (!moment.axes.empty()) view[QStringLiteral("axes")] = axesJson(moment.axes);
  if (session.camera) view[QStringLiteral("camera")] = cameraJson(*session.camera);
  view[QStringLiteral("workspace")] = qtext(session.workspace);
  if (!session.teach.empty()) view[QStringLiteral("teach")] = qtext(session.teach);
  if (!session.teachColours.empty()) view[QStringLiteral("teach_colours")] = qtext(session.teachColours);
  QJsonArray colours;
  for (const std::size_t colour : session.colours)
    colours.append(static_cast<qint64>(colour));
  view[QStringLiteral("colours")] = colours;
  if (!session.names.empty()) view[QStringLiteral("cluster_names")] = namesJson(session.names);
  file[QStringLiteral("view")] = view;
  file[QStringLiteral("compare")] = pairJson(session.pair);
  return QJsonDocument(file).toJson().toStdString();
}

tl::expected<SavedSession, std::string> readSession(const std::string& path) {
  try {
    return sessionFrom(readJson(path, mostSessionBytes, "session"));
  } catch (const JsonSyntaxError& wrong) {
    return tl::unexpected(path + " is damaged: " + wrong.what());
  } catch (const JsonError& wrong) {
    return tl::unexpected(path + ": " + wrong.what());
  }
}

std::vector<std::string> dataPlaces(const SavedSession& session, const std::string& sessionPath) {
  const std::string& path = session.moment.request.path;
  if (path.empty()) return {};
  const QDir folder = QFileInfo(QString::fromStdString(sessionPath)).absoluteDir();
  const auto beside = [&](const QString& name) {
    return QDir::cleanPath(folder.absoluteFilePath(name)).toStdString();
  };
  std::vector<std::string> places;
  const auto add = [&](const std::string& place) {
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
  };
  if (!session.relative.empty()) add(beside(qtext(session.relative)));
  const MemberPath packed = memberPath(path);
  const QString name = QFileInfo(qtext(packed.file)).fileName();
  add(beside(packed.member.empty() ? name : name + QLatin1Char(':') + qtext(packed.member)));
  add(path);
  return places;
}

} // namespace lloyd
