// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/result_exporter.hpp"

#include "app/data/point_set.hpp"
#include "app/data/write/write_results.hpp"

namespace lloyd {

void ResultExporter::labels(const QString& path) {
  const SharedPointSet data = session_.data();
  if (!data) return;
  session_.fetchLabels([this, data, path](const std::vector<Label>& labels, const IterationPtr&) {
    writer_.post([this, data, path, labels] {
      const auto written = writeLabels(path.toStdString(), labelsByInputRow(*data, labels));
      const QString good = data->rows.empty()
                               ? tr("Labels written to %1, one for each input row")
                               : tr("Labels written to %1, one for each input row; -1 for those that the CPU "
                                    "simulator was not given");
      const QString text = written ? good.arg(path) : QString::fromStdString(written.error());
      QMetaObject::invokeMethod(this, [this, text, failed = !written] { Q_EMIT said(text, failed); });
    });
  });
}

void ResultExporter::centroids(const QString& path) {
  const SharedPointSet data = session_.data();
  if (!data) return;
  session_.fetchLabels([this, data, path](const std::vector<Label>&, const IterationPtr& result) {
    writer_.post([this, data, path, centroids = toFileUnits(result->centroids, data->scales)] {
      const auto written = writeCentroids(path.toStdString(), centroids, data->columns);
      const QString text = written ? tr("Centroids written to %1, in the units of the file").arg(path)
                                   : QString::fromStdString(written.error());
      QMetaObject::invokeMethod(this, [this, text, good = written.has_value()] { Q_EMIT said(text, !good); });
    });
  });
}

} // namespace lloyd
