// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/read/read_points.hpp"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <string>
#include <vector>

namespace lloyd::test {

/// A folder that goes with the object, and files in it.
class Scratch {
public:
  [[nodiscard]] std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  [[nodiscard]] std::string write(const char* name, const QByteArray& bytes) const {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
    return path(name);
  }
  [[nodiscard]] QByteArray read(const char* name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  [[nodiscard]] QStringList files() const {
    return QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden);
  }

private:
  QTemporaryDir folder_;
};

inline std::string dataFile(const std::string& name) {
  return std::string(LLOYD_SOURCE_DIR "/tests/fixtures/") + name;
}
inline std::string sampleFile(const std::string& name) {
  return std::string(LLOYD_SOURCE_DIR "/resources/data/") + name;
}

/// Point i as a row, for comparison with a literal.
inline std::vector<float> row(const PointSet& points, std::size_t i) {
  std::vector<float> values(static_cast<std::size_t>(points.d));
  for (int j = 0; j < points.d; ++j)
    values[static_cast<std::size_t>(j)] = points.row(j)[i];
  return values;
}

} // namespace lloyd::test

/// Ends the test with the reader's own sentence when there are no points.
#define REQUIRE_POINTS(result)                                                                               \
  QVERIFY2((result).has_value(), (result) ? "" : (result).error().sentence().c_str())
