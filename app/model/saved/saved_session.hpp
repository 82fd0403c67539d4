// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/candidate.hpp"
#include "app/model/pair/paired_run.hpp"
#include "app/model/saved/data_file.hpp"
#include "app/model/saved/moment.hpp"
#include "app/model/saved/view_choices.hpp"

#include <QString>

#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// Compare's two sides, beside what side A shares with the rest: its settings.
struct SavedPair {
  std::string mode; ///< how they are shown: "beside", "split", "difference", "alone"
  SideChoice b;
  double divider = 0.5; ///< 0 at the left edge to 1
  /// The pair of the ladder, where a person chose it; else it is the program's choice again.
  std::optional<Candidate> ladderA, ladderB;
  /// What times are held against: "none", "first" of each family, or a "variant". Races are not saved.
  std::string baseline;
  std::optional<Candidate> pinned; ///< the variant
};

/// All that a session file holds.
struct SavedSession {
  Moment moment;
  bool playing = false; ///< though nothing may have been left to do
  FileFacts data;       ///< of a file of points
  std::string relative; ///< that file from the session's folder
  std::string member;   ///< the one of an archive that is meant
  std::optional<SavedCamera> camera;
  ViewChoices view;
  std::vector<std::size_t> colours; ///< of the palette, by cluster
  std::vector<QString> names;       ///< that a person gave, by cluster; there may be fewer
  std::string workspace;
  std::string teach;        ///< the variant that Teach shows, by id
  std::string teachColours; ///< what points are coloured by there: "cluster", "thread", ...
  SavedPair pair;
};

/// How a session's file ends, without the dot.
inline constexpr std::string_view sessionEnding = "lloyd";
[[nodiscard]] bool isSessionFile(std::string_view path);

/// No session file is larger.
inline constexpr std::size_t mostSessionBytes = std::size_t{256} << 20;

/// The session as a file holds it; every number comes back as it is.
[[nodiscard]] std::string sessionText(const SavedSession& session);
/// The error is one sentence: what in the file is wrong, or that a newer program wrote it. Any thread.
[[nodiscard]] tl::expected<SavedSession, std::string> readSession(const std::string& path);

/// Where the points of a session may be, the first choice first: beside the session, and where they were.
[[nodiscard]] std::vector<std::string> dataPlaces(const SavedSession& session,
                                                  const std::string& sessionPath);

} // namespace lloyd
