// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/write/write_results.hpp"

#include "app/data/precision/figures.hpp"
#include "app/data/read/npy.hpp"
#include "app/data/read/read_points.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <string_view>

namespace lloyd {
namespace {

constexpr std::size_t bufferBytes = std::size_t{1} << 16;

template <typename T>
tl::expected<void, std::string> writeNpy(AtomicFile& file, std::string_view type,
                                         std::span<const std::uint64_t> shape, std::span<const T> values) {
  if (auto written = file.write(npyHeaderBytes(type, shape)); !written) return written;
  if constexpr (std::endian::native == std::endian::little) {
    return file.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  for (T value : values) {
    auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    std::reverse(bytes.begin(), bytes.end());
    if (auto written = file.write({bytes.data(), bytes.size()}); !written) return written;
  }
  return {};
}

template <typename T>
tl::expected<void, std::string> writeCsv(AtomicFile& file, std::span<const std::string> names,
                                         std::span<const T> values) {
  const std::size_t columns = names.size();
  std::string text = csvHeader(names);
  std::array<char, 64> room{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto end = std::to_chars(room.data(), room.data() + room.size(), values[i]).ptr;
    text.append(room.data(), end);
    text += (i + 1) % columns == 0 ? '\n' : ',';
    if (text.size() < bufferBytes) continue;
    if (auto written = file.write(text); !written) return written;
    text.clear();
  }
  return file.write(text);
}

template <typename T>
tl::expected<AtomicFile, std::string>
tableFile(const std::string& path, std::string_view type, std::span<const std::uint64_t> shape,
          std::span<const std::string> names, std::span<const T> values) {
  const std::string why = whyNotWritable(path);
  if (!why.empty()) return tl::unexpected(why);
  auto file = AtomicFile::create(path);
  if (!file) return tl::unexpected(file.error());
  auto written =
      extensionOf(path) == "npy" ? writeNpy(*file, type, shape, values) : writeCsv(*file, names, values);
  if (!written) return tl::unexpected(written.error());
  return file;
}

std::string numberText(float value) {
  std::array<char, 64> room{};
  return {room.data(), std::to_chars(room.data(), room.data() + room.size(), value).ptr};
}

tl::expected<void, std::string> inItsPlace(tl::expected<AtomicFile, std::string> file) {
  if (!file) return tl::unexpected(file.error());
  return file->commit();
}

} // namespace

std::string csvField(const std::string& text, char delimiter) {
  if (text.find_first_of(",;\t\"\r\n") == std::string::npos && text.find(delimiter) == std::string::npos)
    return text;
  std::string field = "\"";
  for (const char c : text)
    field += c == '"' ? "\"\"" : std::string(1, c);
  return field + '"';
}

std::string csvHeader(std::span<const std::string> names) {
  std::string line;
  for (const std::string& name : names) {
    if (!line.empty()) line += ',';
    line += csvField(name);
  }
  return line + '\n';
}

std::vector<std::int32_t> labelsByInputRow(const PointSet& points, std::span<const Label> labels) {
  std::vector<std::int32_t> rows(points.inputRows, -1);
  for (std::size_t i = 0; i < points.n; ++i)
    rows[static_cast<std::size_t>(points.inputRow(i))] = labels[i];
  return rows;
}

tl::expected<AtomicFile, std::string> labelsFile(const std::string& path,
                                                 std::span<const std::int32_t> labels) {
  const std::array<std::uint64_t, 1> shape{labels.size()};
  const std::array<std::string, 1> names{"label"};
  return tableFile<std::int32_t>(path, "<i4", shape, names, labels);
}

tl::expected<void, std::string> writeLabels(const std::string& path, std::span<const std::int32_t> labels) {
  return inItsPlace(labelsFile(path, labels));
}

tl::expected<AtomicFile, std::string> centroidsFile(const std::string& path, std::span<const float> centroids,
                                                    std::span<const std::string> columns) {
  const std::array<std::uint64_t, 2> shape{centroids.size() / columns.size(), columns.size()};
  return tableFile<float>(path, "<f4", shape, columns, centroids);
}

tl::expected<void, std::string> writeCentroids(const std::string& path, std::span<const float> centroids,
                                               std::span<const std::string> columns) {
  return inItsPlace(centroidsFile(path, centroids, columns));
}

tl::expected<AtomicFile, std::string> centroidsFile(const std::string& path, std::span<const float> stored,
                                                    const PointSet& points, const ClusterFacts& clusters) {
  const std::vector<double> values = toFileUnits(stored, points.scales);
  const std::size_t d = points.columns.size();
  const std::size_t k = stored.size() / d;
  if (extensionOf(path) == "npy") {
    if (!points.shifted())
      return centroidsFile(path, std::vector<float>(values.begin(), values.end()), points.columns);
    const std::array<std::uint64_t, 2> shape{k, d};
    return tableFile<double>(path, "<f8", shape, points.columns, values);
  }
  if (std::string why = whyNotWritable(path); !why.empty()) return tl::unexpected(std::move(why));
  const bool sized = clusters.sizes.size() == k;
  const bool named =
      std::ranges::any_of(clusters.names, [](const std::string& name) { return !name.empty(); });
  const CentroidColumns more(points.columns);
  std::vector<std::string> columns = points.columns;
  if (sized) columns.push_back(more.size);
  if (named) columns.push_back(more.name);
  std::string text = csvHeader(columns);
  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    for (std::size_t j = 0; j < d; ++j) {
      const std::size_t i = cluster * d + j;
      if (j > 0) text += ',';
      text += points.shifted() ? storedText(points.scaleOf(j), stored[i])
                               : numberText(static_cast<float>(values[i]));
    }
    if (sized) text += ',' + std::to_string(clusters.sizes[cluster]);
    if (named) text += ',';
    if (named && cluster < clusters.names.size()) text += csvField(clusters.names[cluster]);
    text += '\n';
  }
  return writtenFile(path, text);
}

tl::expected<void, std::string> writeCentroids(const std::string& path, std::span<const float> stored,
                                               const PointSet& points, const ClusterFacts& clusters) {
  return inItsPlace(centroidsFile(path, stored, points, clusters));
}

std::string whyNotWritable(const std::string& path) {
  const std::string extension = extensionOf(path);
  if (extension == "npy" || extension == "csv") return {};
  return path + ": the name must end in .npy or .csv, which chooses the format";
}

} // namespace lloyd
