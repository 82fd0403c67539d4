// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/text/provenance.hpp"

#include <commit.hpp>

int main(int argc, char** argv) {
  lloyd::setCommit(QStringLiteral(LLOYD_COMMIT));
  return lloyd::programMain(argc, argv);
}
