// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/classes/class_watch.hpp"

#include "app/data/table/table.hpp"

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

constexpr int waitMs = 200;

/// Null where labels are of other points, or of another k, than the session has by now.
ClassAgreementPtr agreementOf(const PointSet& points, std::span<const Label> labels, int k) {
  if (labels.size() != points.n) return nullptr;
  if (std::ranges::any_of(labels, [k](Label label) { return label < 0 || label >= k; })) return nullptr;
  auto found = agreementWithClass(points, labels, k);
  return found ? std::make_shared<const ClassAgreement>(std::move(*found)) : nullptr;
}

} // namespace

ClassWatch::ClassWatch(Session& session, QObject* parent) : QObject(parent), session_(session) {
  wait_.setSingleShot(true);
  wait_.setInterval(waitMs);
  connect(&wait_, &QTimer::timeout, this, &ClassWatch::look);
  connect(&session_, &Session::dataChanged, this, &ClassWatch::takeData);
  connect(&session_, &Session::iterated, this, [this] {
    if (watched_ && hasClass_ && !wait_.isActive()) wait_.start();
  });
  takeData();
}

void ClassWatch::takeData() {
  const SharedPointSet points = session_.data();
  hasClass_ = points && lloyd::hasClass(*points);
  last_.reset();
  Q_EMIT changed();
  if (watched_ && hasClass_) wait_.start();
}

void ClassWatch::setWatched(bool on) {
  if (watched_ == on) return;
  watched_ = on;
  if (watched_ && hasClass_) look();
}

void ClassWatch::look() {
  if (!watched_ || !hasClass_) return;
  if (busy_) {
    due_ = true;
    return;
  }
  const ShownLabels shown = session_.labels();
  if (shown.labels.empty()) return;
  busy_ = true;
  thread_.post([this, shown, points = session_.data(), k = session_.settings().k] {
    ClassAgreementPtr found = agreementOf(*points, shown.labels, k);
    toGui_.post([this, found = std::move(found), points] {
      busy_ = false;
      if (found && points == session_.data()) {
        last_ = found;
        Q_EMIT changed();
      }
      if (std::exchange(due_, false)) wait_.start();
    });
  });
}

} // namespace lloyd
