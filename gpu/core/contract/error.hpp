// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lloyd {

/// Where a call stands. std::source_location would do, but clang 14, which checks this code, does not know
/// it.
struct CallSite {
  const char* file = "";
  int line = 0;

  [[nodiscard]] static constexpr CallSite current(const char* file = __builtin_FILE(),
                                                  int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// What a failed device call means for the program, which is all that a caller decides on.
enum class Severity {
  absent,       ///< no usable device here: compute on the CPU
  noSharing,    ///< compute works, sharing OpenGL's buffers does not: copy
  retrySmaller, ///< out of memory: fewer points may work
  badRequest,   ///< this launch cannot run on this device: another may
  lost          ///< the device is unusable until the program restarts
};

/// Where a call was made, because some codes (999, "unknown") mean less from a graphics call than elsewhere.
enum class CallKind { compute, graphics };

/// Every failed device call throws this. code is CUDA's own number, or 0 where there is none.
class DeviceError : public std::runtime_error {
public:
  DeviceError(int code, Severity severity, std::string_view call, std::string_view meaning,
              CallSite where = CallSite::current());
  [[nodiscard]] Severity severity() const noexcept { return severity_; }
  /// The sentence for a person, without the code, call and line that what() adds.
  [[nodiscard]] const char* meaning() const noexcept { return meaning_->c_str(); }

private:
  Severity severity_;
  std::shared_ptr<const std::string> meaning_; // shared, because copying an exception must not throw
};

/// A run was cancelled by its user: no error, but work that must unwind.
struct Cancelled : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "cancelled"; }
};

/// The table of CUDA's codes. Plain numbers, so that a build without CUDA can be tested against it.
[[nodiscard]] Severity severityOf(int cudaCode, CallKind kind = CallKind::compute);

/// A request that cannot be met: a sentence for the person who made it.
class RequestError : public std::runtime_error {
public:
  enum class Kind {
    wrong, ///< it could not be met anywhere: unknown name, value out of range
    absent ///< it needs something that this machine or build does not have
  };
  explicit RequestError(const std::string& sentence, Kind kind = Kind::wrong)
      : std::runtime_error(sentence), kind_(kind) {}
  [[nodiscard]] Kind kind() const noexcept { return kind_; }

private:
  Kind kind_;
};

} // namespace lloyd
