// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/block/block_replay.hpp"

#include <QAbstractScrollArea>
#include <QString>

#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace lloyd {

/// The shared memory of a block after one of its steps: a box for each word of 4 bytes, 32 banks a row, in
/// the colour and with the number of the warp that wrote to it last. Only what is seen is looked up.
class SharedGrid : public QAbstractScrollArea {
  Q_OBJECT
public:
  explicit SharedGrid(QWidget* parent = nullptr);

  /// Null: nothing is drawn.
  void setReplay(std::shared_ptr<const BlockReplay> replay);
  /// touched: words of this step; raced: those of a race that is looked at. The first touched is scrolled to.
  void setStep(std::size_t step, std::set<std::size_t> touched, std::set<std::size_t> raced);
  [[nodiscard]] const std::set<std::size_t>& touched() const { return touched_; }
  /// Where a word is drawn in the viewport; empty where it is not.
  [[nodiscard]] QRect boxOf(std::size_t word) const;
  /// What the word at a place of the viewport says; empty beside the words.
  [[nodiscard]] QString wordsAt(const QPoint& at) const;
  /// The height at which nothing has to be scrolled.
  [[nodiscard]] int wholeHeight() const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
  void said(const QString& words); ///< of the word that keys or the pointer are at; empty: none

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

private:
  /// Either the name of an array, or 32 words of it.
  struct Row {
    QString name;          ///< of an array that begins; empty: words
    std::size_t first = 0; ///< the word of bank 0, which may belong to another array
    std::size_t begin = 0; ///< those of the array
    std::size_t end = 0;
  };
  [[nodiscard]] QFont smallFont() const;
  [[nodiscard]] int rowHeight() const;
  [[nodiscard]] int cellWidth() const;
  [[nodiscard]] int labelWidth() const;
  [[nodiscard]] int topOf(std::size_t row) const;
  [[nodiscard]] std::optional<std::size_t> rowOf(std::size_t word) const;
  [[nodiscard]] std::optional<std::size_t> wordAt(const QPoint& at) const;
  void paintRow(QPainter& painter, const Row& row, int top) const;
  /// Of the viewport, as far as it has whole rows: one that does not fit is scrolled to, not cut.
  [[nodiscard]] int seenHeight() const;
  void fitBar();
  void scrollTo(std::size_t word);
  void showTouched();
  void point(std::optional<std::size_t> word);

  std::shared_ptr<const BlockReplay> replay_;
  std::vector<Row> rows_;
  std::size_t step_ = 0;
  std::set<std::size_t> touched_;
  std::set<std::size_t> raced_;
  std::optional<std::size_t> pointed_;
};

} // namespace lloyd
