// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/start_page.hpp"

#include "app/model/compute/load_points.hpp"
#include "app/ui/common/collapsible_section.hpp"

#include <QAction>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lloyd {
namespace {

constexpr int columns = 4;
constexpr int widest = 190; ///< pixels of a button: a long name is cut and told in the tooltip

/// Buttons in rows below a heading, behind those that the grid has.
class Rows {
public:
  explicit Rows(QGridLayout& grid) : grid_(grid) {}

  void heading(const QString& text) {
    auto* label = quietLabel(grid_.parentWidget());
    label->setText(text);
    grid_.addWidget(label, ++row_, 0, 1, columns);
    column_ = columns;
  }
  QPushButton* button(const QString& name, const QString& tip) {
    if (column_ == columns) {
      column_ = 0;
      ++row_;
    }
    auto* button = new QPushButton(grid_.parentWidget());
    const QString shown = button->fontMetrics().elidedText(name, Qt::ElideMiddle, widest - 30);
    button->setText(QString(shown).replace(QLatin1Char('&'), QStringLiteral("&&")));
    button->setMaximumWidth(widest);
    button->setToolTip(tip);
    button->setAccessibleName(name);
    button->setAccessibleDescription(tip);
    grid_.addWidget(button, row_, column_++);
    return button;
  }

private:
  QGridLayout& grid_;
  int row_ = -1;
  int column_ = columns;
};

} // namespace

StartPage::StartPage(QAction* open, QWidget* parent) : QWidget(parent), open_(open) {
  setObjectName(QStringLiteral("startPage"));
  setAccessibleName(tr("Points to begin with"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(48, 32, 48, 32);
  auto* title = new QLabel(tr("No points yet. Drop a file here, or begin with one of these."), this);
  title->setWordWrap(true);
  layout->addWidget(title);
  hide();
}

void StartPage::offer(const QStringList& recent) {
  delete buttons_;
  buttons_ = new QWidget(this);
  auto* grid = new QGridLayout(buttons_);
  grid->setContentsMargins(0, 12, 0, 0);
  Rows rows(*grid);
  auto* open = rows.button(tr("Open a file…"), open_->toolTip());
  connect(open, &QPushButton::clicked, open_, &QAction::trigger);
  if (!recent.isEmpty()) rows.heading(tr("Open before"));
  for (const QString& path : recent)
    connect(rows.button(QFileInfo(path).fileName(), path), &QPushButton::clicked, this,
            [this, path] { Q_EMIT fileWanted(path); });
  rows.heading(tr("Samples"));
  for (const Sample& sample : samples())
    connect(rows.button(sample.name, sample.idea), &QPushButton::clicked, this,
            [this, request = sample.request] { Q_EMIT sampleWanted(request); });
  grid->setColumnStretch(columns, 1);
  layout()->addWidget(buttons_);
}

} // namespace lloyd
