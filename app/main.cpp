// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"

int main(int argc, char** argv) { return lloyd::programMain(argc, argv); }
