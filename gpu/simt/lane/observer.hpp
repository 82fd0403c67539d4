// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd::simt {

class Recorder;
class OwnerWatch;

/// Who wants to know what lanes do; null: nobody.
struct Observer {
  Recorder* recorder = nullptr;
  OwnerWatch* watch = nullptr;
};

} // namespace lloyd::simt
