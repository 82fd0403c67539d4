// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/settings.hpp"
#include "app/model/session/session.hpp"

#include <QFrame>
#include <QLabel>
#include <QStringList>
#include <QWidget>

class QAction;
class QGridLayout;
class QScrollArea;

namespace lloyd {

/// An error in words, above the points: what happened, where, and what to do. It stays until it is dismissed
/// or supersede() tells that what it complains about is no more. Hidden otherwise.
class MessageBar : public QFrame {
  Q_OBJECT
public:
  explicit MessageBar(QWidget* parent = nullptr);
  void showError(const QString& text);
  /// Hides an error, but none of this turn of the event loop: that may be why something was changed.
  void supersede();
  [[nodiscard]] QString text() const;

Q_SIGNALS:
  void gone(); ///< an error that was shown; another may take its place

protected:
  void changeEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

private:
  void paintTheme();

  QLabel* label_;
  bool fresh_ = false; ///< shown in this turn
  bool painting_ = false;
};

/// A plain band above the points, there while the SIMT simulator computes: what of all that is shown may be
/// believed, and how many of the points it is given.
class SimulatedBand : public QLabel {
  Q_OBJECT
public:
  explicit SimulatedBand(Session& session, QWidget* parent = nullptr);

private:
  void renew();

  Session& session_;
};

/// For the back row of a room: the headline and at most three numbers, in letters of at least 3 % of the
/// screen's height.
class PresentBar : public QWidget {
  Q_OBJECT
public:
  explicit PresentBar(QWidget* parent = nullptr);
  void showText(const QString& headline, const QStringList& numbers);
  [[nodiscard]] QSize sizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  [[nodiscard]] int letterPixels() const;

  QString headline_;
  QStringList numbers_;
};

/// What stands in the points' place while there are none: buttons that open some.
class StartPage : public QWidget {
  Q_OBJECT
public:
  StartPage(QAction* open, QWidget* parent);

  /// Offers the samples and these files.
  void offer(const QStringList& recent);

Q_SIGNALS:
  void sampleWanted(const lloyd::DataRequest& request);
  void fileWanted(const QString& path);

private:
  QAction* open_;
  QScrollArea* area_; ///< of the buttons
};

} // namespace lloyd
