// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/projection/axes_finder.hpp"
#include "app/model/saved/edit_recorder.hpp"
#include "app/model/saved/moment_restorer.hpp"
#include "tests/app/model/session/session_halves.hpp"

#include <QFile>
#include <QTemporaryDir>

#include <random>

using namespace lloyd;

namespace {

/// A session, its axes, and what a window would add.
struct Edited {
  Session session;
  AxesFinder axes{session};
  MomentRestorer restorer{session, axes};
  ViewChoices view;
  EditRecorder edits{session, axes, restorer,
                     EditSide{.take = [this] { return taken(); },
                              .view = [this] { return view; },
                              .give =
                                  [this](const EditState& state) {
                                    view = state.view;
                                    session.pause();
                                    restorer.restore(state.moment);
                                  }}};

  explicit Edited(int atOnce = 0) { edits.setAtOnce(atOnce); }

  [[nodiscard]] EditState taken() const {
    EditState state;
    state.moment = momentOf(session, axes);
    state.view = view;
    return state;
  }
  /// Nothing is under way any more.
  bool rested() {
    const auto idle = [this] {
      return !session.loading() && !axes.busy() && !restorer.pending() && session.last() &&
             session.state() == Session::State::paused;
    };
    QTest::qWait(0);
    return QTest::qWaitFor(idle, 30000) && rests(session);
  }
  void choose(const ViewChoices& wanted) {
    view = wanted;
    edits.viewChosen();
  }
};

/// All that comes back with a step, to the bit.
struct Shown {
  State state;
  Settings settings;
  DataRequest request;
  Axes axes;
  ViewChoices view;
  bool operator==(const Shown& other) const {
    return state == other.state && settings == other.settings && request == other.request &&
           axes == other.axes && view == other.view;
  }
};

Shown shownBy(const Edited& side) {
  Shown shown{stateOf(side.session), side.session.settings(), side.session.request(), side.axes.axes(),
              side.view};
  shown.state.history = 0; // begins anew
  return shown;
}

/// One thing that a person does, always another than what is.
void change(Edited& side, std::mt19937& draw) {
  Settings settings = side.session.settings();
  DataRequest request = side.session.request();
  ViewChoices view = side.view;
  switch (draw() % 10) {
  case 0:
    settings.k = 1 + (settings.k + static_cast<int>(draw() % 6)) % 7;
    return side.session.setSettings(settings);
  case 1:
    settings.seed += 1 + draw() % 5;
    return side.session.setSettings(settings);
  case 2:
    settings.init.kind = settings.init.kind == InitKind::random ? InitKind::kmeansPlusPlus : InitKind::random;
    return side.session.setSettings(settings);
  case 3: {
    const auto d = static_cast<std::size_t>(side.session.data()->d);
    std::vector<float> place(d);
    for (float& value : place)
      value = static_cast<float>(draw() % 700) / 100;
    return side.session.moveCentroid(static_cast<int>(draw() % static_cast<unsigned>(settings.k)), place);
  }
  case 4:
    return side.session.restart();
  case 5:
    request.scaling = request.scaling == Scale::none ? Scale::standard : Scale::none;
    return side.session.open(request);
  case 6: // a role: the lengths alone, or all of them
    request.columns = request.columns.empty() ? std::vector<std::string>{"sepal_length_cm", "petal_length_cm"}
                                              : std::vector<std::string>{};
    return side.session.open(request);
  case 7:
    side.axes.choose(side.axes.axes().empty() ? Axes{{Axis::Kind::component, 0}, {Axis::Kind::component, 1}}
                                              : Axes{});
    return;
  case 8:
    view.orthographic = !view.orthographic;
    return side.choose(view);
  default:
    view.colourColumn = view.colourColumn ? std::nullopt : std::optional<std::size_t>(4);
    return side.choose(view);
  }
}

} // namespace

