// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace lloyd {

/// Lets Tab go through the controls of a panel as the eye does: in the order of its layouts, splitters and
/// tabs, whatever the order was in which they were made.
void tabInReadingOrder(QWidget& panel);

} // namespace lloyd
