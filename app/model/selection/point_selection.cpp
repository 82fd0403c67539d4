// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/point_selection.hpp"

#include "app/data/subset.hpp"
#include "app/model/selection/rule.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <initializer_list>
#include <new>
#include <utility>

namespace lloyd {
namespace {

std::vector<std::uint8_t> combined(const PointMarks& now, std::vector<std::uint8_t> found, Combine combine) {
  if (combine == Combine::replace || found.empty()) return found;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::uint8_t before = now ? (*now)[i] : std::uint8_t{0};
    if (combine == Combine::add)
      found[i] |= before;
    else
      found[i] = combine == Combine::flip ? before ^ found[i] : before & (found[i] ^ 1);
  }
  return found;
}

/// What is marked in one of others is not found; null: nothing is.
void leaveOut(std::vector<std::uint8_t>& found, std::initializer_list<PointMarks> others) {
  for (const PointMarks& left : others)
    for (std::size_t i = 0; left && i < found.size(); ++i)
      if ((*left)[i] != 0) found[i] = 0;
}

/// The rule of what combined() answers; empty where one of the two has none.
std::string combinedRule(const PointMarks& now, const std::string& rule, const std::string& found,
                         Combine combine) {
  if (combine == Combine::replace || (combine == Combine::add && !now)) return found;
  if (rule.empty() || found.empty() || combine == Combine::flip) return {};
  return "(" + rule + (combine == Combine::add ? ") | (" : ") & !(") + found + ")";
}

} // namespace

PointSelection::PointSelection(Session& session, QObject* parent) : QObject(parent), session_(session) {
  connect(&session_, &Session::dataChanged, this, &PointSelection::forget);
}

PointSelection::~PointSelection() = default;

void PointSelection::forget() {
  marks_.reset();
  rule_.clear();
  hidden_.reset();
  summary_ = {};
  worker_.post([this] { newest_.reset(); });
  if (whole_ && session_.data() != part_.lock()) whole_.reset();
  Q_EMIT hiddenChanged();
  Q_EMIT changed();
}

/// Marks are found, combined and counted on the thread, whose newest they are combined with.
void PointSelection::find(Find find, RuleOf ruleOf) {
  const SharedPointSet points = session_.data();
  if (!points) return;
  ++busy_;
  Q_EMIT changed();
  worker_.post([this, points, find = std::move(find), ruleOf = std::move(ruleOf)] {
    PointMarks marks = newest_;
    std::string rule = newestRule_;
    std::optional<SelectionSummary> summary;
    try {
      std::vector<std::uint8_t> found = find(newest_);
      if (found.size() == points->n) {
        summary = summaryOf(*points, found);
        readCells(*points, *summary);
        marks = summary->count > 0 ? std::make_shared<const std::vector<std::uint8_t>>(std::move(found))
                                   : nullptr;
        rule = marks && ruleOf ? ruleOf(newest_, newestRule_) : std::string();
      }
    } catch (const std::bad_alloc&) { // nothing changes
    }
    newest_ = marks;
    newestRule_ = rule;
    toGui_.post([this, points, marks, rule, summary] {
      --busy_;
      if (points == session_.data() && summary) {
        marks_ = marks;
        rule_ = rule;
        summary_ = *summary;
      }
      Q_EMIT changed();
    });
  });
}

void PointSelection::inside(const Polygon& polygon, const DrawnRows& rows, std::shared_ptr<const void> owner,
                            Combine combine, PointMarks unseen) {
  // What is not drawn cannot be meant.
  find([polygon, rows, owner = std::move(owner), hidden = hidden_, unseen = std::move(unseen),
        combine](const PointMarks& now) {
    std::vector<std::uint8_t> found = pointsInside(polygon, rows);
    leaveOut(found, {hidden, unseen});
    return combined(now, std::move(found), combine);
  });
}

void PointSelection::meeting(const QString& text, Combine combine) {
  const SharedPointSet points = session_.data();
  if (!points) return;
  const auto rule = Rule::parse(text.toStdString(), *points, RuleClusters::known);
  if (!rule) return Q_EMIT failed(qtext(rule.error()));
  ShownLabels labels;
  if (rule->asksClusters()) labels = session_.labels();
  if (rule->asksClusters() && labels.labels.size() != points->n)
    return Q_EMIT failed(tr("the clusters of the points are not at hand now: pause, and try again"));
  const std::string words = rule->asksClusters() ? std::string() : text.trimmed().toStdString();
  find([rule = *rule, points, labels, combine](
           const PointMarks& now) { return combined(now, rule.matches(*points, labels.labels), combine); },
       [words, combine](const PointMarks& now, const std::string& before) {
         return combinedRule(now, before, words, combine);
       });
}

