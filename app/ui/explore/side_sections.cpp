// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/side_sections.hpp"

#include "app/data/generate/generators.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/model/compute/settings.hpp"
#include "app/model/restarts/other_starts.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/explore/allowed_values.hpp"
#include "app/ui/explore/columns/colour_legend.hpp"
#include "app/ui/explore/columns/columns_view.hpp"
#include "app/ui/explore/generator_rows.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {

namespace {

constexpr int largestK = 65536;

constexpr double stepFactor = 1.25; ///< of the point size, a step of the slider

constexpr int ofClusters = 2;                ///< ways to colour by cluster come first
constexpr int columnRole = Qt::UserRole + 1; ///< the column that an item colours by
constexpr qsizetype longestName = 26;        ///< characters that fit the panel
constexpr qsizetype longestWhole = 200;      ///< characters of a name in a tooltip

/// What is being typed stays where the number has not changed.
void showNumber(QSpinBox& box, int number) {
  if (box.value() != number) box.setValue(number);
}

class ClusterBox : public QSpinBox {
public:
  using QSpinBox::QSpinBox;
  QValidator::State validate(QString& text, int& position) const override {
    const QValidator::State state = QSpinBox::validate(text, position);
    if (state == QValidator::Invalid) tell();
    return state;
  }
  void fixup(QString& text) const override {
    QSpinBox::fixup(text);
    int position = 0;
    if (QSpinBox::validate(text, position) != QValidator::Acceptable) tell();
  }

private:
  void tell() const {
    tellAllowed(*this, ClusteringPanel::tr("Allowed: a whole number from %1 to %2")
                           .arg(countText(static_cast<std::uint64_t>(minimum())),
                                countText(static_cast<std::uint64_t>(maximum()))));
  }
};

} // namespace

