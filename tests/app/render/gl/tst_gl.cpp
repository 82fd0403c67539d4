// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/gl/gl.hpp"
#include "app/render/gl/gl_compute.hpp"
#include "app/render/gl/gl_report.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/point_buffers.hpp"
#include "tests/app/render/gl/gl_fixture.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <vector>

namespace lloyd {

class TestGl : public QObject {
  Q_OBJECT
private slots:
  void reportNamesTheDriver() {
    GlFixture fixture({8, 8});
    const GlReport report = reportGl(&fixture.context());
    QVERIFY(!report.version.empty() && !report.renderer.empty() && !report.vendor.empty());
    QVERIFY2(report.whyNot().empty(), report.whyNot().c_str());
  }

  void tooOldIsSaidInOneSentence() {
    GlReport report;
    report.major = 2;
    report.minor = 1;
    report.renderer = "Mesa Something";
    QVERIFY(report.whyNot().find("OpenGL 3.3 is needed") == 0);
    QVERIFY(report.whyNot().find("2.1 by Mesa Something") != std::string::npos);
    report.major = 3;
    report.minor = 2;
    report.embedded = true;
    QVERIFY(report.whyNot().find("OpenGL ES 3.2") != std::string::npos);
    QVERIFY(reportGl(nullptr).whyNot().find("no OpenGL") != std::string::npos);
  }

  void softwareIsKnownByName() {
    QVERIFY(isSoftwareRenderer("llvmpipe (LLVM 15.0.6, 256 bits)"));
    QVERIFY(isSoftwareRenderer("Google SwiftShader"));
    QVERIFY(isSoftwareRenderer("softpipe"));
    QVERIFY(!isSoftwareRenderer("NVIDIA H200/PCIe/SSE2"));
    QVERIFY(!isSoftwareRenderer(""));
  }

  void handleDeletesItsObject() {
    GlFixture fixture({8, 8});
    Gl& gl = currentGl();
    GLuint id = 0;
    {
      GlBuffer buffer = GlBuffer::create();
      id = buffer.id();
      gl.glBindBuffer(GL_ARRAY_BUFFER, id);
      gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
      QVERIFY(gl.glIsBuffer(id));
      GlBuffer moved = std::move(buffer);
      QVERIFY(!buffer); // NOLINT(bugprone-use-after-move): that is what is tested
      QCOMPARE(moved.id(), id);
    }
    QVERIFY(!gl.glIsBuffer(id));
  }

  void handleOfADeadContextIsForgotten() {
    auto first = std::make_unique<GlFixture>(QSize(8, 8));
    GlBuffer old = GlBuffer::create();
    first.reset();
    // The new context gives its first buffer the number that the old one had.
    GlFixture second({8, 8});
    Gl& gl = currentGl();
    const GlBuffer mine = GlBuffer::create();
    gl.glBindBuffer(GL_ARRAY_BUFFER, mine.id());
    gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
    old.reset();
    QVERIFY(gl.glIsBuffer(mine.id()));
  }

  void noContextIsAnError() { QVERIFY_EXCEPTION_THROWN((void)currentGl(), std::runtime_error); }

  void everyShaderOfTheProgramCompiles() {
    GlFixture fixture({8, 8});
    for (const char* fragment : {"point_square", "point_disc", "point_ball", "point_density"})
      QVERIFY(loadShaders("points", fragment));
    QVERIFY(loadShaders("picture", "picture"));
    QVERIFY(loadShaders("picture", "density"));
    QVERIFY(loadShaders("line", "line"));
    QVERIFY(loadShaders("marker", "marker"));
    if (!computeOf(&fixture.context())) QSKIP("This OpenGL has no compute shaders");
    QVERIFY(loadCompute("pixel_histogram"));
    QVERIFY(loadShaders("picture", "pixel_histogram"));
    QVERIFY(loadCompute("compute_depth_splat"));
    QVERIFY(loadCompute("compute_point_search"));
    QVERIFY(loadShaders("picture", "compute_depth_splat"));
  }

  void shadersIncludeFilesBesideThem() {
    GlFixture fixture({8, 8});
    QTemporaryDir folder;
    const auto write = [&folder](const char* name, const QByteArray& text) {
      QFile file(folder.filePath(QString::fromLatin1(name)));
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    };
    const auto load = [&folder] {
      return ShaderProgram().load(folder.filePath("own.vert"), QStringLiteral(":/shaders/picture.frag"));
    };
    write("own.vert",
          "#version 330 core\n#include \"outer.glsl\"\nvoid main() { gl_Position = vec4(two()); }\n");
    write("outer.glsl", "#include \"inner.glsl\"\nfloat two() { return one() + one(); }\n");
    auto loaded = load();
    QVERIFY(!loaded);
    QVERIFY2(loaded.error().find("inner.glsl cannot be read") != std::string::npos, loaded.error().c_str());
    write("inner.glsl", "float one() { return 1.0; }\n");
    loaded = load();
    QVERIFY2(loaded, loaded ? "" : loaded.error().c_str());
    // Lines are those of the files: the seventh of the third one, then the third of the first.
    write("inner.glsl", "\n\n\n\n\n\nfloat one() { return nowhere; }\n");
    loaded = load();
    QVERIFY(!loaded);
    QVERIFY2(loaded.error().find("2:7(") != std::string::npos ||
                 loaded.error().find("2(7)") != std::string::npos,
             loaded.error().c_str());
    write("inner.glsl", "float one() { return 1.0; }\n");
    write("own.vert", "#version 330 core\n#include \"outer.glsl\"\nvoid main() { gl_Position = nowhere; }\n");
    loaded = load();
    QVERIFY(!loaded);
    QVERIFY2(loaded.error().find("0:3(") != std::string::npos ||
                 loaded.error().find("0(3)") != std::string::npos,
             loaded.error().c_str());
  }

