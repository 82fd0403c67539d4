// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/saved/edit_history.hpp"

#include <QString>

namespace lloyd {

/// What a step is called in a menu, behind "Undo:".
struct EditName {
  QString text; ///< empty: nothing that a person sets is another
  QString kind; ///< steps of one kind that follow at once are one step; empty: each is its own
};

inline const QString axesKind = QStringLiteral("axes");

/// By what the states differ in; of several things the one that a person would name.
[[nodiscard]] EditName editName(const EditState& before, const EditState& after);

/// Of a cluster that a person gives a name.
[[nodiscard]] QString namingName(int cluster);
/// Of a centroid that was moved.
[[nodiscard]] EditName moveName(int cluster);

} // namespace lloyd
