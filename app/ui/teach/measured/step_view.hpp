// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/teach/teach_subject.hpp"

#include <QWidget>

#include <string>

class QLabel;

namespace lloyd {

class LadderStrip;

/// Where a version stands: the ladder of its family on a card, and what its text gained by the step to it
/// beside what is gained here; of a person's version, what its trial's race says. Hidden where there is none
/// of these.
class StepView : public QWidget {
  Q_OBJECT
public:
  explicit StepView(QWidget* parent = nullptr);
  /// card: the one that computes here, whose times are taken where there are some. race: of this machine; its
  /// verdict is told where it has both versions, else the one that is in the program. May be null.
  void showStep(const TeachSubject& subject, const std::string& card, const RaceResultPtr& race);
  [[nodiscard]] QString sentence() const;
  /// Something of it is a card's figures that the program has.
  [[nodiscard]] bool isOfCards() const { return isOfCards_; }
  [[nodiscard]] LadderStrip& ladder() const { return *ladder_; }

private:
  bool isOfCards_ = false;
  QLabel* caption_;
  LadderStrip* ladder_;
  QLabel* sentence_;
};

} // namespace lloyd
