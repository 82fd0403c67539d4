// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/gl/resources.hpp"

#include <QDir>

// Q_INIT_RESOURCE declares a function in the namespace it stands in, so it must stand in none.
static void initLloydResources() { Q_INIT_RESOURCE(resources); }

namespace lloyd {

void initResources() { initLloydResources(); }

} // namespace lloyd
