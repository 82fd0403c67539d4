// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/gl/shader_program.hpp"

#include "app/render/gl/resources.hpp"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <array>
#include <list>
#include <stdexcept>

namespace lloyd {

namespace {

/// The text of a shader, in which each line #include "NAME" is the text of that file beside it. Lines keep
/// the numbers they have in their files; files are numbered in the order in which they are met, from 0.
tl::expected<QByteArray, std::string> sourceOf(const QString& path, int& files) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return tl::make_unexpected("The shader " + path.toStdString() +
                               " cannot be read: " + file.errorString().toStdString());
  static const QRegularExpression include(QStringLiteral("^#include \"([^\"]+)\"\\s*$"));
  const int own = files++;
  QByteArray source;
  for (int line = 1; !file.atEnd(); ++line) {
    const QByteArray text = file.readLine();
    const QRegularExpressionMatch named = include.match(QString::fromUtf8(text));
    if (!named.hasMatch()) {
      source += text;
      continue;
    }
    const QByteArray begin = "#line 1 " + QByteArray::number(files) + '\n';
    auto part = sourceOf(QFileInfo(path).path() + '/' + named.captured(1), files);
    if (!part) return part;
    source += begin + *part + "#line " + QByteArray::number(line + 1) + ' ' + QByteArray::number(own) + '\n';
  }
  return source;
}

/// A shader lives only until its program is linked.
class Shader {
public:
  Shader(Gl& gl, GLenum stage) : gl_(gl), id_(gl.glCreateShader(stage)) {}
  Shader(const Shader&) = delete;
  Shader& operator=(const Shader&) = delete;
  ~Shader() { gl_.glDeleteShader(id_); }

  [[nodiscard]] GLuint id() const { return id_; }
  tl::expected<void, std::string> compile(const QString& path) {
    int files = 0;
    const auto source = sourceOf(path, files);
    if (!source) return tl::make_unexpected(source.error());
    const char* begin = source->constData();
    const auto length = static_cast<GLint>(source->size());
    gl_.glShaderSource(id_, 1, &begin, &length);
    gl_.glCompileShader(id_);
    GLint ok = GL_FALSE;
    gl_.glGetShaderiv(id_, GL_COMPILE_STATUS, &ok);
    if (ok == GL_TRUE) return {};
    std::array<char, 2048> log{};
    gl_.glGetShaderInfoLog(id_, static_cast<GLsizei>(log.size()), nullptr, log.data());
    return tl::make_unexpected("The shader " + path.toStdString() + " does not compile: " + log.data());
  }

private:
  Gl& gl_;
  GLuint id_;
};

} // namespace

tl::expected<void, std::string>
ShaderProgram::build(std::initializer_list<std::pair<GLenum, QString>> stages) {
  Gl& gl = currentGl();
  GlProgram made = GlProgram::create();
  std::list<Shader> shaders;
  std::string names;
  for (const auto& [stage, file] : stages) {
    Shader& shader = shaders.emplace_back(gl, stage);
    if (auto compiled = shader.compile(file); !compiled) return compiled;
    gl.glAttachShader(made.id(), shader.id());
    names += (names.empty() ? "" : " and ") + file.toStdString();
  }
  gl.glLinkProgram(made.id());
  for (const Shader& shader : shaders)
    gl.glDetachShader(made.id(), shader.id());
  GLint ok = GL_FALSE;
  gl.glGetProgramiv(made.id(), GL_LINK_STATUS, &ok);
  if (ok != GL_TRUE) {
    std::array<char, 2048> log{};
    gl.glGetProgramInfoLog(made.id(), static_cast<GLsizei>(log.size()), nullptr, log.data());
    const std::string which =
        stages.size() == 1 ? "The shader " + names + " does" : "The shaders " + names + " do";
    return tl::make_unexpected(which + " not link: " + log.data());
  }
  program_ = std::move(made);
  return {};
}

ShaderProgram loadShaders(const char* vertexName, const char* fragmentName) {
  initResources();
  ShaderProgram program;
  const auto loaded = program.load(QStringLiteral(":/shaders/%1.vert").arg(QLatin1String(vertexName)),
                                   QStringLiteral(":/shaders/%1.frag").arg(QLatin1String(fragmentName)));
  if (!loaded) throw std::runtime_error(loaded.error());
  return program;
}

ShaderProgram loadCompute(const char* name) {
  initResources();
  ShaderProgram program;
  const auto loaded = program.loadCompute(QStringLiteral(":/shaders/%1.comp").arg(QLatin1String(name)));
  if (!loaded) throw std::runtime_error(loaded.error());
  return program;
}

} // namespace lloyd
