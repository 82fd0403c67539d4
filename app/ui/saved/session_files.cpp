// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/saved/session_files.hpp"

#include "app/data/input/unpack.hpp"
#include "app/data/write/atomic_file.hpp"
#include "app/model/session/session.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/save_dialog.hpp"
#include "app/ui/saved/window_state.hpp"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QWidget>

#include <utility>

namespace lloyd {
namespace {

QString fileName(const QString& path) { return QFileInfo(path).fileName(); }

/// A question that stands until it is answered, while all else goes on.
QMessageBox* question(QWidget& window, const char* name, const QString& text, const QString& more) {
  auto* box = new QMessageBox(QMessageBox::Question, SessionFiles::tr("Open a session"), text,
                              QMessageBox::Cancel, &window);
  box->setObjectName(QLatin1String(name));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  box->setInformativeText(more);
  return box;
}

} // namespace

SessionFiles::SessionFiles(Session& session, WindowState& state, QWidget& window)
    : QObject(&window), session_(session), state_(state), window_(window) {
  connect(&session_, &Session::dataChanged, this, &SessionFiles::takeData);
  connect(&state_, &WindowState::restored, this, &SessionFiles::arrived);
  connect(&state_, &WindowState::dropped, this, [this] {
    opening_.reset(); // the session has said why, or something else was wanted
    Q_EMIT ended();
  });
}

SessionFiles::~SessionFiles() {
  if (cancel_) *cancel_ = true;
}

void SessionFiles::setPath(const QString& path) {
  path_ = path;
  source_ = sourceOf(session_.request());
  Q_EMIT pathChanged();
}

QString SessionFiles::path() const { return sourceOf(session_.request()) == source_ ? path_ : QString(); }

/// Other columns or another scaling are changes of a session; other points are none.
void SessionFiles::takeData() {
  stamp_ = stampOf(session_.request().path);
  if (!path_.isEmpty() && sourceOf(session_.request()) != source_) setPath({});
}

// --- writing

void SessionFiles::save() { path_.isEmpty() ? saveAs() : saveTo(path_); }

/// Said before a name is asked for in vain.
bool SessionFiles::refusesPart() {
  if (!session_.data()->selected) return false;
  Q_EMIT message(tr("A session is of all points, and a part of them is clustered: go back to all "
                    "first (Ctrl+Shift+K)"),
                 true);
  return true;
}

void SessionFiles::saveAs() {
  if (!session_.data() || refusesPart()) return;
  SaveDialog::ask(&window_, tr("Save the session"), QStringLiteral("session.lloyd"),
                  {tr("Lloydscope session (*.lloyd)")}, [this](const QString& path) { saveTo(path); });
}

void SessionFiles::saveTo(const QString& path) {
  if (!session_.data()) return;
  if (!isSessionFile(path.toStdString()))
    return Q_EMIT message(tr("%1: a session's name ends in .lloyd").arg(path), true);
  if (refusesPart()) return;
  SavedSession now = state_.taken();
  std::string& data = now.moment.request.path;
  if (!data.empty()) {
    data = QFileInfo(qtext(data)).absoluteFilePath().toStdString();
    now.member = memberPath(data).member;
    now.relative = QFileInfo(path).absoluteDir().relativeFilePath(qtext(data)).toStdString();
  }
  worker_.post([this, path, now = std::move(now), stamp = stamp_]() mutable {
    const std::string& file = now.moment.request.path;
    bool changed = false;
    if (!file.empty()) {
      if (hashedPath_ != file || hashedStamp_ != stamp) {
        const auto facts = factsOf(file);
        hashedPath_ = file;
        hashedStamp_ = stamp;
        hashed_ = facts.value_or(FileFacts{});
      }
      now.data = hashed_;
      // The bytes of today are not those that the labels are of.
      changed = stampOf(file) != stamp;
      if (changed) now.data.sha256 = hashedPath_ = {};
    }
    const auto done = writeWholeFile(path.toStdString(), sessionText(now));
    toGui_.post([this, path, wrong = done ? std::string() : done.error(), changed] {
      written(path, wrong, changed);
    });
  });
}

void SessionFiles::written(const QString& path, const std::string& wrong, bool changed) {
  if (!wrong.empty()) return Q_EMIT message(qtext(wrong), true);
  setPath(path);
  Q_EMIT kept(path);
  if (!changed) return Q_EMIT message(tr("Session saved to %1").arg(path), false);
  Q_EMIT message(tr("The session is saved to %1, but %2 has changed since it was read, and what the session "
                    "shows is of what it held then")
                     .arg(path, fileName(qtext(session_.request().path))),
                 true);
}

// --- reading

void SessionFiles::open(const QString& path) {
  if (cancel_) *cancel_ = true;
  const auto cancel = std::make_shared<std::atomic<bool>>(false);
  cancel_ = cancel;
  opening_.reset();
  worker_.post([this, path, cancel] {
    auto read = readSession(path.toStdString());
    FoundData found{FoundData::State::same, {}};
    if (read && !read->moment.request.path.empty())
      found = findData(dataPlaces(*read, path.toStdString()), read->data, cancel.get());
    // A person knows it by where it was, and not by the places that were looked at.
    if (read && found.state == FoundData::State::missing) found.path = read->moment.request.path;
    toGui_.post([this, path, cancel, read = std::move(read), found] {
      if (*cancel) return;
      if (!read) return giveUp(qtext(read.error()));
      opening_ = Opening{path, *read};
      located(found);
    });
  });
}

void SessionFiles::located(const FoundData& found) {
  if (!opening_) return;
  if (found.state == FoundData::State::same) return goOn(found.path, false);
  const QString data = qtext(found.path);
  const bool changed = found.state == FoundData::State::changed;
  if (asks_) return changed ? askForChanged(data) : askForMissing(data);
  giveUp(changed ? tr("%1 has changed since %2 was saved").arg(data, fileName(opening_->path))
         : QFileInfo(data).isDir()
             ? tr("%1, whose points %2 shows, is a folder and no file").arg(data, fileName(opening_->path))
             : tr("%1, whose points %2 shows, is not there").arg(data, fileName(opening_->path)));
}

void SessionFiles::askForChanged(const QString& dataPath) {
  QMessageBox* box = question(
      window_, "changedData", tr("%1 is not as it was when the session was saved.").arg(fileName(dataPath)),
      tr("Opened as it is, %1 begins from the centroids of the session, and its labels are new.")
          .arg(dataPath));
  QPushButton* asIs = box->addButton(tr("&Open as it is"), QMessageBox::AcceptRole);
  QPushButton* other = box->addButton(tr("&Choose another file…"), QMessageBox::ActionRole);
  asIs->setObjectName(QStringLiteral("asItIs"));
  other->setObjectName(QStringLiteral("chooseData"));
  connect(box, &QMessageBox::buttonClicked, this, [=, this](QAbstractButton* pressed) {
    if (pressed == asIs) return goOn(dataPath.toStdString(), true);
    pressed == other ? choose(dataPath) : giveUp({});
  });
  box->open();
}

void SessionFiles::askForMissing(const QString& dataPath) {
  QMessageBox* box =
      question(window_, "missingData",
               tr("%1 is neither beside the session nor where it was.").arg(fileName(dataPath)),
               tr("It was %1. Where is it now?").arg(dataPath));
  QPushButton* other = box->addButton(tr("&Choose the file…"), QMessageBox::AcceptRole);
  other->setObjectName(QStringLiteral("chooseData"));
  connect(box, &QMessageBox::buttonClicked, this,
          [=, this](QAbstractButton* pressed) { pressed == other ? choose(dataPath) : giveUp({}); });
  box->open();
}

void SessionFiles::choose(const QString& dataPath) {
  if (!opening_) return;
  auto* dialog = new QFileDialog(&window_, tr("Where is %1?").arg(fileName(dataPath)),
                                 QFileInfo(opening_->path).absolutePath());
  dialog->setObjectName(QStringLiteral("findData"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  const QString ending = QFileInfo(dataPath).suffix();
  const QString all = tr("All files (*)");
  dialog->setNameFilters(ending.isEmpty() ? QStringList{all}
                                          : QStringList{tr("As it was (*.%1)").arg(ending), all});
  connect(dialog, &QFileDialog::fileSelected, this, &SessionFiles::look);
  connect(dialog, &QFileDialog::rejected, this, [this] { giveUp({}); });
  dialog->open();
}

/// Whether a file that a person chose is the one.
void SessionFiles::look(const QString& dataPath) {
  if (!opening_) return;
  const SavedSession& session = opening_->session;
  std::string path = dataPath.toStdString();
  if (!session.member.empty() && memberPath(path).member.empty()) path += ':' + session.member;
  worker_.post([this, cancel = cancel_, facts = session.data, path] {
    const FoundData found = findData({path}, facts, cancel.get());
    toGui_.post([this, cancel, found] {
      if (!*cancel) located(found);
    });
  });
}

void SessionFiles::goOn(const std::string& dataPath, bool changed) {
  if (!opening_) return;
  Moment& moment = opening_->session.moment;
  if (!moment.request.path.empty()) moment.request.path = dataPath;
  opening_->changed = changed;
  if (changed && moment.run) {
    // Sizes and inertia are of other points; only where the run stood is still true.
    RunState start;
    start.result.centroids = start.result.usedCentroids = moment.run->result.centroids;
    moment.run = std::move(start);
  }
  state_.restore(opening_->session);
}

/// Without a sentence nobody needs to be told.
void SessionFiles::giveUp(const QString& sentence) {
  opening_.reset();
  if (!sentence.isEmpty()) Q_EMIT message(sentence, true);
  Q_EMIT ended();
}

void SessionFiles::arrived(bool whole) {
  const std::optional<Opening> opened = std::exchange(opening_, std::nullopt);
  if (!opened) return;
  setPath(opened->path);
  Q_EMIT kept(opened->path);
  const QString data = fileName(qtext(session_.request().path));
  if (!whole)
    Q_EMIT message(
        tr("%1 has other columns or too few points by now, so the run of the session does not fit: "
           "a new one begins")
            .arg(data.isEmpty() ? qtext(session_.request().generator) : data),
        true);
  else if (opened->changed)
    Q_EMIT message(tr("%1 has changed since the session was saved: it begins from the centroids of the "
                      "session, and its labels are new")
                       .arg(data),
                   true);
  else
    Q_EMIT message(tr("Session opened: %1").arg(opened->path), false);
  Q_EMIT ended();
}

/// A file's name comes before its folder, which a narrow title or a task bar cuts.
QString titleOf(const Session& session, const QString& sessionPath) {
  const SharedPointSet points = session.data();
  if (!points) return SessionFiles::tr("Lloydscope");
  const QString source = qtext(points->source);
  const bool file = !session.request().path.empty();
  const QFileInfo at(sessionPath.isEmpty() ? source : sessionPath);
  const QString part = points->part.empty() ? QString() : QStringLiteral(" (%1)").arg(qtext(points->part));
  const QString folder = QFileInfo(at.absoluteFilePath()).path();
  const QString named = SessionFiles::tr("%1 (%2) - Lloydscope").arg(at.fileName() + part, folder);
  if (sessionPath.isEmpty()) return file ? named : SessionFiles::tr("%1 - Lloydscope").arg(source + part);
  return SessionFiles::tr("%1: %2").arg(at.fileName(), file ? fileName(source) : source) +
         SessionFiles::tr(" (%1) - Lloydscope").arg(folder);
}

} // namespace lloyd
