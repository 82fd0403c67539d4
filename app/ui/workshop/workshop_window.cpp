// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/workshop/workshop_window.hpp"

#include "app/model/workshop/broken_kernels.hpp"
#include "app/model/workshop/kernel_module.hpp"
#include "app/text/named_lines.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/teach/source_view.hpp"
#include "app/ui/workshop/numbered_editor.hpp"

#include <QAbstractButton>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QFile>
#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSaveFile>
#include <QScreen>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QWindow>

#include <algorithm>
#include <optional>
#include <utility>

namespace lloyd {
namespace {

constexpr int placeRole = Qt::UserRole; ///< of a finding: line and column as a QPoint
constexpr int frameSpace = 40;          ///< pixels that a desktop puts around a window

/// Lines of code without the empty ones around them.
QString withoutEmptyEnds(QString code) {
  static const QRegularExpression ends(QStringLiteral("^\\n+|\\n+$"));
  return code.remove(ends);
}

/// Nothing where it cannot be read.
std::optional<QString> textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? std::optional(QString::fromUtf8(file.readAll())) : std::nullopt;
}

/// As its text says, before anything is compiled.
bool isSchedule(const QString& text) {
  const Variant* original = originalOf(text);
  return original && original->info.family == "schedule";
}

QPushButton* button(const QString& text, const QString& tip) {
  auto* made = new QPushButton(text);
  made->setToolTip(tip);
  return made;
}

} // namespace

WorkshopWindow::WorkshopWindow(OwnKernels& kernels, QWidget* parent)
    : QWidget(parent, Qt::Window), kernels_(kernels), text_(new NumberedEditor),
      syntax_(new CudaHighlighter(text_->document())), findings_(new QListWidget), verdict_(new QLabel),
      remark_(new QLabel), splitter_(new QSplitter(Qt::Vertical)) {
  text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setAccessibleName(tr("Kernel source"));
  text_->setTabChangesFocus(true);
  findings_->setAccessibleName(tr("What was found"));
  findings_->setWordWrap(true);
  findings_->setAlternatingRowColors(true);
  verdict_->setAccessibleName(tr("Verdict"));
  verdict_->setWordWrap(true);
  verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  remark_->setAccessibleName(tr("Remark"));
  remark_->setWordWrap(true);
  remark_->setProperty("dim", true);
  remark_->hide();

  auto* saving = button(tr("&Save and try"),
                        tr("Write the file; then it is compiled, verified, traced and raced (Ctrl+S)"));
  use_ = button(tr("&Use it"), tr("Teach and iterate with this kernel, on the simulator"));
  use_->setEnabled(false);
  block_ = button(tr("Show in &Block"), {});
  block_->setAccessibleName(tr("Show the wrong kernel in Block"));
  noBlock_ = new QShortcut(block_->shortcut(), this);
  offerBlock(false);
  repair_ = button(tr("Show the &repair"), tr("What is wrong with this kernel, and what repairs it"));
  repair_->hide();
  auto* top = new QHBoxLayout;
  top->addWidget(saving);
  top->addWidget(use_);
  top->addWidget(block_);
  top->addWidget(repair_);
  auto* said = new QVBoxLayout;
  said->addWidget(verdict_);
  said->addWidget(remark_);
  top->addLayout(said, 1);
  splitter_->addWidget(text_);
  splitter_->addWidget(findings_);
  splitter_->setStretchFactor(0, 4);
  splitter_->setStretchFactor(1, 1);
  splitter_->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->addLayout(top);
  column->addWidget(splitter_, 1);
  resize(QSize(900, 640).boundedTo(screen()->availableSize() - QSize(frameSpace, frameSpace)));
  setAttribute(Qt::WA_QuitOnClose, false);

  connect(saving, &QPushButton::clicked, this, &WorkshopWindow::save);
  connect(new QShortcut(QKeySequence::Save, this), &QShortcut::activated, this, &WorkshopWindow::save);
  connect(new QShortcut(QKeySequence::Close, this), &QShortcut::activated, this, &QWidget::close);
  if (parent)
    connect(new QShortcut(QKeySequence::Quit, this), &QShortcut::activated, parent, &QWidget::close);
  connect(use_, &QPushButton::clicked, this, &WorkshopWindow::useVariant);
  connect(block_, &QPushButton::clicked, this, &WorkshopWindow::blockWanted);
  connect(noBlock_, &QShortcut::activated, this, &WorkshopWindow::sayNoBlock);
  connect(repair_, &QPushButton::clicked, this, &WorkshopWindow::showRepair);
  const auto go = [this](const QListWidgetItem* item) {
    const QPoint place = item->data(placeRole).toPoint();
    if (place.x() > 0) toLine(place.x(), place.y());
  };
  connect(findings_, &QListWidget::itemClicked, this, go);
  connect(findings_, &QListWidget::itemActivated, this, go);
  connect(text_->document(), &QTextDocument::modificationChanged, this, &QWidget::setWindowModified);
  connect(&kernels_, &OwnKernels::gone, this, [this](const QString& file) {
    if (file == file_) remark(tr("%1 is gone; saving writes it again.").arg(QFileInfo(file_).fileName()));
  });
  connect(&kernels_, &OwnKernels::doing, this, [this](const QString& file, const QString& what) {
    if (file != file_) return;
    // What was found before is of another text.
    offerBlock(false);
    if (!showsRepair_) findings_->clear();
    text_->setExtraSelections({});
    say(tr("%1 …").arg(what), false);
  });
  connect(&kernels_, &OwnKernels::tried, this, [this](const QString& file) {
    if (file != file_) return;
    if (!text_->document()->isModified()) read(); // another program may have written it
    renewTitle();
    showReport();
  });
  connect(&kernels_, &OwnKernels::settled, this, [this](const QString& file) {
    if (file != file_) return;
    remark({});
    offerVersion();
  });
}

