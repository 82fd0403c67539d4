// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/own_kernels.hpp"

#include "app/model/session/command_line_text.hpp"
#include "app/model/teach/teach_subject.hpp"
#include "app/model/workshop/kernel_compiler.hpp"
#include "app/model/workshop/kernel_module.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QEventLoop>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>

namespace lloyd {
namespace {

/// Of the rest, verify and bench verify what they run, and the others run nothing.
bool runsUnverified(Subcommand subcommand) {
  return subcommand == Subcommand::window || subcommand == Subcommand::run ||
         subcommand == Subcommand::shot || subcommand == Subcommand::trace;
}

} // namespace

std::vector<const Variant*> addedKernels() {
  std::vector<const Variant*> added = Registry::instance().all();
  std::erase_if(added, [](const Variant* variant) { return !isOwn(*variant); });
  return added;
}

void addOwnKernels(const Arguments& arguments, const Messages& messages) {
  if (!arguments.given("--kernel")) return;
  KernelCompiler compiler;
  if (const QString why = compiler.whyNot(); !why.isEmpty())
    throw RequestError(why.toStdString(), RequestError::Kind::absent);
  const bool unverified = runsUnverified(arguments.subcommand);
  const QString files = QString::fromStdString(arguments.text("--kernel"));
  for (const QString& file : files.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    if (!QFileInfo(file).isFile() || !QFileInfo(file).isReadable())
      throw RequestError("the kernel file " + file.toStdString() + " cannot be read");
    QString compiled;
    std::vector<CompilerError> errors;
    QEventLoop loop;
    QObject::connect(&compiler, &KernelCompiler::ended, &loop,
                     [&](const QString& module, const std::vector<CompilerError>& found) {
                       compiled = module;
                       errors = found;
                       loop.quit();
                     });
    compiler.start(file);
    if (compiler.running()) loop.exec();
    if (compiled.isEmpty())
      throw RequestError((errors.empty() ? QStringLiteral("%1 was not compiled").arg(file)
                                         : QStringLiteral("%1:%2:%3: %4")
                                               .arg(file)
                                               .arg(errors.front().line)
                                               .arg(errors.front().column)
                                               .arg(errors.front().text))
                             .toStdString());
    const QString warning =
        unverified ? QStringLiteral("; not verified: lloydscope try %1 does that").arg(shellQuoted(file))
                   : QString();
    for (const OwnVariant& own : loadKernelModule(compiled, file))
      messages.info(QStringLiteral("%1 is %2, %3%4")
                        .arg(file, qtext(own.variant->id()),
                             own.forCards ? QStringLiteral("on the simulator and on cards")
                                          : QStringLiteral("on the simulator alone"),
                             warning));
  }
}

} // namespace lloyd
