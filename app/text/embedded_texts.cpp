// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/embedded_texts.hpp"

#include <QDir>

// Q_INIT_RESOURCE declares a function in the namespace it stands in, so it must stand in none.
static void initLloydTexts() { Q_INIT_RESOURCE(texts); }

namespace lloyd {

void initTexts() { initLloydTexts(); }

} // namespace lloyd
