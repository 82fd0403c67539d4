// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/unpack.hpp"

#include "app/data/input/wording.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

namespace lloyd {
namespace {

/// One way of packing.
struct Packing {
  std::string_view magic;
  std::string_view name;
  std::string_view extension;
  int (*support)(archive*);
};

int supportZip(archive* handle) {
  // The form that reads without seeking would take an archive that is cut short for a whole one.
  return archive_read_support_format_zip_seekable(handle);
}

constexpr std::string_view emptyZip = "PK\x05\x06"; ///< the end of a directory that has no entry

constexpr std::array packings{
    Packing{"\x1f\x8b", "gzip", "gz", archive_read_support_filter_gzip},
    Packing{"BZh", "bzip2", "bz2", archive_read_support_filter_bzip2},
    Packing{"\xfd"
            "7zXZ",
            "xz", "xz", archive_read_support_filter_xz},
    Packing{"\x28\xb5\x2f\xfd", "Zstandard", "zst", archive_read_support_filter_zstd},
    Packing{"PK\x03\x04", "ZIP", "zip", supportZip},
    Packing{emptyZip, "ZIP", "zip", supportZip},
};

const Packing* packingOf(std::string_view head) {
  const auto* const found =
      std::ranges::find_if(packings, [&](const Packing& packing) { return head.starts_with(packing.magic); });
  // A table could begin with the three letters.
  if (head.starts_with("BZh") && (head.size() < 10 || head.substr(4, 6) != "1AY&SY")) return nullptr;
  return found == packings.end() ? nullptr : found;
}

bool isTar(std::string_view head) {
  constexpr std::size_t place = 257;
  return head.size() > place && head.substr(place).starts_with("ustar");
}

constexpr std::size_t headBytes = 512;
constexpr std::size_t blockBytes = std::size_t{64} << 10;
constexpr std::size_t mostMembers = 10000;

std::string_view lastPart(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool endsWith(std::string_view name, std::string_view extension) {
  return name.size() > extension.size() + 1 && name.ends_with(extension) &&
         name[name.size() - extension.size() - 1] == '.';
}

std::string withoutEnding(std::string_view name, std::string_view extension) {
  if (endsWith(name, extension)) name.remove_suffix(extension.size() + 1);
  return std::string(name);
}

/// A file of an archive.
struct Member {
  std::string name;
  bool encrypted = false;
  std::optional<std::uint64_t> bytes = {}; ///< as the archive promises
};

/// A packed file that is open, from its beginning.
class Archive {
public:
  Archive(const InputFile& file, const Packing& packing) : packing_(packing) {
    if (!handle_) throw std::bad_alloc();
    const bool zip = packing.support == supportZip;
    // ARCHIVE_WARN would mean that a program of another name does the work.
    if (packing.support(handle()) != ARCHIVE_OK ||
        (!zip && (archive_read_support_format_raw(handle()) != ARCHIVE_OK ||
                  archive_read_support_format_empty(handle()) != ARCHIVE_OK)))
      refuse("this build cannot unpack " + std::string(packing.name) + "; unpack it first");
    ::lseek(file.descriptor(), 0, SEEK_SET);
    if (archive_read_open_fd(handle(), file.descriptor(), blockBytes) != ARCHIVE_OK) {
      if (zip) refuse("the ZIP archive is damaged or cut short: its directory is missing");
      refuseDamaged();
    }
  }

  /// Whether there is one more file in it.
  bool next() {
    while (true) {
      const int got = archive_read_next_header(handle(), &entry_);
      if (got == ARCHIVE_EOF) return false;
      if (got != ARCHIVE_OK && got != ARCHIVE_WARN) refuseDamaged();
      const int layers = archive_filter_count(handle()) - (packing_.support == supportZip ? 0 : 1);
      if (layers > 1) refuseNested();
      if (layers < 1) refuseDamaged(); // it only begins as if it were packed
      const auto type = archive_entry_filetype(entry_);
      if (type == 0 || type == AE_IFREG) return true;
    }
  }
  [[nodiscard]] Member member() const {
    const char* name = archive_entry_pathname_utf8(entry_);
    if (name == nullptr) name = archive_entry_pathname(entry_);
    Member member{.name = name != nullptr ? name : "", .encrypted = archive_entry_is_encrypted(entry_) != 0};
    if (archive_entry_size_is_set(entry_) != 0)
      member.bytes = static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_entry_size(entry_)));
    return member;
  }
  /// Fills the buffer; returns 0 at the end.
  [[nodiscard]] std::size_t read(std::span<char> buffer) {
    const la_ssize_t got = archive_read_data(handle(), buffer.data(), buffer.size());
    if (got < 0) refuseDamaged();
    return static_cast<std::size_t>(got);
  }
  /// Bytes of the packed file that were taken so far.
  [[nodiscard]] std::uint64_t taken() {
    return static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_filter_bytes(handle(), -1)));
  }
  [[noreturn]] static void refuseNested() {
    refuse("what is packed in it is packed once more; unpack it first");
  }

