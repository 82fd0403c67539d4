// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/selection/polygon.hpp"
#include "app/model/selection/selection_summary.hpp"
#include "app/model/session/session.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// What becomes of what is selected already.
enum class Combine : std::uint8_t { replace, add, takeAway, flip };

/// Which of a session's points a person has selected or hidden, and the points that are clustered alone in
/// place of all. Selections are found on a thread of its own, one after another. They stay while the run goes
/// on, and go with other points. The session must outlive it. GUI thread.
class PointSelection : public QObject {
  Q_OBJECT
public:
  explicit PointSelection(Session& session, QObject* parent = nullptr);
  ~PointSelection() override;

  /// What is drawn inside a polygon; owner keeps the rows. unseen: what is not drawn beside hidden(); null:
  /// nothing.
  void inside(const Polygon& polygon, const DrawnRows& rows, std::shared_ptr<const void> owner,
              Combine combine, PointMarks unseen = nullptr);
  /// What meets a rule, by the labels that are shown now. What is wrong with it is said by failed().
  void meeting(const QString& rule, Combine combine);
  void cluster(int cluster, Combine combine);
  void none();
  /// What is shown and not selected; what is hidden is not selected then. unseen: as for inside().
  void invert(PointMarks unseen = nullptr);

  /// Null: nothing is selected.
  [[nodiscard]] const PointMarks& marks() const { return marks_; }
  [[nodiscard]] const SelectionSummary& summary() const { return summary_; }
  /// Of what is being found.
  [[nodiscard]] bool busy() const { return busy_ > 0; }

  /// Not drawn any more: what is selected, or all else. What was hidden before stays so.
  void hideSelected();
  void hideOthers();
  void showAll();
  /// Null: nothing is hidden.
  [[nodiscard]] const PointMarks& hidden() const { return hidden_; }

  /// What the selected points, and no others, meet, as Rule::parse() takes it of points that are not
  /// clustered; empty where they were selected by hand, or by their clusters.
  [[nodiscard]] const std::string& rule() const { return rule_; }

  /// Clusters a part of all points, as clusterSelected() does. request: what whole came from.
  void clusterPart(const SharedPointSet& whole, const SharedPointSet& part, const DataRequest& request,
                   double loadUs = 0);
  /// Clusters the selected points alone, with as many clusters as before, or as there are points.
  void clusterSelected();
  /// Why that cannot be now, as a sentence without its full stop; empty when it can.
  [[nodiscard]] QString whyNotCluster() const;
  /// Back to all points.
  void clusterAll();
  /// Whether a part of other points is clustered.
  [[nodiscard]] bool partial() const { return whole_ != nullptr; }

  /// Writes the selected rows on the thread, then written().
  void exportRows(const QString& path);

Q_SIGNALS:
  void changed(); ///< marks() or busy()
  void hiddenChanged();
  void failed(const QString& sentence);
  void written(const QString& sentence);

private:
  /// On the thread: from what is selected by then, null for nothing. Empty: nothing changes.
  using Find = std::function<std::vector<std::uint8_t>(const PointMarks& now)>;
  /// The rule of what is found, from the present one; empty: no rule says it.
  using RuleOf = std::function<std::string(const PointMarks& now, const std::string& rule)>;
  void find(Find find, RuleOf ruleOf = {});
  void hide(bool selected);
  void forget();

  Session& session_;
  PointMarks marks_;
  std::string rule_; ///< of marks_
  PointMarks hidden_;
  SelectionSummary summary_;
  int busy_ = 0;
  PointMarks newest_; ///< of the thread alone: what is about to be marks_
  std::string newestRule_;
  SharedPointSet whole_; ///< all points, while a part of them is clustered
  std::weak_ptr<const PointSet> part_;
  DataRequest wholeRequest_;
  HandOver toGui_;
  WorkerThread worker_; // last: joined before what its tasks use is gone
};

} // namespace lloyd
