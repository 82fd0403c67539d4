// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/rule.hpp"

#include "app/data/table/table.hpp"
#include "app/model/selection/rule_rows.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace lloyd {
namespace {

using Operand = Rule::Operand;
using Step = Rule::Step;
using Comparison = Rule::Comparison;

constexpr std::size_t mostDepth = 200; ///< of parentheses and !, which are parsed by recursion

enum class TokenKind { end, number, word, doubleQuoted, backQuoted, singleQuoted, sign };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text; ///< without its quotes
  double number = 0;
  std::size_t at = 0; ///< byte of the rule
};

/// What is wrong, and at which byte.
struct Mistake {
  std::size_t at;
  std::string what;
};

/// A character of a name that needs no quotes: letters and digits, also beyond ASCII, underscores and dots.
bool isWordPart(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c == '_' || c == '.';
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// A byte's place as a person counts characters.
std::size_t characterOf(std::string_view text, std::size_t byte) {
  std::size_t character = 1;
  for (std::size_t i = 0; i < std::min(byte, text.size()); ++i)
    character += (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80 ? 1 : 0;
  return character;
}

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
    if (at_ == text_.size()) return {.kind = TokenKind::end, .text = {}, .at = at_};
    const char c = text_[at_];
    if (c == '"') return quoted(TokenKind::doubleQuoted);
    if (c == '`') return quoted(TokenKind::backQuoted);
    if (c == '\'') return quoted(TokenKind::singleQuoted);
    const bool signedNumber = (c == '-' || c == '+') && at_ + 1 < text_.size() &&
                              (isDigit(text_[at_ + 1]) || text_[at_ + 1] == '.');
    if (isDigit(c) || signedNumber || (c == '.' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1])))
      return numberOrWord();
    if (isWordPart(c)) return word();
    return sign();
  }

private:
  /// Doubled, a quote is part of the text.
  Token quoted(TokenKind kind) {
    const std::size_t begin = at_;
    const char quote = text_[at_++];
    std::string inside;
    while (at_ < text_.size()) {
      if (text_[at_] != quote) {
        inside += text_[at_++];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == quote) {
        inside += quote;
        at_ += 2;
      } else {
        ++at_;
        return {.kind = kind, .text = std::move(inside), .at = begin};
      }
    }
    throw Mistake{begin, std::string("the quote ") + quote + " never closes"};
  }

  Token word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && isWordPart(text_[at_]))
      ++at_;
    return {.kind = TokenKind::word, .text = std::string(text_.substr(begin, at_ - begin)), .at = begin};
  }

  /// "3.5e-2", or a name that begins with digits, as 2nd does.
  Token numberOrWord() {
    const std::size_t begin = at_;
    const char* first = text_.data() + at_ + (text_[at_] == '+' ? 1 : 0);
    Token token{.kind = TokenKind::number, .text = {}, .at = begin};
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), token.number);
    if (error == std::errc::result_out_of_range)
      throw Mistake{begin, "this number is beyond what double precision holds"};
    if (error != std::errc() || (end != text_.data() + text_.size() && isWordPart(*end))) {
      if (text_[begin] == '-' || text_[begin] == '+')
        throw Mistake{begin, "expected a number behind the sign"};
      return word();
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    token.text = std::string(text_.substr(begin, at_ - begin));
    return token;
  }

  Token sign() {
    const std::size_t begin = at_;
    for (const std::string_view known : {"<=", ">=", "==", "!=", "&&", "||"})
      if (text_.substr(at_, 2) == known) {
        at_ += 2;
        return {.kind = TokenKind::sign, .text = std::string(known), .at = begin};
      }
    if (std::string_view("<>&|!()").find(text_[at_]) == std::string_view::npos) {
      if (text_[at_] == '=') throw Mistake{begin, "expected == to compare, found a single ="};
      throw Mistake{begin,
                    std::string("expected a column, a number, cluster or an operator, found ") + text_[at_]};
    }
    return {.kind = TokenKind::sign, .text = std::string(1, text_[at_++]), .at = begin};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string foundText(const Token& token) { return token.kind == TokenKind::end ? "the end" : token.text; }

/// The columns that a rule may name, as they are called.
class Names {
public:
  explicit Names(const PointSet& points) : points_(points) {}

  [[nodiscard]] std::optional<std::size_t> find(const std::string& name) const {
    for (std::size_t i = 0; i < count(); ++i)
      if (at(i) == name) return i;
    return std::nullopt;
  }
  [[nodiscard]] bool isText(std::size_t column) const {
    return points_.table && points_.table->columns[column].type == ColumnType::text;
  }
  [[nodiscard]] bool kept(std::size_t column) const {
    return !points_.table || !points_.table->columns[column].tooManyWords;
  }
  [[nodiscard]] std::size_t count() const {
    return points_.table ? points_.table->columns.size() : points_.columns.size();
  }
  [[nodiscard]] const std::string& at(std::size_t column) const {
    return points_.table ? points_.table->columns[column].name : points_.columns[column];
  }
  /// "a, b, c and 7 more"
  [[nodiscard]] std::string list() const {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(count(), most); ++i)
      text += (i > 0 ? ", " : "") + at(i);
    if (count() > most) text += " and " + std::to_string(count() - most) + " more";
    return text;
  }

private:
  const PointSet& points_;
};