QPlainTextEdit& WorkshopWindow::editor() { return *text_; }

QString WorkshopWindow::verdict() const { return verdict_->text(); }

QString WorkshopWindow::remark() const { return remark_->text(); }

void WorkshopWindow::open(const QString& file) {
  const QString path = QFileInfo(file).absoluteFilePath();
  // What is not saved yet stays, and what has its verdict keeps it.
  if (path == file_ && (text_->document()->isModified() || isTried())) return text_->setFocus();
  file_ = path;
  syntax_->takeTheme();
  const QString before = text_->toPlainText();
  read();
  renewTitle();
  if (text_->toPlainText() != before) text_->moveCursor(QTextCursor::Start);
  repair_->setVisible(!brokenKernelIn(text_->toPlainText()).name.isEmpty());
  findings_->clear();
  setShowsRepair(false);
  use_->setEnabled(!kernels_.variantsOf(file_).empty());
  offerBlock(false); // until the trial that begins now says so
  if (const QString why = kernels_.whyNot(); !why.isEmpty())
    say(why, true);
  else
    kernels_.watch(file_);
  text_->setFocus();
}

/// The verdict is of the file as it is now.
bool WorkshopWindow::isTried() const {
  const TrialReport* report = kernels_.reportOf(file_);
  return report && textOf(file_) == report->source;
}

void WorkshopWindow::renewTitle() {
  const bool schedule = isSchedule(text_->toPlainText());
  setWindowTitle(
      (schedule ? tr("%1[*] – your schedule") : tr("%1[*] – your kernel")).arg(QFileInfo(file_).fileName()));
}

void WorkshopWindow::read() {
  QFile file(file_);
  if (!file.open(QIODevice::ReadOnly)) {
    say(tr("%1 cannot be read: %2").arg(file_, file.errorString()), true);
    return;
  }
  const QString text = QString::fromUtf8(file.readAll());
  onDisk_ = text;
  if (text == text_->toPlainText()) return;
  const int at = text_->textCursor().position();
  text_->setPlainText(text);
  QTextCursor cursor = text_->textCursor();
  cursor.setPosition(std::min(at, static_cast<int>(text.size())));
  text_->setTextCursor(cursor);
  text_->document()->setModified(false);
  setWindowModified(false); // of an empty text Qt tells that it is modified, and not that it is no longer
}

/// What another program wrote since is not lost without a question.
bool WorkshopWindow::mayReplace() {
  const std::optional<QString> now = textOf(file_);
  if (!now) return true; // it is gone
  if (now == onDisk_ || now == text_->toPlainText()) return true;
  QMessageBox box(
      QMessageBox::Warning, tr("Replace the file?"),
      tr("Another program has written %1 since it was read here.").arg(QFileInfo(file_).fileName()),
      QMessageBox::Cancel, this);
  const QAbstractButton* replace = box.addButton(tr("&Replace it"), QMessageBox::DestructiveRole);
  const QAbstractButton* load =
      box.addButton(tr("&Load it, and lose what is here"), QMessageBox::DestructiveRole);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  if (box.clickedButton() == load) {
    read();
    showReport();
  }
  return box.clickedButton() == replace;
}

