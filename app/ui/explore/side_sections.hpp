// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/ui/common/collapsible_section.hpp"
#include "app/ui/view/cluster_colours.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;
class QToolButton;

namespace lloyd {

class ColourLegend;
struct ColourKey;
class ColumnsView;
class GeneratorRows;

/// Where the points come from, and what became of the file's rows and columns.
class DataPanel : public CollapsibleSection {
  Q_OBJECT
public:
  explicit DataPanel(Session& session, QWidget* parent = nullptr);

  /// How what is opened next is scaled; shown where no present points can be.
  void showNextScaling(Scale scaling);
  /// What was refused last is not asked for any more.
  void forgetRefused();

Q_SIGNALS:
  void openWanted();
  void requested(const lloyd::DataRequest& request);
  void generatorWanted(const lloyd::DataRequest& request); ///< other points, scaled as new ones are
  void nextScalingChosen(lloyd::Scale scaling);            ///< for what is opened next

private:
  void showData();
  [[nodiscard]] Scale chosenScaling() const;
  [[nodiscard]] bool scalesNext() const;
  void rescale();
  void showGenerator();

  Session& session_;
  QPushButton* open_;
  QToolButton* generators_;
  QComboBox* scaling_;
  QComboBox* pixels_; ///< of an image only
  QLabel* source_;
  QLabel* rows_;
  QLabel* columns_;
  std::optional<DataRequest> unscalable_; ///< refused, unless scaling is another one
  GeneratorRows* generator_ = nullptr;
  ColumnsView* table_ = nullptr;
};

/// k, how the first centroids are chosen, and the seed.
class ClusteringPanel : public CollapsibleSection {
  Q_OBJECT
public:
  /// restarts: shows the runs from other seeds.
  ClusteringPanel(Session& session, QAction* restarts, QWidget* parent = nullptr);

  /// Whether other starts are tried unasked. can: a person may have it otherwise.
  void showOtherStarts(bool on, bool can, const QString& toolTip);

Q_SIGNALS:
  void otherStartsWanted(bool on);
  void seedChosen(); ///< by a person; the session has it
  void fileWanted(); ///< of first centroids

private:
  void showSettings();
  void apply();

  Session& session_;
  QSpinBox* k_;
  QComboBox* init_;
  QSpinBox* seed_;
  QPushButton* restart_;
  QCheckBox* others_;
};

/// How the points look.
class AppearancePanel : public CollapsibleSection {
  Q_OBJECT
public:
  explicit AppearancePanel(QWidget* parent = nullptr);

  void showColours(ClusterColours::By by, bool dataAreColours);
  /// As if a person had chosen it; a column that is not offered is none.
  void chooseColours(ClusterColours::By by, std::optional<std::size_t> column);
  /// That points are coloured by; none: by cluster.
  [[nodiscard]] std::optional<std::size_t> column() const;
  /// The columns that points can be coloured by; chosen: the one that they are.
  void offerColumns(const QStringList& names, const std::vector<std::size_t>& columns,
                    std::optional<std::size_t> chosen);
  /// What the colours mean; no names: nothing.
  void showLegend(const ColourKey& key);
  void showSize(double factor);
  void showDark(bool dark);
  void showTrails(bool on);
  /// why: they cannot be drawn, a whole sentence; empty where they can.
  void showRegions(bool on, const QString& why);

Q_SIGNALS:
  void coloursWanted(lloyd::ClusterColours::By by);
  void columnWanted(std::optional<std::size_t> column); ///< to colour by; none: by cluster again
  void sizeWanted(double factor);
  void darkWanted(bool dark);
  void trailsWanted(bool on);
  void regionsWanted(bool on);

private:
  void tellColours();

  ClusterColours::By by_ = ClusterColours::By::palette; ///< as shown last
  QComboBox* colours_;
  ColourLegend* legend_;
  QSlider* size_;
  QComboBox* theme_;
  QCheckBox* trails_;
  QCheckBox* regions_;
};

} // namespace lloyd
