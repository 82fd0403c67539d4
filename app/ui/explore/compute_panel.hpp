// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/ui/common/collapsible_section.hpp"

#include <map>
#include <string>

class QComboBox;

namespace lloyd {

/// What computes, and with which variants. What cannot be chosen is there, disabled, with the reason.
class ComputePanel : public CollapsibleSection {
  Q_OBJECT
public:
  /// ladder knows which variants can run.
  ComputePanel(Session& session, const VariantListModel& ladder, QWidget* parent = nullptr);

private:
  void showSettings();
  void showVariants();
  void showParameters();
  void chooseVariant(Stage stage, QComboBox& box);
  void chooseParameter(const std::string& parameterName, const QComboBox& box);

  Session& session_;
  const VariantListModel& ladder_;
  QComboBox* backend_;
  QComboBox* interop_;
  std::map<Stage, QComboBox*> variants_;
  std::map<std::string, QComboBox*> tuningBoxes_;
};

} // namespace lloyd
