// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/write/write_results.hpp"

#include "app/data/read/file_kind.hpp"
#include "app/data/read/npy_header.hpp"

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
tl::expected<void, std::string> writeCsv(AtomicFile& file, std::span<const T> values, std::size_t columns) {
  std::string text;
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
tl::expected<AtomicFile, std::string> tableFile(const std::string& path, std::string_view type,
                                                std::span<const std::uint64_t> shape,
                                                std::span<const T> values) {
  const std::string why = whyNotWritable(path);
  if (!why.empty()) return tl::unexpected(why);
  auto file = AtomicFile::create(path);
  if (!file) return tl::unexpected(file.error());
  const std::size_t columns = shape.size() > 1 ? static_cast<std::size_t>(shape[1]) : 1;
  auto written =
      extensionOf(path) == "npy" ? writeNpy(*file, type, shape, values) : writeCsv(*file, values, columns);
  if (!written) return tl::unexpected(written.error());
  return file;
}

tl::expected<void, std::string> inItsPlace(tl::expected<AtomicFile, std::string> file) {
  if (!file) return tl::unexpected(file.error());
  return file->commit();
}

} // namespace

std::vector<std::int32_t> labelsByInputRow(const PointSet& points, std::span<const Label> labels) {
  std::vector<std::int32_t> rows(points.inputRows, -1);
  for (std::size_t i = 0; i < points.n; ++i)
    rows[static_cast<std::size_t>(points.inputRow(i))] = labels[i];
  return rows;
}

tl::expected<AtomicFile, std::string> labelsFile(const std::string& path,
                                                 std::span<const std::int32_t> labels) {
  const std::array<std::uint64_t, 1> shape{labels.size()};
  return tableFile<std::int32_t>(path, "<i4", shape, labels);
}

tl::expected<void, std::string> writeLabels(const std::string& path, std::span<const std::int32_t> labels) {
  return inItsPlace(labelsFile(path, labels));
}

tl::expected<AtomicFile, std::string> centroidsFile(const std::string& path, std::span<const float> centroids,
                                                    std::size_t d) {
  const std::array<std::uint64_t, 2> shape{centroids.size() / d, d};
  return tableFile<float>(path, "<f4", shape, centroids);
}

tl::expected<void, std::string> writeCentroids(const std::string& path, std::span<const float> centroids,
                                               std::size_t d) {
  return inItsPlace(centroidsFile(path, centroids, d));
}

std::string whyNotWritable(const std::string& path) {
  const std::string extension = extensionOf(path);
  if (extension == "npy" || extension == "csv") return {};
  return path + ": the name must end in .npy or .csv, which chooses the format";
}

} // namespace lloyd