private:
  [[noreturn]] void refuseDamaged() {
    // What libarchive says names its own parts, and means no more than damage.
    const char* const text = archive_error_string(handle());
    if (text != nullptr && std::string_view(text).starts_with("Unsupported ZIP compression"))
      refuse("it is packed by a method of ZIP that this build does not know; unpack it first");
    refuse("the " + std::string(packing_.name) + " data are damaged or cut short");
  }
  struct Close {
    void operator()(archive* handle) const { archive_read_free(handle); }
  };
  [[nodiscard]] archive* handle() const { return handle_.get(); }

  const Packing& packing_;
  std::unique_ptr<archive, Close> handle_{archive_read_new()};
  archive_entry* entry_ = nullptr;
};

/// Folders' own files of two systems, which nobody put in.
bool isHidden(const std::string& name) {
  return name.starts_with("__MACOSX/") || name.ends_with('/') || lastPart(name).starts_with('.') ||
         name.empty();
}

std::vector<Member> membersOf(const InputFile& file, const Packing& packing) {
  Archive archive(file, packing);
  std::vector<Member> members;
  while (archive.next()) {
    Member member = archive.member();
    if (member.name == "[Content_Types].xml" || (member.name == "mimetype" && members.empty()))
      refuse("it is an office document, a spreadsheet perhaps; save its table as CSV");
    if (isHidden(member.name)) continue;
    if (members.size() == mostMembers)
      refuse("there are more than 10,000 files in the archive; unpack it first");
    members.push_back(std::move(member));
  }
  if (members.empty()) refuse("there is no file in the archive");
  return members;
}

/// How a member is named by whoever asks for it: an array without the ending that NumPy gave it.
std::string shownName(const std::string& name) { return withoutEnding(name, "npy"); }

/// As a sentence has it: without what cannot be printed, and not too long.
std::string printable(const Member& member) {
  const std::string inQuotes = quoted(shownName(member.name));
  return inQuotes.substr(1, inQuotes.size() - 2);
}

std::string listedNames(const std::vector<Member>& members) {
  std::vector<std::string> names;
  names.reserve(members.size());
  for (const Member& member : members)
    names.push_back(printable(member));
  return listed(names);
}

const Member& chosenMember(const std::vector<Member>& members, const MemberPath& path) {
  if (path.member.empty()) {
    if (members.size() == 1) return members.front();
    refuse("there are " + counted(members.size(), "file") + " in it: " + listedNames(members) +
           "; name one, as in " + std::string(lastPart(path.file)) + ":" + printable(members.front()));
  }
  // The whole name first, then what people call it.
  for (const bool whole : {true, false}) {
    const auto matches = [&](const Member& member) {
      const std::string_view name = whole ? std::string_view(member.name) : lastPart(member.name);
      return name == path.member || withoutEnding(name, "npy") == path.member;
    };
    const auto found = std::ranges::find_if(members, matches);
    if (found == members.end()) continue;
    if (std::find_if(found + 1, members.end(), matches) != members.end())
      refuse("several files in it are called " + quoted(path.member) + "; give the folder, too");
    return *found;
  }
  refuse("there is no file " + quoted(path.member) + " in it; there is " + listedNames(members));
}

