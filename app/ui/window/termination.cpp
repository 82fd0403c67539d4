// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/termination.hpp"

#include <QSocketNotifier>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace lloyd {
namespace {

constexpr std::array endings{SIGTERM, SIGINT, SIGHUP};

/// A handler may only write: the event loop reads at the other end.
std::array<int, 2> ends{-1, -1};

extern "C" void onTermination(int signal) {
  std::signal(signal, SIG_DFL);
  const char byte = 0;
  [[maybe_unused]] const auto written = ::write(ends[0], &byte, 1);
}

} // namespace

Termination::Termination(QObject* parent) : QObject(parent) {
  // Without it signals keep their usual effect, which ends the program.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0) return;
  auto* notifier = new QSocketNotifier(ends[1], QSocketNotifier::Read, this);
  connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
    notifier->setEnabled(false);
    Q_EMIT asked();
  });
  for (const int signal : endings)
    std::signal(signal, onTermination);
}

Termination::~Termination() {
  if (ends[0] < 0) return;
  for (const int signal : endings)
    std::signal(signal, SIG_DFL);
  for (int& end : ends) {
    ::close(end);
    end = -1;
  }
}

} // namespace lloyd
