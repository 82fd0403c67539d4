// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/take_away/clustering_export.hpp"

#include "app/data/write/recoloured.hpp"
#include "app/model/projection/axes_finder.hpp"
#include "app/model/quality/class_agreement.hpp"
#include "app/model/report/html/cluster_report.hpp"
#include "app/model/selection/cluster_watch.hpp"
#include "app/model/session/command_line_text.hpp"
#include "app/model/session/session.hpp"
#include "app/ui/common/save_dialog.hpp"

#include <QWidget>

#include <utility>

namespace lloyd {

ClusteringExport::ClusteringExport(Session& session, const AxesFinder& axes, const ClusterWatch& clusters,
                                   QWidget& window)
    : QObject(&window), session_(session), axes_(axes), clusters_(clusters), window_(window) {}

void ClusteringExport::chooseReport() {
  SaveDialog::ask(&window_, tr("Export a report of the clustering"), QStringLiteral("report.html"),
                  {tr("HTML (*.html)")}, [this](const QString& path) { report(path); });
}

void ClusteringExport::choosePhotograph() {
  SaveDialog::ask(&window_, tr("Export the recoloured photograph"), QStringLiteral("recoloured.png"),
                  {tr("PNG (*.png)")}, [this](const QString& path) { photograph(path); });
}

void ClusteringExport::choosePalette() {
  SaveDialog::ask(&window_, tr("Export the photograph's palette"), QStringLiteral("palette.gpl"),
                  {tr("GIMP palette (*.gpl)"), tr("CSV (*.csv)"), tr("Hexadecimal (*.hex)")},
                  [this](const QString& path) { palette(path); });
}

void ClusteringExport::report(const QString& path) {
  const SharedPointSet points = session_.data();
  QString command =
      repeatText(session_.request(), session_.settings(), points ? points->rule : std::string());
  if (!axes_.axes().empty())
    command += QStringLiteral(" --axes %1 --html %2").arg(axes_.words(), shellQuoted(path));
  if (points && points->selected && points->rule.empty())
    command = tr("no command repeats what was selected by hand");
  else if (session_.byHand())
    command = tr("no command repeats centroids that were moved, added or removed by hand");
  write(path, tr("Report written to %1"),
        [command, projection = axes_.projection()](const std::string& to, const RunReport& of,
                                                   const std::vector<Label>& labels) {
          RunReport report = of;
          report.classes = agreementWithClass(*report.data, labels, report.settings.k);
          const bool same = projection && projection->points == report.data;
          const QByteArray page = clusterHtml(report, labels, command, same ? projection.get() : nullptr);
          return writtenFile(to, {page.constData(), static_cast<std::size_t>(page.size())});
        });
}

void ClusteringExport::photograph(const QString& path) {
  write(path, tr("Recoloured photograph written to %1"),
        [](const std::string& to, const RunReport& report, const std::vector<Label>& labels) {
          return recolouredFile(to, *report.data, labels, report.result.centroids);
        });
}

void ClusteringExport::palette(const QString& path) {
  write(path, tr("Palette written to %1"),
        [](const std::string& to, const RunReport& report, const std::vector<Label>&) {
          return paletteFile(to, *report.data, report.result.centroids, report.result.sizes);
        });
}

void ClusteringExport::write(const QString& path, const QString& said, Writer writer) {
  if (!session_.data()) return;
  session_.fetchLabels([this, path, said, writer = std::move(writer)](const std::vector<Label>& labels,
                                                                      const IterationPtr& result) {
    if (!result) return; // the session has said why
    RunReport report = reportOf(session_, *result);
    for (const QString& name : clusters_.names())
      report.clusterNames.push_back(name.toStdString());
    writer_.post([this, path, said, writer, labels, report = std::move(report)] {
      auto file = writer(path.toStdString(), report, labels);
      QString wrong = file ? QString() : QString::fromStdString(file.error());
      if (file)
        if (const auto placed = file->commit(); !placed) wrong = QString::fromStdString(placed.error());
      QMetaObject::invokeMethod(this, [this, text = wrong.isEmpty() ? said.arg(path) : wrong,
                                       bad = !wrong.isEmpty()] { Q_EMIT message(text, bad); });
    });
  });
}

} // namespace lloyd
