// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QIcon>
#include <QString>

class QApplication;

namespace lloyd {

/// The colours of the chrome and of what is written over the points. Text colours have a contrast of at
/// least 4.5 to 1 on every surface named here. One accent; good and bad are never told by colour alone.
struct UiTheme {
  bool dark = true;
  QColor view;    ///< behind the points
  QColor window;  ///< between panels
  QColor panel;   ///< panels, tables, plots
  QColor control; ///< buttons and fields
  QColor line;    ///< hairlines
  QColor text;
  QColor dim; ///< units, captions, what cannot be used
  QColor accent;
  QColor onAccent;
  QColor bar;   ///< a measured variant that is not in use
  QColor alert; ///< text of error messages

  /// A style sheet with the colours in the place of "%text", "%accent" and so on.
  [[nodiscard]] QString styleSheet(const char* pattern) const;

  [[nodiscard]] static const UiTheme& darkTheme();
  [[nodiscard]] static const UiTheme& lightTheme();
  /// The one last applied; dark before.
  [[nodiscard]] static const UiTheme& current();
  /// Colours the whole program. Widgets that paint themselves get a palette change event and ask current()
  /// again.
  static void apply(QApplication& application, bool dark);
};

/// An icon of resources/icons in the theme's text colour, dim where disabled. Sharp at every scale: it is
/// drawn from the SVG at the size asked for.
[[nodiscard]] QIcon themedIcon(const QString& name);

} // namespace lloyd
