// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/module_kernels.hpp"

#include <QFile>
#include <QFileInfo>

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

namespace lloyd {
namespace {

/// Where the file's first byte lies in this process; nothing where it is not loaded.
std::optional<std::uintptr_t> baseOf(const QString& module) {
  struct Search {
    std::string path;
    std::optional<std::uintptr_t> base;
  } search{QFileInfo(module).canonicalFilePath().toStdString(), std::nullopt};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (QFileInfo(QString::fromUtf8(info->dlpi_name)).canonicalFilePath().toStdString() != wanted.path)
          return 0;
        wanted.base = info->dlpi_addr;
        return 1;
      },
      &search);
  return search.base;
}

/// One of T at a place of the file; nothing behind its end.
template <class T>
std::optional<T> readAt(const QByteArray& file, std::uint64_t at) {
  if (at > static_cast<std::uint64_t>(file.size()) ||
      static_cast<std::uint64_t>(file.size()) - at < sizeof(T))
    return std::nullopt;
  T value;
  std::memcpy(&value, file.constData() + at, sizeof(T));
  return value;
}

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? std::string(text.get()) : std::string();
}

/// A text of the file's strings; empty behind their end.
const char* textAt(const QByteArray& file, const Elf64_Shdr& strings, std::uint64_t at) {
  const std::uint64_t place = strings.sh_offset + at;
  if (at >= strings.sh_size || place >= static_cast<std::uint64_t>(file.size())) return "";
  return file.constData() + place; // a QByteArray ends with a zero
}

} // namespace

std::string nameExpression(const std::string& demangled) {
  constexpr std::string_view hidden = "(anonymous namespace)::";
  std::string name = demangled;
  for (std::size_t at = name.find(hidden); at != std::string::npos; at = name.find(hidden))
    name.erase(at, hidden.size());
  // From the end: the parameters in their brackets, then the name up to a space outside of its own.
  std::size_t end = name.size();
  int depth = 0;
  while (end > 0) {
    const char c = name[--end];
    if (c == ')') ++depth;
    if (c == '(' && --depth == 0) break;
  }
  if (end == 0) return {};
  std::size_t begin = end;
  for (depth = 0; begin > 0; --begin) {
    const char c = name[begin - 1];
    if (c == '>' || c == ')') ++depth;
    if (c == '<' || c == '(') --depth;
    if (c == ' ' && depth == 0) break;
  }
  return name.substr(begin, end - begin);
}

std::map<const void*, std::string> moduleKernels(const QString& module) {
  std::map<const void*, std::string> kernels;
  const std::optional<std::uintptr_t> base = baseOf(module);
  QFile opened(module);
  if (!base || !opened.open(QIODevice::ReadOnly)) return kernels;
  const QByteArray file = opened.readAll();
  const auto header = readAt<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64)
    return kernels;
  const auto sectionAt = [&](std::uint64_t number) {
    return readAt<Elf64_Shdr>(file, header->e_shoff + number * sizeof(Elf64_Shdr));
  };
  for (unsigned number = 0; number < header->e_shnum; ++number) {
    const auto symbols = sectionAt(number);
    if (!symbols || symbols->sh_type != SHT_SYMTAB) continue;
    const auto strings = sectionAt(symbols->sh_link);
    if (!strings) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols->sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = readAt<Elf64_Sym>(file, symbols->sh_offset + at);
      if (!symbol) break;
      if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || ELF64_ST_BIND(symbol->st_info) != STB_LOCAL ||
          symbol->st_value == 0)
        continue;
      const std::string name = nameExpression(demangled(textAt(file, *strings, symbol->st_name)));
      // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses are what symbols have
      if (!name.empty()) kernels[reinterpret_cast<const void*>(*base + symbol->st_value)] = name;
    }
  }
  return kernels;
}

} // namespace lloyd
