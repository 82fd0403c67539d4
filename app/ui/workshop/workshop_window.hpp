// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/workshop/own_kernels.hpp"

#include <QList>
#include <QString>
#include <QWidget>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QShortcut;
class QSplitter;

namespace lloyd {

class CudaHighlighter;
class NumberedEditor;

/// A kernel of a person's own: its text, what the compiler says of it at its lines, and the verdict. The file
/// may be edited here or in any other editor; every save is tried. A window of its own, so that the points
/// and the original stay in sight. GUI thread.
class WorkshopWindow : public QWidget {
  Q_OBJECT
public:
  explicit WorkshopWindow(OwnKernels& kernels, QWidget* parent);

  /// Shows the file, and has it and its folder watched. The folder was allowed. The file that is shown with
  /// changes stays as it is.
  void open(const QString& file);
  [[nodiscard]] const QString& file() const { return file_; }
  /// The verdict as it stands in the window; what is being done while a trial is under way.
  [[nodiscard]] QString verdict() const;
  /// Why a key did nothing; empty where no such key was pressed since the verdict.
  [[nodiscard]] QString remark() const;
  [[nodiscard]] QPlainTextEdit& editor();
  /// What became of wanted(), or why nothing did of blockWanted(), in the place of the verdict.
  void showUse(const QString& sentence);
  /// Writes the text to the file; false where that failed, and the window says why.
  bool save();

Q_SIGNALS:
  /// The file's variant should be looked at and iterated with.
  void wanted(lloyd::Stage stage, const lloyd::Variant* variant);
  /// The file's last version, which is wrong, should be seen step by step.
  void blockWanted();

protected:
  void closeEvent(QCloseEvent* event) override;
  void showEvent(QShowEvent* event) override;

private:
  void read();
  [[nodiscard]] bool isTried() const;
  void renewTitle();
  void showReport();
  QList<QPoint> addPlaces(const QString& text);
  [[nodiscard]] bool mayReplace();
  /// Colours lines and goes to the first; places: line and column, from 1 on.
  void markLines(const QList<QPoint>& places);
  void toLine(int line, int column);
  void useVariant();
  /// Of a kernel with a bug to be found; it is the person who makes the change.
  void showRepair();
  void setShowsRepair(bool shows); ///< and what the button does next
  void makeRoomForFindings();
  void say(const QString& sentence, bool bad);
  /// By button and key; where it is off, the key says why.
  void offerBlock(bool offered);
  void offerVersion(); ///< what the last trial left
  void remark(const QString& sentence);
  void sayNoBlock();

  OwnKernels& kernels_;
  QString file_;
  QString onDisk_; ///< of file_, when it was last read or written here
  NumberedEditor* text_;
  CudaHighlighter* syntax_;
  QListWidget* findings_; ///< errors first, then what a trial's parts found
  QLabel* verdict_;
  QLabel* remark_; ///< below it: why a key does nothing, and the like; hidden where there is none
  QSplitter* splitter_;
  QList<int> usualSizes_;    ///< of the splitter, while a repair has more room; else empty
  bool showsRepair_ = false; ///< in the place of what was found
  QPushButton* use_;
  QPushButton* block_;  ///< shows a wrong kernel
  QShortcut* noBlock_;  ///< the button's key while the button is off
  QPushButton* repair_; ///< seen where the file is a kernel with a bug
};

} // namespace lloyd
