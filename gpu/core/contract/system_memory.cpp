// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/system_memory.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

namespace lloyd {
namespace {

/// The value of one row of /proc/meminfo in bytes.
std::size_t memoryInfo(std::string_view row) {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word) {
    if (word != row) continue;
    std::size_t kibibytes = 0;
    return file >> kibibytes ? kibibytes * 1024 : unknownMemory;
  }
  return unknownMemory;
}

std::size_t numberIn(const char* path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? value : unknownMemory;
}

/// A container may be allowed less than the machine has.
std::size_t containerMost() { return numberIn("/sys/fs/cgroup/memory.max"); }

std::size_t containerFree() {
  const std::size_t most = containerMost();
  const std::size_t used = numberIn("/sys/fs/cgroup/memory.current");
  if (most == unknownMemory || used == unknownMemory) return unknownMemory;
  return most > used ? most - used : 0;
}

} // namespace

std::size_t installedMemory() { return std::min(memoryInfo("MemTotal:"), containerMost()); }

// What Linux would give without swapping counts file caches, which free pages alone do not.
std::size_t availableMemory() { return std::min(memoryInfo("MemAvailable:"), containerFree()); }

} // namespace lloyd
