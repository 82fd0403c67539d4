// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/device_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

namespace lloyd {
namespace {

// What marks a declaration as the card's, and types of the host's that none of the card's can name.
constexpr std::array devicesOwn{"LLOYD_KERNEL",     "LLOYD_KERNEL_UP_TO", "LLOYD_DEVICE",
                                "LLOYD_EVERYWHERE", "constexpr",          "static_assert"};
constexpr std::array hostsOwn{"ClassifyArgs", "ReduceArgs",    "FusedArgs", "UpdateArgs", "IterateArgs",
                              "LayoutArgs",   "LaunchContext", "Variant",   "DeviceInfo", "Tuning"};

[[nodiscard]] bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Goes through a file declaration by declaration, where they stand in namespaces and nowhere else.
class Scanner {
public:
  explicit Scanner(std::string_view source) : text_(source), out_(source) {}

  [[nodiscard]] std::string run() {
    while (at_ < text_.size())
      declaration();
    return std::move(out_);
  }

private:
  /// Steps over one thing that is no code, or over one character of code. Whether it was code.
  bool step() {
    if (startsWith("//")) return skipTo("\n", 0);
    if (startsWith("/*")) return skipTo("*/", 2);
    const char c = text_[at_];
    if (c == '"' && at_ > 0 && text_[at_ - 1] == 'R') return skipRaw();
    if (c == '"' || (c == '\'' && !(at_ > 0 && isNamePart(text_[at_ - 1])))) return skipQuoted(c);
    if (c == '#' && firstOfLine()) return skipDirective();
    ++at_;
    return true;
  }
  [[nodiscard]] bool startsWith(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool skipTo(std::string_view end, std::size_t more) {
    const std::size_t found = text_.find(end, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + more;
    return false;
  }
  bool skipQuoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
    return false;
  }
  bool skipRaw() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return skipTo("\n", 0);
    std::string end(1, ')');
    end.append(text_.substr(at_ + 1, open - at_ - 1)) += '"';
    return skipTo(end, end.size());
  }
  [[nodiscard]] bool firstOfLine() const {
    std::size_t i = at_;
    while (i > 0 && (text_[i - 1] == ' ' || text_[i - 1] == '\t'))
      --i;
    return i == 0 || text_[i - 1] == '\n';
  }
  bool skipDirective() {
    while (at_ < text_.size() && text_[at_] != '\n')
      at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    return false;
  }

  /// From one declaration's first character of code to its last; a namespace ends with its brace, so that
  /// what is in it comes next.
  void declaration() {
    while (at_ < text_.size()) {
      const std::size_t here = at_;
      if (!step() || std::isspace(static_cast<unsigned char>(text_[here])) != 0) continue;
      if (text_[here] == '}' || text_[here] == ';') continue;
      at_ = here;
      break;
    }
    const std::size_t first = at_;
    std::string head; // its code without what stands in parentheses, as far as that matters
    bool parentheses = false;
    while (at_ < text_.size()) {
      const std::size_t here = at_;
      if (!step()) continue;
      const char c = text_[here];
      if (c == '(') {
        parentheses = parentheses || head.find('=') == std::string::npos;
        at_ = here;
        skipNested('(', ')');
        if (isOf(head, "LLOYD_REGISTER") || isOf(head, "LLOYD_REGISTER_EVERYWHERE")) return blank(first);
        head += ' ';
      } else if (c == '{') {
        if (isOf(head, "namespace") || isOf(head, "extern")) return;
        at_ = here;
        skipNested('{', '}');
        if (parentheses && !isType(head)) { // a function ends here
          if (!isDevices(head)) blank(first);
          return;
        }
        head += ' ';
      } else if (c == ';') {
        if (!stays(head, parentheses) || (isType(head) && isHosts(text_.substr(first, at_ - first))))
          blank(first);
        return;
      } else {
        head += c;
      }
    }
  }
  [[nodiscard]] static bool stays(const std::string& head, bool parentheses) {
    if (isDevices(head) || isType(head) || isOf(head, "using") || isOf(head, "concept")) return true;
    // What is left is a function that is declared, or a variable of the host.
    return !parentheses && head.find('=') == std::string::npos && isOf(head, "template");
  }
  void skipNested(char open, char close) {
    int depth = 0;
    while (at_ < text_.size()) {
      const std::size_t here = at_;
      if (!step()) continue;
      if (text_[here] == open) ++depth;
      if (text_[here] == close && --depth == 0) return;
    }
  }
  void blank(std::size_t first) {
    for (std::size_t i = first; i < at_; ++i)
      if (out_[i] != '\n') out_[i] = ' ';
  }

  [[nodiscard]] static bool isOf(std::string_view head, std::string_view word) {
    for (std::size_t found = head.find(word); found != std::string_view::npos;
         found = head.find(word, found + 1)) {
      const std::size_t end = found + word.size();
      if ((found == 0 || !isNamePart(head[found - 1])) && (end == head.size() || !isNamePart(head[end])))
        return true;
    }
    return false;
  }
  [[nodiscard]] static bool isDevices(std::string_view head) {
    return std::ranges::any_of(devicesOwn, [&](std::string_view word) { return isOf(head, word); });
  }
  [[nodiscard]] static bool isHosts(std::string_view declaration) {
    return std::ranges::any_of(hostsOwn, [&](std::string_view word) { return isOf(declaration, word); });
  }
  [[nodiscard]] static bool isType(std::string_view head) {
    while (!head.empty() && std::isspace(static_cast<unsigned char>(head.front())) != 0)
      head.remove_prefix(1);
    if (isOf(head.substr(0, 8), "template")) {
      std::size_t i = head.find('<');
      for (int depth = 0; i < head.size(); ++i) {
        if (head[i] == '<') ++depth;
        if (head[i] == '>' && --depth == 0) break;
      }
      head = i < head.size() ? head.substr(i + 1) : std::string_view();
      while (!head.empty() && std::isspace(static_cast<unsigned char>(head.front())) != 0)
        head.remove_prefix(1);
    }
    constexpr std::array<std::string_view, 4> types{"struct", "class", "union", "enum"};
    return std::ranges::any_of(types, [&](std::string_view type) {
      return head.starts_with(type) && head.size() > type.size() && !isNamePart(head[type.size()]);
    });
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
};

} // namespace

std::string deviceText(std::string_view source) { return Scanner(source).run(); }

} // namespace lloyd