DataPanel::DataPanel(Session& session, QWidget* parent)
    : CollapsibleSection(tr("Data"), parent), session_(session),
      open_(new QPushButton(tr("Open file…"), this)), generators_(new QToolButton(this)),
      scaling_(new QComboBox(this)), pixels_(new QComboBox(this)), source_(new QLabel(this)),
      rows_(quietLabel(this)), columns_(quietLabel(this)) {
  open_->setToolTip(
      tr("CSV, TSV, XYZ, NPY, NPZ, PLY, PCD, or an image whose pixels become points; packed or not "
         "(Ctrl+O)"));
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
      Q_EMIT generatorWanted(request);
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
  table_ = new ColumnsView(session_, this);
  addWide(table_);
  connect(table_, &ColumnsView::requested, this, &DataPanel::requested);
  connect(table_, &ColumnsView::standardWanted, this, [this] {
    scaling_->setCurrentIndex(scaling_->findData(static_cast<int>(Scale::standard)));
    rescale();
  });
  generator_ = new GeneratorRows(*this);
  connect(generator_, &GeneratorRows::changed, this, [this](const QString& text) {
    DataRequest request = session_.request();
    request.generator = text.toStdString();
    Q_EMIT requested(request);
  });
  pixels_->setObjectName(QStringLiteral("pixels"));
  pixels_->addItem(tr("colour: R, G, B"), static_cast<int>(ImageColumns::rgb));
  pixels_->addItem(tr("place and colour: x, y, R, G, B"), static_cast<int>(ImageColumns::xyrgb));
  pixels_->setToolTip(
      tr("What a pixel of the image is as a point: its colour alone, or also its place, in pixels "
         "from the top left one"));
  pixels_->setMinimumContentsLength(10);
  pixels_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  addRow(tr("Pixels"), pixels_);
  scaling_->addItem(tr("none"), static_cast<int>(Scale::none));
  scaling_->addItem(tr("standard: mean 0, deviation 1"), static_cast<int>(Scale::standard));
  scaling_->addItem(tr("minmax: 0 to 1"), static_cast<int>(Scale::minmax));
  scaling_->setMinimumContentsLength(10);
  scaling_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  addRow(tr("Scaling"), scaling_);

  connect(open_, &QPushButton::clicked, this, &DataPanel::openWanted);
  connect(scaling_, &QComboBox::activated, this, &DataPanel::rescale);
  connect(pixels_, &QComboBox::activated, this, [this] {
    DataRequest request = session_.request();
    request.image = static_cast<ImageColumns>(pixels_->currentData().toInt());
    request.columns.clear(); // they are of the other choice
    if (request.image != session_.request().image) Q_EMIT requested(request);
  });
  connect(&session_, &Session::dataChanged, this, [this] {
    unscalable_.reset();
    showData();
  });
  connect(&session_, &Session::refused, this, [this](const DataRequest& request, Remedy remedy) {
    if (remedy == Remedy::scale)
      unscalable_ = request;
    else
      unscalable_.reset();
  });
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

Scale DataPanel::chosenScaling() const { return static_cast<Scale>(scaling_->currentData().toInt()); }

void DataPanel::rescale() {
  // Whoever is told that a file needs another scaling means that file.
  DataRequest request = unscalable_.value_or(session_.request());
  request.scaling = chosenScaling();
  if (unscalable_) return Q_EMIT requested(request);
  if (scalesNext()) return Q_EMIT nextScalingChosen(request.scaling);
  if (request != session_.request()) Q_EMIT requested(request);
}

/// Points that drift keep the units of their generator, so that what is chosen beside them is for others.
bool DataPanel::scalesNext() const { return !session_.data() || session_.data()->drift; }

void DataPanel::showNextScaling(Scale scaling) {
  if (!scalesNext()) return;
  const QSignalBlocker blocker(scaling_);
  scaling_->setCurrentIndex(scaling_->findData(static_cast<int>(scaling)));
}

void DataPanel::forgetRefused() { table_->forgetRefused(); }

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
  scaling_->setToolTip(
      drifts
          ? tr("How columns of what is opened next are scaled; points that drift keep the units of their "
               "generator")
          : tr("How columns are scaled before clustering; what is opened next begins without. Centroids are "
               "reported in the file's units"));
  for (QLabel* label : {rows_, columns_})
    setRowVisible(label, points != nullptr);
  setRowVisible(pixels_, points && points->imageWidth > 0);
  pixels_->setCurrentIndex(pixels_->findData(static_cast<int>(session_.request().image)));
  if (!points) {
    source_->setText(tr("No data yet. Open a file, generate points, or drop a file on the window."));
    return;
  }
  const QSignalBlocker blocker(scaling_);
  if (!drifts) scaling_->setCurrentIndex(scaling_->findData(static_cast<int>(session_.request().scaling)));
  const QString source = QString::fromStdString(points->source);
  const QFileInfo file(source);
  QString named = withShortWords(session_.request().path.empty() ? source : file.fileName(), longestName);
  if (!points->part.empty()) named += tr(", %1").arg(qtext(points->part));
  source_->setText(named);
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
    columns << QString::fromStdString(column).left(longestWhole);
  const int shown = 6;
  QString list = columns.mid(0, shown).join(QStringLiteral(", "));
  if (columns.size() > shown) list += tr(" and %1 more").arg(columns.size() - shown);
  list = withShortWords(list, longestName);
  QString told =
      points->d == 1 ? tr("1 column: %1").arg(list) : tr("%1 columns: %2").arg(points->d).arg(list);
  const int listed = 40;
  QString all = columns.mid(0, listed).join(QLatin1Char('\n'));
  if (columns.size() > listed) all += QLatin1Char('\n') + tr("and %1 more").arg(columns.size() - listed);
  // A row of their own would keep the height that it had without any.
  for (const std::string& remark : points->remarks) {
    told += QLatin1Char('\n') + withShortWords(QString::fromStdString(remark), longestName);
    all += QLatin1Char('\n') + withShortWords(QString::fromStdString(remark), longestWhole);
  }
  columns_->setText(told);
  columns_->setToolTip(all);
}

