// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/flow_layout.hpp"

#include <algorithm>
#include <utility>

namespace lloyd {

FlowLayout::FlowLayout(int gap, int rowGap, QWidget* parent) : QLayout(parent), gap_(gap), rowGap_(rowGap) {}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addGroup(QLayout* group) {
  addChildLayout(group);
  addItem(group);
}

void FlowLayout::addItem(QLayoutItem* item) {
  items_.emplace_back(item);
  invalidate();
}

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  if (!itemAt(index)) return nullptr;
  const auto at = items_.begin() + index;
  QLayoutItem* taken = at->release();
  items_.erase(at);
  invalidate();
  return taken;
}

int FlowLayout::heightForWidth(int width) const { return arrange({0, 0, width, 0}, false); }

QSize FlowLayout::sizeHint() const {
  QSize size;
  int shown = 0;
  for (const auto& item : items_) {
    if (item->isEmpty()) continue;
    const QSize one = item->sizeHint();
    size = {size.width() + one.width() + (shown++ > 0 ? gap_ : 0), std::max(size.height(), one.height())};
  }
  return size.grownBy(contentsMargins());
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const auto& item : items_)
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& place) {
  QLayout::setGeometry(place);
  arrange(place, true);
}

int FlowLayout::arrange(const QRect& place, bool puts) const {
  const QRect inside = place.marginsRemoved(contentsMargins());
  std::vector<std::pair<QLayoutItem*, QRect>> row;
  int left = inside.left(), top = inside.top(), height = 0;
  const auto endRow = [&] {
    for (auto& [item, at] : row)
      if (puts) item->setGeometry(at.translated(0, (height - at.height()) / 2));
    row.clear();
  };
  for (const auto& item : items_) {
    if (item->isEmpty()) continue;
    QSize size = item->sizeHint();
    size.setWidth(std::min(size.width(), std::max(inside.width(), item->minimumSize().width())));
    if (!row.empty() && left + size.width() > inside.left() + inside.width()) {
      endRow();
      left = inside.left();
      top += height + rowGap_;
      height = 0;
    }
    row.emplace_back(item.get(), QRect(QPoint(left, top), size));
    left += size.width() + gap_;
    height = std::max(height, size.height());
  }
  endRow();
  return top + height - inside.top() + contentsMargins().top() + contentsMargins().bottom();
}

} // namespace lloyd
