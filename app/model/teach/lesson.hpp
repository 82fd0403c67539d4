// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/variant.hpp"

#include <QString>

#include <optional>

namespace lloyd {

/// The Markdown of a variant's lesson; without one, its name and idea and a sentence that says so.
[[nodiscard]] QString lessonText(const Variant& variant);

/// "text: 45.0 µs on its author's card · here: 8.93 µs live". liveUs: the live median on the present data. A
/// time on the simulator is a simulator's and is never shown as if it were the variant's: it reads
/// "simulated".
[[nodiscard]] QString figuresText(const Variant& variant, std::optional<double> liveUs, Backend backend);
/// What the two figures can be compared for, and under which conditions the paper's was taken.
[[nodiscard]] QString figuresMeaning(const Variant& variant);

} // namespace lloyd
