// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/number_list.hpp"

#include "app/data/input/parse_number.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>

namespace lloyd {

std::vector<std::string> splitList(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    parts.emplace_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  return parts;
}

std::vector<std::uint64_t> parseCounts(std::string_view option, std::string_view text, std::uint64_t low,
                                       std::uint64_t high) {
  std::vector<std::uint64_t> values;
  for (const std::string& part : splitList(text)) {
    const auto colon = part.find(':');
    const auto from = parseCount(part.substr(0, colon));
    const auto to = colon == std::string::npos ? from : parseCount(std::string_view(part).substr(colon + 1));
    if (!from || !to)
      throw RequestError(std::string(option) + ": '" + part + "' is no number and no range such as 32:1024");
    if (*from < low || *to > high || *from > *to)
      throw RequestError(std::string(option) + ": '" + part + "' is not within " + std::to_string(low) +
                         " to " + std::to_string(high));
    for (std::uint64_t value = *from; value <= *to; value = value == 0 ? 1 : value * 2)
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

} // namespace lloyd
