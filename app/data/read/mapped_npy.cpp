// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/mapped_npy.hpp"

#include "app/data/input/reader_steps.hpp"
#include "app/data/input/unpack.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/parallel_ranges.hpp"
#include "app/data/read/npy.hpp"
#include "gpu/core/contract/error.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <mutex>
#include <system_error>

namespace lloyd {
namespace {

std::vector<std::string> namesOf(const NpyHeader& header) {
  std::vector<std::string> names(header.columns());
  for (std::size_t c = 0; c < names.size(); ++c)
    names[c] = unnamedColumn(c);
  return names;
}

constexpr std::size_t pieceRows = std::size_t{1} << 14;

} // namespace

/// The whole file in the address space, where only what was read lately takes memory.
class MappedNpy::Mapping {
public:
  explicit Mapping(const InputFile& file) : descriptor_(file.descriptor()), bytes_(file.size()) {
    void* const start = ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, descriptor_, 0);
    if (start == MAP_FAILED) refuse("it cannot be mapped: " + std::generic_category().message(errno));
    start_ = static_cast<char*>(start);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(start_, bytes_); }

  [[nodiscard]] const char* data() const { return start_; }
  /// Reading beyond the end of a file that became shorter would end the program.
  [[nodiscard]] bool isWhole() const {
    struct stat about {};
    return ::fstat(descriptor_, &about) == 0 && static_cast<std::uint64_t>(about.st_size) >= bytes_;
  }
  /// These bytes were read, and need no memory for now. Whoever still reads their pages finds them again.
  void giveBack(std::uint64_t offset, std::uint64_t bytes) const {
    static const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t begin = offset / page * page;
    ::madvise(start_ + begin, std::min(offset + bytes, bytes_) - begin, MADV_DONTNEED);
  }

private:
  int descriptor_;
  std::uint64_t bytes_;
  char* start_ = nullptr;
};

MappedNpy::MappedNpy(const std::string& path, const std::vector<std::string>& columns,
                     const ReadControl& control)
    : file_(path), header_(readNpyHeader(file_)), convert_(converterOf(header_)),
      chosen_(chooseColumns(columns, namesOf(header_))), mapping_(std::make_unique<Mapping>(file_)) {
  if (header_.rows() > std::numeric_limits<std::uint32_t>::max())
    refuse(counted(header_.rows(), "row") + " are more than the 4,294,967,295 that labels can count");
  shifts_.assign(chosen_.size(), 0);
  if (const auto unit = unitOf(header_))
    shifts_ = shiftsOf(
        size(), chosen_.size(), *unit, control,
        [&](std::size_t first, std::size_t count, double* values) { widenPiece(first, count, values); });
  const std::vector<ValueRange> ranges = lookAtAll(control);
  throwIfCancelled(control);
  // Two points stand for all in what is asked of columns: those of the least and of the greatest values.
  PointSet corners;
  corners.n = 2;
  corners.d = dimensions();
  corners.source = path;
  const std::vector<std::string> names = namesOf(header_);
  for (std::size_t j = 0; j < chosen_.size(); ++j) {
    corners.columns.push_back(names[chosen_[j]]);
    corners.values.insert(corners.values.end(), {ranges[j].low, ranges[j].high});
    corners.scales.push_back({.offset = shifts_[j], .factor = 1, .shift = shifts_[j]});
    if (header_.kind != 'f') corners.decimals.push_back(0);
  }
  box_ = boxOf(corners);
  keepFiniteRows(corners);
  if (const auto fits = applyScale(corners, Scale::none); !fits) refuse(fits.error());
  corners.values.clear();
  corners.n = corners.inputRows = size();
  description_ = std::make_shared<const PointSet>(std::move(corners));
}

MappedNpy::~MappedNpy() = default;

std::uint64_t MappedNpy::offsetOf(std::size_t row, std::size_t slot) const {
  const std::uint64_t at =
      header_.byColumn() ? chosen_[slot] * size() + row : row * header_.columns() + chosen_[slot];
  return header_.dataStart + at * static_cast<std::uint64_t>(header_.itemBytes);
}

