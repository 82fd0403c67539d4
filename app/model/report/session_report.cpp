// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/session_report.hpp"

namespace lloyd {

RunReport reportOf(const Session& session, const IterationResult& result) {
  RunReport report;
  report.device = session.device();
  report.sharing = session.sharing();
  report.why = session.why().toStdString();
  report.data = session.data();
  report.settings = session.settings();
  report.scaling = session.request().scaling;
  report.plan = session.plan();
  report.converged = session.converged();
  report.iterations = result.iteration;
  report.result = result;
  report.history.assign(session.history().begin(), session.history().end());
  for (const TimingSeries::Row* row : session.timings().rows())
    if (!row->series.samples().empty())
      report.times.push_back({row->stage, row->variant, row->series.samples()});
  report.frame = session.timings().frame().summary();
  report.hostBytesPerFrame = session.history().empty() ? 0 : session.history().back().hostBytes;
  return report;
}

} // namespace lloyd
