// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/occupancy/occupancy.hpp"

#include <algorithm>

namespace lloyd {
namespace {

constexpr int roundedUp(int value, int unit) { return (value + unit - 1) / unit * unit; }
constexpr std::size_t roundedUp(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

int warpsOf(const LaunchNeeds& needs) { return roundedUp(needs.threads, 32) / 32; }
int registersOfWarp(const CardLimits& card, const LaunchNeeds& needs) {
  return roundedUp(32 * needs.registers, card.registerUnit);
}
std::size_t sharedOfBlock(const CardLimits& card, const LaunchNeeds& needs) {
  return roundedUp(needs.sharedBytes + card.sharedReserved, card.sharedUnit);
}

} // namespace

std::string_view name(Resource resource) {
  switch (resource) {
  case Resource::threads:
    return "threads";
  case Resource::blocks:
    return "blocks";
  case Resource::registers:
    return "registers";
  case Resource::shared:
    return "shared memory";
  }
  return "";
}

std::vector<Resource> Occupancy::binding() const {
  std::vector<Resource> binding;
  const int least = *std::ranges::min_element(room);
  for (const Resource resource : resources)
    if (roomOf(resource) == least) binding.push_back(resource);
  return binding;
}

Occupancy occupancy(const CardLimits& card, const LaunchNeeds& needs) {
  const int warps = warpsOf(needs);
  const int byThreads = card.warps / warps;
  int byRegisters = byThreads;
  if (needs.registers > card.registersPerThread) {
    byRegisters = 0;
  } else if (needs.registers > 0) {
    const int room = card.registers / registersOfWarp(card, needs);
    byRegisters = room / card.warpUnit * card.warpUnit / warps;
  }
  int byShared = byThreads;
  const std::size_t shared = sharedOfBlock(card, needs);
  if (needs.sharedBytes > card.sharedBytesPerBlock)
    byShared = 0;
  else if (shared > 0)
    byShared = static_cast<int>(card.sharedBytes / shared);
  Occupancy found;
  found.room = {needs.threads > card.threadsPerBlock ? 0 : byThreads, card.blocks, byRegisters, byShared};
  found.blocks = *std::ranges::min_element(found.room);
  found.warps = found.blocks * warps;
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  found.share = share(found.warps, card.warps);
  found.used = {found.share, share(found.blocks, card.blocks),
                share(static_cast<double>(found.warps) * registersOfWarp(card, needs), card.registers),
                share(static_cast<double>(found.blocks) * static_cast<double>(shared),
                      static_cast<double>(card.sharedBytes))};
  return found;
}

std::optional<std::string> whyNoLaunch(const CardLimits& card, const LaunchNeeds& needs) {
  if (needs.threads > card.threadsPerBlock)
    return "a block has at most " + std::to_string(card.threadsPerBlock) + " threads there";
  if (needs.registers > card.registersPerThread)
    return "a thread has at most " + std::to_string(card.registersPerThread) +
           " registers there, and this kernel needs " + std::to_string(needs.registers);
  if (needs.sharedBytes > card.sharedBytesPerBlock)
    return "a block has at most " + std::to_string(card.sharedBytesPerBlock) +
           " bytes of shared memory there";
  if (occupancy(card, needs).blocks > 0) return std::nullopt;
  return "one block of " + std::to_string(needs.threads) + " threads needs " +
         std::to_string(warpsOf(needs) * registersOfWarp(card, needs)) +
         " registers, and a multiprocessor has " + std::to_string(card.registers);
}

std::string bindingText(const CardLimits& card, const LaunchNeeds& needs) {
  if (auto why = whyNoLaunch(card, needs)) return *why;
  const Occupancy found = occupancy(card, needs);
  const std::vector<Resource> binding = found.binding();
  std::string text;
  for (const Resource resource : binding) {
    if (!text.empty()) text += resource == binding.back() ? " and " : ", ";
    if (resource == Resource::threads || resource == Resource::blocks) text += "the limit of ";
    text += name(resource);
  }
  const bool one = binding.size() == 1 && binding.front() != Resource::registers;
  return text + (one ? " allows " : " allow ") + std::to_string(found.blocks) +
         (found.blocks == 1 ? " block of " : " blocks of ") + std::to_string(needs.threads) +
         " threads; nothing else binds";
}

} // namespace lloyd
