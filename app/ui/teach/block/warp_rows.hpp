// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/block/block_replay.hpp"

#include <QAbstractScrollArea>
#include <QString>

#include <optional>
#include <vector>

namespace lloyd {

/// The colour of a warp, in its row and wherever it wrote to shared memory. Nine warps on two share one.
[[nodiscard]] QColor warpColour(std::size_t warp);

/// A row for each warp of a block: its number, its 32 lanes, those filled that took part in its last step,
/// and what it does in words, which stand below the lanes where there is no room beside them.
class WarpRows : public QAbstractScrollArea {
  Q_OBJECT
public:
  struct Row {
    BlockReplay::WarpState::Doing doing{};
    std::uint32_t lanes = 0;
    QString text;
    QString brief; ///< the same where there is no room for text; may be empty
  };

  explicit WarpRows(QWidget* parent = nullptr);

  /// current: the warp whose step it is, which is scrolled to.
  void setRows(std::vector<Row> rows, std::optional<std::size_t> current);
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// The words of a row as there is room for them.
  [[nodiscard]] QString shownText(std::size_t row) const;
  /// The height at which nothing has to be scrolled.
  [[nodiscard]] int wholeHeight() const;
  /// That of as many whole rows as fit into so many pixels, two at least.
  [[nodiscard]] int heightWithin(int most) const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
  void said(const QString& words); ///< of the row that keys or the pointer are at; empty: none

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

private:
  [[nodiscard]] QFont smallFont() const;
  /// Where the parts of a row lie, from its left upper corner.
  struct Place {
    bool named = false; ///< "warp 7", not 7 alone
    int labels = 0;     ///< pixels of width
    int box = 0;        ///< of one lane
    int sign = 0;       ///< where it begins
    int words = 0;      ///< where they begin
    bool below = false; ///< sign and words are in a line of their own
  };
  [[nodiscard]] Place place() const;
  [[nodiscard]] static QString nameOf(std::size_t row, const Place& place);
  [[nodiscard]] int lineHeight() const;
  [[nodiscard]] int rowHeight() const;
  /// Of the viewport, as far as it has whole rows: one that does not fit is scrolled to, not cut.
  [[nodiscard]] int seenHeight() const;
  void fitBar();
  void scrollTo(std::size_t row);
  void point(std::optional<std::size_t> row);

  std::vector<Row> rows_;
  std::optional<std::size_t> current_;
  std::optional<std::size_t> pointed_;
  bool below_ = false; ///< as place() had it last
};

} // namespace lloyd
