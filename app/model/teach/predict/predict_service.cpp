// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/predict/predict_service.hpp"

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

bool sameGround(const std::shared_ptr<const TeachCounts>& a, const std::shared_ptr<const TeachCounts>& b) {
  if (!a || !b) return a == b;
  return a->subject == b->subject && a->problem == b->problem && a->input->points == b->input->points;
}

} // namespace

PredictService::PredictService(const DeviceLease& lease, QObject* parent) : QObject(parent), lease_(lease) {
  connect(&lease_, &DeviceLease::changed, this, &PredictService::leaseChanged);
}

void PredictService::forget() {
  work_.stop();
  questions_.clear();
  taught_.reset();
  counts_.clear();
  due_ = false;
}

void PredictService::count(std::vector<Question> questions, std::shared_ptr<const TeachCounts> taught) {
  std::vector<Question> wanted;
  for (Question& question : questions) {
    const QString key = askedKey(question);
    const bool known =
        std::ranges::any_of(wanted, [&](const Question& other) { return askedKey(other) == key; });
    if (!key.isEmpty() && !known) wanted.push_back(std::move(question));
  }
  // Runs begin with the first centroids: an iteration more of the same points is no news.
  if (sameGround(taught_, taught) && std::ranges::equal(questions_, wanted, {}, askedKey, askedKey)) return;
  forget();
  questions_ = std::move(wanted);
  taught_ = std::move(taught);
  due_ = !questions_.empty();
  takeUp();
}

void PredictService::leaseChanged() {
  if (!lease_.held()) return takeUp();
  if (work_.stop()) due_ = true;
}

void PredictService::takeUp() {
  if (!due_ || lease_.held()) return;
  due_ = false;
  work_.start(
      [questions = questions_, taught = taught_](const std::atomic<bool>* cancel) {
        AskedCounts counts;
        for (const Question& question : questions)
          counts.emplace(askedKey(question), countAsked(question, taught.get(), cancel));
        return counts;
      },
      [this](const AskedCounts& counts) {
        counts_ = counts;
        Q_EMIT counted();
      });
}

} // namespace lloyd
