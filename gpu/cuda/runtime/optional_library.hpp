// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <dlfcn.h>

#include <initializer_list>
#include <string>

namespace lloyd::cuda {

/// A library of the CUDA toolkit that the program starts without. It is never closed, because what it began
/// may be running.
class OptionalLibrary {
public:
  /// The first of these names that is found: where the system looks for libraries, else in the folders, each
  /// of which ends in a slash.
  OptionalLibrary(std::initializer_list<std::string> names, std::initializer_list<std::string> folders) {
    for (const std::string& name : names)
      open(name);
    for (const std::string& folder : folders)
      for (const std::string& name : names)
        open(folder + name);
  }

  [[nodiscard]] explicit operator bool() const { return opened_ != nullptr; }
  /// Whether the library has the function.
  template <class Function>
  [[nodiscard]] bool find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(dlsym(opened_, name));
    return function != nullptr;
  }

private:
  void open(const std::string& path) {
    if (!opened_) opened_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }

  void* opened_ = nullptr;
};

} // namespace lloyd::cuda