/// Memory with a descriptor, which readers take for a file.
class MemoryFile {
public:
  MemoryFile() : descriptor_(::memfd_create("unpacked", MFD_CLOEXEC)) {
    if (descriptor_ < 0) refuse("it cannot be unpacked: " + std::generic_category().message(errno));
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  void write(std::span<const char> bytes) const {
    while (!bytes.empty()) {
      const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) refuse("there is not enough memory to unpack it");
      bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
  }
  [[nodiscard]] int take() {
    ::lseek(descriptor_, 0, SEEK_SET);
    return std::exchange(descriptor_, -1);
  }

private:
  int descriptor_;
};

/// Counts what comes out against what may.
class Allowance {
public:
  Allowance(const InputFile& packed, const UnpackLimits& limits)
      : packed_(static_cast<double>(packed.size())), limits_(limits),
        memory_(limits.memoryShare * static_cast<double>(availableMemory())) {}

  void require(std::uint64_t bytes) const {
    const auto out = static_cast<double>(bytes);
    if (out > static_cast<double>(limits_.freely) && out > limits_.ratio * packed_)
      refuse("it unpacks to more than " + counted(static_cast<std::uint64_t>(limits_.ratio), "time") +
             " its " + byteText(packed_) +
             ", as files do that were made to fill memory; unpack it first if it is to be trusted");
    if (out > memory_)
      refuse("it unpacks to more than " + byteText(memory_) +
             ", which is as much of the free memory as may be used for that; unpack it first");
  }

private:
  double packed_;
  UnpackLimits limits_;
  double memory_;
};

[[noreturn]] void refuseGzip() { refuse("the gzip data are damaged: their check sum differs"); }

/// Unpacks every part of a gzip file once more, because zlib compares the check sum of each.
void checkGzipParts(const InputFile& packed, const Allowance& allowance, const ReadControl& control) {
  constexpr int gzipOnly = 16;
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + gzipOnly) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> ended(&stream, inflateEnd);
  std::vector<char> in(blockBytes);
  std::vector<char> out(blockBytes);
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
  while (true) {
    throwIfCancelled(control);
    if (stream.avail_in == 0) {
      const std::size_t got = packed.readAt(at, in);
      at += got;
      stream.next_in = reinterpret_cast<Bytef*>(in.data());
      stream.avail_in = static_cast<uInt>(got);
    }
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int state = inflate(&stream, Z_NO_FLUSH);
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state != Z_OK && state != Z_STREAM_END) refuseGzip();
    bytes += out.size() - stream.avail_out;
    allowance.require(bytes);
    if (state == Z_OK) continue;
    // Another part begins here, or what somebody added, which libarchive passes over.
    at -= stream.avail_in;
    stream.avail_in = 0;
    std::array<char, 2> next{};
    if (packed.readAt(at, next) < next.size() || packingOf({next.data(), next.size()}) != packings.data())
      return;
    inflateReset(&stream);
  }
}

/// What a gzip file says of its contents in the last eight bytes, which libarchive leaves unread. Where they
/// do not fit all that came out, the file has several parts, something behind them, or damage.
void checkGzipSum(const InputFile& packed, std::uint64_t bytes, std::uint32_t sum, const Allowance& allowance,
                  const ReadControl& control) {
  std::array<unsigned char, 8> end{};
  if (packed.size() < end.size() ||
      packed.readAt(packed.size() - end.size(), {reinterpret_cast<char*>(end.data()), end.size()}) <
          end.size())
    refuseGzip();
  const auto number = [&](std::size_t at) {
    return static_cast<std::uint32_t>(end[at]) | static_cast<std::uint32_t>(end[at + 1]) << 8 |
           static_cast<std::uint32_t>(end[at + 2]) << 16 | static_cast<std::uint32_t>(end[at + 3]) << 24;
  };
  if (number(4) != static_cast<std::uint32_t>(bytes)) return checkGzipParts(packed, allowance, control);
  if (number(0) != sum) refuseGzip();
}

