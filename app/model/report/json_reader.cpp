// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/json_reader.hpp"

#include <cmath>
#include <limits>

namespace lloyd {
namespace {

std::string kindOf(const QJsonValue& value) {
  switch (value.type()) {
  case QJsonValue::Null:
    return "null";
  case QJsonValue::Bool:
    return "true or false";
  case QJsonValue::Double:
    return QString::number(value.toDouble(), 'g', 12).toStdString();
  case QJsonValue::String:
    return "a text";
  case QJsonValue::Array:
    return "a list";
  case QJsonValue::Object:
    return "an object";
  default:
    return "missing";
  }
}

} // namespace

bool ReportObject::has(const char* key) const {
  const QJsonValue found = value(key);
  return !found.isUndefined() && !found.isNull();
}

std::string ReportObject::placeOf(const char* key) const { return place_.empty() ? key : place_ + '.' + key; }

void ReportObject::refuse(const char* key, const std::string& expected) const {
  const QJsonValue found = value(key);
  if (found.isUndefined()) throw ReportError(placeOf(key) + " is missing");
  throw ReportError(placeOf(key) + " is " + kindOf(found) + ", but must be " + expected);
}

std::string ReportObject::text(const char* key) const {
  if (!value(key).isString()) refuse(key, "a text");
  return value(key).toString().toStdString();
}

bool ReportObject::boolean(const char* key) const {
  if (!value(key).isBool()) refuse(key, "true or false");
  return value(key).toBool();
}

double ReportObject::number(const char* key) const {
  const double found = value(key).toDouble(-1);
  if (!value(key).isDouble() || !std::isfinite(found) || found < 0) refuse(key, "a number of at least 0");
  return found;
}

std::uint64_t ReportObject::count(const char* key, std::uint64_t low, std::uint64_t high) const {
  const double found = value(key).toDouble(-1);
  const bool whole = value(key).isDouble() && found >= 0 && found < 9.3e18 && found == std::floor(found);
  const auto exact = whole ? static_cast<std::uint64_t>(value(key).toInteger(0)) : 0;
  if (!whole || exact < low || exact > high)
    refuse(key, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  return exact;
}

int ReportObject::smallCount(const char* key, std::uint64_t low) const {
  return static_cast<int>(count(key, low, std::numeric_limits<int>::max()));
}

std::string ReportObject::textOr(const char* key, const std::string& fallback) const {
  return has(key) ? text(key) : fallback;
}

bool ReportObject::booleanOr(const char* key, bool fallback) const {
  return has(key) ? boolean(key) : fallback;
}

double ReportObject::numberOr(const char* key, double fallback) const {
  return has(key) ? number(key) : fallback;
}

std::uint64_t ReportObject::countOr(const char* key, std::uint64_t fallback) const {
  return has(key) ? count(key) : fallback;
}

int ReportObject::smallCountOr(const char* key, int fallback) const {
  return has(key) ? smallCount(key, 0) : fallback;
}

} // namespace lloyd
