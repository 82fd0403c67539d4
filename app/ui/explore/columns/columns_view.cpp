// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/columns/columns_view.hpp"

#include "app/data/table/table.hpp"
#include "app/model/table/column_request.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/collapsible_section.hpp"
#include "app/ui/explore/columns/first_rows_dialog.hpp"

#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lloyd {
namespace {

constexpr int mostRowsSeen = 7;
constexpr qsizetype longestName = 26; ///< characters that fit the panel

/// A table whose Space and Enter ask for a choice.
class RoleTable : public QTableView {
public:
  RoleTable(QWidget* parent, std::function<void()> choose) : QTableView(parent), choose_(std::move(choose)) {}

protected:
  void keyPressEvent(QKeyEvent* event) override {
    const int key = event->key();
    if (key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter) return choose_();
    QTableView::keyPressEvent(event);
  }

private:
  std::function<void()> choose_;
};

} // namespace

ColumnsView::ColumnsView(Session& session, QWidget* parent)
    : QWidget(parent), session_(session),
      table_(new RoleTable(this,
                           [this] {
                             const QRect cell = table_->visualRect(
                                 table_->currentIndex().siblingAtColumn(ColumnTableModel::roleColumn));
                             chooseRole(table_->viewport()->mapToGlobal(cell.bottomLeft()));
                           })),
      refusal_(quietLabel(this)), hint_(quietLabel(this)),
      standard_(new QPushButton(tr("Scale to standard"), this)),
      firstRows_(new QPushButton(tr("First rows…"), this)), dropRagged_(new QPushButton(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  table_->setObjectName(QStringLiteral("columns"));
  table_->setModel(&model_);
  table_->setAccessibleName(tr("Columns of the data"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setTabKeyNavigation(false);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(ColumnTableModel::nameColumn, QHeaderView::Interactive);
  layout->addWidget(table_);
  refusal_->setObjectName(QStringLiteral("roleRefusal"));
  refusal_->hide();
  layout->addWidget(refusal_);
  firstRows_->setToolTip(tr("The first rows of the data, in all columns"));
  layout->addWidget(firstRows_);
  layout->addWidget(hint_);
  standard_->setObjectName(QStringLiteral("standard"));
  standard_->setToolTip(tr("Mean 0 and standard deviation 1 in every column, so that all weigh alike"));
  layout->addWidget(standard_);
  dropRagged_->setObjectName(QStringLiteral("dropRagged"));
  dropRagged_->setToolTip(
      tr("Open the file that was refused; rows with more or fewer fields than its first are "
         "left out and counted"));
  layout->addWidget(dropRagged_);
  dropRagged_->hide();

  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() != ColumnTableModel::roleColumn) return;
    chooseRole(table_->viewport()->mapToGlobal(table_->visualRect(index).bottomLeft()));
  });
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(table_, &QWidget::customContextMenuRequested, this,
          [this](const QPoint& at) { chooseRole(table_->viewport()->mapToGlobal(at)); });
  connect(firstRows_, &QPushButton::clicked, this, &ColumnsView::showFirstRows);
  connect(standard_, &QPushButton::clicked, this, &ColumnsView::standardWanted);
  connect(&session_, &Session::dataChanged, this, &ColumnsView::showData);
  connect(&session_, &Session::refused, this, [this](const DataRequest& request, Remedy remedy) {
    if (remedy != Remedy::dropRagged) return;
    ragged_ = request;
    ragged_.dropRagged = true;
    dropRagged_->setText(tr("Open %1 without such rows")
                             .arg(withShortWords(QFileInfo(qtext(request.path)).fileName(), longestName)));
    dropRagged_->show();
    show();
  });
  connect(dropRagged_, &QPushButton::clicked, this, [this] {
    dropRagged_->hide();
    Q_EMIT requested(ragged_);
  });
  showData();
}

void ColumnsView::showData() {
  const SharedPointSet points = session_.data();
  // Whoever changed a role goes on from there.
  const int current = table_->currentIndex().row();
  const bool same = points && model_.points() && points->source == model_.points()->source;
  model_.setPoints(points);
  if (same && current >= 0) table_->setCurrentIndex(model_.index(current, ColumnTableModel::nameColumn));
  if (points && points->source != refused_) refusal_->hide();
  dropRagged_->hide();
  const bool roles = points && points->table;
  const bool some = points && (roles || points->d > 0);
  table_->setVisible(some);
  table_->setToolTip(roles ? tr("Space, Enter or a click on a role changes it") : QString());
  firstRows_->setVisible(some && !points->values.empty() && !points->drift);
  const auto dominant = points ? points->dominant : std::nullopt;
  hint_->setVisible(dominant.has_value());
  standard_->setVisible(dominant.has_value());
  if (dominant)
    hint_->setText(tr("%1 decides alone: it spreads at least 100 times as widely as any other column, which "
                      "counts 10,000 times in a squared distance.")
                       .arg(withShortWords(qtext(points->columns[*dominant]), longestName)));
  showHeight();
}