ClusteringPanel::ClusteringPanel(Session& session, QAction* restarts, QWidget* parent)
    : CollapsibleSection(tr("Clustering"), parent), session_(session), k_(new ClusterBox(this)),
      init_(new QComboBox(this)), seed_(new QSpinBox(this)), restart_(new QPushButton(tr("Restart"), this)),
      others_(new QCheckBox(tr("Best of %1 starts").arg(OtherStarts::starts), this)) {
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
      {InitKind::bands, tr("100 i + 10 in every dimension, as the papers do")},
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
  auto* others = new QToolButton(this);
  others->setObjectName(QStringLiteral("otherSeeds"));
  others->setDefaultAction(restarts);
  others->setToolButtonStyle(Qt::ToolButtonTextOnly);
  others->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  others->setFocusPolicy(Qt::TabFocus);
  addWide(others);
  others_->setObjectName(QStringLiteral("otherStarts"));
  addWide(others_);
  connect(others_, &QCheckBox::toggled, this, &ClusteringPanel::otherStartsWanted);

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

void ClusteringPanel::showOtherStarts(bool on, bool can, const QString& toolTip) {
  const QSignalBlocker quiet(others_);
  others_->setChecked(on);
  others_->setEnabled(can);
  others_->setToolTip(toolTip);
  others_->setAccessibleDescription(toolTip);
}

void ClusteringPanel::showSettings() {
  const QSignalBlocker blockK(k_);
  const QSignalBlocker blockInit(init_);
  const QSignalBlocker blockSeed(seed_);
  const Settings& settings = session_.settings();
  showNumber(*k_, settings.k);
  init_->setCurrentIndex(init_->findData(static_cast<int>(settings.init.kind)));
  showNumber(*seed_,
             static_cast<int>(std::min<std::uint64_t>(settings.seed, std::numeric_limits<int>::max())));
  // A file of centroids sets k, and is one for points of as many dimensions.
  if (auto* model = qobject_cast<QStandardItemModel*>(init_->model())) {
    model->item(init_->findData(static_cast<int>(InitKind::given)))->setEnabled(session_.data() != nullptr);
  }
  restart_->setEnabled(session_.data() != nullptr);
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
  if (sender() == seed_) Q_EMIT seedChosen();
  showSettings();
}

AppearancePanel::AppearancePanel(QWidget* parent)
    : CollapsibleSection(tr("View"), parent), colours_(new QComboBox(this)), legend_(new ColourLegend(this)),
      size_(new QSlider(Qt::Horizontal, this)), theme_(new QComboBox(this)),
      trails_(new QCheckBox(tr("Trails of the centroids"), this)),
      regions_(new QCheckBox(tr("Regions of the clusters"), this)) {
  trails_->setObjectName(QStringLiteral("trails"));
  regions_->setObjectName(QStringLiteral("regions"));
  colours_->setObjectName(QStringLiteral("colours"));
  colours_->addItem(tr("by cluster"), static_cast<int>(ClusterColours::By::palette));
  colours_->addItem(tr("mean colour"), static_cast<int>(ClusterColours::By::centroid));
  colours_->setToolTip(tr("What the colour of a point says"));
  colours_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  colours_->setMinimumContentsLength(10);
  addRow(tr("Colour"), colours_);
  addWide(legend_);
  size_->setRange(-7, 9);
  size_->setToolTip(tr("Point size, times what suits the number of points (+ and -)"));
  addRow(tr("Point size"), size_);
  theme_->addItem(tr("dark"), true);
  theme_->addItem(tr("light"), false);
  theme_->setToolTip(tr("Colours of the window (L)"));
  addRow(tr("Theme"), theme_);
  trails_->setToolTip(tr("Lines along which centroids came (T)"));
  addWide(trails_);
  addWide(regions_);
  showRegions(false, {});

  connect(colours_, &QComboBox::activated, this, &AppearancePanel::tellColours);
  connect(size_, &QSlider::valueChanged, this,
          [this](int step) { Q_EMIT sizeWanted(std::pow(stepFactor, step)); });
  connect(theme_, &QComboBox::activated, this, [this] { Q_EMIT darkWanted(theme_->currentData().toBool()); });
  connect(trails_, &QCheckBox::toggled, this, &AppearancePanel::trailsWanted);
  connect(regions_, &QCheckBox::toggled, this, &AppearancePanel::regionsWanted);
}

std::optional<std::size_t> AppearancePanel::column() const {
  const QVariant column = colours_->currentData(columnRole);
  return column.isValid() ? std::optional(column.value<std::size_t>()) : std::nullopt;
}

void AppearancePanel::tellColours() {
  const auto chosen = column();
  if (!chosen) by_ = static_cast<ClusterColours::By>(colours_->currentData().toInt());
  Q_EMIT columnWanted(chosen);
  if (!chosen) Q_EMIT coloursWanted(by_);
}

void AppearancePanel::chooseColours(ClusterColours::By by, std::optional<std::size_t> column) {
  int wanted = colours_->findData(static_cast<int>(by));
  for (int item = ofClusters; column && item < colours_->count(); ++item)
    if (colours_->itemData(item, columnRole).value<std::size_t>() == *column) wanted = item;
  colours_->setCurrentIndex(wanted);
  by_ = by;
  Q_EMIT columnWanted(this->column());
  Q_EMIT coloursWanted(by_);
}

void AppearancePanel::offerColumns(const QStringList& names, const std::vector<std::size_t>& columns,
                                   std::optional<std::size_t> chosen) {
  const QSignalBlocker blocker(colours_);
  int current = colours_->findData(static_cast<int>(by_));
  while (colours_->count() > ofClusters)
    colours_->removeItem(colours_->count() - 1);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    colours_->addItem(tr("by %1").arg(withShortWords(names[static_cast<qsizetype>(i)], longestName)));
    const int item = colours_->count() - 1;
    colours_->setItemData(item, QVariant::fromValue(columns[i]), columnRole);
    colours_->setItemData(item,
                          tr("The points' values in the column %1").arg(names[static_cast<qsizetype>(i)]),
                          Qt::ToolTipRole);
    if (chosen == columns[i]) current = item;
  }
  colours_->setCurrentIndex(current);
}

