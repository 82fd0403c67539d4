// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/projection/projection.hpp"
#include "app/model/session/session.hpp"

#include <QObject>
#include <QString>

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace lloyd {

/// Which axes a session's points are drawn by, and the points as those show them, found on a thread of its
/// own. Other points of the same columns keep their axes; any others begin with their first columns. The
/// session must outlive it. GUI thread.
class AxesFinder : public QObject {
  Q_OBJECT
public:
  explicit AxesFinder(const Session& session, QObject* parent = nullptr);
  ~AxesFinder() override;

  /// Empty: the first columns. Ends with changed() or failed(); what was being found is cancelled.
  void choose(const Axes& axes);
  /// The same from words, once there are points, which may be now.
  void chooseWords(const std::string& words);
  /// Whatever is shown stays.
  void cancel();

  /// As was chosen last, also while it is being found; empty for the first columns.
  [[nodiscard]] const Axes& axes() const { return axes_; }
  /// The same in words that chooseWords() takes, quoted as a shell wants it.
  [[nodiscard]] QString words() const;
  /// What is shown; null for the first columns.
  [[nodiscard]] const SharedProjection& projection() const { return projection_; }
  [[nodiscard]] bool busy() const { return cancel_ != nullptr; }

Q_SIGNALS:
  void chosen();                  ///< axes() is another
  void progress(double fraction); ///< 0 to 1, while it takes long
  void changed();                 ///< projection() is another
  void failed(const QString& sentence);
  void ended(); ///< busy() no more

private:
  struct Outcome {
    SharedProjection projection;
    std::shared_ptr<const PrincipalComponents> components;
    std::string error;
  };
  [[nodiscard]] static Outcome found(const SharedPointSet& points, const Axes& axes,
                                     std::shared_ptr<const PrincipalComponents> components,
                                     const ReadControl& control);
  void takeData();
  void find();
  void take(const Outcome& outcome);
  void setAxes(Axes axes);

  const Session& session_;
  SharedPointSet points_;
  Axes axes_;
  Axes shownAxes_;
  SharedProjection projection_;
  std::shared_ptr<const PrincipalComponents> components_; ///< of points_
  std::optional<std::string> words_;                      ///< to be read as soon as there are points
  std::shared_ptr<std::atomic<bool>> cancel_;             ///< of what is being found
  HandOver toGui_;
  WorkerThread worker_; // last: joined before what its tasks use is gone
};

} // namespace lloyd
