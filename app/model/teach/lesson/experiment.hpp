// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/settings.hpp"

#include <QString>

#include <tl/expected.hpp>

namespace lloyd {

/// What a lesson has set up for a reader: the points, and with how many clusters and in which launch the step
/// is looked at.
struct Experiment {
  DataRequest request;
  std::optional<int> k; ///< nothing: as many as there are
  Tuning tuning;        ///< of which each variant takes what it has
};

/// Reads what a lesson's link has behind "setup:": a generator, then k and tuning parameters, each after a
/// semicolon, as in "blobs:n=4096,d=2;k=16;block=128". The error is a sentence.
[[nodiscard]] tl::expected<Experiment, QString> readExperiment(const QString& text);

/// The same for people, with room to break a line: "blobs: n=4096, d=2; k=16; block=128".
[[nodiscard]] QString experimentText(QString text);

/// The settings of a session with what the experiment says of them.
[[nodiscard]] Settings withExperiment(Settings settings, const Experiment& experiment);

} // namespace lloyd
