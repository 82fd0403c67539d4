// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/pair/paired_run.hpp"
#include "app/model/session/session.hpp"
#include "app/model/session/variant_list_model.hpp"

#include <QWidget>

#include <map>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QHBoxLayout;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace lloyd {

class ElidedLabel;

/// The backend and the variants of one side. What cannot run is listed too, disabled, with its reason.
class PairChooser : public QWidget {
  Q_OBJECT
public:
  /// name: "A"
  PairChooser(const QString& name, QWidget* parent);

  /// What is asked for and, as soon as it is known, what runs. points null: nothing is known yet.
  void show(BackendRequest backend, const Selection& selection, const Plan& plan, const DeviceInfo& device,
            const SharedPointSet& points, int k, const QString& whyNoCuda);

Q_SIGNALS:
  void chosen(BackendRequest backend, const Selection& selection);

private:
  void fill(Stage stage, QComboBox& box, bool automatic);
  void choose(Stage stage, const QComboBox& box);

  QString name_;
  QComboBox* backend_;
  std::map<Stage, QComboBox*> boxes_; ///< classify (with the passes that do both), reduce, update
  BackendRequest choice_ = BackendRequest::automatic;
  Selection selection_;
  Plan plan_;
  VariantListModel ladder_;
};

/// How two runs are shown, in the order in which a key goes through them.
enum class PairMode {
  beside,     ///< two views
  split,      ///< one view with a divider
  difference, ///< one view in which the points that both label alike step back
  alone       ///< A; there is no B
};

/// How A and B are shown, what each of them runs, and the sentence that says in how many labels they differ.
class PairBar : public QWidget {
  Q_OBJECT
public:
  PairBar(Session& a, PairedRun& run, QWidget* parent);

  void showMode(PairMode mode);
  /// Ways of showing that need OpenGL are disabled with a reason.
  void setDrawing(bool drawing);
  /// matched: clusters were paired before labels were compared, which the tooltip explains.
  void showSentence(const QString& sentence, bool strong, bool matched = false);
  [[nodiscard]] QString sentence() const;
  /// Takes what the sessions run now.
  void showSides();
  [[nodiscard]] PairChooser& chooser(bool b) const { return b ? *b_ : *a_; }

Q_SIGNALS:
  void modeWanted(lloyd::PairMode mode);
  void sideAWanted(lloyd::BackendRequest backend, const lloyd::Selection& selection);
  void sideBWanted(const lloyd::SideChoice& side);
  void swapWanted();

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void arrange();
  void wantSeed();

  Session& session_;
  PairedRun& run_;
  std::map<PairMode, QToolButton*> modes_;
  PairChooser* a_;
  PairChooser* b_;
  ElidedLabel* sentence_;
  QGridLayout* grid_;
  QHBoxLayout* top_ = nullptr;
  QVBoxLayout* column_ = nullptr;
  int sentenceAt_ = 0; ///< in top_
  QToolButton* swap_;
  QCheckBox* ownSeed_;
  QSpinBox* seed_;
  QWidget* seeds_; ///< both
  bool wide_ = false;
  bool sentenceBeside_ = true;
};

} // namespace lloyd