void MappedNpy::widenPiece(std::size_t first, std::size_t count, double* to) const {
  if (!mapping_->isWhole()) refuse("the file became shorter while it was read");
  const WidenItems widen = widenerOf(header_);
  const auto item = static_cast<std::uint64_t>(header_.itemBytes);
  const std::uint64_t step = header_.byColumn() ? item : header_.columns() * item;
  for (std::size_t slot = 0; slot < chosen_.size(); ++slot) {
    const std::uint64_t offset = offsetOf(first, slot);
    widen(mapping_->data() + offset, step, count, to + slot * count);
    if (header_.byColumn()) mapping_->giveBack(offset, count * item);
  }
  if (!header_.byColumn()) mapping_->giveBack(header_.dataStart + first * step, count * step);
}

void MappedNpy::readPiece(std::size_t first, std::size_t count, float* to, std::size_t stride) const {
  const auto item = static_cast<std::uint64_t>(header_.itemBytes);
  const std::uint64_t columns = header_.columns();
  for (std::size_t slot = 0; slot < chosen_.size(); ++slot) {
    const std::uint64_t offset = offsetOf(first, slot);
    convert_(mapping_->data() + offset, header_.byColumn() ? item : columns * item, count, shifts_[slot],
             to + slot * stride);
    if (header_.byColumn()) mapping_->giveBack(offset, count * item);
  }
  if (!header_.byColumn())
    mapping_->giveBack(header_.dataStart + first * columns * item, count * columns * item);
}

void MappedNpy::read(std::size_t first, std::size_t count, float* to, std::size_t stride) const {
  if (!mapping_->isWhole()) throw RequestError(file_.path() + ": the file became shorter while it was read");
  if (count <= pieceRows) return readPiece(first, count, to, stride);
  static_cast<void>(parallelRanges(
      count, {},
      [&](std::size_t begin, std::size_t end) { readPiece(first + begin, end - begin, to + begin, stride); },
      pieceRows));
}

std::vector<ValueRange> MappedNpy::lookAtAll(const ReadControl& control) const {
  std::vector<ValueRange> all(chosen_.size());
  std::uint64_t wrong = std::numeric_limits<std::uint64_t>::max(); // the first row that is
  std::mutex mutex;
  parallelRanges(
      size(), control,
      [&](std::size_t first, std::size_t end) {
        const std::size_t count = end - first;
        std::vector<float> values(count * chosen_.size());
        if (!mapping_->isWhole()) refuse("the file became shorter while it was read");
        readPiece(first, count, values.data(), count);
        const std::scoped_lock lock(mutex);
        for (std::size_t j = 0; j < chosen_.size(); ++j) {
          const std::span column(values.data() + j * count, count);
          const ValueRange range = valueRange(column);
          all[j].low = std::min(all[j].low, range.low);
          all[j].high = std::max(all[j].high, range.high);
          if (range.finite) continue;
          const auto at = std::ranges::find_if(column, [](float value) { return !std::isfinite(value); });
          wrong = std::min(wrong,
                           static_cast<std::uint64_t>(first + static_cast<std::size_t>(at - column.begin())));
        }
      },
      pieceRows);
  if (wrong != std::numeric_limits<std::uint64_t>::max() && !control.cancelled())
    refuse("row " + std::to_string(wrong) +
           " (counted from 0) holds a value that is not a finite number of single precision, and no row of a "
           "file that is larger than memory can be left out");
  return all;
}

double npyPointBytes(const std::string& path, const std::vector<std::string>& columns) {
  if (!memberPath(path).member.empty()) return 0; // it is unpacked, and nothing can be mapped
  const InputFile file(path);
  if (!file.head(npyMagic.size()).starts_with(npyMagic)) return 0;
  const NpyHeader header = readNpyHeader(file);
  return pointBytes(header.rows(), static_cast<int>(chooseColumns(columns, namesOf(header)).size()));
}

} // namespace lloyd
