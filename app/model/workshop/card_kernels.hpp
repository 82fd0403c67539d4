// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/cuda/nvrtc/own_kernels.hpp"

#include <QString>

#include <vector>

namespace lloyd {

/// A kernel file as a compiler for cards reads it: what of its text is the card's, and the headers that the
/// program carries, prepared in the same way. What is said against it has the file's own lines. nameOf is
/// left to whoever has a module.
[[nodiscard]] cuda::OwnKernelFile cardKernelFile(const QString& path, const QString& text);

/// The first error that the compiler for cards finds in the file, "mine.cu(12): error: ..."; empty where it
/// is content. Templates are looked at for what does not depend on their arguments. capability: of the card,
/// "9.0".
[[nodiscard]] std::string refusalOfCards(const QString& file, const std::string& capability);

/// Begins to compile kernels of the file, as expressions of C++ name them, for cards of that capability: they
/// will be launched if the file is still the same then. Throws nothing.
void expectOnCards(const QString& file, const std::vector<std::string>& names, const std::string& capability);

/// Makes the kernels of a module, which was compiled of this file and is loaded, known to CUDA devices. Why
/// not, as a sentence; empty where it is done. Throws nothing.
[[nodiscard]] QString offerToCards(const QString& module, const QString& file);

} // namespace lloyd
