// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/predict_panel.hpp"

#include "app/model/teach/predict/run_counts.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/keyboard.hpp"
#include "app/ui/common/labels.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lloyd {

namespace {

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

/// Questions stand in a lesson's Markdown, and a label shows them as they are.
QString withoutMarkup(QString sentence) {
  static const QRegularExpression emphasis(QStringLiteral("\\*(\\S(?:[^*]*\\S)?)\\*"));
  return sentence.remove(u'`').replace(emphasis, QStringLiteral("\\1"));
}

} // namespace

PredictPanel::PredictPanel(const DeviceLease& lease, QWidget* parent)
    : QScrollArea(parent), service_(lease), head_(wrappedLabel(this, true)), scoreText_(new QLabel(this)),
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
  again_->setAutoDefault(true); // Return presses it
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
  connect(&service_, &PredictService::counted, this, &PredictPanel::settle);
  renew();
}

void PredictPanel::showSubject(const TeachSubject& subject) {
  subject_ = subject;
  counts_.reset();
  page_.clear();
  fill();
  service_.forget();
  renew();
}

void PredictPanel::showCounts(std::shared_ptr<const TeachCounts> counts) {
  counts_ = std::move(counts);
  countRest();
  settle();
}

void PredictPanel::showPage(const QString& name) {
  const QString asking = questionsOfPage(name).all.empty() ? QString() : name;
  if (asking == page_) return;
  page_ = asking;
  fill();
  countRest();
  settle();
}

void PredictPanel::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  countRest();
  settle();
}

/// What the launches that Teach counts do not answer.
void PredictPanel::countRest() {
  if (!isVisible() || (page_.isEmpty() && !counts_)) return;
  std::vector<Question> questions;
  for (const Row& row : rows_)
    questions.push_back(row.question);
  service_.count(std::move(questions), page_.isEmpty() ? counts_ : nullptr);
}

/// Some of what was to come is here.
void PredictPanel::settle() {
  const QString launch = whyNot().isEmpty() ? launchText() : launch_;
  if (launch != launch_)
    for (const Row& row : rows_)
      row.field->clear(); // was thought of for another launch
  launch_ = launch;
  renew();
}

/// Why no question can be asked yet, or here; empty when all can.
QString PredictPanel::whyNot() const {
  if (page_.isEmpty() && !counts_) return tr("Nothing is counted yet that could be predicted");
  if (!service_.complete()) return tr("What the questions ask is being counted\u2026");
  return whyNever();
}

/// Once all is counted.
QString PredictPanel::whyNever() const {
  for (const Row& row : rows_) {
    const QString key = askedKey(row.question);
    if (key.isEmpty() && !counts_->now.trace)
      return tr("Nothing can be predicted here: %1").arg(counts_->now.why);
    const auto asked = service_.counts().find(key);
    if (asked == service_.counts().end() || asked->second.run || asked->second.launch.trace) continue;
    return tr("Nothing can be predicted here: %1").arg(asked->second.why);
  }
  return {};
}

/// What the questions are about that name no points of their own.
QString PredictPanel::launchText() const {
  if (!page_.isEmpty()) return tr("Each question names its own points");
  const auto ofRun = [](const Row& row) { return isRunQuantity(row.question.quantity); };
  const auto ofLaunch = [&](const Row& row) { return !ofRun(row) && row.question.with.isEmpty(); };
  QStringList lines;
  // A run has points of its own, fewer than the launch that Teach counts.
  if (counts_->now.trace && (std::ranges::any_of(rows_, ofLaunch) || std::ranges::none_of(rows_, ofRun)))
    lines << launchOf(*counts_);
  for (const auto& [key, asked] : service_.counts())
    if (key == askedKey({.quantity = QStringLiteral("host waits")}) && asked.run) lines << asked.run->setting;
  return lines.join(u'\n');
}

tl::expected<Answer, QString> PredictPanel::answerOf(const Question& question) const {
  return answerTo(question, counts_.get(), service_.counts());
}

bool PredictPanel::open() const {
  return rows_.empty() || std::any_of(rows_.begin(), rows_.end(), [this](const Row& row) {
           return !answered_.contains(keyOf(row.question));
         });
}

bool PredictPanel::asks() const {
  if (rows_.empty() || !open()) return false;
  const bool isCounted = service_.complete() && (!page_.isEmpty() || counts_);
  return !isCounted || whyNever().isEmpty();
}

void PredictPanel::setKept(bool kept) {
  if (std::exchange(kept_, kept) != kept) renew();
}

