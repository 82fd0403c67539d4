// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>
#include <QVector>
#include <qcustomplot.h>

#include <vector>

namespace lloyd {

/// Ticks at round numbers of a linear or logarithmic axis, written as all panes write them.
class NumberTicker : public QCPAxisTicker {
public:
  enum class Values { any, whole };
  NumberTicker(bool logarithmic, int count, Values values = Values::any)
      : logarithmic_(logarithmic), values_(values) {
    setTickCount(count);
  }

protected:
  int getSubTickCount(double) override { return 0; }
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

private:
  bool logarithmic_;
  Values values_;
};

/// Ticks at given places with given words, as many of them as the axis has room for.
class PlaceTicker : public QCPAxisTicker {
public:
  PlaceTicker(std::vector<double> places, QStringList words)
      : places_(std::move(places)), words_(std::move(words)) {}
  /// Every n-th place gets a tick; the last of them always does.
  void setEvery(int every) { every_ = every; }
  [[nodiscard]] const std::vector<double>& places() const { return places_; }
  [[nodiscard]] const QStringList& words() const { return words_; }

protected:
  int getSubTickCount(double) override { return 0; }
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

private:
  std::vector<double> places_;
  QStringList words_;
  int every_ = 1;
};

/// Makes the axis linear or logarithmic, with about count ticks.
void setScale(QCPAxis* axis, bool logarithmic, int count,
              NumberTicker::Values values = NumberTicker::Values::any);

} // namespace lloyd
