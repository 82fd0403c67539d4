// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/registry.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

namespace lloyd {
namespace {

std::string_view fromRepositoryTop(std::string_view path) {
  const auto at = path.rfind("gpu/kernels/");
  return at == std::string_view::npos ? path : path.substr(at);
}

/// The number of a tag "v7"; none of a tag that is a word.
std::optional<int> numberOf(std::string_view tag) {
  if (!tag.starts_with('v')) return std::nullopt;
  int number = 0;
  const char* end = tag.data() + tag.size();
  const auto [rest, error] = std::from_chars(tag.data() + 1, end, number);
  return error == std::errc() && rest == end && number > 0 ? std::optional(number) : std::nullopt;
}

/// Families in the order of an iteration, then layout; v2 before v10, named variants after numbered ones, in
/// the order that they ask for; what came while the program runs last.
auto rank(const Variant& variant, bool adopted) {
  constexpr std::array<std::string_view, 7> families{"classify", "distance", "reduce", "fused",
                                                     "update",   "schedule", "layout"};
  const auto family = std::find(families.begin(), families.end(), variant.info.family) - families.begin();
  constexpr int afterNumbers = std::numeric_limits<int>::max();
  return std::tuple(family, variant.info.family, adopted, numberOf(variant.info.tag).value_or(afterNumbers),
                    variant.info.place, variant.info.tag);
}

/// Where registrations of this thread go instead of the registry.
thread_local std::vector<Registration>* captured = nullptr;

} // namespace

Registry& Registry::instance() {
  static Registry registry;
  return registry;
}

bool registerVariant(const VariantInfo& info, Backend backend, const Launchers& launchers) {
  return Registry::instance().add(info, backend, launchers);
}

bool Registry::add(const VariantInfo& info, Backend backend, const Launchers& launchers) {
  if (captured) {
    captured->push_back({info, backend, launchers});
    return true;
  }
  const std::unique_lock lock(mutex_);
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.variant.info.family == info.family && entry.variant.info.tag == info.tag;
  });
  const bool isNew = known == entries_.end(); // asked before the container grows, which moves its end
  Variant& variant = (isNew ? entries_.emplace_back() : *known).variant;
  if (!isNew && (variant.runsOn(backend) || variant.info.name != info.name)) {
    clashes_.push_back("two variants are called " + variant.id());
    return false;
  }
  // A variant that several backends have is described by its kernel, whose source is the lesson.
  if (isNew || backend != Backend::cpu) {
    variant.info = info;
    variant.info.source = fromRepositoryTop(info.source);
  }
  variant.launchers[static_cast<std::size_t>(backend)] = launchers;
  return true;
}

std::vector<Registration> Registry::capture(const std::function<void()>& load) {
  std::vector<Registration> registrations;
  captured = &registrations;
  try {
    load();
  } catch (...) {
    captured = nullptr;
    throw;
  }
  captured = nullptr;
  return registrations;
}

const Variant& Registry::adopt(const Variant& variant, const Variant* replaced) {
  const std::unique_lock lock(mutex_);
  for (Entry& entry : entries_)
    if (&entry.variant == replaced) entry.replaced = true;
  entries_.push_back({.variant = variant, .adopted = true});
  return entries_.back().variant;
}

std::vector<const Variant*> Registry::all() const {
  std::vector<const Entry*> sorted;
  const std::shared_lock lock(mutex_);
  for (const Entry& entry : entries_)
    if (!entry.replaced) sorted.push_back(&entry);
  std::ranges::sort(sorted, {}, [](const Entry* entry) { return rank(entry->variant, entry->adopted); });
  std::vector<const Variant*> variants;
  variants.reserve(sorted.size());
  for (const Entry* entry : sorted)
    variants.push_back(&entry->variant);
  return variants;
}

std::vector<const Variant*> Registry::of(Stage stage, Backend backend) const {
  std::vector<const Variant*> fitting = all();
  std::erase_if(fitting, [&](const Variant* variant) { return !variant->on(backend).has(stage); });
  return fitting;
}

std::vector<std::string> Registry::problems() const {
  std::vector<std::string> found = clashes_;
  std::map<std::string_view, std::set<int>> numbers;
  for (const Variant* variant : all())
    if (const auto number = numberOf(variant->info.tag)) numbers[variant->info.family].insert(*number);
  for (const auto& [family, present] : numbers)
    for (int number = 1; number < *present.rbegin(); ++number)
      if (!present.contains(number))
        found.push_back(std::string(family) + ".v" + std::to_string(number) + " is missing");
  return found;
}

const Variant* Registry::find(std::string_view id) const {
  const std::shared_lock lock(mutex_);
  for (const Entry& entry : entries_)
    if (!entry.replaced && entry.variant.id() == id) return &entry.variant;
  return nullptr;
}

} // namespace lloyd
