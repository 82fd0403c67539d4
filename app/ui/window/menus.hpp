// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenuBar;
class QWidget;

namespace lloyd {

class Actions;
class FileActions;

/// A menu for each group of actions, in their order; in that of files also what was open before, and samples.
/// All must outlive the bar.
void fillMenuBar(QMenuBar& bar, const Actions& actions, FileActions& files);

/// The context menus of the points and of the list of variants: the menu bar's own actions.
void offerPointActions(QWidget& points, const Actions& actions);
void offerVariantActions(QWidget& list, const Actions& actions);

} // namespace lloyd
