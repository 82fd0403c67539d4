// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lloyd::cuda {

/// What NVRTC made of a program.
struct CardCode {
  std::string code;                         ///< for the card's own processor; empty where log says why not
  std::string log;                          ///< what the compiler printed
  std::map<std::string, std::string> names; ///< of the kernels in the code, by the expressions asked for
};

/// Whether NVRTC was found: beside the program, where the system looks for libraries, or in the usual place
/// of the CUDA toolkit. Any thread.
[[nodiscard]] bool hasNvrtc();

/// Compiles one text. path: as errors name it. headers: texts by the names that includes give. names:
/// expressions of the kernels that are wanted. architecture: "sm_90". Any thread.
[[nodiscard]] CardCode compileForCard(const std::string& path, const std::string& text,
                                      const std::map<std::string, std::string>& headers,
                                      const std::vector<std::string>& names, const std::string& architecture);

} // namespace lloyd::cuda
