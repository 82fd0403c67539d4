// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/nvrtc/nvrtc.hpp"

#include "gpu/cuda/runtime/optional_library.hpp"

#include <nvrtc.h>

#include <array>
#include <memory>

namespace lloyd::cuda {
namespace {

/// The functions of the library, which the program starts without.
class Library {
public:
  [[nodiscard]] static const Library& instance() {
    static const Library library;
    return library;
  }
  [[nodiscard]] bool complete() const { return complete_; }

  decltype(&nvrtcCreateProgram) create = nullptr;
  decltype(&nvrtcDestroyProgram) destroy = nullptr;
  decltype(&nvrtcAddNameExpression) addName = nullptr;
  decltype(&nvrtcCompileProgram) compile = nullptr;
  decltype(&nvrtcGetProgramLogSize) logSize = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetCUBINSize) codeSize = nullptr;
  decltype(&nvrtcGetCUBIN) code = nullptr;
  decltype(&nvrtcGetLoweredName) name = nullptr;
  decltype(&nvrtcGetErrorString) meaning = nullptr;

private:
  Library() {
    // Functions and codes are the same from 12 on.
    const OptionalLibrary library({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
                                  {"/usr/local/cuda/lib64/"});
    complete_ = library && library.find("nvrtcCreateProgram", create) &&
                library.find("nvrtcDestroyProgram", destroy) &&
                library.find("nvrtcAddNameExpression", addName) &&
                library.find("nvrtcCompileProgram", compile) &&
                library.find("nvrtcGetProgramLogSize", logSize) && library.find("nvrtcGetProgramLog", log) &&
                library.find("nvrtcGetCUBINSize", codeSize) && library.find("nvrtcGetCUBIN", code) &&
                library.find("nvrtcGetLoweredName", name) && library.find("nvrtcGetErrorString", meaning);
  }

  bool complete_ = false;
};

struct Destroy {
  void operator()(_nvrtcProgram* program) const noexcept { Library::instance().destroy(&program); }
};
using Program = std::unique_ptr<_nvrtcProgram, Destroy>;

std::string logOf(const Library& library, nvrtcProgram program) {
  std::size_t size = 0;
  if (library.logSize(program, &size) != NVRTC_SUCCESS || size <= 1) return {};
  std::string text(size, '\0');
  if (library.log(program, text.data()) != NVRTC_SUCCESS) return {};
  text.pop_back(); // the zero
  return text;
}

} // namespace

bool hasNvrtc() { return Library::instance().complete(); }

CardCode compileForCard(const std::string& path, const std::string& text,
                        const std::map<std::string, std::string>& headers,
                        const std::vector<std::string>& names, const std::string& architecture) {
  const Library& library = Library::instance();
  if (!library.complete()) return {{}, "NVRTC was not found", {}};
  std::vector<const char*> headerTexts;
  std::vector<const char*> headerNames;
  for (const auto& [name, header] : headers) {
    headerNames.push_back(name.c_str());
    headerTexts.push_back(header.c_str());
  }
  nvrtcProgram created = nullptr;
  const nvrtcResult made =
      library.create(&created, text.c_str(), path.c_str(), static_cast<int>(headers.size()),
                     headerTexts.data(), headerNames.data());
  if (made != NVRTC_SUCCESS) return {{}, library.meaning(made), {}};
  const Program program(created);
  for (const std::string& name : names)
    library.addName(program.get(), name.c_str());
  // As the program's own kernels are compiled.
  const std::string target = "--gpu-architecture=" + architecture;
  const std::array options{target.c_str(),         "--std=c++20",     "--fmad=false",
                           "--generate-line-info", "-default-device", "--no-source-include"};
  const nvrtcResult compiled =
      library.compile(program.get(), static_cast<int>(options.size()), options.data());
  CardCode result{{}, logOf(library, program.get()), {}};
  if (compiled != NVRTC_SUCCESS) {
    if (result.log.empty()) result.log = library.meaning(compiled);
    return result;
  }
  std::size_t size = 0;
  if (library.codeSize(program.get(), &size) == NVRTC_SUCCESS) {
    result.code.resize(size);
    library.code(program.get(), result.code.data());
  }
  for (const std::string& name : names) {
    const char* lowered = nullptr;
    if (library.name(program.get(), name.c_str(), &lowered) == NVRTC_SUCCESS) result.names[name] = lowered;
  }
  return result;
}

} // namespace lloyd::cuda