/// By recursive descent: or, and, not, comparison.
class Parser {
public:
  Parser(std::string_view text, const PointSet& points, RuleClusters clusters)
      : lexer_(text), names_(points), clusters_(clusters), token_(lexer_.next()) {}

  std::vector<Step> all() {
    if (token_.kind == TokenKind::end)
      throw Mistake{0, "expected a rule, as in " + example() + ", found nothing"};
    either();
    if (token_.kind != TokenKind::end)
      throw Mistake{token_.at, "expected & or | or the end, found " + foundText(token_)};
    return std::move(steps_);
  }

private:
  [[nodiscard]] bool isSign(std::string_view sign) const {
    return token_.kind == TokenKind::sign && token_.text == sign;
  }
  bool take(std::string_view sign) {
    if (!isSign(sign)) return false;
    token_ = lexer_.next();
    return true;
  }
  [[nodiscard]] std::string example() const {
    return names_.count() > 0 ? names_.at(0) + " > 3" : "cluster == 2";
  }

  void either() {
    both();
    while (take("|") || take("||")) {
      both();
      steps_.push_back({.kind = Step::Kind::either, .left = {}, .right = {}});
    }
  }

  void both() {
    term();
    while (take("&") || take("&&")) {
      term();
      steps_.push_back({.kind = Step::Kind::both, .left = {}, .right = {}});
    }
  }

  void term() {
    const std::size_t at = token_.at;
    if (++depth_ > mostDepth) throw Mistake{at, "more parentheses and ! than can be followed"};
    if (take("!")) {
      term();
      steps_.push_back({.kind = Step::Kind::turn, .left = {}, .right = {}});
    } else if (take("(")) {
      either();
      if (!isSign(")")) throw Mistake{token_.at, "expected ), found " + foundText(token_)};
      take(")");
    } else {
      comparison();
    }
    --depth_;
  }

  /// A text stands where the other side is a column of text; which side it is shows once both are read.
  void comparison() {
    const Token left = operandToken();
    const std::size_t operatorAt = token_.at;
    const Comparison how = operatorHere();
    const Token right = operandToken();
    Step step{.kind = Step::Kind::compare, .comparison = how, .left = {}, .right = {}};
    if (const bool text = isTextColumn(left); text || isTextColumn(right)) {
      const Token& other = text ? right : left;
      Operand column{.kind = Operand::Kind::column, .text = {}};
      column.column = *names_.find((text ? left : right).text);
      if (!names_.kept(column.column))
        throw Mistake{(text ? left : right).at, "expected a column that can be compared; the texts of " +
                                                    names_.at(column.column) + " are too many to be kept"};
      if (how != Comparison::equal && how != Comparison::notEqual)
        throw Mistake{operatorAt, "expected == or !=, because " + names_.at(column.column) + " holds text"};
      step.left = std::move(column);
      step.right = textOperand(other);
    } else {
      step.left = operand(left);
      step.right = operand(right);
    }
    steps_.push_back(std::move(step));
  }

