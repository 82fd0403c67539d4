// SPDX-License-Identifier: GPL-3.0-or-later
// Reading values out of JSON with sentences for what is wrong; the parts of readBenchReport().
#pragma once
#include "app/model/measure/measurement.hpp"

#include <QJsonObject>
#include <QJsonValue>
#include <QString>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace lloyd {

/// A report that is not what it says it is; caught within readBenchReport(). what() has no file name yet.
class ReportError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// One object of a report and where it stands in it ("results[3]"), so that every complaint can say so.
class ReportObject {
public:
  ReportObject(QJsonObject object, std::string place)
      : object_(std::move(object)), place_(std::move(place)) {}

  /// Whether the key is there and not null.
  [[nodiscard]] bool has(const char* key) const;
  /// Throws ReportError: not there, null, or not a text.
  [[nodiscard]] std::string text(const char* key) const;
  [[nodiscard]] bool boolean(const char* key) const;
  /// Finite and at least 0; throws ReportError.
  [[nodiscard]] double number(const char* key) const;
  /// Whole, from low to high; throws ReportError.
  [[nodiscard]] std::uint64_t count(const char* key, std::uint64_t low, std::uint64_t high) const;

  /// The same where absent and null mean fallback.
  [[nodiscard]] std::string textOr(const char* key, const std::string& fallback) const;
  [[nodiscard]] bool booleanOr(const char* key, bool fallback) const;
  [[nodiscard]] double numberOr(const char* key, double fallback) const;
  [[nodiscard]] std::uint64_t countOr(const char* key, std::uint64_t fallback, std::uint64_t high) const;

  [[nodiscard]] QJsonValue value(const char* key) const { return object_.value(QLatin1String(key)); }
  [[nodiscard]] const std::string& place() const { return place_; }
  /// "results[3].median_us", for messages.
  [[nodiscard]] std::string placeOf(const char* key) const;
  /// Throws: "results[3].median_us is a text, but must be a number".
  [[noreturn]] void refuse(const char* key, const std::string& expected) const;

private:
  QJsonObject object_;
  std::string place_;
};

/// The parts of a report; all throw ReportError.
[[nodiscard]] Problem savedProblem(const ReportObject& object);
/// One result. What is no number was written as null and comes back as NaN, which cannot be held against
/// anything.
[[nodiscard]] Measurement savedMeasurement(const ReportObject& object, const Variant& variant, Stage stage);
[[nodiscard]] RaceConditions savedConditions(const ReportObject& object);
[[nodiscard]] DeviceInfo savedDevice(const ReportObject& object);
/// The "date" of an object; the clock's beginning when it has none.
[[nodiscard]] std::chrono::system_clock::time_point savedMoment(const ReportObject& object);

} // namespace lloyd
