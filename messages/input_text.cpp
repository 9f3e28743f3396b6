#include "scratchpage/messages/input_text.hpp"

#include <algorithm>
#include <charconv>

#include <boost/json/stream_parser.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

size_t lines_before(std::string_view text, size_t pos) {
  auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(pos, text.size()));
  return static_cast<size_t>(std::count(text.begin(), end, '\n'));
}

size_t column_of(std::string_view text, size_t pos) {
  auto line = text.substr(0, std::min(pos, text.size()));
  auto begin = line.rfind('\n');
  return begin == std::string_view::npos ? line.size() + 1 : line.size() - begin;
}

/// Walks over valid JSON, which may have comments.
class walker {
public:
  explicit walker(std::string_view text)
    : text_{text} {
    skip_space();
  }

  size_t pos() const { return pos_; }

  /// Moves to the member `key` of the object here. If there is none, it does not move.
  bool enter_member(std::string_view key) {
    if (peek() != '{')
      return false;
    auto back = pos_;
    ++pos_;
    for (skip_space(); !at_end() && peek() != '}'; skip_comma()) {
      auto name = take_string();
      skip_space();
      ++pos_; // the colon
      skip_space();
      if (name == key)
        return true;
      skip_value();
    }
    pos_ = back;
    return false;
  }

  /// Moves to the element `index` of the list here. If there is none, it does not move.
  bool enter_element(size_t index) {
    if (peek() != '[')
      return false;
    auto back = pos_;
    ++pos_;
    for (skip_space(); !at_end() && peek() != ']'; skip_comma()) {
      if (index-- == 0)
        return true;
      skip_value();
    }
    pos_ = back;
    return false;
  }

private:
  bool at_end() const { return pos_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[pos_]; }

  void skip_space() {
    while (!at_end()) {
      auto rest = text_.substr(pos_);
      if (std::string_view{" \t\r\n"}.find(rest.front()) != std::string_view::npos)
        ++pos_;
      else if (rest.starts_with("//"))
        pos_ = std::min(text_.find('\n', pos_), text_.size());
      else if (rest.starts_with("/*"))
        pos_ = std::min(text_.find("*/", pos_ + 2), text_.size() - 2) + 2;
      else
        return;
    }
  }

  void skip_comma() {
    skip_space();
    if (peek() == ',')
      ++pos_;
    skip_space();
  }

  /// The string here, its escapes left as they are.
  std::string_view take_string() {
    auto begin = ++pos_;
    while (!at_end() && peek() != '"')
      pos_ += peek() == '\\' ? 2 : 1;
    auto end = std::min(pos_, text_.size());
    ++pos_;
    return text_.substr(begin, end - begin);
  }

  void skip_value() {
    size_t depth = 0;
    do {
      skip_space();
      auto c = peek();
      if (c == '"') {
        take_string();
      } else {
        if (c == '{' || c == '[')
          ++depth;
        else if (c == '}' || c == ']')
          --depth;
        ++pos_;
        if (depth == 0 && c != '}' && c != ']')
          pos_ = std::min(text_.find_first_of(",]} \t\r\n/", pos_), text_.size());
      }
    } while (depth > 0 && !at_end());
  }

  std::string_view text_;
  size_t pos_ = 0;
};

/// Takes the next step of a path: `.name`, `name` or `[3]`.
std::string_view take_step(std::string_view& path) {
  if (path.starts_with('.'))
    path.remove_prefix(1);
  auto end = path.find_first_of(".[", 1);
  auto step = path.substr(0, end);
  path.remove_prefix(step.size());
  return step;
}

} // namespace

caf::error bad_input(
  std::string_view file, size_t line, std::string_view field, std::string_view expected) {
  std::string where{file};
  if (line > 0)
    where += ":" + std::to_string(line);
  if (!field.empty())
    where.append(": ").append(field);
  return fail(errc::invalid_request, where, expected);
}

std::string expectation_of(const caf::error& err) {
  auto text = describe(err);
  auto skip = [&text](std::string_view prefix) {
    if (text.starts_with(prefix))
      text.erase(0, prefix.size());
  };
  skip(to_string(code_of(err)) + ": ");
  if (auto field = field_of(err); !field.empty())
    skip(field + ": ");
  return text;
}

std::string describe_input(const caf::error& err) {
  auto field = field_of(err);
  return field.empty() ? expectation_of(err) : field + ": " + expectation_of(err);
}

caf::expected<json::value> parse_input(
  std::string_view text, std::string_view file, size_t first_line, const json_dialect& dialect) {
  auto refuse = [&](size_t pos, const std::string& expected) {
    return bad_input(file, first_line + lines_before(text, pos), "",
      expected + " at column " + std::to_string(column_of(text, pos)));
  };
  if (auto pos = utf8::first_invalid(text); pos != std::string_view::npos)
    return refuse(pos, "expected UTF-8, but there is none");
  json::parse_options options;
  options.max_depth = dialect.max_depth;
  options.allow_comments = dialect.comments;
  json::stream_parser parser{json::storage_ptr{}, options};
  boost::json::error_code ec;
  auto used = parser.write_some(text.data(), text.size(), ec);
  if (!ec && used < text.size())
    return refuse(used, "expected one JSON value, but more follows");
  if (!ec)
    parser.finish(ec);
  if (!ec)
    return parser.release();
  return refuse(used, "expected valid JSON, at most " + std::to_string(dialect.max_depth)
                        + " levels deep, but it breaks (" + ec.message() + ")");
}

size_t line_of(std::string_view text, std::string_view path) {
  walker here{text};
  for (auto found = true; found && !path.empty();) {
    auto step = take_step(path);
    if (step.starts_with('[')) {
      size_t index = 0;
      std::from_chars(step.data() + 1, step.data() + step.size(), index);
      found = here.enter_element(index);
    } else {
      found = here.enter_member(step);
    }
  }
  return 1 + lines_before(text, here.pos());
}

std::string_view skip_bom(std::string_view text) {
  constexpr std::string_view bom = "\xEF\xBB\xBF";
  if (text.starts_with(bom))
    text.remove_prefix(bom.size());
  return text;
}

} // namespace scratchpage
