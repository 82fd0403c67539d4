// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/model/session/worker_thread.hpp"
#include "app/ui/take_away/film.hpp"
#include "app/ui/view/view_picture.hpp"

#include <QImage>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>

namespace lloyd {

class Viewport;

/// A run as pictures of the view: one of the first centroids or of the present state, then one an iteration.
struct RecordingWish {
  static constexpr int mostFrames = 100'000;

  PictureWish picture;
  int frames = 60;
  bool fromStart = true; ///< seeds again; else the present state comes first
  int filmRate = 0;      ///< frames a second of a film of them; 0: none
};

/// Writes a run as numbered PNGs into a folder: step by step, each picture complete before the next iteration
/// begins. It ends with the last frame, when the run has converged, or when it is cancelled; what was written
/// stays, and is made a film where that was wished for. The run is paused afterwards. GUI thread.
class ViewRecorder : public QObject {
  Q_OBJECT
public:
  ViewRecorder(Session& session, Viewport& viewport, QObject* parent = nullptr);
  ~ViewRecorder() override;

  /// What is wrong with a folder; empty when it can be recorded into, for which it is made where only its
  /// last part is missing. A folder with frames in it is refused: they would mix.
  [[nodiscard]] static QString whyNotInto(const QString& folder);
  /// "frame-0001.png", from 1 on.
  [[nodiscard]] static QString frameName(int frame);

  /// folder: as whyNotInto() takes it. Ends with ended(). Nothing while it records already.
  void start(const RecordingWish& wish, const QString& folder);
  void cancel();
  [[nodiscard]] bool busy() const { return busy_; }
  [[nodiscard]] int written() const { return written_; }

Q_SIGNALS:
  void advanced(int frames); ///< so many are written
  void ended(const QString& text, bool error);

private:
  void step();
  void settle();
  void draw();
  void tile();
  [[nodiscard]] QString writtenText() const;
  void save(const QImage& picture);
  void saved(const QString& wrong);
  void finish(const QString& text);
  void end(const QString& text, bool error);

  Session& session_;
  Viewport& viewport_;
  RecordingWish wish_;
  QString folder_;
  bool busy_ = false;
  bool awaits_ = false; ///< an iteration
  bool saving_ = false;
  bool cancelled_ = false; ///< while a picture was on its way to the disk, which it keeps
  int written_ = 0;
  std::unique_ptr<ViewPicture> picture_;
  QTimer next_; ///< tile
  Film film_;
  QString filmOf_; ///< what there is to say once the film is made
  WorkerThread writer_;
};

} // namespace lloyd
