// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/compute/settings.hpp"
#include "app/model/measure/candidate.hpp"
#include "app/model/pair/paired_run.hpp"
#include "app/model/projection/projection.hpp"
#include "app/text/json_object.hpp"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace lloyd {

// The parts of a session file, each written and read here alone. What reads throws JsonError, and takes what
// is absent for what a value has by itself, so that a field can be added without another version.

/// All but the path, which depends on where the session's file is.
[[nodiscard]] QJsonObject requestJson(const DataRequest& request);
[[nodiscard]] DataRequest requestFrom(const JsonObject& object);

[[nodiscard]] QJsonObject settingsJson(const Settings& settings);
[[nodiscard]] Settings settingsFrom(const JsonObject& object);

[[nodiscard]] QJsonObject selectionJson(const Selection& selection);
[[nodiscard]] Selection selectionFrom(const JsonObject& object);

[[nodiscard]] QJsonArray axesJson(const Axes& axes);
[[nodiscard]] Axes axesFrom(const JsonObject& object, const char* key);

/// Centroids are lists of k rows.
[[nodiscard]] QJsonObject runJson(const RunState& run, int k);
[[nodiscard]] RunState runFrom(const JsonObject& object, int k);

[[nodiscard]] QJsonObject sideJson(const SideChoice& side);
[[nodiscard]] SideChoice sideFrom(const JsonObject& object);

/// Of clusters, which a person gave: as many as clusters, or fewer.
[[nodiscard]] QJsonArray namesJson(const std::vector<QString>& names);
[[nodiscard]] std::vector<QString> namesFrom(const JsonObject& object, const char* key, int k);

/// Nothing for a variant that this build does not have.
[[nodiscard]] QJsonObject candidateJson(const Candidate& candidate);
[[nodiscard]] std::optional<Candidate> candidateFrom(const JsonObject& object);

/// A whole number of 64 bits: beyond what a double holds exactly it is a text.
[[nodiscard]] QJsonValue wholeJson(std::uint64_t number);
[[nodiscard]] std::uint64_t wholeFrom(const JsonObject& object, const char* key, std::uint64_t fallback);

} // namespace lloyd