/// What a person changes, taken back and made again.
class TestEdits : public QObject {
  Q_OBJECT
private slots:
  /// Property: fifty random edits, with halves of iterations between them, undone and redone end where they
  /// began; and each on its way is as it was.
  void fiftyEditsUndoneAndRedoneEndWhereTheyBegan_data() {
    QTest::addColumn<unsigned>("seed");
    for (const unsigned seed : {1U, 2U, 3U})
      QTest::addRow("seed %u", seed) << seed;
  }
  void fiftyEditsUndoneAndRedoneEndWhereTheyBegan() {
    QFETCH(unsigned, seed);
    std::mt19937 draw(seed);
    Edited side;
    begin(side.session, apart(3), sample("iris.csv"));
    QVERIFY(side.rested());
    std::vector<Shown> before; // by how many steps there are
    int made = 0;
    while (made < 50) {
      for (unsigned half = draw() % 4; half > 0; --half)
        QVERIFY(halfStep(side.session));
      const std::size_t steps = side.edits.steps().size();
      before.resize(steps);
      before.push_back(shownBy(side));
      change(side, draw);
      QTRY_VERIFY_WITH_TIMEOUT(side.edits.steps().size() != steps, 30000);
      QVERIFY(side.rested());
      ++made;
    }
    const std::size_t steps = side.edits.steps().size();
    QVERIFY2(steps > 30, "axes that went back took a step with them, and nothing else did");
    before.resize(steps);
    before.push_back(shownBy(side));
    for (std::size_t left = steps; left > 0; --left) {
      QVERIFY(side.edits.steps().canUndo());
      side.edits.undo();
      QVERIFY(side.rested());
      QVERIFY2(shownBy(side) == before[left - 1], qPrintable(side.edits.steps().redoName()));
    }
    QVERIFY(!side.edits.steps().canUndo());
    for (std::size_t done = 1; done <= steps; ++done) {
      QVERIFY(side.edits.steps().canRedo());
      side.edits.redo();
      QVERIFY(side.rested());
      QVERIFY2(shownBy(side) == before[done], qPrintable(side.edits.steps().undoName()));
    }
    QVERIFY(!side.edits.steps().canRedo());
  }

  void stepsAreNamed() {
    Edited side;
    begin(side.session, apart(3), sample("iris.csv"));
    QVERIFY(side.rested());
    QVERIFY(!side.edits.steps().canUndo());
    const auto named = [&](const auto& change) {
      change();
      return side.rested() ? side.edits.steps().undoName() : QString();
    };
    QCOMPARE(named([&] { side.session.setSettings(apart(5)); }), QString("k = 5"));
    QCOMPARE(named([&] { side.session.restart(); }), QString("restart"));
    QCOMPARE(named([&] {
               side.session.moveCentroid(2, {1, 2, 3, 4});
               side.edits.centroidMoved(2, false);
             }),
             QString("centroid 2"));
    QCOMPARE(named([&] {
               side.axes.choose({{Axis::Kind::column, 1}, {Axis::Kind::column, 0}});
             }),
             QString("axes"));
    QCOMPARE(named([&] {
               side.edits.name("another run");
               side.session.adoptState(*side.session.runState());
             }),
             QString("another run"));
    DataRequest request = side.session.request();
    request.scaling = Scale::minmax;
    const auto open = [&] {
      side.session.open(request);
      QTRY_VERIFY_WITH_TIMEOUT(side.session.request() == request, 30000);
    };
    QCOMPARE(named(open), QString("scaling minmax"));
    request.classColumn = "";
    QCOMPARE(named(open), QString("class column"));
    QCOMPARE(side.edits.steps().size(), std::size_t{7});
    // Of a sudden other points: there is no way back to those before.
    request = sample("faithful.csv");
    open();
    QVERIFY(side.rested());
    QVERIFY(!side.edits.steps().canUndo() && !side.edits.steps().canRedo());
  }

