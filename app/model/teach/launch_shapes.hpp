// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/teach_subject.hpp"

#include <QString>

namespace lloyd {

/// How both versions are launched, so that their counters differ by what the versions do and not by a block
/// of another size. Each tuning parameter that both have gets this version's value in both, where the version
/// before takes it; each that only one has keeps its own.
struct LaunchShapes {
  Tuning now;         ///< complete
  Tuning before;      ///< complete; means nothing without a version before
  int askedBlock = 0; ///< this version's own, where the version before cannot run with it; else 0
};

/// Where the version before cannot run with this version's block, both get the nearest that both can. Where
/// there is none, or one of them is not counted, each keeps its own shape.
[[nodiscard]] LaunchShapes launchShapes(const TeachSubject& subject, const Problem& problem);

/// "Both: block 128, items 4, D = 2, K = 16"; of one version alone "Block 128, D = 2, K = 16".
[[nodiscard]] QString shapeText(const TeachSubject& subject, const LaunchShapes& shapes,
                                const Problem& problem);
/// "Differs: vector 4 here, none before", and why a block is another than this version's own; empty where
/// nothing is to be said.
[[nodiscard]] QString shapeDifferences(const TeachSubject& subject, const LaunchShapes& shapes);

} // namespace lloyd
