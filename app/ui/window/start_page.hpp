// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/settings.hpp"

#include <QWidget>

class QAction;
class QGridLayout;

namespace lloyd {

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
  QWidget* buttons_ = nullptr;
};

} // namespace lloyd
