// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/predict/question.hpp"

#include "app/model/teach/lesson/experiment.hpp"
#include "app/model/teach/lesson/lesson.hpp"
#include "app/model/teach/predict/run_counts.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QCoreApplication>
#include <QRegularExpression>

namespace lloyd {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Question)
};

Question::Share shareOf(const QString& word) {
  return word == QLatin1String(" a block")        ? Question::Share::block
         : word == QLatin1String(" a set")        ? Question::Share::set
         : word == QLatin1String(" an iteration") ? Question::Share::iteration
                                                  : Question::Share::whole;
}

/// Why nothing can answer it; empty where something can.
QString problemOf(const Question& question) {
  const auto ofLaunch = launchQuantity(question.quantity, {});
  const auto ofRun = runQuantity(question.quantity, {});
  const bool shared = question.share != Question::Share::whole;
  if (!ofLaunch && !ofRun)
    return Words::tr("neither the counter table nor a run has a \"%1\"").arg(question.quantity);
  if (shared && !(ofLaunch ? ofLaunch->whole : ofRun->whole))
    return Words::tr("\"%1\" is a ratio, which nothing shares").arg(question.quantity);
  if (ofRun && (question.share == Question::Share::block || !question.at.isEmpty()))
    return Words::tr("\"%1\" is counted over a run, which has no blocks and no lines").arg(question.quantity);
  if (ofLaunch && shared && question.share != Question::Share::block)
    return Words::tr("\"%1\" is counted over one launch, which has no sets and no iterations")
        .arg(question.quantity);
  if (!question.of.isEmpty() && !Registry::instance().find(question.of.toStdString()))
    return Words::tr("there is no variant \"%1\"").arg(question.of);
  if (!question.with.isEmpty())
    if (const auto experiment = readExperiment(question.with); !experiment) return experiment.error();
  return {};
}

} // namespace

std::optional<NamedCount> launchQuantity(const QString& name, const simt::Counters& counters) {
  if (name != QLatin1String("sectors a store")) return namedCount(name, counters);
  NamedCount ratio{.value = {}, .text = {}, .whole = false};
  if (counters.globalStoreRequests > 0) {
    ratio.value =
        static_cast<double>(counters.globalStoreSectors) / static_cast<double>(counters.globalStoreRequests);
    ratio.text = QString::number(*ratio.value, 'f', 2);
  }
  return ratio;
}

Questions readQuestions(const QString& lesson, const QString& name) {
  static const QRegularExpression form(
      QStringLiteral(R"(^\? ([a-z ]+?)( a block| a set| an iteration)?( before| of [a-z]+\.[a-z0-9]+)?)"
                     R"((?: at `([^`]+)`)?(?: with `([^`]+)`)?: (\S.*\?)$)"));
  Questions questions;
  const QStringList lines = lesson.split(u'\n');
  for (int at = 0; at < lines.size(); ++at) {
    if (!lines[at].startsWith(u'?')) continue;
    const auto problem = [&](const QString& what) {
      questions.problems << QStringLiteral("%1:%2: %3").arg(name).arg(at + 1).arg(what);
    };
    const auto found = form.match(lines[at]);
    if (!found.hasMatch()) {
      problem(
          Words::tr("a question reads \"? QUANTITY [a block | a set | an iteration] [before | of VARIANT] "
                    "[at `CODE`] [with `SETUP`]: SENTENCE?\""));
      continue;
    }
    const QString whose = found.captured(3).trimmed();
    const bool before = whose == QLatin1String("before");
    const Question question{.quantity = found.captured(1),
                            .share = shareOf(found.captured(2)),
                            .before = before,
                            .of = before ? QString() : whose.section(u' ', 1),
                            .at = found.captured(4),
                            .with = found.captured(5),
                            .sentence = found.captured(6),
                            .line = at + 1};
    const QString why = problemOf(question);
    why.isEmpty() ? questions.all.push_back(question) : problem(why);
  }
  return questions;
}

Questions questionsOf(const Variant& variant) {
  const QString id = QString::fromStdString(variant.id());
  return readQuestions(lessonSource(id), id + QStringLiteral(".md"));
}

Questions questionsOfPage(const QString& name) {
  const QString file = name + QStringLiteral(".md");
  const Questions read = readQuestions(lessonSource(name), file);
  Questions questions{{}, read.problems};
  for (const Question& question : read.all) {
    if (!question.of.isEmpty() && !question.with.isEmpty())
      questions.all.push_back(question);
    else
      questions.problems << Words::tr(
                                "%1:%2: a question of no variant's lesson says of which variant and with "
                                "which points")
                                .arg(file)
                                .arg(question.line);
  }
  return questions;
}

} // namespace lloyd
