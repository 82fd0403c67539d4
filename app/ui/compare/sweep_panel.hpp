// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/sweep/sweep_runner.hpp"

#include <QWidget>

#include <array>
#include <optional>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace lloyd {

class PlotPane;
class SweepMaps;
class SweepPlot;

/// What is to be swept, the sweep under way, and its plot: lines over one axis, heat maps over two.
class SweepPanel : public QWidget {
  Q_OBJECT
public:
  SweepPanel(Session& session, SweepRunner& sweeps, QWidget* parent = nullptr);

  /// What can be started now, and why not.
  void refresh();
  void renewColours();
  /// Shows a result as if it had just come in.
  void show(const SweepResultPtr& result);
  /// The plot that is to be seen.
  [[nodiscard]] PlotPane& plot() const;
  [[nodiscard]] SweepMaps& maps() const { return *maps_; }

  /// What the fields say, or a sentence about what is wrong with them.
  [[nodiscard]] tl::expected<SweepRequest, QString> request() const;

Q_SIGNALS:
  void said(const QString& text, bool error);

private:
  struct AxisFields {
    QComboBox* parameter = nullptr;
    QLineEdit* values = nullptr;
  };

  [[nodiscard]] QWidget* makeSetUp();
  void makeAxis(AxisFields& axis, const QString& title, bool optional, QFormLayout* form);
  void makeVariants(QFormLayout* form);
  void offerParameters();
  void renewVariants();
  void nameVariants();
  void countVariants();
  [[nodiscard]] QString whyNoParameter(SweepParameter parameter) const;
  void proposeValues(AxisFields& axis) const;
  void startOrCancel();
  void showProgress(const SweepProgress& progress);
  void showRunning();
  [[nodiscard]] std::optional<SweepParameter> parameterOf(const AxisFields& axis) const;
  [[nodiscard]] Stage stage() const;
  [[nodiscard]] SweepMetric plotted() const;
  [[nodiscard]] Problem problem() const;
  void goOnWith(std::size_t column, std::size_t row, std::size_t candidate);

  Session& session_;
  SweepRunner& sweeps_;
  SweepResultPtr result_;
  bool cancelled_ = false;            ///< by a person, who then sees so
  std::vector<Candidate> candidates_; ///< one for each item of variants_
  std::array<AxisFields, 2> axes_;
  AxisFields each_; ///< a map, or a line, for each of these values
  QComboBox* stage_ = nullptr;
  QToolButton* variantsButton_ = nullptr;
  QListWidget* variants_ = nullptr;
  QComboBox* metric_ = nullptr;
  QDoubleSpinBox* budget_ = nullptr;
  QPushButton* start_ = nullptr;
  QLabel* state_ = nullptr;
  QProgressBar* progress_;
  QStackedWidget* plots_;
  SweepPlot* lines_;
  SweepMaps* maps_;
  QLabel* answer_;
};

} // namespace lloyd