void PredictPanel::takeKeys() {
  takesKeys_ = true;
  keysFrom_ = window()->focusWidget();
  passKeys();
}

/// Another choice of a person is not undone.
void PredictPanel::passKeys() {
  if (!std::exchange(takesKeys_, false) || window()->focusWidget() != keysFrom_) return;
  QWidget* proxy = keysOf(*this);
  takesKeys_ = !proxy;
  if (!proxy) return;
  proxy->setFocus(Qt::ShortcutFocusReason);
  ensureWidgetVisible(proxy);
}

void PredictPanel::orderKeys() {
  if (rows_.empty()) return;
  // Before again_ comes what is neither of these questions nor of those before.
  QWidget* last = again_->previousInFocusChain();
  while (last != again_ && (isAncestorOf(last) || !(last->focusPolicy() & Qt::TabFocus)))
    last = last->previousInFocusChain();
  const auto then = [&last](QWidget* next) { setTabOrder(std::exchange(last, next), next); };
  for (const Row& row : rows_)
    then(row.field);
  for (const Row& row : rows_)
    then(row.check);
  then(again_);
}

QString PredictPanel::keyOf(const Question& question) const {
  return QStringList{page_.isEmpty() ? QString::fromStdString(subject_.variant->id()) : page_, launch_,
                     QString::number(question.line)}
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
  for (const Question& question :
       (page_.isEmpty() ? questionsOf(*subject_.variant) : questionsOfPage(page_)).all) {
    const std::size_t at = rows_.size();
    auto* widget = new QWidget(this);
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    auto* sentence = wrappedLabel(widget, false);
    const QString words = withoutMarkup(question.sentence);
    sentence->setText(QStringLiteral("%1. %2").arg(at + 1).arg(words));
    auto* asked = wrappedLabel(widget, true);
    asked->setText(askedText(question, subject_));
    auto* field = new QLineEdit(widget);
    field->setAccessibleName(tr("Prediction of question %1").arg(at + 1));
    field->setAccessibleDescription(words);
    field->setToolTip(tr("What you expect; Return checks it"));
    // By its hint, which follows the font: the text may grow while the questions stay.
    field->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
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
  orderKeys();
}

void PredictPanel::renew() {
  const QString why = whyNot();
  const bool counted = why.isEmpty();
  if (rows_.empty()) {
    head_->setText(subject_.variant ? tr("The lesson of this variant asks nothing that can be counted")
                                    : tr("Nothing is asked yet"));
  } else {
    const QString hides = kept_
                              ? tr("Counters are hidden until all are answered.")
                              : tr("Counters are hidden until all are answered or another tab is in front.");
    head_->setText(!counted ? why
                            : tr("Predict each number before you look.") +
                                  (asks() ? u' ' + hides : QString()) + u'\n' + launch_);
  }
  bool answered = false;
  QWidget* first = nullptr;
  for (const Row& row : rows_) {
    const auto known = counted ? answered_.find(keyOf(row.question)) : answered_.end();
    const bool done = known != answered_.end();
    answered |= done;
    row.widget->setVisible(counted);
    row.field->setReadOnly(done);
    row.field->setEnabled(!done);
    row.check->setVisible(!done);
    if (counted && !done && !first) first = row.field;
    if (done) {
      showJudgement(row, known->second);
    } else {
      row.verdict->hide();
    }
  }
  again_->setVisible(answered);
  const QString score = score_.text();
  scoreText_->setText(tr("In this session: %1").arg(score));
  scoreText_->setVisible(!score.isEmpty());
  QWidget* keys = first || !answered ? first : again_;
  setKeysOf(*this, keys);
  setFocusPolicy(keys ? Qt::NoFocus : Qt::StrongFocus); // which scrolls it
  passKeys();
  Q_EMIT openChanged();
}

void PredictPanel::showJudgement(const Row& row, const Judgement& judgement) {
  row.verdict->setText((judgement.right ? QStringLiteral("\u2713 ") : QStringLiteral("\u2717 ")) +
                       judgement.text);
  row.verdict->show();
}

void PredictPanel::ask(std::size_t at) {
  const Row row = rows_[at];
  if (!whyNot().isEmpty() || answered_.contains(keyOf(row.question))) return;
  const auto answer = answerOf(row.question);
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
  score_.add(page_.isEmpty() ? QString::fromStdString(subject_.variant->id()) : page_, launch_, row.question,
             judgement->right);
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
