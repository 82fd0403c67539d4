// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/lesson.hpp"

#include "app/model/teach/cited_paper.hpp"
#include "app/model/teach/measured_figures.hpp"
#include "app/model/teach/source_text.hpp"
#include "app/text/embedded_texts.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QCoreApplication>
#include <QFile>

namespace lloyd {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Lesson", text); }

} // namespace

QString lessonText(const Variant& variant) {
  initTexts();
  const QString id = QString::fromStdString(variant.id());
  QFile file(QStringLiteral(":/lessons/%1.md").arg(id));
  if (file.open(QIODevice::ReadOnly))
    return MeasuredFigures::shipped().fill(
        withCitation(QString::fromUtf8(file.readAll()), variant.info.paper));
  return QStringLiteral("# %1: %2\n\n%3\n\n%4\n")
      .arg(id, qtext(variant.info.name), qtext(variant.info.idea),
           tr("There is no lesson for this variant yet; the comment that opens its source says more."));
}

QString figuresText(const Variant& variant, std::optional<double> liveUs, Backend backend) {
  QStringList parts;
  parts << (variant.info.publishedUs
                ? tr("paper: %1 µs on its author's card").arg(microsecondsText(variant.info.publishedUs))
                : tr("paper: no time"));
  if (backend == Backend::simt) {
    parts << tr("here: simulated");
  } else if (backend != Backend::cuda) {
    parts << tr("here: not on a GPU");
  } else {
    parts << (liveUs ? tr("here: %1 µs live").arg(microsecondsText(liveUs)) : tr("here: not timed yet"));
  }
  return parts.join(QStringLiteral(" · "));
}

QString figuresMeaning(const Variant& variant) {
  QString meaning =
      tr("A paper's time is of its author's card and problem: compare ratios, not microseconds.");
  if (variant.info.publishedUs && !variant.info.publishedIn.empty())
    meaning += QLatin1Char('\n') + tr("The paper's: %1").arg(qtext(variant.info.publishedIn));
  if (const QString citation = citationOf(variant.info.paper); !citation.isEmpty())
    meaning += QLatin1Char('\n') + tr("From %1.").arg(citation);
  return meaning;
}

} // namespace lloyd
