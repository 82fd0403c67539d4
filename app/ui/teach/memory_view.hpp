// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/memory_service.hpp"
#include "app/ui/plot/word_grid.hpp"

#include <QString>
#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;
class QToolButton;

namespace lloyd {

class ElidedLabel;

/// What one line of a kernel asks of memory, one request of a warp after the other: 32 lanes above, below
/// them the sectors or banks that they touch. Under it the points as a strip of memory, coloured by who loads
/// them. It says what it wants to see by wanted(), and is shown what was found.
class MemoryView : public QWidget {
  Q_OBJECT
public:
  /// A line of the source that asks memory.
  struct Line {
    QString file; ///< from the repository's top
    int line = 0;
    QString text;
    bool operator==(const Line&) const = default;
  };

  explicit MemoryView(QWidget* parent = nullptr);

  /// No line is chosen, and nothing known.
  void clear();
  void showLine(const Line& line);
  /// What was found is of another state: it will be asked for again.
  void renew();
  void showLooking();
  void showFound(const std::shared_ptr<const BlockRequests>& found);
  /// Whether somebody sees it; unseen it wants nothing.
  [[nodiscard]] bool wants() const { return isVisible() && line_.line > 0; }

  [[nodiscard]] const Line& line() const { return line_; }
  [[nodiscard]] std::uint32_t block() const;
  [[nodiscard]] const std::vector<MemoryRequest>& requests() const { return requests_; }
  [[nodiscard]] std::size_t request() const;
  [[nodiscard]] WordGrid& picture() const { return *picture_; }
  [[nodiscard]] WordGrid& strip() const { return *strip_; }
  [[nodiscard]] QString sentence() const;

Q_SIGNALS:
  void wanted(std::uint32_t block);

protected:
  void showEvent(QShowEvent* event) override;

private:
  void makeControls();
  void listRequests();
  void draw();
  void drawStrip();
  void save(WordGrid& grid, const QString& name);
  [[nodiscard]] WordGridPicture pictureOf(const MemoryRequest& request) const;
  [[nodiscard]] WordGridPicture::Cell touchedCell(std::size_t element) const;

  Line line_;
  std::shared_ptr<const BlockRequests> found_;
  std::vector<MemoryRequest> requests_;
  ElidedLabel* title_;
  QSpinBox* block_;
  QSpinBox* warp_;
  QSlider* slider_;
  QLabel* number_;
  QLabel* sentence_;
  WordGrid* picture_;
  QLabel* readOut_;
  QComboBox* colours_;
  WordGrid* strip_;
  QToolButton* savePicture_; ///< on where there is one
  QToolButton* saveStrip_;
};

} // namespace lloyd
