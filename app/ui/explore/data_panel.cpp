// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/data_panel.hpp"

#include "app/data/generate/generators.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/explore/generator_rows.hpp"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>

namespace lloyd {

DataPanel::DataPanel(Session& session, QWidget* parent)
    : CollapsibleSection(tr("Data"), parent), session_(session),
      open_(new QPushButton(tr("Open file…"), this)), generators_(new QToolButton(this)),
      scaling_(new QComboBox(this)), source_(new QLabel(this)), rows_(quietLabel(this)),
      columns_(quietLabel(this)), remarks_(quietLabel(this)) {
  open_->setToolTip(tr("CSV, TSV, XYZ, NPY, or an image whose pixels become points (Ctrl+O)"));
  open_->setAccessibleName(tr("Open a file"));
  generators_->setText(tr("Generate"));
  generators_->setToolTip(tr("Make points instead of reading them; the same bytes on every machine"));
  generators_->setAccessibleName(tr("Generate points"));
  generators_->setPopupMode(QToolButton::InstantPopup);
  generators_->setFocusPolicy(Qt::TabFocus);
  generators_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  auto* menu = new QMenu(generators_);
  menu->setToolTipsVisible(true);
  for (const Generator& generator : lloyd::generators()) {
    const QString name = qtext(generator.name);
    QAction* action = menu->addAction(name);
    action->setToolTip(qtext(generator.idea));
    connect(action, &QAction::triggered, this, [this, name] {
      DataRequest request;
      request.generator = name.toStdString() + ':';
      request.defaultClusters = session_.settings().k;
      Q_EMIT requested(request);
    });
  }
  generators_->setMenu(menu);
  auto* buttons = new QWidget(this);
  auto* row = new QHBoxLayout(buttons);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(open_);
  row->addWidget(generators_);
  addWide(buttons);

  source_->setWordWrap(true);
  source_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  addWide(source_);
  addWide(rows_);
  addWide(columns_);
  addWide(remarks_);
  generator_ = new GeneratorRows(*this);
  connect(generator_, &GeneratorRows::changed, this, [this](const QString& text) {
    DataRequest request = session_.request();
    request.generator = text.toStdString();
    Q_EMIT requested(request);
  });
  scaling_->addItem(tr("none"), static_cast<int>(Scale::none));
  scaling_->addItem(tr("standard: mean 0, deviation 1"), static_cast<int>(Scale::standard));
  scaling_->addItem(tr("minmax: 0 to 1"), static_cast<int>(Scale::minmax));
  scaling_->setToolTip(
      tr("How columns are scaled before clustering; centroids are reported in the file's units"));
  scaling_->setMinimumContentsLength(10);
  scaling_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  addRow(tr("Scaling"), scaling_);

  connect(open_, &QPushButton::clicked, this, &DataPanel::openWanted);
  connect(scaling_, &QComboBox::activated, this, &DataPanel::rescale);
  connect(&session_, &Session::dataChanged, this, &DataPanel::showData);
  // Where points could not be made, the rows tell again of those that there are. Loading also ends where
  // other points are wanted instead; then it has begun again by now.
  connect(
      &session_, &Session::loadEnded, this,
      [this] {
        if (!session_.loading()) showGenerator();
      },
      Qt::QueuedConnection);
  showData();
}

void DataPanel::rescale(int index) {
  DataRequest request = session_.request();
  request.scaling = static_cast<Scale>(scaling_->itemData(index).toInt());
  if (request == session_.request() || !session_.data()) return;
  Q_EMIT requested(request);
}

void DataPanel::showGenerator() {
  const DataRequest& request = session_.request();
  const auto spec = request.path.empty() && session_.data()
                        ? parseGenerator(request.generator, generatorDefaults(request))
                        : tl::unexpected(std::string());
  generator_->show(spec ? &*spec : nullptr);
}

void DataPanel::showData() {
  showGenerator();
  const SharedPointSet points = session_.data();
  const bool drifts = points && points->drift;
  scaling_->setEnabled(points && !drifts);
  scaling_->setToolTip(
      drifts ? tr("Points that drift keep the units of their generator")
             : tr("How columns are scaled before clustering; centroids are reported in the file's units"));
  for (QLabel* label : {rows_, columns_, remarks_})
    setRowVisible(label, points != nullptr);
  if (!points) {
    source_->setText(tr("No data yet. Open a file, generate points, or drop a file on the window."));
    return;
  }
  const QSignalBlocker blocker(scaling_);
  scaling_->setCurrentIndex(scaling_->findData(static_cast<int>(session_.request().scaling)));
  const QString source = QString::fromStdString(points->source);
  const QFileInfo file(source);
  source_->setText(session_.request().path.empty() ? source : file.fileName());
  source_->setToolTip(source);
  QString rows = pointsText(points->n);
  if (!points->dropped.empty()) {
    rows = tr("%1 of %2 rows used, %3 dropped")
               .arg(countText(points->n), countText(points->inputRows), countText(points->dropped.size()));
  }
  if (points->imageWidth > 0)
    rows =
        tr("%1 pixels, %2 × %3").arg(countText(points->n)).arg(points->imageWidth).arg(points->imageHeight);
  rows_->setText(rows);
  QStringList columns;
  for (const std::string& column : points->columns)
    columns << QString::fromStdString(column);
  const int shown = 6;
  QString list = columns.mid(0, shown).join(QStringLiteral(", "));
  if (columns.size() > shown) list += tr(" and %1 more").arg(columns.size() - shown);
  columns_->setText(tr("%1 columns: %2").arg(points->d).arg(list));
  if (points->d == 1) columns_->setText(tr("1 column: %1").arg(list));
  const int listed = 40;
  QString all = columns.mid(0, listed).join(QLatin1Char('\n'));
  if (columns.size() > listed) all += QLatin1Char('\n') + tr("and %1 more").arg(columns.size() - listed);
  columns_->setToolTip(all);
  QStringList remarks;
  for (const std::string& remark : points->remarks)
    remarks << QString::fromStdString(remark);
  remarks_->setText(remarks.join(QLatin1Char('\n')));
  setRowVisible(remarks_, !remarks.isEmpty());
}

} // namespace lloyd
