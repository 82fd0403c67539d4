// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {

/// A file of JSON that is not what it says it is. what() has no file name.
class JsonError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// It is no JSON at all, or ends too early. what() begins with line and column.
class JsonSyntaxError : public JsonError {
public:
  using JsonError::JsonError;
};

/// One object of a file and where it stands in it ("results[3]"), so that every complaint can say so. What is
/// not there, null, or of another kind throws JsonError; in those with Or, absent and null mean fallback.
class JsonObject {
public:
  JsonObject(QJsonObject object, std::string place) : object_(std::move(object)), place_(std::move(place)) {}

  /// Whether the key is there and not null.
  [[nodiscard]] bool has(const char* key) const { return !value(key).isUndefined() && !value(key).isNull(); }
  [[nodiscard]] std::string text(const char* key) const;
  [[nodiscard]] bool boolean(const char* key) const;
  /// Finite and at least 0.
  [[nodiscard]] double number(const char* key) const;
  /// Finite, of any sign.
  [[nodiscard]] double real(const char* key) const;
  /// Whole, from low to high.
  [[nodiscard]] std::uint64_t count(const char* key, std::uint64_t low = 0,
                                    std::uint64_t high = mostCount) const;
  [[nodiscard]] int smallCount(const char* key, std::uint64_t low) const {
    return static_cast<int>(count(key, low, std::numeric_limits<int>::max()));
  }
  [[nodiscard]] JsonObject object(const char* key) const;
  [[nodiscard]] QJsonArray list(const char* key) const;
  /// The objects of a list.
  [[nodiscard]] std::vector<JsonObject> objects(const char* key) const;

  [[nodiscard]] std::string textOr(const char* key, const std::string& fallback) const {
    return has(key) ? text(key) : fallback;
  }
  [[nodiscard]] bool booleanOr(const char* key, bool fallback) const {
    return has(key) ? boolean(key) : fallback;
  }
  [[nodiscard]] double numberOr(const char* key, double fallback) const {
    return has(key) ? number(key) : fallback;
  }
  [[nodiscard]] double realOr(const char* key, double fallback) const {
    return has(key) ? real(key) : fallback;
  }
  [[nodiscard]] std::uint64_t countOr(const char* key, std::uint64_t fallback) const {
    return has(key) ? count(key) : fallback;
  }
  [[nodiscard]] int smallCountOr(const char* key, int fallback) const {
    return has(key) ? smallCount(key, 0) : fallback;
  }
  [[nodiscard]] QJsonArray listOr(const char* key) const { return has(key) ? list(key) : QJsonArray(); }
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
  [[nodiscard]] std::string placeOf(const char* key) const {
    return place_.empty() ? key : place_ + '.' + key;
  }
  /// Throws: "results[3].median_us is a text, but must be a number".
  [[noreturn]] void refuse(const char* key, const std::string& expected) const;

private:
  static constexpr std::uint64_t mostCount = std::uint64_t{1} << 53; ///< what a double holds exactly

  QJsonObject object_;
  std::string place_;
};

/// What of a file is JSON: all of it. Up to so many bytes, since a pipe or a growing file has no size that
/// could be asked for; nothing larger is what ("report of bench"). Throws JsonError,
/// and of what cannot be read as JSON JsonSyntaxError.
[[nodiscard]] QJsonDocument readJson(const std::string& path, std::size_t mostBytes, std::string_view what);

} // namespace lloyd
