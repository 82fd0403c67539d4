// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/card_kernels.hpp"

#include "app/model/workshop/device_text.hpp"
#include "app/model/workshop/module_kernels.hpp"
#include "app/text/strings.hpp"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

#include <array>
#include <utility>

namespace lloyd {
namespace {

std::string textOf(const QString& resource) {
  QFile file(resource);
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// Headers of the standard library that kernel files name; one text stands for all of them.
constexpr std::array standard{"algorithm",   "array",       "bit",     "cmath",      "concepts",
                              "cstddef",     "cstdint",     "cstring", "functional", "limits",
                              "memory",      "optional",    "span",    "stdexcept",  "string",
                              "string_view", "type_traits", "utility", "vector"};

std::map<std::string, std::string> headersForCards() {
  initTexts();
  std::map<std::string, std::string> headers;
  for (const auto& [from, to] : {std::pair(QStringLiteral(":/headers"), QStringLiteral("gpu")),
                                 std::pair(QStringLiteral(":/kernels"), QStringLiteral("gpu/kernels"))}) {
    QDirIterator files(from, {QStringLiteral("*.hpp")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
      const QString file = files.next();
      const std::string name = (to + file.mid(from.size())).toStdString();
      // Contracts are the host's; what kernels need of them is in one header.
      const bool hosts = name.starts_with("gpu/core/contract/") && !name.ends_with("/kernel_types.hpp");
      const bool words = name.starts_with("gpu/cuda/");
      const std::string text = textOf(file);
      headers[name] = hosts ? std::string("\n") : words ? text : deviceText(text);
    }
  }
  for (const char* name : standard)
    headers[name] = "#include \"gpu/cuda/words/device_std.hpp\"\n";
  return headers;
}

} // namespace

cuda::OwnKernelFile cardKernelFile(const QString& path, const QString& text) {
  static const std::map<std::string, std::string> headers = headersForCards();
  return {path.toStdString(), deviceText(text.toStdString()), headers, {}};
}

std::string refusalOfCards(const QString& file, const std::string& capability) {
  QFile source(file);
  if (!source.open(QIODevice::ReadOnly)) return file.toStdString() + " cannot be read";
  const QString name = QFileInfo(file).fileName();
  return cuda::compileOwnKernels(cardKernelFile(name, QString::fromUtf8(source.readAll())), capability, {});
}

void expectOnCards(const QString& file, const std::vector<std::string>& names,
                   const std::string& capability) {
  QFile source(file);
  if (!source.open(QIODevice::ReadOnly)) return;
  cuda::beginOwnKernels(cardKernelFile(file, QString::fromUtf8(source.readAll())), capability, names);
}

QString offerToCards(const QString& module, const QString& file) {
  if (const std::string why = cuda::whyNoOwnKernels(); !why.empty()) return qtext(why);
  QFile source(file);
  if (!source.open(QIODevice::ReadOnly))
    return QStringLiteral("%1 cannot be read: %2").arg(file, source.errorString());
  cuda::OwnKernelFile own = cardKernelFile(file, QString::fromUtf8(source.readAll()));
  // Read at once: the module's file may be gone when the first of them is launched.
  own.nameOf = [kernels = moduleKernels(module)](const void* kernel) {
    const auto found = kernels.find(kernel);
    return found == kernels.end() ? std::string() : found->second;
  };
  cuda::addOwnKernels(std::move(own));
  return {};
}

} // namespace lloyd
