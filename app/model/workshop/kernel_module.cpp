// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/kernel_module.hpp"

#include "app/model/workshop/card_kernels.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QFileInfo>
#include <QLibrary>
#include <QRegularExpression>

#include <deque>
#include <string>

namespace lloyd {
namespace {

/// Texts that variants view; they last as long as the program.
std::string_view kept(const std::string& text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(text);
}

bool isOfProgram(const Variant& variant) { return variant.info.source.starts_with("gpu/kernels/"); }

std::vector<Registration> registrationsOf(const QString& module) {
  return Registry::capture([&] {
    QLibrary library(module);
    library.setLoadHints(QLibrary::ResolveAllSymbolsHint | QLibrary::PreventUnloadHint);
    if (!library.load())
      throw RequestError("the compiled kernel cannot be loaded: " + library.errorString().toStdString());
  });
}

Variant onSimulator(const Registration& registration) {
  Variant variant{registration.info, {}};
  variant.launchers[static_cast<std::size_t>(Backend::simt)] = registration.launchers;
  return variant;
}

} // namespace

const Variant* originalOf(std::string_view family, std::string_view tag) {
  const Variant* last = nullptr;
  bool numbered = false;
  for (const Variant* variant : Registry::instance().all()) {
    if (variant->info.family != family || !isOfProgram(*variant)) continue;
    if (variant->info.tag == tag) return variant;
    const bool isNumbered = variant->info.tag.size() > 1 && variant->info.tag[0] == 'v' &&
                            variant->info.tag[1] >= '0' && variant->info.tag[1] <= '9';
    if (isNumbered || !numbered) last = variant;
    numbered = numbered || isNumbered;
  }
  return last;
}

const Variant* originalOf(const QString& text) {
  static const QRegularExpression said(
      QStringLiteral("\\.family\\s*=\\s*\"(\\w+)\"\\s*,\\s*\\.tag\\s*=\\s*\"(\\w+)\""));
  const QRegularExpressionMatch match = said.match(text);
  if (!match.hasMatch()) return nullptr;
  return originalOf(match.captured(1).toStdString(), match.captured(2).toStdString());
}

const Variant* loadAlike(const QString& module) {
  static std::deque<Variant> variants; // whoever measures keeps their addresses
  try {
    for (const Registration& registration : registrationsOf(module)) {
      if (registration.backend != Backend::simt) continue;
      Variant alike = onSimulator(registration);
      if (offerToCards(module, qtext(alike.info.source)).isEmpty())
        alike.launchers[static_cast<std::size_t>(Backend::cuda)] = registration.launchers;
      return &variants.emplace_back(alike);
    }
  } catch (const RequestError&) {
    return nullptr;
  }
  return nullptr;
}

std::vector<OwnVariant> loadKernelModule(const QString& module, const QString& file) {
  const QFileInfo source(file);
  const std::string path = source.absoluteFilePath().toStdString();
  const std::string stem = source.completeBaseName().toStdString();
  Registry& registry = Registry::instance();
  std::vector<OwnVariant> variants;
  const std::vector<Registration> registrations = registrationsOf(module);
  const bool forCards = offerToCards(module, file).isEmpty();
  for (const Registration& registration : registrations) {
    if (registration.backend != Backend::simt) continue;
    Variant own = onSimulator(registration);
    if (forCards) own.launchers[static_cast<std::size_t>(Backend::cuda)] = registration.launchers;
    own.info.source = kept(path);
    own.info.publishedUs.reset(); // a paper's time is the original's
    own.info.publishedIn = own.info.paper = {};
    const Variant* original = originalOf(own.info.family, own.info.tag);
    // A file that is gone, because it was moved or given another name, has no claim to its variant's.
    const auto isOthers = [&](const Variant* variant) {
      return variant && variant->info.source != path &&
             (isOfProgram(*variant) || QFileInfo::exists(qtext(variant->info.source)));
    };
    if (isOthers(registry.find(own.id()))) own.info.tag = kept(stem);
    const Variant* known = registry.find(own.id());
    if (isOthers(known))
      throw RequestError(path + " would be called " + own.id() + ", as " + std::string(known->info.source) +
                         " is: give the file another name");
    variants.push_back({&registry.adopt(own, known), original, forCards});
  }
  if (variants.empty())
    throw RequestError(path + " registers no variant: it must end with LLOYD_REGISTER(...), as every file "
                              "of the program's kernels does");
  return variants;
}

} // namespace lloyd
