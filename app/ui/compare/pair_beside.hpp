// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPointer>
#include <QWidget>

class QLabel;
class QStackedLayout;

namespace lloyd {

/// The home of B's view: the view, or words why it is not there. It says when it goes while the view in it is
/// still there: buffers that a session uses must come back first.
class PairBeside : public QWidget {
  Q_OBJECT
public:
  explicit PairBeside(QWidget* parent);
  ~PairBeside() override { Q_EMIT closing(); }

  void setView(QWidget* view);
  /// Empty: the view, if there is one.
  void showText(const QString& words);

Q_SIGNALS:
  void closing();

private:
  QStackedLayout* stack_;
  QLabel* words_;
  QPointer<QWidget> view_;
};

} // namespace lloyd
