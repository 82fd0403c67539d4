// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>

#include <string>
#include <string_view>

namespace lloyd {

/// What is wrong with the length of an image file, or an empty text. Decoders fill what is missing with grey,
/// or write to standard error; so the end of the file is looked for before one is called. PPM decoders do
/// notice by themselves.
[[nodiscard]] std::string whyCutShort(const QByteArray& bytes, std::string_view format);

} // namespace lloyd
