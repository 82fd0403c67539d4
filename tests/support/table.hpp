// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace lloyd::test {

/// The named columns of a comma-separated file with a header, one after another: [columns][rows], decimals
/// rounded to float. For files that are known to be well formed; the program's own reader is tested
/// elsewhere.
inline std::vector<float> readColumns(const std::string& path, const std::vector<std::string>& columns) {
  std::ifstream file(path);
  const auto cells = [](const std::string& line) {
    std::vector<std::string> found;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) {
      std::erase_if(cell, [](char c) { return c == '"' || c == '\r'; });
      found.push_back(cell);
    }
    return found;
  };
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error("cannot read " + path);
  const std::vector<std::string> header = cells(line);
  std::vector<std::size_t> wanted;
  for (const std::string& column : columns)
    for (std::size_t at = 0; at < header.size(); ++at)
      if (header[at] == column) wanted.push_back(at);
  if (wanted.size() != columns.size()) throw std::runtime_error(path + " lacks a column");
  std::vector<std::vector<float>> values(wanted.size());
  while (std::getline(file, line)) {
    const std::vector<std::string> row = cells(line);
    for (std::size_t j = 0; j < wanted.size(); ++j)
      values[j].push_back(std::stof(row.at(wanted[j])));
  }
  std::vector<float> all;
  for (const std::vector<float>& column : values)
    all.insert(all.end(), column.begin(), column.end());
  return all;
}

} // namespace lloyd::test
