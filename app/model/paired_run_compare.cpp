// SPDX-License-Identifier: GPL-3.0-or-later
// What the two sides disagree in, found beside the runs.
#include "app/model/number_text.hpp"
#include "app/model/pair_position.hpp"
#include "app/model/paired_run.hpp"

#include <QMetaObject>

#include <utility>

namespace lloyd {

namespace {

constexpr qint64 leastMs = 100; ///< between two comparisons of a run that plays

/// Labels with what keeps them.
struct Held {
  std::shared_ptr<const void> owner;
  std::span<const Label> labels;
};

Held labelsOf(const Session& session, const PairedRun::LabelReader& reader) {
  if (session.sharing() != Sharing::shared) {
    const auto labels = session.frame().labels;
    return labels ? Held{labels, {labels->data(), labels->size()}} : Held{};
  }
  if (!reader) return {};
  const auto read = std::make_shared<const std::vector<Label>>(reader());
  return {read, {read->data(), read->size()}};
}

} // namespace

void PairedRun::wantDifferences(bool wanted) {
  wanted_ = wanted;
  if (wanted) compare(true);
}

void PairedRun::setLabelReaders(LabelReader a, LabelReader b) {
  readA_ = std::move(a);
  readB_ = std::move(b);
}

QString PairedRun::whyNotCompared() const {
  if (!b_) return why_;
  if (!a_ || !a_->data() || !b_->data()) return tr("There is nothing to compare yet.");
  if (a_->data() == b_->data()) return {};
  return tr("Labels are not compared: side A has %1 points and side B %2, as many as the CPU executor is "
            "given.")
      .arg(countText(a_->data()->n), countText(b_->data()->n));
}

/// What is being found is of points, a run or a side that are gone.
void PairedRun::forgetDifference() {
  ++epoch_;
  comparedAt_.reset();
  if (!std::exchange(difference_, nullptr)) return;
  Q_EMIT compared();
}

/// now: however recent the last comparison is. Skipped ones are made up for when the run pauses.
void PairedRun::compare(bool now) {
  if (!wanted_ || !inStep()) return;
  if (comparing_) {
    compareDue_ = true;
    return;
  }
  if (!now && sinceCompared_.isValid() && sinceCompared_.elapsed() < leastMs) return;
  if (!whyNotCompared().isEmpty()) {
    if (difference_) forgetDifference();
    return;
  }
  const Held a = labelsOf(*a_, readA_);
  const Held b = labelsOf(*b_, readB_);
  const std::size_t n = a_->data()->n;
  if (a.labels.size() != n || b.labels.size() != n) return;
  comparing_ = true;
  compareDue_ = false;
  sinceCompared_.start();
  worker_.post([this, a, b, resultA = a_->last(), resultB = b_->last(), d = a_->data()->d,
                matched = side_.seed.has_value(), epoch = epoch_] {
    const PairDifferencePtr found = differenceOf({*resultA, *resultB, a.labels, b.labels, d}, matched);
    QMetaObject::invokeMethod(this, [this, found, resultA, epoch] {
      comparing_ = false;
      if (epoch == epoch_) {
        difference_ = found;
        comparedAt_ = resultA;
        Q_EMIT compared();
      }
      if (std::exchange(compareDue_, false)) compare(a_ && !a_->playing());
    });
  });
}

} // namespace lloyd