void PointSelection::cluster(int cluster, Combine combine) {
  meeting(QStringLiteral("cluster == %1").arg(cluster), combine);
}

void PointSelection::none() {
  if (!session_.data()) return;
  find([points = session_.data()](const PointMarks&) { return std::vector<std::uint8_t>(points->n); });
}

void PointSelection::invert(PointMarks unseen) {
  if (!session_.data()) return;
  const bool all = !hidden_ && !unseen;
  find(
      [points = session_.data(), hidden = hidden_, unseen = std::move(unseen)](const PointMarks& now) {
        std::vector<std::uint8_t> found =
            combined(now, std::vector<std::uint8_t>(points->n, 1), now ? Combine::flip : Combine::replace);
        leaveOut(found, {hidden, unseen});
        return found;
      },
      [all](const PointMarks& now, const std::string& rule) {
        return all && now && !rule.empty() ? "!(" + rule + ")" : std::string();
      });
}

void PointSelection::hide(bool selected) {
  if (!marks_) return;
  std::vector<std::uint8_t> hidden = *marks_;
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    if (!selected) hidden[i] ^= 1;
    if (hidden_) hidden[i] |= (*hidden_)[i];
  }
  hidden_ = std::make_shared<const std::vector<std::uint8_t>>(std::move(hidden));
  Q_EMIT hiddenChanged();
}

void PointSelection::hideSelected() {
  hide(true);
  none();
}

void PointSelection::hideOthers() { hide(false); }

void PointSelection::showAll() {
  if (std::exchange(hidden_, nullptr)) Q_EMIT hiddenChanged();
}

QString PointSelection::whyNotCluster() const {
  if (!session_.data() || !marks_) return tr("Nothing is selected");
  if (session_.pointsRead() > session_.data()->n)
    return tr("The simulator has a part of the points already: choose another backend");
  return {};
}

void PointSelection::clusterSelected() {
  if (!whyNotCluster().isEmpty()) return;
  const SharedPointSet points = session_.data();
  const QString chosen =
      rule_.empty() ? tr("because they were selected") : tr("because they meet %1").arg(qtext(rule_));
  const std::string remark =
      tr("%1 of %2 rows are clustered, %3")
          .arg(countText(summary_.count), countText(points->selected ? points->n : RowCounts(*points).all),
               chosen)
          .toStdString();
  worker_.post([this, points, marks = marks_, rule = rule_, remark] {
    SharedPointSet part;
    try {
      part = markedSubset(*points, *marks, remark, rule);
    } catch (const std::bad_alloc&) { // said below
    }
    toGui_.post([this, points, part] {
      if (points != session_.data()) return; // other points have come meanwhile
      if (!part) return Q_EMIT failed(tr("There is not enough memory to cluster the selected points alone"));
      whole_ ? clusterPart(whole_, part, wholeRequest_) : clusterPart(points, part, session_.request());
    });
  });
}

void PointSelection::clusterPart(const SharedPointSet& whole, const SharedPointSet& part,
                                 const DataRequest& request, double loadUs) {
  whole_ = whole;
  wholeRequest_ = request;
  part_ = part;
  session_.adopt(part, wholeRequest_, loadUs);
  session_.play();
}

void PointSelection::clusterAll() {
  if (!whole_) return;
  const SharedPointSet whole = std::exchange(whole_, nullptr);
  session_.adopt(whole, wholeRequest_);
  session_.play();
}

void PointSelection::exportRows(const QString& path) {
  const SharedPointSet points = session_.data();
  if (!points || !marks_) return;
  worker_.post([this, path, points, marks = marks_, labels = session_.labels(), count = summary_.count] {
    const auto done = writeMarkedRows(path.toStdString(), *points, *marks, labels.labels);
    const QString wrong = done ? QString() : qtext(done.error());
    toGui_.post([this, path, wrong, count] {
      if (wrong.isEmpty())
        Q_EMIT written(countedText(count, tr("%1 row written to %2"), tr("%1 rows written to %2")).arg(path));
      else
        Q_EMIT failed(wrong);
    });
  });
}

} // namespace lloyd
