// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/model/session/variant_list_model.hpp"

#include <QWidget>

#include <map>

class QComboBox;

namespace lloyd {

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

} // namespace lloyd
