// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/steps/version_ladder.hpp"

#include <QWidget>

#include <vector>

class QHBoxLayout;

namespace lloyd {

class LadderRung;

/// The versions of a family beside each other, a person's own below the program's, a bar as high as each
/// one's time on a card, from 0; none where it has no time that can be held against the others. The one
/// that is looked at is marked. A click goes to a version, and so do Left, Right, Home and End.
class LadderStrip : public QWidget {
  Q_OBJECT
public:
  explicit LadderStrip(QWidget* parent = nullptr);
  /// Hidden where the ladder has no versions.
  void showLadder(const VersionLadder& ladder);
  [[nodiscard]] const VersionLadder& ladder() const { return ladder_; }

Q_SIGNALS:
  void chosen(const lloyd::Variant* variant); ///< never null, and another than the one that is looked at

private:
  static constexpr int ownLetters = 12; ///< of the name of a person's version
  static constexpr int ownInRow = 4;

  [[nodiscard]] QString shortName(const QString& name) const;
  QHBoxLayout* addRow();
  void makeRungs();
  void choose(std::size_t rung);
  void chooseBy(std::size_t from, int key);

  VersionLadder ladder_;
  std::vector<QWidget*> rows_;
  std::vector<LadderRung*> rungs_; ///< children of the rows
};

} // namespace lloyd
