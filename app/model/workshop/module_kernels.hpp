// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <cstdint>
#include <map>
#include <string>

namespace lloyd {

/// The functions of a loaded module that no other can see, kernels among them, by their addresses:
/// expressions of C++ that name them from inside their file, "lloyd::classify_v3<2u, 0u>". Read from the
/// module's file, where the compiler leaves such names for debuggers. Empty where the module is not loaded,
/// or is no 64-bit ELF file of this machine.
[[nodiscard]] std::map<const void*, std::string> moduleKernels(const QString& module);

/// What to call a function whose demangled name is "void lloyd::(anonymous namespace)::f<2u>(int)":
/// "lloyd::f<2u>". Empty for what is no function's name.
[[nodiscard]] std::string nameExpression(const std::string& demangled);

} // namespace lloyd
