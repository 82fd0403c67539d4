// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/called_choices.hpp"

#include "gpu/core/contract/error.hpp"

#include <algorithm>

namespace lloyd {
namespace {

thread_local CalledChoices* innermost = nullptr;

} // namespace

CalledChoices::CalledChoices() : outer_(innermost) { innermost = this; }
CalledChoices::~CalledChoices() { innermost = outer_; }

std::string CalledChoices::text() const {
  std::string text;
  for (const std::vector<unsigned>& chosen : called_) {
    text += text.empty() ? "Choice<" : ">, Choice<";
    for (std::size_t at = 0; at < chosen.size(); ++at)
      text += (at > 0 ? ", " : "") + std::to_string(chosen[at]);
  }
  return text.empty() ? text : text + '>';
}

void CalledChoices::note(std::initializer_list<unsigned> chosen) {
  if (!innermost) return;
  std::vector<unsigned> values(chosen);
  auto& called = innermost->called_;
  const auto place = std::ranges::lower_bound(called, values);
  if (place == called.end() || *place != values) called.insert(place, std::move(values));
}

void CalledChoices::refuse() {
  if (innermost) innermost->refused_ = true;
  throw RequestError("what is called here was not called by a trial before this, and not compiled for it");
}

} // namespace lloyd
