// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/predict/predict_service.hpp"
#include "app/model/teach/predict/prediction.hpp"

#include <QPointer>
#include <QScrollArea>

#include <map>
#include <memory>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace lloyd {

/// The lesson's questions, each with a field for a prediction; the number is told after it. What was answered
/// stays answered for that launch, until a person asks for it again or the launch is another.
class PredictPanel : public QScrollArea {
  Q_OBJECT
public:
  explicit PredictPanel(const DeviceLease& lease, QWidget* parent = nullptr);

  /// Another variant is looked at, and its counts are to come.
  void showSubject(const TeachSubject& subject);
  /// counts: of the subject that is shown.
  void showCounts(std::shared_ptr<const TeachCounts> counts);
  /// Asks the questions of a lesson that is no variant's, until another variant is looked at; of one that has
  /// none, or with an empty name, those of the variant.
  void showPage(const QString& name);
  /// Whether a question waits for its answer. A lesson without questions has none that was answered.
  [[nodiscard]] bool open() const;
  /// Whether there are questions here that can be answered, or soon, and one is not yet.
  [[nodiscard]] bool asks() const;
  /// Whether counters stay hidden until all is answered, or for as long as this is in front.
  void setKept(bool kept);
  /// Gives the keys to the first field that waits for an answer, at once or, unless they are taken elsewhere
  /// before, when what the questions ask is counted. Until then nothing gets them.
  void takeKeys();
  /// Lets Tab go from field to field before it goes to the buttons. To be called after any other order was
  /// made of the widgets around.
  void orderKeys();
  [[nodiscard]] const PredictionScore& score() const { return score_; }

Q_SIGNALS:
  void openChanged(); ///< open() may be another

protected:
  /// Nothing is counted for questions that nobody looks at.
  void showEvent(QShowEvent* event) override;

private:
  struct Row {
    Question question;
    QWidget* widget;
    QLabel* asked;
    QLineEdit* field;
    QPushButton* check;
    QLabel* verdict;
  };

  void fill();
  void countRest();
  void settle();
  void renew();
  [[nodiscard]] QString whyNever() const;
  [[nodiscard]] QString whyNot() const;
  void passKeys();
  [[nodiscard]] QString launchText() const;
  [[nodiscard]] tl::expected<Answer, QString> answerOf(const Question& question) const;
  void ask(std::size_t at);
  void again();
  void showJudgement(const Row& row, const Judgement& judgement);
  [[nodiscard]] QString keyOf(const Question& question) const;

  TeachSubject subject_;
  QString page_;                              ///< of a lesson that is no variant's; empty: the variant's
  std::shared_ptr<const TeachCounts> counts_; ///< null while they are to come
  PredictService service_;                    ///< what else the questions ask
  QString launch_;                            ///< on what and how it was counted, for people
  PredictionScore score_;
  std::map<QString, Judgement> answered_; ///< by launch and question
  std::vector<Row> rows_;
  QLabel* head_;
  QLabel* scoreText_;
  QPushButton* again_;
  QVBoxLayout* column_;
  bool kept_ = false;
  bool takesKeys_ = false;     ///< as soon as there is a field
  QPointer<QWidget> keysFrom_; ///< what had them when they were asked for
};

} // namespace lloyd
