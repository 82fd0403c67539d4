// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace lloyd::simt {

/// What the kernel that has the line of a source text in its body calls its parameter; argument counts from
/// 1, line too. Nothing where the line is of no kernel, because a function that a kernel calls has parameters
/// of its own.
[[nodiscard]] std::optional<std::string> parameterName(std::string_view text, unsigned line,
                                                       unsigned argument);
/// The same of a file, where it is there to be read.
[[nodiscard]] std::optional<std::string> parameterNameIn(const char* file, unsigned line, unsigned argument);

} // namespace lloyd::simt