bool WorkshopWindow::save() {
  if (!mayReplace()) return false;
  QSaveFile file(file_);
  const QString all = text_->toPlainText();
  const QByteArray text = all.toUtf8();
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
    say(tr("%1 cannot be written: %2").arg(file_, file.errorString()), true);
    return false;
  }
  onDisk_ = all;
  text_->document()->setModified(false);
  return true;
}

void WorkshopWindow::showReport() {
  const TrialReport* report = kernels_.reportOf(file_);
  if (!report) return;
  findings_->clear();
  setShowsRepair(false);
  if (!usualSizes_.isEmpty()) splitter_->setSizes(std::exchange(usualSizes_, {}));
  QList<QPoint> places;
  for (const CompilerError& error : report->errors) {
    if (error.line > 0) places << QPoint(error.line, error.column);
    const QString place =
        error.line > 0 ? tr("line %1, column %2: ").arg(error.line).arg(error.column) : QString();
    auto* item = new QListWidgetItem(place + error.text, findings_);
    item->setData(placeRole, QPoint(error.line, error.column));
  }
  for (const KernelTrial& trial : report->trials) {
    findings_->addItems(trial.parts);
    if (!trial.right) places << addPlaces(trial.text());
  }
  if (!report->failure.isEmpty()) places << addPlaces(report->failure);
  markLines(places);
  const QString last = kernels_.variantsOf(file_).empty() ? QString() : tr(" The last good version stays.");
  const auto closed = [](const QString& sentence) {
    return sentence.endsWith(QLatin1Char('?')) ? sentence : sentence + QLatin1Char('.');
  };
  if (report->withdrawn)
    findings_->addItem(tr("The verdict is withdrawn: what its trial did not call is wrong"));
  if (!report->errors.empty()) {
    say(closed(tr("The compiler refuses it: %1").arg(findings_->item(0)->text())) + last, true);
  } else if (!report->failure.isEmpty()) {
    say(closed(report->failure) + last, true);
  } else {
    QStringList verdicts;
    for (const KernelTrial& trial : report->trials)
      verdicts << trial.verdict;
    say(verdicts.join(QLatin1Char(' ')) + tr(" (%1 s)").arg(report->seconds, 0, 'f', 1) +
            (report->right() || last.isEmpty() ? QString() : QLatin1Char('.') + last),
        !report->right());
    if (kernels_.isBeingCompleted(file_)) remark(tr("What its trial does not call is being compiled."));
  }
  if (text_->document()->isModified() && report->source != onDisk_)
    remark(
        tr("Another program has written the file: the verdict is of its text, which is not the one here."));
  offerVersion();
}

void WorkshopWindow::offerVersion() {
  const TrialReport* report = kernels_.reportOf(file_);
  use_->setEnabled(!kernels_.variantsOf(file_).empty());
  use_->setText(!report || report->right() ? tr("&Use it") : tr("&Use the last good one"));
  offerBlock(kernels_.hasWrong(file_));
}

/// The lines of the file that a race or a fault names.
QList<QPoint> WorkshopWindow::addPlaces(const QString& text) {
  QList<QPoint> places;
  for (const int line : linesNamed(text, file_))
    places << QPoint(line, 1);
  const TrialReport* report = kernels_.reportOf(file_);
  const QStringList tried = report ? report->source.split(QLatin1Char('\n')) : QStringList();
  for (const QPoint& at : places) {
    const int line = at.x();
    const QString code = tried.value(line - 1).trimmed();
    auto* item = new QListWidgetItem(tr("line %1: %2").arg(line).arg(code), findings_);
    item->setData(placeRole, at);
  }
  return places;
}

void WorkshopWindow::markLines(const QList<QPoint>& places) {
  QList<QTextEdit::ExtraSelection> marks;
  for (const QPoint& place : places) {
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(text_->document()->findBlockByNumber(place.x() - 1));
    QColor band = UiTheme::current().alert;
    band.setAlpha(60);
    mark.format.setBackground(band);
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    marks << mark;
  }
  text_->setExtraSelections(marks);
  if (!places.isEmpty() && !text_->document()->isModified()) toLine(places.front().x(), places.front().y());
}

