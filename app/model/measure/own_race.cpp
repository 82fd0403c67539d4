// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/own_race.hpp"

#include <map>
#include <utility>

namespace lloyd {
namespace {

using Races = std::map<std::pair<const Variant*, Stage>, OwnRace>;

Races& races() {
  static Races all;
  return all;
}

} // namespace

void keepOwnRace(const Variant& variant, Stage stage, const std::optional<OwnRace>& race) {
  if (race)
    races().insert_or_assign({&variant, stage}, *race);
  else
    races().erase({&variant, stage});
}

std::optional<OwnRace> ownRace(const Variant& variant, Stage stage) {
  const auto found = races().find({&variant, stage});
  return found == races().end() ? std::nullopt : std::optional(found->second);
}

} // namespace lloyd
