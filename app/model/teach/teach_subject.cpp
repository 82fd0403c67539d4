// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/teach_subject.hpp"

#include "app/model/session/variant_list_model.hpp"

#include <algorithm>
#include <charconv>

namespace lloyd {

namespace {

std::optional<int> numberOf(const Variant& variant) {
  const std::string_view tag = variant.info.tag;
  int number = 0;
  if (!tag.starts_with('v')) return std::nullopt;
  const auto [rest, error] = std::from_chars(tag.data() + 1, tag.data() + tag.size(), number);
  return error == std::errc() && rest == tag.data() + tag.size() ? std::optional(number) : std::nullopt;
}

bool runs(const Variant& variant, Stage stage) {
  return isCounted(variant, stage) || variant.on(Backend::cuda).has(stage) ||
         variant.on(Backend::cpu).has(stage);
}

QStringList namesOf(const Variant& variant) {
  const QString id = QString::fromStdString(variant.id());
  QStringList names{QString(id).replace(QLatin1Char('.'), QLatin1Char('_')), id};
  if (numberOf(variant)) names << id.section(QLatin1Char('.'), 1);
  return names;
}

/// Of the kernel file itself, without what registers the variant.
NamedText codeOf(const SourceText& source, const Variant& variant) {
  return {source.lines.mid(source.code, source.registration - source.code), namesOf(variant)};
}

/// What is held against another's: a person's copy keeps the names of the kernel that it was copied from.
NamedText codeOf(const SourceText& source, const Variant& variant, const Variant& before) {
  NamedText code = codeOf(source, variant);
  if (code.lines.filter(code.names.front()).isEmpty()) code.names = namesOf(before);
  return code;
}

const SourceText::Part* partOf(const SourceText& source, const QString& path) {
  const auto found = std::find_if(source.parts.begin(), source.parts.end(),
                                  [&](const SourceText::Part& part) { return part.path == path; });
  return found == source.parts.end() ? nullptr : &*found;
}

/// The parts behind the kernel files, each with its name and the blank above that.
void compareHeaders(SourceComparison& all) {
  constexpr int heading = 2;
  for (std::size_t i = 1; i < all.now.parts.size(); ++i) {
    const SourceText::Part& part = all.now.parts[i];
    const SourceText::Part* was = partOf(all.before, part.path);
    const auto mark = was || all.before.lines.isEmpty() ? DiffLine::Mark::same : DiffLine::Mark::added;
    for (int line = -heading; line < part.count; ++line)
      all.lines.push_back({mark, was ? was->first + line : -1, part.first + line});
  }
  for (std::size_t i = 1; i < all.before.parts.size(); ++i) {
    const SourceText::Part& part = all.before.parts[i];
    if (partOf(all.now, part.path)) continue;
    for (int line = -heading; line < part.count; ++line)
      all.lines.push_back({DiffLine::Mark::removed, part.first + line, -1});
  }
}

/// Characters in lines that two files share.
qsizetype sharedText(const Variant& a, const Variant& b) {
  const NamedText now = codeOf(sourceOf(a), a, b);
  qsizetype shared = 0;
  for (const DiffLine& line : sourceDiff(codeOf(sourceOf(b), b), now))
    if (line.mark == DiffLine::Mark::same) shared += compared(now.lines[line.now], now.names).size();
  return shared;
}

} // namespace

bool isOwn(const Variant& variant) { return !variant.info.source.starts_with("gpu/kernels/"); }

bool isCounted(const Variant& variant, Stage stage) {
  return stage != Stage::sets && variant.on(Backend::simt).has(stage);
}

std::vector<Stage> taughtStages() {
  std::vector<Stage> stages;
  for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::iterate,
                            Stage::sets, Stage::layout})
    if (!taughtVariants(stage).empty()) stages.push_back(stage);
  return stages;
}

std::vector<const Variant*> taughtVariants(Stage stage) {
  std::vector<const Variant*> variants;
  for (const Variant* variant : Registry::instance().all())
    if (runs(*variant, stage)) variants.push_back(variant);
  return variants;
}

const Variant* versionBefore(Stage stage, const Variant& variant) {
  const std::optional<int> number = numberOf(variant);
  const Variant* before = nullptr;
  qsizetype most = 0;
  if (variant.info.place > 0) { // a family of words in an order of its own
    // A copy has its original's place.
    const int last = isOwn(variant) ? variant.info.place : variant.info.place - 1;
    for (const Variant* other : taughtVariants(stage))
      if (other->info.family == variant.info.family && !isOwn(*other) && other->info.place > 0 &&
          other->info.place <= last && (!before || before->info.place < other->info.place))
        before = other;
    return before;
  }
  for (const Variant* other : taughtVariants(stage)) {
    const std::optional<int> its = numberOf(*other);
    if (!its || other == &variant || other->info.family != variant.info.family) continue;
    if (number) {
      if (*its < *number) before = other; // in the order of numbers: the last one stays
    } else if (const qsizetype shared = sharedText(variant, *other); shared > most) {
      most = shared;
      before = other;
    }
  }
  return before;
}

SourceComparison compareSources(const Variant& variant, const Variant* before) {
  SourceComparison all;
  all.now = sourceOf(variant);
  for (int line = 0; line < all.now.code; ++line)
    all.lines.push_back({DiffLine::Mark::same, -1, line});
  const int end = all.now.parts.empty() ? 0 : all.now.parts.front().count;
  if (!before) {
    for (int line = all.now.code; line < end; ++line)
      all.lines.push_back({DiffLine::Mark::same, -1, line});
    compareHeaders(all);
    return all;
  }
  all.before = sourceOf(*before);
  all.beforeName = versionText(*before);
  for (DiffLine line : sourceDiff(codeOf(all.before, *before), codeOf(all.now, variant, *before))) {
    if (line.before >= 0) line.before += all.before.code;
    if (line.now >= 0) line.now += all.now.code;
    all.lines.push_back(line);
  }
  for (int line = all.now.registration; line < end; ++line)
    all.lines.push_back({DiffLine::Mark::same, -1, line});
  compareHeaders(all);
  return all;
}

} // namespace lloyd