  void brokenShaderNamesFileAndLineAndKeepsTheLastGoodOne() {
    GlFixture fixture({8, 8});
    Gl& gl = currentGl();
    ShaderProgram program = loadShaders("picture", "picture");
    const QString broken = QStringLiteral(LLOYD_SOURCE_DIR "/tests/fixtures/shaders/broken.vert");
    const auto loaded = program.load(broken, QStringLiteral(":/shaders/picture.frag"));
    QVERIFY(!loaded);
    QVERIFY2(loaded.error().find("broken.vert") != std::string::npos, loaded.error().c_str());
    QVERIFY2(loaded.error().find("nowhere") != std::string::npos, loaded.error().c_str());
    QVERIFY(program);
    program.use(gl);
    QCOMPARE(gl.glGetError(), GLenum{GL_NO_ERROR});

    const auto missing = program.load(QStringLiteral("/nonexistent.vert"), broken);
    QVERIFY(!missing && missing.error().find("/nonexistent.vert") != std::string::npos);
    // Two that compile, one of which calls what neither of them has: no driver overlooks that.
    const QString folder = QStringLiteral(LLOYD_SOURCE_DIR "/tests/fixtures/shaders/");
    const auto unlinked = program.load(folder + "mismatch.vert", folder + "mismatch.frag");
    QVERIFY(!unlinked && unlinked.error().find("mismatch.frag do not link") != std::string::npos);
    QVERIFY(program);
  }

  void buffersHaveTheLayoutThatKernelsRead() {
    GlFixture fixture({8, 8});
    Gl& gl = currentGl();
    constexpr std::size_t n = 33;
    std::vector<float> values(5 * n);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i);
    const PointBuffers buffers(n, 5, values.data(), true);
    const GlPointBuffers names = buffers.names();
    QCOMPARE(names.n, n);
    QCOMPARE(names.d, 5);
    QCOMPARE(names.stride, std::size_t{64});
    for (const unsigned positions : names.positions) {
      std::vector<float> stored(5 * names.stride);
      gl.glBindBuffer(GL_ARRAY_BUFFER, positions);
      gl.glGetBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(stored.size() * sizeof(float)),
                            stored.data());
      for (std::size_t row = 0; row < 5; ++row)
        for (std::size_t i = 0; i < names.stride; ++i)
          QCOMPARE(stored[row * names.stride + i], i < n ? values[row * n + i] : 0.0F);
    }
    for (const unsigned labels : names.labels) {
      std::vector<Label> stored(n);
      gl.glBindBuffer(GL_ARRAY_BUFFER, labels);
      gl.glGetBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(n * sizeof(Label)), stored.data());
      QCOMPARE(stored, std::vector<Label>(n, -1));
    }
  }

  void uploadsNeverMoveTheStorage() {
    GlFixture fixture({8, 8});
    const std::vector<float> values(64, 1.0F);
    PointBuffers buffers(64, 1, values.data(), true);
    const GlPointBuffers before = buffers.names();
    const std::size_t revision = buffers.revision();
    const std::vector<Label> labels(64, 3);
    buffers.upload({labels.data(), LabelWidth::four}, values.data(), 64);
    QCOMPARE(buffers.frontLabels(), 1);
    QCOMPARE(buffers.frontPositions(), 1);
    QVERIFY(buffers.revision() != revision);
    const GlPointBuffers after = buffers.names();
    QCOMPARE(after.positions[1], before.positions[1]);
    QCOMPARE(after.labels[1], before.labels[1]);
    buffers.setFront(0);
    QCOMPARE(buffers.frontPositions(), 0);
    QVERIFY_EXCEPTION_THROWN(buffers.setFront(2), std::invalid_argument);
  }

  void noPointsStillHaveBuffers() {
    GlFixture fixture({8, 8});
    PointBuffers buffers(0, 3, nullptr, true);
    QVERIFY(buffers.names().positions[0] != 0);
    buffers.upload({}, nullptr, 0);
    QCOMPARE(currentGl().glGetError(), GLenum{GL_NO_ERROR});
  }
};

} // namespace lloyd

QTEST_MAIN(lloyd::TestGl)
#include "tst_gl.moc"
