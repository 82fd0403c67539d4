// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QColor>
#include <QImage>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lloyd {

/// Memory in rows of 32 words of 4 bytes, before anything draws it; what stands above a column may be a lane
/// or a bank.
struct WordGridPicture {
  /// What a colour stands for; the painter has the theme.
  struct Hue {
    enum class Of { nothing, lane, series, several };
    Of of = Of::nothing;
    std::size_t index = 0;
  };
  struct Cell {
    Hue hue{};
    QString text{};          ///< left out where there is no room
    unsigned used = 0;       ///< a bit a byte; the others are hatched where they were fetched
    bool fetched = false;    ///< else an outline
    bool contended = false;  ///< framed
    bool marked = false;     ///< of the request that is looked at
    std::uint32_t lanes = 0; ///< drawn with these above
    QString tip{};
  };
  struct Row {
    QString label{}; ///< before it
    std::array<Cell, 32> cells{};
    bool apart = false; ///< from the row above
  };
  QString title{};
  QString sentence{};
  QString aboveText{};                  ///< before the row of lanes; empty: none is drawn
  std::optional<std::uint32_t> lanes{}; ///< above; those that take part are filled
  QString columnsText{};                ///< before the numbers of columns; empty: none are drawn
  int group = 8;                        ///< columns that belong together
  std::vector<Row> rows{};
  std::vector<std::pair<QString, Cell>> legend{};
};

/// Draws it, on the screen and as vectors alike. Cells are walked with the arrow keys; what a cell says under
/// the pointer or the keys is in a tooltip and in said().
class WordGrid : public QWidget {
  Q_OBJECT
public:
  explicit WordGrid(QWidget* parent = nullptr);

  void setPicture(WordGridPicture picture);
  [[nodiscard]] const WordGridPicture& picture() const { return picture_; }
  [[nodiscard]] QByteArray svg() const;
  [[nodiscard]] QImage image(double scale = 2) const;
  /// Writes SVG or PNG as the name ends. The error is a sentence; empty when all went well.
  [[nodiscard]] QString saveTo(const QString& path) const;
  /// What the cell at a place says; empty beside the cells.
  [[nodiscard]] QString wordsAt(const QPointF& place) const;
  /// Where a cell is drawn.
  [[nodiscard]] QRectF cellAt(std::size_t row, std::size_t column) const;
  /// Where an entry of the legend stands, sign and words.
  [[nodiscard]] QRectF legendAt(std::size_t entry) const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
  void said(const QString& words); ///< empty: nothing is pointed at

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

private:
  struct Place {
    std::size_t row = 0;
    std::size_t column = 0;
  };
  struct Layout; ///< where everything is for a width
  [[nodiscard]] Layout layoutFor(double width) const;
  void draw(QPainter& painter, const Layout& layout, bool onScreen) const;
  void drawLanes(QPainter& painter, const Layout& layout) const;
  void drawCell(QPainter& painter, const QRectF& at, const WordGridPicture::Cell& cell) const;
  void drawLegend(QPainter& painter, const Layout& layout) const;
  /// Title and sentence over it, on the panel's colour.
  void drawWhole(QPainter& painter, QSize size) const;
  [[nodiscard]] QSize wholeSize() const;
  [[nodiscard]] std::optional<Place> placeAt(const QPointF& at) const;
  void point(std::optional<Place> at);

  WordGridPicture picture_;
  std::optional<Place> current_;
};

} // namespace lloyd