void WorkshopWindow::toLine(int line, int column) {
  const QTextBlock block = text_->document()->findBlockByNumber(line - 1);
  if (!block.isValid()) return;
  QTextCursor cursor(block);
  cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor,
                      std::clamp(column - 1, 0, std::max(0, block.length() - 1)));
  text_->setTextCursor(cursor);
  text_->centerCursor();
  text_->setFocus();
}

void WorkshopWindow::useVariant() {
  for (const OwnVariant& own : kernels_.variantsOf(file_))
    for (const Stage stage :
         {Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::layout, Stage::sets})
      if (own.variant->has(stage, Backend::simt)) {
        Q_EMIT wanted(stage, own.variant);
        return;
      }
}

void WorkshopWindow::setShowsRepair(bool shows) {
  showsRepair_ = shows;
  repair_->setText(showsRepair_ ? tr("Show what was &found") : tr("Show the &repair"));
}

/// What is wrong with the text in the editor stays on the screen.
void WorkshopWindow::showUse(const QString& sentence) {
  const TrialReport* report = kernels_.reportOf(file_);
  if (!report || report->right()) return say(sentence, false);
  remark(sentence);
}

/// And back to what was found.
void WorkshopWindow::showRepair() {
  setShowsRepair(!showsRepair_);
  if (!showsRepair_) {
    findings_->clear();
    return showReport();
  }
  const Repair repair = brokenKernelIn(text_->toPlainText()).repair;
  const QString text = text_->toPlainText();
  findings_->clear();
  findings_->addItem(repair.why);
  for (const Replacement& change : repair.changes) {
    const QString from = withoutEmptyEnds(change.from);
    const qsizetype at = text.indexOf(from);
    const int line = at < 0 ? 0 : static_cast<int>(text.first(at).count(QLatin1Char('\n'))) + 1;
    const QString place =
        line > 0 ? tr("From line %1 on, in the place of").arg(line) : tr("In the place of what was");
    auto* item =
        new QListWidgetItem(tr("%1\n%2\nwrite\n%3").arg(place, from, withoutEmptyEnds(change.to)), findings_);
    item->setData(placeRole, QPoint(line, 1));
    item->setFont(text_->font()); // code
  }
  makeRoomForFindings();
  findings_->setCurrentRow(0);
  findings_->setFocus();
}

/// As much as they need, and no more than is left when the text keeps a third.
void WorkshopWindow::makeRoomForFindings() {
  int wanted = 2 * findings_->frameWidth();
  for (int row = 0; row < findings_->count(); ++row)
    wanted += findings_->sizeHintForRow(row);
  const QList<int> sizes = splitter_->sizes();
  const int all = sizes[0] + sizes[1];
  wanted = std::min(wanted, all * 2 / 3);
  if (wanted <= sizes[1]) return;
  if (usualSizes_.isEmpty()) usualSizes_ = sizes;
  splitter_->setSizes({all - wanted, wanted});
}

void WorkshopWindow::offerBlock(bool offered) {
  block_->setEnabled(offered);
  noBlock_->setEnabled(!offered);
  block_->setToolTip(offered
                         ? tr("Go through the wrong kernel step by step in Teach, up to its race or fault")
                         : tr("Goes through a wrong kernel step by step in Teach, up to its race or "
                              "fault: there is none now"));
}

/// The verdict stays.
void WorkshopWindow::sayNoBlock() { remark(kernels_.whyNoWrong(file_)); }

void WorkshopWindow::remark(const QString& sentence) {
  remark_->setText(sentence);
  remark_->setVisible(!sentence.isEmpty());
}

void WorkshopWindow::say(const QString& sentence, bool bad) {
  remark({});
  verdict_->setText(sentence);
  QPalette colours = palette();
  if (bad) colours.setColor(QPalette::WindowText, UiTheme::current().alert);
  verdict_->setPalette(colours);
}

/// A window that belongs to another lies above it always, and this one would hide what it has Teach show.
void WorkshopWindow::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (windowHandle()) windowHandle()->setTransientParent(nullptr);
}

void WorkshopWindow::closeEvent(QCloseEvent* event) {
  if (!text_->document()->isModified()) return event->accept();
  const auto answer = QMessageBox::question(
      this, tr("Save the kernel?"), tr("%1 has changes that are not saved.").arg(QFileInfo(file_).fileName()),
      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
  if (answer == QMessageBox::Discard) text_->document()->setModified(false);
  if (answer == QMessageBox::Cancel || (answer == QMessageBox::Save && !save()))
    event->ignore();
  else
    event->accept();
}

} // namespace lloyd
