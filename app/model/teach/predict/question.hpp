// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/counter_model.hpp"
#include "gpu/core/contract/variant.hpp"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace lloyd {

/// A question of a lesson, which a count answers. It is one line of the lesson's Markdown:
///
///     ? QUANTITY: SENTENCE?
///     ? sectors a load at `points[j * stride + i]`: How many sectors does one load touch?
///     ? barriers a block before: How many barriers did a block of the version before come to?
///     ? turns an atomic of reduce.v1 with `bands:n=4096,d=1;k=16;block=128`: How many turns are that?
///
/// QUANTITY is one of a launch or one of a run. Of a launch the simulator counts the rows of the counter
/// table, and "sectors a store"; of a run what the host orders and what the processor does (isRunQuantity()).
/// Behind it, in this order and each only where it is wanted: "a block" divides a count of a launch by its
/// blocks, "a set" and "an iteration" that of a run by its sets, or by the iterations of all of them;
/// "before" asks about the version before, and "of" about the variant of that id; "at" and code between
/// backticks ask about the one line of the source that contains it, so that lines may move; "with" asks about
/// other points than those at hand, as readExperiment() has them. The answer is never written down: it comes
/// of what was counted.
struct Question {
  enum class Share { whole, block, set, iteration };

  QString quantity; ///< "sectors a load"
  Share share = Share::whole;
  bool before = false;
  QString of = {};       ///< "reduce.v1"; empty: the lesson's variant
  QString at = {};       ///< of the source; empty: the whole launch
  QString with = {};     ///< empty: points, k and launch at hand
  QString sentence = {}; ///< for people
  int line = 0;          ///< of the lesson, from 1
};

struct Questions {
  std::vector<Question> all;
  QStringList problems; ///< "classify.v1.md:37: ..." for each line that begins as a question and is none
};

/// name: of the file, for problems.
[[nodiscard]] Questions readQuestions(const QString& lesson, const QString& name);
/// Those of a variant's lesson; none without a lesson.
[[nodiscard]] Questions questionsOf(const Variant& variant);
/// Those of a lesson that is no variant's; each has to say of which variant, and with which points.
[[nodiscard]] Questions questionsOfPage(const QString& name);

/// A number that the simulator counts in a launch; nothing for a name that is no quantity of a launch.
[[nodiscard]] std::optional<NamedCount> launchQuantity(const QString& name, const simt::Counters& counters);

} // namespace lloyd
