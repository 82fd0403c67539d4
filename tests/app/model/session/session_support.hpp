// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"

#include <string>

namespace lloyd {

inline DataRequest generator(const std::string& spec) {
  DataRequest request;
  request.generator = spec;
  return request;
}

inline DataRequest sample(const char* file) {
  DataRequest request;
  request.path = LLOYD_SOURCE_DIR "/resources/data/";
  request.path += file;
  return request;
}

/// A CPU session, so that every machine takes the same path.
inline Settings cpuSettings(int k) {
  Settings settings;
  settings.k = k;
  settings.backend = BackendRequest::cpu;
  return settings;
}

} // namespace lloyd