  /// A drag, or a number turned up click by click, is one step; what is made again is its end.
  void whatFollowsAtOnceIsOneStep() {
    Edited side(60'000);
    begin(side.session, apart(3), sample("iris.csv"));
    QVERIFY(side.rested());
    const Shown first = shownBy(side);
    for (const int k : {4, 5, 6}) {
      side.session.setSettings(apart(k));
      QVERIFY(side.rested());
    }
    QCOMPARE(side.edits.steps().size(), std::size_t{1});
    QCOMPARE(side.edits.steps().undoName(), QString("k = 6"));
    const Shown last = shownBy(side);
    side.edits.undo();
    QVERIFY(side.rested());
    QVERIFY(shownBy(side) == first);
    side.edits.redo();
    QVERIFY(side.rested());
    QVERIFY(shownBy(side) == last);
    // A step that was taken back is not gone on with.
    side.session.setSettings(apart(7));
    QVERIFY(side.rested());
    QCOMPARE(side.edits.steps().size(), std::size_t{2});

    side.edits.setAtOnce(0);
    for (int move = 0; move < 5; ++move) {
      side.session.moveCentroid(1, {5, 3, static_cast<float>(move), 1});
      side.edits.centroidMoved(1, move < 4); // held, and let go with the last
      QVERIFY(side.rested());
    }
    QCOMPARE(side.edits.steps().size(), std::size_t{3});
    side.session.moveCentroid(1, {5, 3, 2, 1});
    side.edits.centroidMoved(1, false);
    QVERIFY(side.rested());
    QCOMPARE(side.edits.steps().size(), std::size_t{4});
  }

  void aNewStepForgetsWhatWasTakenBack() {
    Edited side;
    begin(side.session, apart(3), sample("iris.csv"));
    QVERIFY(side.rested());
    side.session.setSettings(apart(4));
    QVERIFY(side.rested());
    side.edits.undo();
    QVERIFY(side.rested());
    QVERIFY(side.edits.steps().canRedo());
    ViewChoices view;
    view.orthographic = true;
    side.choose(view);
    QVERIFY(side.rested());
    QVERIFY(!side.edits.steps().canRedo());
    QCOMPARE(side.edits.steps().undoName(), QString("orthographic"));
  }

  void whatIsNobodysIsNoStep() {
    Edited side;
    begin(side.session, apart(3), sample("iris.csv"));
    QVERIFY(side.rested());
    side.session.setSettings(apart(4));
    side.edits.forget();
    QVERIFY(side.rested());
    QVERIFY(!side.edits.steps().canUndo());
    // Nor is what the session takes back itself, because it cannot be met.
    Settings impossible = apart(4);
    impossible.selection.classify = "classify.v1"; // of GPUs alone
    side.session.setSettings(impossible);
    QTRY_VERIFY_WITH_TIMEOUT(side.session.settings() != impossible, 30000);
    QVERIFY(side.rested());
    QVERIFY(!side.edits.steps().canUndo());
  }

  /// Two keys one after the other, before the points of the first are there.
  void manyAtOnceArriveAtTheLast() {
    Edited side;
    begin(side.session, apart(3), sample("iris.csv"));
    QVERIFY(side.rested());
    const Shown first = shownBy(side);
    DataRequest request = side.session.request();
    for (const Scale scale : {Scale::standard, Scale::minmax, Scale::none}) {
      request.scaling = scale;
      side.session.open(request);
      QTRY_VERIFY_WITH_TIMEOUT(side.session.request() == request, 30000);
      QVERIFY(side.rested() && step(side.session));
    }
    const Shown last = shownBy(side);
    for (int i = 0; i < 3; ++i)
      side.edits.undo();
    QVERIFY(side.rested());
    QVERIFY(shownBy(side) == first);
    for (int i = 0; i < 3; ++i)
      side.edits.redo();
    QVERIFY(side.rested());
    QVERIFY(shownBy(side) == last);
  }

  void whatIsStillBeingReadIsNotWaitedFor() {
    Edited side;
    begin(side.session, apart(3), sample("iris.csv"));
    QVERIFY(side.rested());
    side.session.setSettings(apart(4));
    QVERIFY(side.rested());
    const Shown now = shownBy(side);
    DataRequest request = side.session.request();
    request.scaling = Scale::standard;
    side.session.open(request);
    side.edits.undo();
    QVERIFY(!side.session.loading());
    QVERIFY(side.rested());
    QVERIFY(shownBy(side) == now);
    QCOMPARE(side.edits.steps().undoName(), QString("k = 4"));
  }

  /// The points of a step are gone: it is still to be taken, and nothing has changed.
  void aStepWhosePointsAreGoneStays() {
    QTemporaryDir folder;
    const QString path = folder.filePath("iris.csv");
    QVERIFY(QFile::copy(LLOYD_SOURCE_DIR "/resources/data/iris.csv", path));
    Edited side;
    DataRequest request;
    request.path = path.toStdString();
    begin(side.session, apart(3), request);
    QVERIFY(side.rested());
    request.scaling = Scale::standard;
    side.session.open(request);
    QTRY_VERIFY_WITH_TIMEOUT(side.session.request() == request, 30000);
    QVERIFY(side.rested());
    const Shown now = shownBy(side);
    QVERIFY(QFile::rename(path, folder.filePath("gone.csv")));
    QSignalSpy said(&side.session, &Session::message);
    side.edits.undo();
    QVERIFY(side.rested());
    QVERIFY(!said.isEmpty() && said[0][1].toBool());
    QVERIFY(shownBy(side) == now);
    QCOMPARE(side.edits.steps().undoName(), QString("scaling standard"));
    QVERIFY(!side.edits.steps().canRedo());
    QVERIFY(QFile::rename(folder.filePath("gone.csv"), path));
    side.edits.undo();
    QVERIFY(side.rested());
    QCOMPARE(side.session.request().scaling, Scale::none);
  }

  /// The first steps go once there are more than a hundred.
  void atMostAHundredSteps() {
    EditHistory history;
    for (int i = 0; i < 130; ++i) {
      EditState state;
      state.moment.settings.k = i + 1;
      history.push(QString::number(i), state);
    }
    QCOMPARE(history.size(), EditHistory::mostSteps);
    std::size_t undone = 0;
    EditState now;
    while (auto state = history.undo(now)) {
      now = *state;
      ++undone;
    }
    QCOMPARE(undone, EditHistory::mostSteps);
    QCOMPARE(now.moment.settings.k, 31);
    // Large ones sooner, but the last stays.
    history.clear();
    EditState large;
    large.moment.settings.init.given.resize(EditHistory::mostBytes / 2 / sizeof(float));
    for (int i = 0; i < 3; ++i)
      history.push({}, large);
    QCOMPARE(history.size(), std::size_t{1});
  }
};

QTEST_GUILESS_MAIN(TestEdits)
#include "tst_edits.moc"
