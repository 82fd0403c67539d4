// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/variant.hpp"

#include <QString>

#include <vector>

namespace lloyd {

/// A variant of a person's own, in the registry beside the program's.
struct OwnVariant {
  const Variant* variant = nullptr;
  const Variant* original = nullptr; ///< originalOf() its family and tag
  bool forCards = false;             ///< a card can run it too
};

/// What a variant of a person's own is held against: the program's of the same id, else the program's last
/// numbered one of the family, or the last schedule of sets without a kernel of its own; null where the
/// family is new.
[[nodiscard]] const Variant* originalOf(std::string_view family, std::string_view tag);
/// The same of what the text of a kernel file says of itself, before it is compiled; null where it does not
/// say it in plain words.
[[nodiscard]] const Variant* originalOf(const QString& text);
/// Whether the text says that it is originalOf() itself, as a copy does until somebody gives it another tag.
[[nodiscard]] bool isCopy(const QString& text);

/// Loads a module that KernelCompiler made of file, and puts what it registers into the registry, with the
/// simulator to run it, and a card where one can be compiled for (offerToCards); a schedule of sets, which is
/// host code, gets every device that its file names. A variant that calls itself
/// as one of the program's takes the file's name instead of its tag: mine.cu with a tag "v3" becomes
/// "classify.mine". What the same file brought before under the same id is replaced. A module is never
/// unloaded, because its kernels may be running. Throws RequestError: the module does not load, or registers
/// nothing.
std::vector<OwnVariant> loadKernelModule(const QString& module, const QString& file);

/// Loads a module of one of the program's own files, for its code to run compiled as a person's is; no list
/// shows it. Null where it does not load.
[[nodiscard]] const Variant* loadAlike(const QString& module);

/// Loads a module of a person's file that its trial found wrong, for a look at the variant that the trial
/// called id: "reduce.mine". No list shows it, it runs on the simulator alone, and its id says what it is:
/// "reduce.mine (wrong)". Loaded again it is the same variant. Null where there is none of that family. GUI
/// thread.
[[nodiscard]] const Variant* loadWrong(const QString& module, const QString& file, const QString& id);

} // namespace lloyd
