// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/kernel_module.hpp"

#include "app/model/workshop/card_kernels.hpp"
#include "app/model/workshop/linker_errors.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QFileInfo>
#include <QLibrary>
#include <QRegularExpression>

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace lloyd {
namespace {

/// Texts that variants view; they last as long as the program.
std::string_view kept(const std::string& text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(text);
}

bool isOfProgram(const Variant& variant) { return variant.info.source.starts_with("gpu/kernels/"); }

/// file: that the module was compiled of.
std::vector<Registration> registrationsOf(const QString& module, const QString& file) {
  return Registry::capture([&] {
    QLibrary library(module);
    library.setLoadHints(QLibrary::ResolveAllSymbolsHint | QLibrary::PreventUnloadHint);
    if (library.load()) return;
    const std::vector<CompilerError> undefined = linkerErrors(library.errorString(), file);
    if (undefined.empty())
      throw RequestError(
          (file + QStringLiteral(": the compiled kernel cannot be loaded: ") + library.errorString())
              .toStdString());
    const CompilerError& first = undefined.front();
    const QString place =
        first.line > 0 ? QStringLiteral(":%1:%2").arg(first.line).arg(first.column) : QString();
    throw RequestError((file + place + QStringLiteral(": ") + first.text).toStdString());
  });
}

/// Family and tag, in a text that says them in plain words.
std::optional<std::pair<std::string, std::string>> saidId(const QString& text) {
  static const QRegularExpression said(
      QStringLiteral("\\.family\\s*=\\s*\"(\\w+)\"\\s*,\\s*\\.tag\\s*=\\s*\"(\\w+)\""));
  const QRegularExpressionMatch match = said.match(text);
  if (!match.hasMatch()) return std::nullopt;
  return std::pair(match.captured(1).toStdString(), match.captured(2).toStdString());
}

Launchers& launchersOn(Backend backend, Variant& variant) {
  return variant.launchers[static_cast<std::size_t>(backend)];
}

/// What a module registered for the simulator, as it can run without a compiler for cards: there alone. A
/// schedule of sets is host code, and runs wherever its file registered it.
Variant ownVariant(const Registration& registration, const std::vector<Registration>& all) {
  Variant variant{registration.info, {}};
  launchersOn(Backend::simt, variant) = registration.launchers;
  for (const Registration& other : all)
    if (other.launchers.sets && other.info.family == registration.info.family &&
        other.info.tag == registration.info.tag)
      launchersOn(other.backend, variant).sets = other.launchers.sets;
  return variant;
}

} // namespace

const Variant* originalOf(std::string_view family, std::string_view tag) {
  const Variant* last = nullptr;
  int best = 0;
  for (const Variant* variant : Registry::instance().all()) {
    if (variant->info.family != family || !isOfProgram(*variant)) continue;
    if (variant->info.tag == tag) return variant;
    const bool isNumbered = variant->info.tag.size() > 1 && variant->info.tag[0] == 'v' &&
                            variant->info.tag[1] >= '0' && variant->info.tag[1] <= '9';
    const bool isHostCode = variant->has(Stage::sets) && variant->info.pass.empty();
    const int rank = isNumbered ? 2 : isHostCode ? 1 : 0;
    if (rank < best) continue;
    best = rank;
    last = variant;
  }
  return last;
}

const Variant* originalOf(const QString& text) {
  const auto said = saidId(text);
  return said ? originalOf(said->first, said->second) : nullptr;
}

bool isCopy(const QString& text) {
  const auto said = saidId(text);
  const Variant* original = originalOf(text);
  return original && original->info.tag == said->second;
}

const Variant* loadAlike(const QString& module) {
  static std::deque<Variant> variants; // whoever measures keeps their addresses
  try {
    const std::vector<Registration> registrations = registrationsOf(module, module);
    for (const Registration& registration : registrations) {
      if (registration.backend != Backend::simt) continue;
      Variant alike = ownVariant(registration, registrations);
      if (!alike.has(Stage::sets) && offerToCards(module, qtext(alike.info.source)).isEmpty())
        launchersOn(Backend::cuda, alike) = registration.launchers;
      return &variants.emplace_back(alike);
    }
  } catch (const RequestError&) {
    return nullptr;
  }
  return nullptr;
}

const Variant* loadWrong(const QString& module, const QString& file, const QString& id) {
  // A module registers only when it is loaded for the first time.
  static std::map<QString, std::vector<Registration>> loaded;
  static std::map<std::pair<QString, QString>, Variant> variants; // whoever looks at one keeps its address
  if (const auto known = variants.find({module, id}); known != variants.end()) return &known->second;
  try {
    if (!loaded.contains(module)) loaded.emplace(module, registrationsOf(module, file));
  } catch (const RequestError&) {
    return nullptr;
  }
  const std::string family = id.section(QLatin1Char('.'), 0, 0).toStdString();
  const std::string tag = id.section(QLatin1Char('.'), 1).toStdString();
  const Registration* found = nullptr;
  for (const Registration& registration : loaded.at(module))
    if (registration.backend == Backend::simt && registration.info.family == family &&
        (!found || registration.info.tag == tag))
      found = &registration;
  if (!found) return nullptr;
  Variant wrong{found->info, {}};
  launchersOn(Backend::simt, wrong) = found->launchers;
  wrong.info.tag = kept(tag + " (wrong)");
  wrong.info.source = kept(QFileInfo(file).absoluteFilePath().toStdString());
  wrong.info.publishedUs.reset(); // a paper's time is the original's
  wrong.info.publishedIn = wrong.info.paper = {};
  return &variants.emplace(std::pair(module, id), wrong).first->second;
}

std::vector<OwnVariant> loadKernelModule(const QString& module, const QString& file) {
  const QFileInfo source(file);
  const std::string path = source.absoluteFilePath().toStdString();
  const std::string stem = source.completeBaseName().toStdString();
  Registry& registry = Registry::instance();
  std::vector<OwnVariant> variants;
  const std::vector<Registration> registrations = registrationsOf(module, file);
  const bool compilesForCards = offerToCards(module, file).isEmpty();
  for (const Registration& registration : registrations) {
    if (registration.backend != Backend::simt) continue;
    Variant own = ownVariant(registration, registrations);
    if (compilesForCards && !own.has(Stage::sets)) launchersOn(Backend::cuda, own) = registration.launchers;
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
    const bool forCards = compilesForCards || own.has(Stage::sets, Backend::cuda);
    variants.push_back({&registry.adopt(own, known), original, forCards});
  }
  if (variants.empty())
    throw RequestError(path + " registers no variant: it must end with LLOYD_REGISTER(...), as every file "
                              "of the program's kernels does");
  return variants;
}

} // namespace lloyd
