// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/cuda/parameter_names.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

namespace lloyd::simt {
namespace {

constexpr std::string_view kernelWord = "LLOYD_KERNEL";
constexpr auto nowhere = std::string_view::npos;

bool isLetter(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }

/// Comments become blanks; lines stay where they are.
std::string withoutComments(std::string_view text) {
  std::string code(text);
  for (std::size_t at = 0; at + 1 < code.size(); ++at) {
    const bool isLine = code.compare(at, 2, "//") == 0;
    if (!isLine && code.compare(at, 2, "/*") != 0) continue;
    const std::size_t close = isLine ? code.find('\n', at) : code.find("*/", at + 2);
    const std::size_t end = std::min(code.size(), close == nowhere || isLine ? close : close + 2);
    std::replace_if(
        code.begin() + static_cast<std::ptrdiff_t>(at), code.begin() + static_cast<std::ptrdiff_t>(end),
        [](char letter) { return letter != '\n'; }, ' ');
  }
  return code;
}

/// Where the bracket at begin is closed; nowhere where it never is.
std::size_t closing(std::string_view code, std::size_t begin, char open, char close) {
  int depth = 0;
  for (std::size_t at = begin; at < code.size(); ++at) {
    if (code[at] == open) ++depth;
    if (code[at] == close && --depth == 0) return at;
  }
  return nowhere;
}

unsigned lineAt(std::string_view code, std::size_t at) {
  return 1 + static_cast<unsigned>(std::ranges::count(code.substr(0, at), '\n'));
}

/// The last word of one of the parameters between brackets: "labels" of "LLOYD_GLOBAL(Label) labels".
std::optional<std::string> nameOf(std::string_view parameters, unsigned argument) {
  int depth = 0;
  unsigned present = 1;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= parameters.size(); ++at) {
    const char letter = at < parameters.size() ? parameters[at] : ',';
    if (letter == '(' || letter == '<' || letter == '[') ++depth;
    if (letter == ')' || letter == '>' || letter == ']') --depth;
    if (letter != ',' || depth > 0) continue;
    if (present++ == argument) {
      const std::string_view one = parameters.substr(begin, at - begin);
      const auto end = std::find_if(one.rbegin(), one.rend(), isLetter);
      const auto start = std::find_if_not(end, one.rend(), isLetter);
      if (end == one.rend() || std::isdigit(static_cast<unsigned char>(*start.base())) != 0)
        return std::nullopt;
      return std::string(start.base(), end.base());
    }
    begin = at + 1;
  }
  return std::nullopt;
}

} // namespace

std::optional<std::string> parameterName(std::string_view text, unsigned line, unsigned argument) {
  const std::string code = withoutComments(text);
  for (std::size_t at = code.find(kernelWord); at != nowhere; at = code.find(kernelWord, at + 1)) {
    std::size_t open = code.find('(', at);
    if (open == nowhere) break;
    // LLOYD_KERNEL_UP_TO(threads) name(parameters)
    if (std::all_of(code.begin() + static_cast<std::ptrdiff_t>(at),
                    code.begin() + static_cast<std::ptrdiff_t>(open), isLetter)) {
      const std::size_t close = closing(code, open, '(', ')');
      open = close == nowhere ? nowhere : code.find('(', close);
      if (open == nowhere) break;
    }
    const std::size_t close = closing(code, open, '(', ')');
    const std::size_t body = close == nowhere ? nowhere : code.find('{', close);
    const std::size_t end = body == nowhere ? nowhere : closing(code, body, '{', '}');
    if (end == nowhere) continue;
    if (line >= lineAt(code, body) && line <= lineAt(code, end))
      return nameOf(std::string_view(code).substr(open + 1, close - open - 1), argument);
  }
  return std::nullopt;
}

std::optional<std::string> parameterNameIn(const char* file, unsigned line, unsigned argument) {
  std::ifstream source(file, std::ios::binary);
  if (!source) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(source), {}};
  return parameterName(text, line, argument);
}

} // namespace lloyd::simt
