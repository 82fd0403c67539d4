// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/predict_panel.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/labels.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lloyd {

namespace {

constexpr int fieldCharacters = 12;
constexpr int margin = 10; ///< pixels

QString launchOf(const TeachCounts& counts) {
  const QString points = counts.problem.n == 1
                             ? PredictPanel::tr("1 point")
                             : PredictPanel::tr("%1 points").arg(countText(counts.problem.n));
  QStringList lines{shapeText(counts.subject, counts.shapes, counts.problem), points};
  const QString differences = shapeDifferences(counts.subject, counts.shapes);
  if (!differences.isEmpty()) lines << differences; // predictions need both shapes
  return lines.join(u'\n');
}

} // namespace

PredictPanel::PredictPanel(QWidget* parent)
    : QScrollArea(parent), head_(wrappedLabel(this, true)), scoreText_(new QLabel(this)),
      again_(new QPushButton(tr("Again"), this)) {
  setObjectName(QStringLiteral("predict"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  head_->setAccessibleName(tr("What the questions are about"));
  scoreText_->setObjectName(QStringLiteral("predictScore"));
  scoreText_->setAccessibleName(tr("Score"));
  scoreText_->setToolTip(tr("Predictions of this hour. The first answer to a question counts, once for each "
                            "launch that it was asked of"));
  again_->setObjectName(QStringLiteral("predictAgain"));
  again_->setToolTip(tr("Asks the questions of this lesson again. Their first answers stay in the score"));
  again_->setAutoDefault(false);
  connect(again_, &QPushButton::clicked, this, &PredictPanel::again);

  auto* inside = new QWidget(this);
  inside->setBackgroundRole(QPalette::Base);
  inside->setAutoFillBackground(true);
  column_ = new QVBoxLayout(inside);
  column_->setContentsMargins(margin, 6, margin, 8);
  column_->setSpacing(14);
  column_->addWidget(head_);
  auto* last = new QHBoxLayout;
  last->addWidget(scoreText_);
  last->addStretch(1);
  last->addWidget(again_);
  column_->addLayout(last);
  column_->addStretch(1);
  setWidget(inside);
  renew();
}

void PredictPanel::showSubject(const TeachSubject& subject) {
  subject_ = subject;
  counts_.reset();
  launch_.clear();
  fill();
  renew();
}

void PredictPanel::showCounts(std::shared_ptr<const TeachCounts> counts) {
  counts_ = std::move(counts);
  const QString launch = launchOf(*counts_);
  if (launch != launch_)
    for (const Row& row : rows_)
      row.field->clear(); // was thought of for another launch
  launch_ = launch;
  renew();
}

bool PredictPanel::open() const {
  return rows_.empty() || std::any_of(rows_.begin(), rows_.end(), [this](const Row& row) {
           return !answered_.contains(keyOf(row.question));
         });
}

QString PredictPanel::keyOf(const Question& question) const {
  return QStringList{QString::fromStdString(subject_.variant->id()), launch_, QString::number(question.line)}
      .join(u'\n');
}

/// A row for each question of the lesson.
void PredictPanel::fill() {
  for (const Row& row : rows_) {
    row.widget->hide();
    column_->removeWidget(row.widget);
    row.widget->deleteLater(); // one of its controls may have asked for another variant
  }
  rows_.clear();
  for (const Question& question : questionsOf(*subject_.variant).all) {
    const std::size_t at = rows_.size();
    auto* widget = new QWidget(this);
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    auto* sentence = wrappedLabel(widget, false);
    sentence->setText(QStringLiteral("%1. %2").arg(at + 1).arg(QString(question.sentence).remove(u'`')));
    auto* asked = wrappedLabel(widget, true);
    asked->setText(askedText(question, subject_));
    auto* field = new QLineEdit(widget);
    field->setAccessibleName(tr("Prediction of question %1").arg(at + 1));
    field->setAccessibleDescription(question.sentence);
    field->setToolTip(tr("What you expect; Return checks it"));
    field->setFixedWidth(field->fontMetrics().averageCharWidth() * fieldCharacters);
    auto* check = new QPushButton(tr("Check"), widget);
    check->setAccessibleName(tr("Check question %1").arg(at + 1));
    check->setToolTip(tr("Tells the number, and whether yours was right (Return in the field)"));
    check->setAutoDefault(false);
    auto* verdict = wrappedLabel(widget, false);
    verdict->setObjectName(QStringLiteral("verdict"));
    auto* line = new QHBoxLayout;
    line->addWidget(field);
    line->addWidget(check);
    line->addStretch(1);
    column->addWidget(sentence);
    column->addWidget(asked);
    column->addLayout(line);
    column->addWidget(verdict);
    connect(field, &QLineEdit::returnPressed, this, [this, at] { ask(at); });
    connect(check, &QPushButton::clicked, this, [this, at] { ask(at); });
    column_->insertWidget(1 + static_cast<int>(at), widget);
    rows_.push_back({question, widget, asked, field, check, verdict});
  }
}

void PredictPanel::renew() {
  const bool counted = counts_ && counts_->now.trace;
  if (rows_.empty()) {
    head_->setText(subject_.variant ? tr("The lesson of this variant asks nothing that can be counted")
                                    : tr("Nothing is asked yet"));
  } else if (counted) {
    head_->setText(tr("Predict each number before you look.") + u'\n' + launch_);
  } else {
    head_->setText(counts_ ? tr("Nothing can be predicted here: %1").arg(counts_->now.why)
                           : tr("Nothing is counted yet that could be predicted"));
  }
  bool answered = false;
  for (const Row& row : rows_) {
    const auto known = counted ? answered_.find(keyOf(row.question)) : answered_.end();
    const bool done = known != answered_.end();
    answered |= done;
    row.widget->setVisible(counted);
    row.field->setReadOnly(done);
    row.field->setEnabled(!done);
    row.check->setVisible(!done);
    if (done) {
      showJudgement(row, known->second);
    } else {
      row.verdict->hide();
    }
  }
  again_->setVisible(answered);
  const QString score = score_.text();
  scoreText_->setText(score);
  scoreText_->setVisible(!score.isEmpty());
  Q_EMIT openChanged();
}

void PredictPanel::showJudgement(const Row& row, const Judgement& judgement) {
  row.verdict->setText((judgement.right ? QStringLiteral("\u2713 ") : QStringLiteral("\u2717 ")) +
                       judgement.text);
  row.verdict->show();
}

void PredictPanel::ask(std::size_t at) {
  const Row row = rows_[at];
  if (!counts_ || answered_.contains(keyOf(row.question))) return;
  const auto answer = answerTo(row.question, *counts_);
  if (!answer) {
    row.verdict->setText(answer.error());
    return row.verdict->show();
  }
  const auto judgement = judge(row.field->text(), *answer);
  if (!judgement) {
    row.verdict->setText(judgement.error());
    row.verdict->show();
    return row.field->setFocus();
  }
  score_.add(QString::fromStdString(subject_.variant->id()), launch_, row.question, judgement->right);
  answered_[keyOf(row.question)] = *judgement;
  renew();
  const auto next = std::find_if(rows_.begin(), rows_.end(),
                                 [this](const Row& one) { return !answered_.contains(keyOf(one.question)); });
  QWidget* focus = next != rows_.end() ? static_cast<QWidget*>(next->field) : again_;
  focus->setFocus();
  ensureWidgetVisible(row.widget);
}

void PredictPanel::again() {
  for (const Row& row : rows_) {
    answered_.erase(keyOf(row.question));
    row.field->clear();
  }
  renew();
  if (!rows_.empty()) rows_.front().field->setFocus();
}

} // namespace lloyd