void AppearancePanel::showLegend(const ColourKey& key) {
  legend_->setKey(key);
  setRowVisible(legend_, !key.empty());
}

void AppearancePanel::showColours(ClusterColours::By by, bool dataAreColours) {
  const QSignalBlocker blocker(colours_);
  by_ = by;
  if (!colours_->currentData(columnRole).isValid())
    colours_->setCurrentIndex(colours_->findData(static_cast<int>(by)));
  colours_->setItemData(1,
                        dataAreColours ? tr("The colour that the centroid stands for")
                                       : tr("Only for a photograph, whose points are colours themselves"),
                        Qt::ToolTipRole);
  if (auto* model = qobject_cast<QStandardItemModel*>(colours_->model()))
    model->item(1)->setEnabled(dataAreColours);
}

void AppearancePanel::showSize(double factor) {
  const QSignalBlocker blocker(size_);
  size_->setValue(static_cast<int>(std::lround(std::log(factor) / std::log(stepFactor))));
}

void AppearancePanel::showDark(bool dark) {
  const QSignalBlocker blocker(theme_);
  theme_->setCurrentIndex(theme_->findData(dark));
}

void AppearancePanel::showTrails(bool on) {
  const QSignalBlocker blocker(trails_);
  trails_->setChecked(on);
}

void AppearancePanel::showRegions(bool on, const QString& why) {
  const QSignalBlocker blocker(regions_);
  regions_->setChecked(on);
  regions_->setEnabled(why.isEmpty());
  regions_->setToolTip(why.isEmpty() ? tr("Borders between the places that are nearest to each centroid (G)")
                                     : why);
}

} // namespace lloyd
