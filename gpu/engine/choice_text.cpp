// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/choice_text.hpp"

#include "gpu/engine/choice_columns.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <tuple>

namespace lloyd {
namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field)
    text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

/// Four digits, or all before the point: more than a measurement repeats.
std::string timeText(double us) {
  std::array<char, 400> buffer{};
  const int decimals = std::max(0, 3 - static_cast<int>(std::floor(std::log10(us))));
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), us, std::chars_format::fixed, decimals);
  return {buffer.data(), result.ptr};
}

} // namespace

std::string writeChoices(std::vector<MeasuredChoice> choices) {
  const auto key = [](const MeasuredChoice& choice) {
    return std::tuple(choice.device.backend, choice.device.name, choice.device.target, choice.device.cores,
                      choice.problem.d, choice.problem.n, choice.problem.k);
  };
  std::stable_sort(choices.begin(), choices.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::string text =
      "# The fastest verified variants by device and problem, in microseconds a launch; written by\n"
      "# lloydscope bench --tune, which measures them anew.\n" +
      choiceHeadings(choiceColumns) + '\n';
  for (const MeasuredChoice& choice : choices) {
    text.append(lloyd::name(choice.device.backend)).append(",");
    text += quoted(choice.device.name) + ',' + quoted(choice.device.target) + ',';
    text += std::to_string(choice.device.cores) + ',' + std::to_string(choice.problem.n) + ',' +
            std::to_string(choice.problem.d) + ',' + std::to_string(choice.problem.k) + ',' +
            (choice.fuses ? "fused" : "apart");
    for (const MeasuredVariant* one :
         {&choice.fused, &choice.tiled, &choice.classify, &choice.reduce, &choice.update})
      text += ',' + inWords(*one) + ',' + (one->id.empty() ? std::string() : timeText(one->us));
    text += ',' + choice.date + '\n';
  }
  return text;
}

std::vector<MeasuredChoice> mergedChoices(std::vector<MeasuredChoice> kept,
                                          const std::vector<MeasuredChoice>& newer) {
  for (const MeasuredChoice& choice : newer) {
    std::erase_if(kept, [&](const MeasuredChoice& old) {
      return old.device == choice.device && old.problem == choice.problem;
    });
    kept.push_back(choice);
  }
  return kept;
}

std::string inWords(const MeasuredVariant& variant) {
  std::string words = variant.id;
  for (const std::string_view knob : tuningKnobs)
    if (const int value = variant.tuning.value(knob); value != 0)
      words.append(" ").append(knob).append("=").append(std::to_string(value));
  return words;
}

} // namespace lloyd
