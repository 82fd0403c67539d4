// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/actions/workshop_actions.hpp"

#include "app/model/session/session.hpp"
#include "app/model/teach/source_text.hpp"
#include "app/model/workshop/broken_kernels.hpp"
#include "app/model/workshop/kernel_module.hpp"
#include "app/model/workshop/kernel_trouble.hpp"
#include "app/model/workshop/own_kernels.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/common/save_dialog.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/workshop/bug_dialog.hpp"
#include "app/ui/workshop/kernel_folders.hpp"
#include "app/ui/workshop/workshop_window.hpp"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

namespace lloyd {
namespace {

/// Of dialogs: a schedule may be called either. What is proposed comes first.
QString fileKinds(QStringView suffix = u"cu") {
  return suffix == u"cpp" ? WorkshopActions::tr("Kernels and schedules (*.cpp *.cu)")
                          : WorkshopActions::tr("Kernels and schedules (*.cu *.cpp)");
}

/// Where dialogs of kernels begin: by the kernel that was opened last, or else as all dialogs do.
QString kernelFolder() {
  const QString last = KernelFolders::last();
  return last.isEmpty() ? SaveDialog::folder() : last;
}

/// What a wrong kernel is held against. Beside the one that it was made of, a bug that a person is to find
/// would be the line that differs.
const Variant* besideOf(const WrongKernel& wrong) {
  const bool isToBeFound =
      !brokenKernelIn(sourceOf(*wrong.variant).lines.join(QLatin1Char('\n'))).name.isEmpty();
  return isToBeFound ? nullptr : versionBefore(wrong.stage, *wrong.variant);
}

/// Of what its file is a copy, as the file still says; null where it says a name of its own.
const Variant* copiedBy(const WrongKernel& wrong) {
  const QString text = sourceOf(*wrong.variant).lines.join(QLatin1Char('\n'));
  const Variant* original = originalOf(text);
  const bool isNamed =
      original && text.contains(QStringLiteral(".tag = \"%1\"").arg(qtext(original->info.tag)));
  return isNamed ? original : nullptr;
}

/// A schedule without a kernel of its own is host code, and called so.
QString suffixOf(const QString& program) {
  return program.startsWith(QLatin1String("gpu/kernels/schedule/")) ? QFileInfo(program).suffix()
                                                                    : QStringLiteral("cu");
}

} // namespace

WorkshopActions::WorkshopActions(const Actions& actions, Session& session, TeachWorkspace& teach,
                                 QString program, QWidget* window)
    : QObject(window), actions_(actions), session_(session), teach_(teach), program_(std::move(program)),
      window_(window) {
  connect(actions[ActionId::editKernel], &QAction::triggered, this, &WorkshopActions::editCopy);
  connect(actions[ActionId::openKernel], &QAction::triggered, this, &WorkshopActions::openOther);
  connect(actions[ActionId::findBug], &QAction::triggered, this, &WorkshopActions::findBug);
}

void WorkshopActions::editCopy() {
  const Variant* variant = teach_.subject().variant;
  if (!variant) return;
  const QString path = qtext(variant->info.source);
  if (QFileInfo(path).isAbsolute()) return open(path); // it is one's own already
  const SourceText source = sourceOf(*variant);
  if (source.parts.empty()) {
    Q_EMIT said(tr("%1 has no kernel file that could be edited").arg(qtext(variant->id())), true);
    return;
  }
  const QString text =
      source.lines.mid(0, source.parts.front().count).join(QLatin1Char('\n')) + QLatin1Char('\n');
  editText(tr("Edit a copy of %1").arg(qtext(variant->id())),
           QStringLiteral("my_%1.%2")
               .arg(qtext(variant->id()).replace(QLatin1Char('.'), QLatin1Char('_')), suffixOf(path)),
           text);
}

void WorkshopActions::findBug() {
  auto* dialog = new BugDialog(window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const Variant* original = originalOf(dialog->chosen().text);
    // Its name would give the bug away.
    editText(tr("Save the file in which to find the bug"),
             QStringLiteral("find_the_bug_%1.%2")
                 .arg(dialog->number())
                 .arg(suffixOf(original ? qtext(original->info.source) : QString())),
             dialog->chosen().text);
  });
  dialog->open();
}

void WorkshopActions::editText(const QString& title, const QString& fileName, const QString& text) {
  const auto write = [this, text](const QString& chosen) {
    QSaveFile file(chosen);
    const QByteArray bytes = text.toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
      Q_EMIT said(tr("%1 cannot be written: %2").arg(chosen, file.errorString()), true);
    else // once the dialog is gone, which would lie over the question about the folder
      QMetaObject::invokeMethod(
          this, [this, chosen] { open(chosen); }, Qt::QueuedConnection);
  };
  const QString folder = kernelFolder();
  SaveDialog::ask(window_, title, folder.isEmpty() ? fileName : QDir(folder).filePath(fileName),
                  {fileKinds(QFileInfo(fileName).suffix())}, write, SaveDialog::Naming::byItself);
}