void ColumnsView::forgetRefused() { dropRagged_->hide(); }

void ColumnsView::showHeight() {
  table_->setColumnWidth(ColumnTableModel::nameColumn, 14 * fontMetrics().averageCharWidth());
  const int rows = std::clamp(model_.rowCount(), 1, mostRowsSeen);
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                         rows * table_->verticalHeader()->defaultSectionSize() + 2 * table_->frameWidth() +
                         table_->style()->pixelMetric(QStyle::PM_ScrollBarExtent));
}

std::vector<std::size_t> ColumnsView::selected() const {
  std::vector<std::size_t> rows;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows())
    rows.push_back(static_cast<std::size_t>(index.row()));
  std::ranges::sort(rows);
  return rows;
}

void ColumnsView::chooseRole(const QPoint& at) {
  const SharedPointSet points = session_.data();
  const std::vector<std::size_t> columns = selected();
  if (!points || !points->table || columns.empty()) return;
  const Table& table = *points->table;
  const auto any = [&](ColumnType type) {
    return std::ranges::any_of(columns, [&](std::size_t c) { return table.columns[c].type == type; });
  };
  QMenu menu(this);
  menu.setObjectName(QStringLiteral("roles"));
  menu.setToolTipsVisible(true);
  const std::pair<ColumnRole, QString> roles[] = {
      {ColumnRole::feature, tr("Clustered, and an axis")},
      {ColumnRole::classes, tr("What clusters are held against")},
      {ColumnRole::name, tr("What a row is called")},
      {ColumnRole::ignored, tr("Shown and exported, and nothing else")}};
  for (const auto& [role, tip] : roles) {
    QAction* action = menu.addAction(roleText(role));
    action->setToolTip(tip);
    action->setCheckable(true);
    action->setChecked(columns.size() == 1 && table.columns[columns.front()].role == role);
    const bool one = role == ColumnRole::classes || role == ColumnRole::name;
    // Who asks for text as a feature is told why there is none.
    action->setEnabled(!one || (columns.size() == 1 && !any(ColumnType::empty)));
    action->setData(static_cast<int>(role));
    if (action->isChecked()) menu.setActiveAction(action);
  }
  const QAction* chosen = menu.exec(at);
  // The menu has run an event loop: the data may be others.
  if (chosen && points == session_.data()) giveRole(columns, static_cast<ColumnRole>(chosen->data().toInt()));
}

void ColumnsView::giveRole(const std::vector<std::size_t>& columns, ColumnRole role) {
  const Table& table = *session_.data()->table;
  QStringList unfit;
  if (role == ColumnRole::feature)
    for (const std::size_t c : columns)
      if (table.columns[c].type != ColumnType::number)
        unfit << withShortWords(qtext(table.columns[c].name), longestName);
  const DataRequest wanted = withRole(session_.request(), table, columns, role);
  const bool none =
      role != ColumnRole::feature && std::ranges::none_of(table.columns, [&](const TableColumn& column) {
        const auto c = static_cast<std::size_t>(&column - table.columns.data());
        return column.feature && std::ranges::find(columns, c) == columns.end();
      });
  sayRefusal(unfit.size() == 1
                 ? tr("%1 is no feature: only columns of numbers are clustered.").arg(unfit.front())
             : !unfit.isEmpty() ? tr("%1 columns are no features: only columns of numbers are clustered.")
                                      .arg(countText(static_cast<std::uint64_t>(unfit.size())))
             : none ? tr("Nothing is changed: one column at least stays a feature.")
                    : QString());
  const bool some = unfit.size() < static_cast<qsizetype>(columns.size());
  if (some && !(wanted == session_.request())) Q_EMIT requested(wanted);
}

void ColumnsView::sayRefusal(const QString& why) {
  refused_ = session_.data()->source;
  refusal_->setText(why);
  refusal_->setVisible(!why.isEmpty());
}

void ColumnsView::showFirstRows() {
  if (const SharedPointSet points = session_.data()) FirstRowsDialog(points, this).exec();
}

} // namespace lloyd
