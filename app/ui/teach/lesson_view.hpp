// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/variant.hpp"

#include <QTextBrowser>

namespace lloyd {

/// A lesson, set so that it can be read: lines of about 70 characters, room around headings. A link leads to
/// a lesson on something else and from there back, or sets up what the lesson speaks of.
class LessonView : public QTextBrowser {
  Q_OBJECT
public:
  explicit LessonView(QWidget* parent = nullptr);
  void showLesson(const Variant& variant);
  /// A lesson that is no variant's, from which a link leads back; that of the variant where there is none of
  /// this name.
  void showPage(const QString& name);
  /// Sets the text again, in the present font and theme.
  void renew();

Q_SIGNALS:
  /// A link of the lesson would set up an experiment: what stands behind "setup:" (readExperiment()).
  void setupAsked(const QString& text);
  /// A lesson that is no variant's is shown; empty: that of the variant is again.
  void pageShown(const QString& name);

protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void fitLines();
  void follow(const QUrl& link);
  [[nodiscard]] QString text() const;

  const Variant* variant_ = nullptr;
  QString page_; ///< a lesson that is no variant's, which is shown instead; empty: none
  bool filling_ = false;
};

} // namespace lloyd
