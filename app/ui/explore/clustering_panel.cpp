// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/clustering_panel.hpp"

#include "app/text/strings.hpp"

#include <QComboBox>
#include <QFileInfo>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>

#include <algorithm>
#include <limits>

namespace lloyd {

namespace {

constexpr int largestK = 65536;

} // namespace

ClusteringPanel::ClusteringPanel(Session& session, QWidget* parent)
    : CollapsibleSection(tr("Clustering"), parent), session_(session), k_(new QSpinBox(this)),
      init_(new QComboBox(this)), seed_(new QSpinBox(this)), restart_(new QPushButton(tr("Restart"), this)) {
  k_->setObjectName(QStringLiteral("k"));
  k_->setRange(1, largestK);
  k_->setKeyboardTracking(false);
  k_->setToolTip(tr("Number of clusters, from 1 to the number of points"));
  addRow(tr("k"), k_);
  init_->setObjectName(QStringLiteral("init"));
  init_->setToolTip(tr("Where the first centroids come from"));
  const std::pair<InitKind, QString> kinds[] = {
      {InitKind::kmeansPlusPlus, tr("Far apart, by chance weighted with squared distance")},
      {InitKind::random, tr("Different points, by chance")},
      {InitKind::first, tr("The first k points")},
      {InitKind::bands, tr("100 i + 10 in every dimension, as the articles do")},
      {InitKind::given, tr("Rows of a file, CSV or NPY, which set k")}};
  for (const auto& [kind, tip] : kinds) {
    init_->addItem(kind == InitKind::given ? tr("file…") : qtext(name(kind)), static_cast<int>(kind));
    init_->setItemData(init_->count() - 1, tip, Qt::ToolTipRole);
  }
  addRow(tr("First"), init_);
  seed_->setObjectName(QStringLiteral("seed"));
  seed_->setRange(0, std::numeric_limits<int>::max());
  seed_->setKeyboardTracking(false);
  seed_->setToolTip(tr("The same seed gives the same result on every device"));
  addRow(tr("Seed"), seed_);
  restart_->setToolTip(tr("Choose the first centroids again, with the same seed (Home)"));
  addWide(restart_);

  connect(k_, &QSpinBox::valueChanged, this, &ClusteringPanel::apply);
  connect(seed_, &QSpinBox::valueChanged, this, &ClusteringPanel::apply);
  connect(init_, &QComboBox::activated, this, [this] {
    if (static_cast<InitKind>(init_->currentData().toInt()) != InitKind::given) return apply();
    // What holds until a file is chosen and read is what held before.
    showSettings();
    Q_EMIT fileWanted();
  });
  connect(restart_, &QPushButton::clicked, &session_, &Session::restart);
  connect(&session_, &Session::settingsChanged, this, &ClusteringPanel::showSettings);
  connect(&session_, &Session::dataChanged, this, &ClusteringPanel::showSettings);
  showSettings();
}

void ClusteringPanel::showSettings() {
  const QSignalBlocker blockK(k_);
  const QSignalBlocker blockInit(init_);
  const QSignalBlocker blockSeed(seed_);
  const Settings& settings = session_.settings();
  k_->setValue(settings.k);
  init_->setCurrentIndex(init_->findData(static_cast<int>(settings.init.kind)));
  seed_->setValue(static_cast<int>(std::min<std::uint64_t>(settings.seed, std::numeric_limits<int>::max())));
  // A file of centroids sets k, and is one for points of as many dimensions.
  if (auto* model = qobject_cast<QStandardItemModel*>(init_->model())) {
    model->item(init_->findData(static_cast<int>(InitKind::given)))->setEnabled(session_.data() != nullptr);
  }
  const bool fixed = settings.init.kind == InitKind::given;
  k_->setEnabled(!fixed);
  k_->setToolTip(fixed ? tr("The file of first centroids, %1, sets k")
                             .arg(QFileInfo(QString::fromStdString(settings.init.path)).fileName())
                       : tr("Number of clusters, from 1 to the number of points"));
}

void ClusteringPanel::apply() {
  Settings settings = session_.settings();
  settings.k = k_->value();
  settings.init.kind = static_cast<InitKind>(init_->currentData().toInt());
  // A seed from the command line may be larger than the field can show; it stays unless the field was
  // changed.
  if (sender() == seed_) settings.seed = static_cast<std::uint64_t>(seed_->value());
  session_.setSettings(settings);
  showSettings();
}

} // namespace lloyd
