// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/compute/settings.hpp"
#include "app/model/quality/class_agreement.hpp"
#include "app/model/quality/cluster_scores.hpp"
#include "app/model/quality/k_curve_points.hpp"
#include "app/model/session/run_history.hpp"
#include "gpu/core/stats/statistics.hpp"
#include "gpu/engine/clustering.hpp"
#include "gpu/engine/streamed/streamed_clustering.hpp"
#include "gpu/interop/shared_points.hpp"

#include <QByteArray>
#include <QJsonObject>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lloyd {

/// All times of one stage of a run, none left out.
struct StageSamples {
  Stage stage = Stage::unaccounted;
  std::string variant; ///< id; empty for stages that have none
  std::vector<double> us;
};

/// What one of several runs from different first centroids came to.
struct Restart {
  std::uint64_t seed = 1;
  int iterations = 0;
  bool converged = false;
  double inertia = 0;
  std::optional<ClusterScores> scores = {}; ///< nothing where nobody asked, or points cannot be judged
};

/// A finished run. labels, sizes and inertia of result belong to its centroids.
struct RunReport {
  DeviceInfo device;
  Sharing sharing = Sharing::none;
  std::string why; ///< why a better device is not in use
  SharedPointSet data;
  Settings settings;
  Scale scaling = Scale::none;
  Plan plan;
  /// Of points that the device did not hold; none where it did.
  std::optional<StreamFacts> streamed;
  bool converged = false;
  int iterations = 0;
  /// Of a set whose flag was looked at late: the first iteration that changed no label; none for others.
  std::optional<int> needed;
  IterationResult result;
  std::vector<std::string> clusterNames = {}; ///< that a person gave, by cluster; there may be fewer
  std::vector<IterationStats> history;
  std::vector<StageSamples> times;
  /// Every run of several, in the order of their seeds; this one has the least inertia of them. Empty for a
  /// single run.
  std::vector<Restart> restarts;
  bool startUnasked = false;                  ///< one start by chance, where nobody said how many
  std::optional<ClusterScores> scores = {};   ///< as a restart's
  std::optional<ClassAgreement> classes = {}; ///< with the class that the points have
  double restartsUs = 0; ///< what the iterations of all took by the host's clock; sets: copies included
  /// Of a run in a window: from one frame on the screen to the next, and the points, labels and results that
  /// crossed between host and device for a frame.
  std::optional<Summary> frame;
  std::uint64_t hostBytesPerFrame = 0;

  void remember(const IterationResult& iteration);
  /// Of iterations that a schedule repeated, only the last one is known, and what all of them took.
  void rememberRepeated(const IterationResult& last);
  void addTime(Stage stage, double us);
  /// [k][d], in the units of the file.
  [[nodiscard]] std::vector<double> centroids() const;
  /// Its number of clusters, with all of its runs.
  [[nodiscard]] KPoint kPoint() const;
};

class Session;
/// What a session has done so far, as the report of a run. result must belong to the session's present
/// centroids, as Session::fetchLabels hands it over.
[[nodiscard]] RunReport reportOf(const Session& session, const IterationResult& result);

/// What was done to which points on which device, as name and value; empty values are of no interest.
[[nodiscard]] std::vector<std::pair<QString, QString>> runFacts(const RunReport& report);
/// A sum of squares: six digits, and no digit before the decimal point rounded away, because late iterations
/// differ there.
[[nodiscard]] QString inertiaText(double inertia);

/// "they stay in pinned host memory and go through the device in 12 batches"
[[nodiscard]] QString streamedText(const StreamFacts& streamed);

/// Four digits; an en dash for a score that has no meaning.
[[nodiscard]] QString scoreText(std::optional<double> value);
/// "silhouette 0.5528, Davies-Bouldin 0.6620, Calinski-Harabasz 561.6", an en dash for what has no meaning,
/// and of how many points where not of all.
[[nodiscard]] QString scoresText(const ClusterScores& scores);

/// The name that a person gave a cluster; empty where there is none.
[[nodiscard]] QString clusterName(const RunReport& report, std::size_t cluster);
/// The names of the points' columns; x0, x1, ... where a file has none.
[[nodiscard]] QStringList columnNames(const PointSet& points);

[[nodiscard]] QJsonObject runObject(const RunReport& report);
[[nodiscard]] QByteArray runJson(const RunReport& report);
/// One line a cluster: cluster, size, coordinates, and the rule that the points meet where there is one.
[[nodiscard]] QByteArray runCsv(const RunReport& report);
[[nodiscard]] QByteArray runMarkdown(const RunReport& report);
/// For a terminal: what was done, and the clusters.
[[nodiscard]] QByteArray runText(const RunReport& report);

} // namespace lloyd
