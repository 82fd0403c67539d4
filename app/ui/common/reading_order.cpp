// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/reading_order.hpp"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLayout>
#include <QList>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

namespace lloyd {
namespace {

class Walk {
public:
  void widget(QWidget* widget) {
    if (!widget || seen_.contains(widget)) return;
    seen_ << widget;
    if ((widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy()) stops_ << widget;
    // What these are made of is theirs.
    if (qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QComboBox*>(widget) ||
        qobject_cast<QAbstractItemView*>(widget))
      return;
    if (auto* splitter = qobject_cast<QSplitter*>(widget))
      for (int i = 0; i < splitter->count(); ++i)
        this->widget(splitter->widget(i));
    if (auto* tabs = qobject_cast<QTabWidget*>(widget)) {
      // The bar takes the keys itself: the frame around it would send Tab back to it.
      tabs->setFocusPolicy(Qt::NoFocus);
      stops_.removeOne(tabs);
      this->widget(tabs->tabBar());
      for (int i = 0; i < tabs->count(); ++i)
        this->widget(tabs->widget(i));
    }
    if (auto* area = qobject_cast<QScrollArea*>(widget)) this->widget(area->widget());
    layout(widget->layout());
  }

  [[nodiscard]] const QList<QWidget*>& stops() const { return stops_; }

private:
  void layout(QLayout* layout) {
    for (int i = 0; layout && i < layout->count(); ++i) {
      QLayoutItem* item = layout->itemAt(i);
      widget(item->widget());
      if (item->layout()) this->layout(item->layout());
    }
  }

  QList<QWidget*> seen_;
  QList<QWidget*> stops_;
};

} // namespace

void tabInReadingOrder(QWidget& panel) {
  Walk walk;
  walk.widget(&panel);
  for (qsizetype i = 1; i < walk.stops().size(); ++i)
    QWidget::setTabOrder(walk.stops()[i - 1], walk.stops()[i]);
}

} // namespace lloyd
