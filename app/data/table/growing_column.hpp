// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lloyd {

/// Doubles whose number is not known beforehand, kept in chunks so that growing neither copies nor doubles.
/// The first chunks are small: a file may have a million columns of two rows.
class GrowingColumn {
public:
  void append(double value) {
    if (at_ == end_) grow();
    *at_++ = value;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// Hands out the values in order, chunk by chunk.
  template <class Take>
  void each(const Take& take) const {
    for (const Chunk& chunk : chunks_)
      take(std::span<const double>(chunk.values.get(), sizeOf(chunk)));
  }
  /// The same; each chunk's memory goes when it was handed out.
  template <class Take>
  void drain(const Take& take) {
    for (Chunk& chunk : chunks_) {
      take(std::span<const double>(chunk.values.get(), sizeOf(chunk)));
      chunk.values.reset();
    }
    chunks_.clear();
    at_ = end_ = nullptr;
    bytes_ = 0;
  }

private:
  struct Chunk {
    std::unique_ptr<double[]> values;
    std::size_t size = 0;
  };

  void grow() {
    constexpr std::size_t first = 16;
    constexpr std::size_t most = std::size_t{1} << 16;
    const std::size_t size = chunks_.empty() ? first : std::min(most, chunks_.back().size * 2);
    chunks_.push_back({std::unique_ptr<double[]>(new double[size]), size});
    at_ = chunks_.back().values.get();
    end_ = at_ + size;
    bytes_ += size * sizeof(double);
  }
  [[nodiscard]] std::size_t sizeOf(const Chunk& chunk) const {
    return &chunk == &chunks_.back() ? static_cast<std::size_t>(at_ - chunk.values.get()) : chunk.size;
  }

  double* at_ = nullptr;
  double* end_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<Chunk> chunks_;
};

/// The different texts of a column, numbered in the order in which they come.
class WordList {
public:
  /// The word's number, from 0.
  std::size_t codeOf(std::string_view word) {
    if (const auto found = codes_.find(word); found != codes_.end()) return found->second;
    const std::size_t code = words_.size();
    words_.emplace_back(word);
    codes_.emplace(words_.back(), code);
    // A word stands in the list and in the table of codes.
    bytes_ += 2 * (sizeof(std::string) + (word.size() > std::string().capacity() ? word.size() : 0)) + 32;
    return code;
  }
  [[nodiscard]] std::size_t size() const { return words_.size(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] std::vector<std::string> take() { return std::move(words_); }

private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> codes_;
  std::vector<std::string> words_;
  std::size_t bytes_ = 0;
};

} // namespace lloyd
