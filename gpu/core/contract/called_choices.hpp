// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

namespace lloyd {

/// Keeps what dispatch() (gpu/kernels/dispatch.hpp) calls on its thread while it lives: of a file of
/// templates a trial calls a fifth, and what it called is what its next trial has to be compiled for
/// (gpu/kernels/part.hpp). The innermost of a thread has them.
class CalledChoices {
public:
  CalledChoices();
  CalledChoices(const CalledChoices&) = delete;
  CalledChoices& operator=(const CalledChoices&) = delete;
  ~CalledChoices();

  /// "Choice<1, 4>, Choice<2, 4>": the values of each call, in order and once.
  [[nodiscard]] std::string text() const;
  /// Whether a call was refused, so that nothing follows from what came of it: a file's own code may catch
  /// what refuse() throws.
  [[nodiscard]] bool refused() const { return refused_; }

  /// dispatch() says what it calls, whether anybody keeps it or not.
  static void note(std::initializer_list<unsigned> chosen);
  /// Of a call that was not compiled. Throws RequestError.
  [[noreturn]] static void refuse();

private:
  CalledChoices* outer_;
  std::vector<std::vector<unsigned>> called_; ///< in order, each once
  bool refused_ = false;
};

} // namespace lloyd
