// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/parameter.hpp"

#include <algorithm>

namespace lloyd {

std::string Parameter::range() const {
  const auto text = [&](int value) {
    return name == "arithmetic" ? std::string(lloyd::name(static_cast<Arithmetic>(value)))
                                : std::to_string(value);
  };
  std::string all;
  for (const int value : values)
    all += (all.empty() ? "" : ", ") + text(value);
  return all;
}

bool Parameter::allows(int value) const {
  return std::find(values.begin(), values.end(), value) != values.end();
}

int Tuning::value(std::string_view parameter) const {
  if (parameter == "block") return block;
  if (parameter == "items") return items;
  if (parameter == "vector") return vector;
  if (parameter == "unroll") return unroll;
  if (parameter == "arithmetic") return static_cast<int>(arithmetic);
  return 0;
}

void Tuning::set(std::string_view parameter, int value) {
  if (parameter == "block") block = value;
  if (parameter == "items") items = value;
  if (parameter == "vector") vector = value;
  if (parameter == "unroll") unroll = value;
  if (parameter == "arithmetic") arithmetic = static_cast<Arithmetic>(value);
}

std::string_view name(Arithmetic arithmetic) {
  switch (arithmetic) {
  case Arithmetic::pow:
    return "pow";
  case Arithmetic::powf:
    return "powf";
  default:
    return "multiply";
  }
}

} // namespace lloyd
