// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/generate/generator_spec.hpp"
#include "app/data/generate/sampler.hpp"

namespace lloyd {

[[nodiscard]] Sampler uniform(const GeneratorSpec& spec);
[[nodiscard]] Sampler rings(const GeneratorSpec& spec);
[[nodiscard]] Sampler moons(const GeneratorSpec& spec);
[[nodiscard]] Sampler bands(const GeneratorSpec& spec);

} // namespace lloyd
