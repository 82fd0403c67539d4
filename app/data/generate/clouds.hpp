// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/generate/generator_spec.hpp"
#include "app/data/generate/sampler.hpp"

#include <vector>

namespace lloyd {

// The homes of k clouds lie in a box of 100, each as far from the others as a few tries allow.
[[nodiscard]] std::vector<double> cloudHomes(const GeneratorSpec& spec, double margin); ///< [k][d]
[[nodiscard]] Sampler blobs(const GeneratorSpec& spec);
[[nodiscard]] Sampler anisotropic(const GeneratorSpec& spec);
[[nodiscard]] Sampler drift(const GeneratorSpec& spec);

} // namespace lloyd
