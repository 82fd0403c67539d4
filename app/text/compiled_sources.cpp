// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/compiled_sources.hpp"

#include <map>
#include <mutex>

namespace lloyd {
namespace {

struct Texts {
  std::mutex mutex;
  std::map<const Variant*, QString> byVariant;
};

Texts& texts() {
  static Texts all;
  return all;
}

} // namespace

void keepCompiledSource(const Variant& variant, const QString& text) {
  const std::lock_guard lock(texts().mutex);
  texts().byVariant[&variant] = text;
}

QString compiledSource(const Variant& variant) {
  const std::lock_guard lock(texts().mutex);
  const auto found = texts().byVariant.find(&variant);
  return found == texts().byVariant.end() ? QString() : found->second;
}

} // namespace lloyd