void WorkshopActions::openOther() {
  const QString file =
      QFileDialog::getOpenFileName(window_, tr("Open a kernel of your own"), kernelFolder(), fileKinds());
  if (!file.isEmpty()) open(file);
}

void WorkshopActions::open(const QString& file) {
  if (!KernelFolders::ask(window_, file)) {
    Q_EMIT said(tr("Nothing was compiled: the folder of %1 is not allowed").arg(QFileInfo(file).fileName()),
                false);
    return;
  }
  if (!workshop_) makeWorkshop();
  if (QFileInfo(file).absoluteFilePath() != workshop_->file()) leaveWrong();
  workshop_->open(file);
  workshop_->show();
  workshop_->raise();
  workshop_->activateWindow();
}

bool WorkshopActions::mayClose() { return !workshop_ || workshop_->close(); }

/// What is wrong in one file is no matter of another.
void WorkshopActions::leaveWrong() {
  looking_.stop();
  teach_.leaveWrong();
}

void WorkshopActions::makeRoom(bool room) {
  const Backend backend = session_.device().backend;
  // Iterations a second; one of the simulator may take half a second of all processors.
  const double slowly = backend == Backend::simt ? 0.25 : 2;
  session_.setRateLimit(room && backend != Backend::cuda ? slowly : 0);
}

void WorkshopActions::makeWorkshop() {
  kernels_ = new OwnKernels(program_, this);
  workshop_ = new WorkshopWindow(*kernels_, window_);
  connect(workshop_, &WorkshopWindow::wanted, this, [this](Stage stage, const Variant* variant) {
    const QString sentence = teach_.use(stage, *variant);
    workshop_->showUse(sentence);
    Q_EMIT said(sentence, false);
  });
  connect(workshop_, &WorkshopWindow::blockWanted, this, [this] { showWrong(workshop_->file(), true); });
  // Somebody waits for the file that is open, and nobody for its neighbours.
  connect(kernels_, &OwnKernels::doing, this, [this](const QString& path) {
    if (path == workshop_->file()) makeRoom(true);
  });
  for (const auto over : {&OwnKernels::tried, &OwnKernels::settled, &OwnKernels::gone})
    connect(kernels_, over, this, [this](const QString& path) {
      if (path == workshop_->file()) makeRoom(false);
    });
  // What is looked at goes on with the newest version of itself: a right one always, a wrong one where a
  // wrong one is looked at.
  const auto isShown = [this](const QString& path) {
    const Variant* variant = teach_.subject().variant;
    return variant && qtext(variant->info.source) == path;
  };
  connect(kernels_, &OwnKernels::adopted, this, [this, isShown](const QString& path) {
    if (path == workshop_->file()) looking_.stop();
    if (!isShown(path)) return teach_.renewVariants();
    const Stage stage = teach_.subject().stage;
    for (const OwnVariant& own : kernels_->variantsOf(path))
      if (own.variant->has(stage)) return teach_.choose(stage, *own.variant);
  });
  connect(kernels_, &OwnKernels::settled, this, [this, isShown](const QString& path) {
    if (!teach_.showsWrong() || !isShown(path)) return;
    if (kernels_->hasWrong(path))
      showWrong(path, false);
    else
      teach_.sayWrongIsEarlier();
  });
}

void WorkshopActions::showWrong(const QString& file, bool comes) {
  const std::optional<WrongKernel> wrong = kernels_->wrongOf(file);
  if (!wrong) {
    if (comes) workshop_->showUse(tr("What was compiled cannot be loaded: save it again"));
    return;
  }
  if (comes) Q_EMIT said(tr("The simulator looks for the race or fault …"), false);
  looking_.start(
      [wrong = *wrong](const std::atomic<bool>* cancel) {
        return std::make_shared<const KernelTrouble>(findTrouble(*wrong.variant, wrong.stage, cancel));
      },
      [this, wrong = *wrong, comes](const std::shared_ptr<const KernelTrouble>& trouble) {
        if (trouble->why.isEmpty())
          teach_.showWrong(std::make_shared<const CountInput>(
                               CountInput{{wrong.stage, wrong.variant, besideOf(wrong), trouble->tuning},
                                          trouble->at.problem,
                                          trouble->at.points->values,
                                          trouble->at.centroids,
                                          {},
                                          trouble->schedule}),
                           trouble->block, copiedBy(wrong));
        if (!comes) return;
        Q_EMIT said(troubleText(*trouble), false); // the verdict stays where it is
        if (!trouble->why.isEmpty()) return workshop_->showUse(trouble->why);
        actions_[ActionId::teach]->trigger();
        actions_[ActionId::blockTab]->trigger();
        window_->raise();
        window_->activateWindow();
      });
}

} // namespace lloyd
