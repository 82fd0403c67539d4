// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/teach_subject.hpp"

#include <QWidget>

#include <functional>
#include <utility>

class QAction;
class QComboBox;
class QLabel;
class QHBoxLayout;
class QPushButton;
class QVBoxLayout;
class QToolButton;

namespace lloyd {

class ElidedLabel;

/// Which stage and variant are taught, what the variant's idea is, what it costs, and whether the points are
/// iterated with it.
class VariantChooser : public QWidget {
  Q_OBJECT
public:
  VariantChooser(QAction* previous, QAction* next, QWidget* parent = nullptr);

  void showSubject(const TeachSubject& subject);
  /// Whether the stage has a variant before and behind.
  void offerSteps(bool previous, bool next);
  /// Says of a variant why the points cannot be iterated with it here; empty when they can. It is offered all
  /// the same: its source and its lesson can be read.
  using WhyNot = std::function<QString(Stage, const Variant&)>;
  void setWhyNot(WhyNot whyNot) { whyNot_ = std::move(whyNot); }
  /// After what decides that has changed.
  void renewReasons();
  void showFigures(const QString& figures, const QString& meaning);
  /// What iterates the points, in a sentence; offer: whether the simulator would iterate with the variant.
  void showUse(const QString& sentence, bool offer);
  /// In its place, so that nobody overlooks it: why nothing iterates with what is shown.
  void showWrong(const QString& sentence);
  [[nodiscard]] QString use() const;

Q_SIGNALS:
  void chosen(lloyd::Stage stage, const lloyd::Variant* variant);
  void simulatorRequested();

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void placeParts();
  void sayUse(const QString& sentence, bool alert);
  void stageChosen();
  void variantChosen();
  void fillVariants(Stage stage);

  WhyNot whyNot_;
  QComboBox* stages_;
  QComboBox* variants_;
  QToolButton* previous_;
  QToolButton* next_;
  QLabel* title_;
  QLabel* idea_;
  ElidedLabel* figures_;
  QHBoxLayout* top_;
  QHBoxLayout* below_;
  QVBoxLayout* column_;
  int titleAt_ = 0; ///< in top_
  QLabel* use_;
  QPushButton* useSimulator_;
};

} // namespace lloyd
