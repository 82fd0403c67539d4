// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/camera/camera.hpp"
#include "app/ui/view/shown_points.hpp"
#include "tests/app/render/gl/gl_fixture.hpp"
#include "tests/support/devices.hpp"

#include <QtTest>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lloyd {

namespace {

/// Stands for CUDA, which writes the back buffers while it has them.
class LentPoints final : public RegisteredPoints {
public:
  [[nodiscard]] Sharing sharing() const override { return Sharing::shared; }
  [[nodiscard]] PointMemory map() override {
    mapped_ = true;
    return {};
  }
  void unmap(bool flip) override {
    mapped_ = false;
    if (flip) front_ = 1 - front_;
  }
  [[nodiscard]] bool mapped() const override { return mapped_; }
  [[nodiscard]] int front() const override { return front_; }
  [[nodiscard]] LabelWidth frontWidth() const override { return LabelWidth::one; }

private:
  bool mapped_ = false;
  int front_ = 0;
};

void write(unsigned buffer, const void* data, std::size_t bytes) {
  Gl& gl = currentGl();
  gl.glBindBuffer(GL_ARRAY_BUFFER, buffer);
  gl.glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(bytes), data);
  gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
}

} // namespace

/// Labels and positions as they are drawn, on every path they come on.
class TestShownPoints : public QObject {
  Q_OBJECT

  static constexpr std::size_t n = 32; ///< a row of whole lines, so that rows need no padding

  /// Points on a diagonal, all of them moved by (shift, 0).
  static std::vector<float> diagonal(float shift) {
    std::vector<float> values(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = static_cast<float>(i) + shift;
      values[n + i] = static_cast<float>(i);
    }
    return values;
  }
  static SharedPointSet points(bool drifting) {
    PointSet set;
    set.n = n;
    set.d = 2;
    set.values = diagonal(0);
    if (drifting) set.drift.emplace();
    return std::make_shared<const PointSet>(std::move(set));
  }
  static Camera camera() {
    Camera camera;
    camera.setViewport(320, 320);
    camera.setData(2, {{0, 0, 0}, {n, n, 0}});
    return camera;
  }

private slots:
  void init() { fixture_ = std::make_unique<GlFixture>(QSize(8, 8)); }
  void cleanup() { fixture_.reset(); }

  void theHostKnowsWhatItCopied() {
    ShownPoints shown;
    QVERIFY(!shown.hostPositions().values);
    QVERIFY(shown.labels().empty());
    shown.set(points(true));
    shown.makeBuffers();
    const std::array<std::size_t, 2> some{3, 1};
    QCOMPARE(shown.places(some), (std::vector<glm::dvec3>{{3, 3, 0}, {1, 1, 0}}));
    QCOMPARE(shown.label(3), -1);
    const std::shared_ptr<Device> cpu = test::findDevice(Backend::cpu).device;
    const auto labels = std::make_shared<HostArray<Label>>(cpu, n);
    std::fill_n(labels->data(), n, 4);
    const std::vector<float> moved = diagonal(8);
    const auto positions = std::make_shared<HostArray<float>>(cpu, moved.size());
    std::copy(moved.begin(), moved.end(), positions->data());
    shown.present({labels, positions, n});
    QCOMPARE(shown.places(some), (std::vector<glm::dvec3>{{11, 3, 0}, {9, 1, 0}}));
    QCOMPARE(shown.label(3), 4);
    QCOMPARE(shown.labels(), std::vector<Label>(n, 4));
    shown.upload();
    QCOMPARE(shown.buffers()->readLabels(), std::vector<Label>(n, 4));
    QCOMPARE(shown.buffers()->readPositions(some, 2), (std::vector<float>{11, 3, 9, 1}));
    // Other points have none of it.
    shown.set(points(false));
    QCOMPARE(shown.label(3), -1);
    QCOMPARE(shown.coordinates(3), (std::vector<float>{3, 3}));
  }

  /// Of hundreds of coordinates three are drawn; the others stay where they are.
  void copiesHoldWhatIsDrawn() {
    for (const int d : {1, 2, 3, 64}) {
      auto data = std::make_shared<PointSet>();
      data->n = n;
      data->d = d;
      for (std::size_t i = 0; i < n * static_cast<std::size_t>(d); ++i)
        data->values.push_back(static_cast<float>(i));
      ShownPoints points;
      points.set(data);
      const auto cpu = test::findDevice(Backend::cpu).device;
      points.makeBuffers(d == 64 ? cpu.get() : nullptr); // which is lent no buffers
      QCOMPARE(points.buffers()->dimensions(), std::min(d, 3));
      const std::size_t last = n - 1;
      std::vector<float> coordinates = points.coordinates(last);
      QCOMPARE(coordinates.back(), data->values.back());
      coordinates.resize(static_cast<std::size_t>(std::min(d, 3)));
      QCOMPARE(points.buffers()->readPositions({&last, 1}, std::min(d, 3)), coordinates);
    }
  }

  void driftingPointsOfADeviceAreFoundWhereTheyAreDrawn() {
    ShownPoints shown;
    shown.set(points(true));
    shown.makeBuffers();
    shown.share(std::make_unique<LentPoints>());
    QVERIFY(!shown.hostPositions().values && shown.readable());
    const CameraView view = camera().view();
    const auto under = [&](glm::dvec3 place) {
      const auto pixel = camera().project(place);
      return pixel ? shown.nearest(view, *pixel, 3) : std::nullopt;
    };
    QCOMPARE(under({5, 5, 0}), std::optional<std::size_t>(5));
    QCOMPARE(under({13, 5, 0}), std::nullopt);

    static_cast<void>(shown.registered()->map());
    const std::array<std::size_t, 1> fifth{5};
    QVERIFY(!shown.readable() && shown.labels().empty() && shown.label(5) == -1);
    QVERIFY(shown.coordinates(5).empty() && shown.places(fifth).empty());
    const std::vector<float> moved = diagonal(8);
    std::vector<std::uint8_t> labels(n, 7);
    labels[5] = 9;
    write(shown.buffers()->names().positions[1], moved.data(), moved.size() * sizeof(float));
    write(shown.buffers()->names().labels[1], labels.data(), labels.size());
    shown.unmap(true);
    QCOMPARE(under({13, 5, 0}), std::optional<std::size_t>(5));
    QCOMPARE(under({5, 5, 0}), std::nullopt);
    QCOMPARE(shown.coordinates(5), (std::vector<float>{13, 5}));
    QCOMPARE(shown.places(fifth), (std::vector<glm::dvec3>{{13, 5, 0}}));
    QCOMPARE(shown.label(5), 9);
    QCOMPARE(shown.label(6), 7);
    QCOMPARE(shown.labels().size(), n);
    // Once the device is gone, what present() was given counts: nothing so far.
    shown.withdraw();
    QCOMPARE(shown.label(5), -1);
    QVERIFY(shown.hostPositions().values);
  }

private:
  std::unique_ptr<GlFixture> fixture_;
};

} // namespace lloyd

QTEST_MAIN(lloyd::TestShownPoints)
#include "tst_shown_points.moc"
