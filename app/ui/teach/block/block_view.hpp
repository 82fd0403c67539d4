// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/block/block_replay.hpp"
#include "app/model/teach/source_text.hpp"
#include "app/ui/teach/block/shared_grid.hpp"
#include "app/ui/teach/block/step_slider.hpp"
#include "app/ui/teach/block/warp_rows.hpp"

#include <QList>
#include <QString>
#include <QWidget>

#include <memory>
#include <optional>
#include <string_view>

class QKeyEvent;
class QLabel;
class QLayout;
class QSpinBox;
class QSplitter;
class QToolButton;

namespace lloyd {

class ElidedLabel;

/// One block of a kernel, step by step, forward and back: what each warp does, who wrote to each word of
/// shared memory last, and where two steps race. It says what it wants to see by wanted(), and is shown what
/// was found.
class BlockView : public QWidget {
  Q_OBJECT
public:
  explicit BlockView(QWidget* parent = nullptr);

  /// Nothing is known.
  void clear();
  /// What was found is of another state: it will be asked for again.
  void renew();
  void showLooking();
  /// Another block, or the same of another state, is shown at the same step.
  void showFound(const std::shared_ptr<const BlockReplay>& found);
  /// Whether somebody sees it; unseen it wants nothing.
  [[nodiscard]] bool wants() const { return isVisible(); }

  [[nodiscard]] std::uint32_t block() const;
  [[nodiscard]] std::size_t step() const;
  void goTo(std::size_t step);
  /// What is to be known of the points; empty: nothing, and no room is kept for it.
  void setNote(const QString& note);
  [[nodiscard]] QString note() const;
  /// Which block will be asked for next.
  void setBlock(std::uint32_t block);
  /// Goes to the race that a trace names first, else to the fault that ends the record; stays where there
  /// is neither.
  void goToTrouble();
  /// The race that the present step is the second of.
  [[nodiscard]] const BlockReplay::Race* race() const;
  /// Lines of the variant's SourceText, from 1: the one of the present step first, then that of its race.
  [[nodiscard]] QList<int> faultLines() const;
  [[nodiscard]] QList<int> lines() const;
  [[nodiscard]] QString sentence() const;
  [[nodiscard]] WarpRows& warps() const { return *warps_; }
  [[nodiscard]] SharedGrid& shared() const { return *shared_; }

Q_SIGNALS:
  void wanted(std::uint32_t block);
  /// lines(), or none while the view is not seen.
  void linesShown(const QList<int>& lines);

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  enum class Move { step, barrier, race, end };

  void makeControls();
  void addButtons(QLayout& row);
  void fillRows();
  void shareHeight();
  void fitCaption();
  void fitLabels();
  void drawStep();
  void showRace();
  void goToOtherAccess();
  void move(Move how, int direction);
  bool takeKey(const QObject* watched, const QKeyEvent& key, bool isPressed);
  [[nodiscard]] std::size_t size() const { return found_ ? found_->size() : 0; }
  [[nodiscard]] int lineOf(std::size_t step) const;
  [[nodiscard]] int lineOf(std::string_view file, int line) const;
  [[nodiscard]] QString captionText() const;

  using Access = simt::BlockRecord::BetweenBlocks::Access;

  std::shared_ptr<const BlockReplay> found_;
  std::optional<Access> there_; ///< of a block that is still looked for
  SourceText source_;
  QSpinBox* block_;
  QSpinBox* number_;
  ElidedLabel* of_;
  QLabel* note_;
  StepSlider* slider_;
  ElidedLabel* line_; ///< of the source
  QLabel* sentence_;
  QWidget* raceRow_;
  QToolButton* first_; ///< of the two steps of a race
  QToolButton* second_;
  QToolButton* nextRace_;
  QList<QToolButton*> moves_;
  WarpRows* warps_;
  ElidedLabel* caption_;
  SharedGrid* shared_;
  QLabel* readOut_;
  QSplitter* parts_;
  bool parted_ = false; ///< by a person
};

} // namespace lloyd