InputFile unpack(const InputFile& packed, const Packing& packing, const MemberPath& path,
                 const std::string& asked, const ReadControl& control, const UnpackLimits& limits) {
  const bool zip = packing.support == supportZip;
  if (!zip && !path.member.empty())
    refuse("there are no files with names in it, so there is no " + quoted(path.member));
  const Allowance allowance(packed, limits);
  std::string name = withoutEnding(packed.path(), packing.extension);
  if (zip) {
    const Member wanted = chosenMember(membersOf(packed, packing), path);
    if (wanted.encrypted)
      refuse(quoted(wanted.name) + " in it is encrypted; unpack it with its password first");
    if (wanted.bytes) allowance.require(*wanted.bytes);
    name = wanted.name;
  }
  Archive archive(packed, packing);
  const std::string empty = "it is packed by " + std::string(packing.name) + ", but empty";
  do {
    throwIfCancelled(control);
    if (!archive.next()) refuse(empty);
  } while (zip && archive.member().name != name);
  MemoryFile memory;
  std::vector<char> block(blockBytes);
  std::uint64_t bytes = 0;
  uLong sum = crc32_z(0, nullptr, 0);
  std::string head;
  while (const std::size_t got = archive.read(block)) {
    throwIfCancelled(control);
    bytes += got;
    allowance.require(bytes);
    const std::span<const char> piece(block.data(), got);
    if (head.size() < headBytes) {
      head.append(piece.data(), std::min(piece.size(), headBytes - head.size()));
      if (packingOf(head) != nullptr || isTar(head)) Archive::refuseNested();
    }
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    memory.write(piece);
    control.report(
        0, 0.5 * std::min(1.0, static_cast<double>(archive.taken()) / static_cast<double>(packed.size())));
  }
  if (bytes == 0) refuse(empty);
  if (packing.extension == "gz")
    checkGzipSum(packed, bytes, static_cast<std::uint32_t>(sum), allowance, control);
  return {asked, std::move(name), memory.take(), packed.changed()};
}

} // namespace

MemberPath memberPath(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) == 0) return {path};
  // Members have colons more seldom than files have them before the last.
  for (std::size_t colon = path.find(':'); colon != std::string::npos; colon = path.find(':', colon + 1))
    if (const std::string file = path.substr(0, colon);
        colon + 1 < path.size() && ::stat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode))
      return {file, path.substr(colon + 1)};
  return {path};
}

OpenedInput openInput(const std::string& path, const ReadControl& control, const UnpackLimits& limits) {
  const MemberPath place = memberPath(path);
  InputFile file(place.file);
  const std::string head = file.head(headBytes);
  const Packing* const packing = packingOf(head);
  if (packing == nullptr) {
    if (!place.member.empty())
      refuse("it is no ZIP archive or NPZ file, so there is no " + quoted(place.member) + " in it");
    return {std::move(file), control};
  }
  if (head.starts_with(emptyZip)) refuse("there is no file in the archive");
  ReadControl rest = control;
  if (control.progress)
    rest.progress = [progress = control.progress](std::uint64_t rows, double fraction) {
      progress(rows, 0.5 + 0.5 * fraction);
    };
  return {unpack(file, *packing, place, path, control, limits), std::move(rest)};
}

std::vector<std::string> packedMembers(const std::string& path) {
  const InputFile file(path);
  const Packing* const packing = packingOf(file.head(headBytes));
  std::vector<std::string> names;
  if (packing == nullptr || packing->support != supportZip) return names;
  for (const Member& member : membersOf(file, *packing))
    names.push_back(shownName(member.name));
  return names;
}

} // namespace lloyd
