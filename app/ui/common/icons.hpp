// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QIcon>
#include <QString>

namespace lloyd {

/// An icon of resources/icons in the theme's text colour, dim where disabled. Sharp at every scale: it is
/// drawn from the SVG at the size asked for.
[[nodiscard]] QIcon themedIcon(const QString& name);

} // namespace lloyd