  Token operandToken() {
    if (token_.kind == TokenKind::end || token_.kind == TokenKind::sign)
      throw Mistake{token_.at,
                    std::string("expected a column") +
                        (clusters_ == RuleClusters::known ? ", a number or cluster" : " or a number") +
                        ", found " + foundText(token_)};
    return std::exchange(token_, lexer_.next());
  }

  Comparison operatorHere() {
    constexpr std::array<std::pair<std::string_view, Comparison>, 6> known{{{"<", Comparison::less},
                                                                            {"<=", Comparison::lessEqual},
                                                                            {">", Comparison::greater},
                                                                            {">=", Comparison::greaterEqual},
                                                                            {"==", Comparison::equal},
                                                                            {"!=", Comparison::notEqual}}};
    for (const auto& [sign, comparison] : known)
      if (take(sign)) return comparison;
    throw Mistake{token_.at, "expected <, <=, >, >=, == or !=, found " + foundText(token_)};
  }

  [[nodiscard]] static bool isCluster(const Token& token) {
    return token.kind == TokenKind::word && token.text == "cluster";
  }
  [[nodiscard]] bool isTextColumn(const Token& token) const {
    if (isCluster(token) || token.kind == TokenKind::number || token.kind == TokenKind::singleQuoted)
      return false;
    const auto column = names_.find(token.text);
    return column && names_.isText(*column);
  }

  [[nodiscard]] Operand textOperand(const Token& token) const {
    if (token.kind == TokenKind::backQuoted)
      throw Mistake{token.at, "expected a text in '...', because `...` names a column"};
    if (isCluster(token))
      throw Mistake{token.at,
                    "expected a text, found cluster, which is a number; write 'cluster' for the text"};
    return {.kind = Operand::Kind::text, .text = token.text};
  }

  [[nodiscard]] Operand operand(const Token& token) const {
    if (token.kind == TokenKind::number)
      return {.kind = Operand::Kind::number, .number = token.number, .text = {}};
    if (isCluster(token)) {
      if (clusters_ == RuleClusters::unknown)
        throw Mistake{token.at, "expected a column or a number; which cluster a row has is known only once "
                                "all are clustered"};
      return {.kind = Operand::Kind::cluster, .text = {}};
    }
    if (token.kind == TokenKind::singleQuoted)
      throw Mistake{token.at,
                    "expected a number or a column of numbers, because the other side holds no text"};
    const auto column = names_.find(token.text);
    if (!column)
      throw Mistake{token.at,
                    "expected a column, found " + token.text + "; the columns are " + names_.list()};
    return {.kind = Operand::Kind::column, .column = *column, .text = {}};
  }

  Lexer lexer_;
  Names names_;
  RuleClusters clusters_;
  Token token_;
  std::vector<Step> steps_;
  std::size_t depth_ = 0;
};

} // namespace

tl::expected<Rule, std::string> Rule::parse(std::string_view text, const PointSet& points,
                                            RuleClusters clusters) {
  try {
    Rule rule;
    rule.steps_ = Parser(text, points, clusters).all();
    return rule;
  } catch (const Mistake& mistake) {
    return tl::unexpected("character " + std::to_string(characterOf(text, mistake.at)) + ": " + mistake.what);
  }
}

bool Rule::asksClusters() const {
  return std::ranges::any_of(steps_, [](const Step& step) {
    return step.left.kind == Operand::Kind::cluster || step.right.kind == Operand::Kind::cluster;
  });
}

std::vector<std::uint8_t> Rule::matches(const PointSet& points, std::span<const Label> labels,
                                        const ReadControl& control) const {
  return matchingPoints(steps_, points, labels, control);
}

} // namespace lloyd
