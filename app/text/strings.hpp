// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonValue>
#include <QString>

#include <cstdint>
#include <string_view>

namespace lloyd {

/// UTF-8 as the widgets and the reports take it.
[[nodiscard]] inline QString qtext(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Null for an empty text.
[[nodiscard]] inline QJsonValue textOrNull(std::string_view text) {
  return text.empty() ? QJsonValue() : QJsonValue(qtext(text));
}
/// A whole number of any size, exactly.
[[nodiscard]] inline QJsonValue countJson(std::uint64_t count) {
  return QJsonValue(static_cast<qint64>(count));
}

/// The text with "?" for every character that a terminal obeys instead of showing it: control characters,
/// among them those that begin escape sequences, and marks that turn the direction of writing. Names of files
/// and columns may hold any. Tabs stay, and line ends where the text has several lines.
[[nodiscard]] QString printable(QString text, bool severalLines);

/// The text with an ellipsis in every word of more than so many characters. A label is never narrower than
/// its longest word, and names of columns may have any length.
[[nodiscard]] QString withShortWords(const QString& text, qsizetype most);

/// Makes kernels, lessons and counters of cards readable as ":/kernels/classify/v1_....cu",
/// ":/lessons/<id>.md" and ":/counters/<card>.csv". Any number of calls.
void initTexts();

} // namespace lloyd
