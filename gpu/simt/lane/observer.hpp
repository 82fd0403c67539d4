// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd::simt {

class Recorder;
class Watch;

/// Who wants to know what lanes do; null: nobody.
struct Observer {
  Recorder* recorder = nullptr;
  Watch* watch = nullptr;
};

} // namespace lloyd::simt
