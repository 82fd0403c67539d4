// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QColor>
#include <QImage>
#include <QRectF>
#include <QSize>
#include <QString>
#include <QStringList>

#include <vector>

namespace lloyd {

enum class ColourScheme { dark, light };

/// One mark of a plot as the browser laid it out, in pixels of the page.
struct ShownMark {
  QString kind; ///< its classes, "mark bar best"
  QRectF box;
  QColor colour; ///< of its fill, or of its line where it is not filled
  QString title;
};

/// Words, and the card or picture that they belong into.
struct ShownText {
  QRectF box;
  QRectF frame;
  QString text;
};

struct ShownPlot {
  QString kind; ///< its classes, "ladder"
  QRectF box;
  QColor background; ///< of the panel that it stands on
  std::vector<ShownMark> marks;
  std::vector<ShownText> texts;
};

/// A page as it was laid out in a window.
struct ShownPage {
  QSize content; ///< what there is to scroll
  std::vector<ShownPlot> plots;
  std::vector<ShownText> cells; ///< of the tables
};

/// A Chromium without a window and without a network: every name it asks for is unknown to it.
class Browser {
public:
  /// Empty when this machine has no Chromium.
  [[nodiscard]] static QString program();
  /// folder: for profiles, logs and copies; must exist.
  explicit Browser(const QString& folder) : folder_(folder) {}

  /// What a page that was opened asked of the network, as its own log has it: addresses and names.
  [[nodiscard]] QStringList requestsOf(const QString& file);
  [[nodiscard]] QImage screenshot(const QString& file, const QSize& window, ColourScheme scheme);
  /// Measures a copy of the page that has a script for it; the page itself forbids itself any.
  [[nodiscard]] ShownPage layout(const QString& file, const QSize& window, ColourScheme scheme);
  /// What the last start said, for messages of failed checks.
  [[nodiscard]] const QByteArray& said() const { return said_; }

private:
  QByteArray run(const QStringList& arguments, const QString& file);

  QString folder_;
  QByteArray said_;
  int starts_ = 0;
};

} // namespace lloyd
