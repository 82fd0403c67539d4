// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/error.hpp"

namespace lloyd {
namespace {

/// No call: the meaning names the places itself.
std::string describe(int code, std::string_view call, std::string_view meaning, const CallSite& where) {
  std::string file = where.file;
  if (const auto slash = file.find_last_of('/'); slash != std::string::npos) file.erase(0, slash + 1);
  std::string text(meaning);
  if (code != 0) text += " (error " + std::to_string(code) + ")";
  if (call.empty()) return text;
  text += " in " + std::string(call);
  return where.line > 0 ? text + ", " + file + ":" + std::to_string(where.line) : text;
}

} // namespace

DeviceError::DeviceError(int code, Severity severity, std::string_view call, std::string_view meaning,
                         CallSite where)
    : std::runtime_error(describe(code, call, meaning, where)), severity_(severity),
      meaning_(std::make_shared<const std::string>(meaning)) {}

Severity severityOf(int cudaCode, CallKind kind) {
  if (cudaCode >= 714 && cudaCode <= 719) return Severity::lost; // a kernel's fault
  if (kind == CallKind::graphics) {
    switch (cudaCode) {
    case 63:  // no OpenGL on a compute-only driver model
    case 100: // cudaGLGetDevices: no CUDA device draws this context
    case 219: // invalid graphics context
    case 304: // operating system: what registration returns on hybrid laptops
    case 999:
      return Severity::noSharing;
    default:
      break;
    }
  }
  switch (cudaCode) {
  case 2:
    return Severity::retrySmaller;
  case 34:  // stub library
  case 35:  // driver missing or older than the runtime
  case 46:  // busy or exclusive
  case 100: // no device
  case 101: // invalid device
  case 209: // no kernel image for this card
  case 803: // driver mismatch
  case 804:
    return Severity::absent;
  case 219:
  case 304:
    return Severity::noSharing;
  case 700: // illegal address
  case 702: // launch timed out
  case 710: // device-side assert
  case 999:
    return Severity::lost;
  default:
    return Severity::badRequest;
  }
}

} // namespace lloyd
