// SPDX-License-Identifier: GPL-3.0-or-later
// Reading values out of JSON with sentences for what is wrong; the parts of readBenchReport().
#pragma once
#include <QJsonObject>
#include <QJsonValue>
#include <QString>

#include <cstdint>
#include <initializer_list>
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
  [[nodiscard]] std::uint64_t count(const char* key, std::uint64_t low = 0,
                                    std::uint64_t high = mostCount) const;
  [[nodiscard]] int smallCount(const char* key, std::uint64_t low) const;

  /// The same where absent and null mean fallback.
  [[nodiscard]] std::string textOr(const char* key, const std::string& fallback) const;
  [[nodiscard]] bool booleanOr(const char* key, bool fallback) const;
  [[nodiscard]] double numberOr(const char* key, double fallback) const;
  [[nodiscard]] std::uint64_t countOr(const char* key, std::uint64_t fallback) const;
  [[nodiscard]] int smallCountOr(const char* key, int fallback) const;
  /// The one of values whose name the text is; expected says what they are.
  template <class T>
  [[nodiscard]] T oneOf(const char* key, T fallback, std::initializer_list<T> values,
                        const char* expected) const {
    if (!has(key)) return fallback;
    const std::string wanted = text(key);
    for (const T value : values)
      if (name(value) == wanted) return value;
    refuse(key, expected);
  }

  [[nodiscard]] QJsonValue value(const char* key) const { return object_.value(QLatin1String(key)); }
  [[nodiscard]] const std::string& place() const { return place_; }
  /// "results[3].median_us", for messages.
  [[nodiscard]] std::string placeOf(const char* key) const;
  /// Throws: "results[3].median_us is a text, but must be a number".
  [[noreturn]] void refuse(const char* key, const std::string& expected) const;

private:
  static constexpr std::uint64_t mostCount = std::uint64_t{1} << 53; ///< what a double holds exactly

  QJsonObject object_;
  std::string place_;
};

} // namespace lloyd
