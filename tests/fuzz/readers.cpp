// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/readers.hpp"

#include "app/data/input/unpack.hpp"
#include "app/data/read/read_points.hpp"
#include "app/data/table/table.hpp"
#include "app/model/report/bench_report.hpp"
#include "app/model/report/saved_report.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/defaults/tuning_table.hpp"

#include <QFile>
#include <QTemporaryDir>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lloyd::fuzz {
namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void requireSentence(std::string_view text) {
  require(!text.empty() && text.find('\n') == std::string_view::npos, "a refusal is not one line");
}

/// The bytes as a file, whose name is the same each time. Readers take files, because only those have a size
/// that a header can contradict.
std::string fileOf(std::span<const char> bytes, const char* name) {
  static const QTemporaryDir folder;
  const QString path = folder.filePath(QLatin1String(name));
  QFile file(path);
  require(file.open(QIODevice::WriteOnly | QIODevice::Truncate) &&
              file.write(bytes.data(), static_cast<qint64>(bytes.size())) ==
                  static_cast<qint64>(bytes.size()),
          "the file cannot be written");
  return path.toStdString();
}

void checkPoints(const PointSet& points) {
  require(points.n > 0 && points.d > 0, "no points, and no refusal");
  require(points.values.size() == points.n * static_cast<std::size_t>(points.d), "values and sizes differ");
  require(points.columns.size() == static_cast<std::size_t>(points.d), "columns and sizes differ");
  require(points.inputRows == points.n + points.dropped.size(), "rows are lost");
  for (const float value : points.values)
    require(std::isfinite(value), "a value is not finite");
  for (std::size_t c = 0; points.table && c < points.table->columns.size(); ++c)
    for (const std::size_t point : {std::size_t{0}, points.n - 1}) {
      const std::string cell = cellAt(points, c, point);
      require(!points.table->columns[c].feature || !cell.empty(), "a feature has no value");
    }
}

void feedPoints(std::span<const char> bytes, const char* name) {
  const std::string path = fileOf(bytes, name);
  for (const Scale scale : {Scale::none, Scale::standard}) {
    const auto points = readPoints(path, {.columns = {}, .dropRagged = scale != Scale::none, .scale = scale});
    points ? checkPoints(*points) : requireSentence(points.error().message);
  }
  const auto matrix = readMatrix(path);
  matrix ? require(matrix->values.size() == matrix->rows * matrix->columns, "a matrix and its sizes differ")
         : requireSentence(matrix.error().message);
}

void feedTable(std::span<const char> bytes) { feedPoints(bytes, "input.csv"); }
void feedArray(std::span<const char> bytes) { feedPoints(bytes, "input.npy"); }
/// Both kinds, whatever the first bytes are.
void feedCloud(std::span<const char> bytes) {
  feedPoints(bytes, "input.ply");
  feedPoints(bytes, "input.pcd");
}
/// The first bytes say how it is packed; what is in it may be anything that a name leaves open.
void feedPacked(std::span<const char> bytes) {
  feedPoints(bytes, "input.xyz.gz");
  try {
    const std::string path = fileOf(bytes, "input.zip");
    std::size_t read = 0;
    for (const std::string& member : packedMembers(path)) {
      const auto points = readPoints(path + ":" + member);
      points ? checkPoints(*points) : requireSentence(points.error().message);
      if (++read == 4) break; // the others are no different
    }
  } catch (const ReadFailure& failure) {
    requireSentence(failure.error.message);
  }
}
/// The first bytes say which of the formats it is.
void feedImage(std::span<const char> bytes) { feedPoints(bytes, "input.png"); }

/// What was read can be written, and is read again.
void feedReport(std::span<const char> bytes) {
  const auto saved = readBenchReport(fileOf(bytes, "report.json"));
  if (!saved) return requireSentence(saved.error());
  if (saved->races.empty()) return;
  BenchReport again;
  again.device = saved->races.front()->device;
  again.races = saved->races;
  const QByteArray json = benchJson(again);
  const auto second =
      readBenchReport(fileOf({json.constData(), static_cast<std::size_t>(json.size())}, "again.json"));
  if (!second) std::fprintf(stderr, "%s\n", second.error().c_str());
  require(second.has_value(), "a report that was read is refused when it is written again");
}

void feedTuning(std::span<const char> bytes) {
  std::vector<TuningEntry> entries;
  try {
    entries = readTuning({bytes.data(), bytes.size()}, "tuning.csv");
  } catch (const RequestError& error) {
    return requireSentence(error.what());
  }
  const std::string text = writeTuning(mergedTuning({}, entries));
  require(writeTuning(readTuning(text, "again.csv")) == text, "a table changes when it is written and read");
}

} // namespace

std::span<const Reader> readers() {
  static constexpr std::array all{Reader{"csv", feedTable},     Reader{"npy", feedArray},
                                  Reader{"packed", feedPacked}, Reader{"cloud", feedCloud},
                                  Reader{"image", feedImage},   Reader{"report", feedReport},
                                  Reader{"tuning", feedTuning}};
  return all;
}

} // namespace lloyd::fuzz
