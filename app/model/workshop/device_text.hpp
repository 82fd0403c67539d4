// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lloyd {

/// What of a kernel file, or of a header that one includes, a compiler for the card alone can read: kernels,
/// functions that are marked for the device or constexpr, types, constants and the preprocessor's lines.
/// Functions and types of the host and LLOYD_REGISTER(...) become blanks, so that every line and column keeps
/// its place. Texts that are no C++ come out in some way or other; the compiler says what is wrong with them.
[[nodiscard]] std::string deviceText(std::string_view source);

} // namespace lloyd
