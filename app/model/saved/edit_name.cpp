// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/saved/edit_name.hpp"

#include "app/text/strings.hpp"

#include <QCoreApplication>

namespace lloyd {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("EditName", text); }

EditName ofPoints(const DataRequest& before, const DataRequest& after) {
  if (before.scaling != after.scaling) return {translated("scaling %1").arg(qtext(name(after.scaling))), {}};
  if (before.columns != after.columns) return {translated("columns"), {}};
  if (before.classColumn != after.classColumn) return {translated("class column"), {}};
  if (before.nameColumn != after.nameColumn) return {translated("column of names"), {}};
  if (before.image != after.image) return {translated("columns of the image"), {}};
  if (before.dropRagged != after.dropRagged) return {translated("rows left out"), {}};
  return {translated("generator"), QStringLiteral("generator")};
}

EditName ofSettings(const Settings& before, const Settings& after) {
  if (before.init != after.init)
    return {translated("first centroids %1").arg(qtext(name(after.init.kind))), {}};
  if (before.k != after.k) return {translated("k = %1").arg(after.k), QStringLiteral("k")};
  if (before.seed != after.seed)
    return {translated("seed %1").arg(static_cast<qulonglong>(after.seed)), QStringLiteral("seed")};
  if (before.backend != after.backend || before.interop != after.interop)
    return {translated("what computes"), {}};
  if (before.selection != after.selection) return {translated("variant"), {}};
  return {translated("end of a run"), {}};
}

EditName ofView(const ViewChoices& before, const ViewChoices& after) {
  if (before.orthographic != after.orthographic) return {translated("orthographic"), {}};
  if (before.trails != after.trails) return {translated("trails"), {}};
  if (before.regions != after.regions) return {translated("regions"), {}};
  if (before.pointSize != after.pointSize) return {translated("point size"), QStringLiteral("size")};
  return {translated("colours"), {}};
}

} // namespace

EditName editName(const EditState& before, const EditState& after) {
  if (before.moment.request != after.moment.request)
    return ofPoints(before.moment.request, after.moment.request);
  if (before.moment.settings != after.moment.settings)
    return ofSettings(before.moment.settings, after.moment.settings);
  if (before.moment.axes != after.moment.axes) return {translated("axes"), axesKind};
  if (before.view != after.view) return ofView(before.view, after.view);
  return {};
}

QString namingName(int cluster) { return translated("name of cluster %1").arg(cluster); }

EditName moveName(int cluster) {
  return {translated("centroid %1").arg(cluster), QStringLiteral("centroid %1").arg(cluster)};
}

} // namespace lloyd
