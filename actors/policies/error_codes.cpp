#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "scratchpage/actors/policies/error_names.hpp"
#include "scratchpage/actors/policies/error_reading.hpp"

namespace scratchpage {

namespace {

using enum error_class;

struct status {
  int number;
  error_class kind;
  std::string_view title; ///< how its reason begins, in lower case
};

constexpr status statuses[] = {
  {400, invalid_input, "bad request"},
  {401, permission, "unauthori"},
  {402, permission, "payment required"},
  {403, permission, "forbidden"},
  {404, not_found, "not found"},
  {405, invalid_input, "method not allowed"},
  {406, invalid_input, "not acceptable"},
  {407, permission, "proxy authentication"},
  {408, timeout, "request timeout"},
  {409, other, "conflict"},
  {410, not_found, "gone"},
  {411, invalid_input, "length required"},
  {412, other, "precondition failed"},
  {413, invalid_input, "payload too large"},
  {413, invalid_input, "content too large"},
  {413, invalid_input, "request entity"},
  {414, invalid_input, "uri too long"},
  {415, invalid_input, "unsupported media"},
  {416, invalid_input, "range not"},
  {417, invalid_input, "expectation failed"},
  {422, invalid_input, "unprocess"},
  {423, transient, "locked"},
  {424, other, "failed dependency"},
  {425, transient, "too early"},
  {426, invalid_input, "upgrade required"},
  {428, invalid_input, "precondition required"},
  {429, transient, "too many requests"},
  {431, invalid_input, "request header"},
  {451, permission, "unavailable for legal"},
  {500, transient, "internal server"},
  {501, other, "not implemented"},
  {502, transient, "bad gateway"},
  {503, transient, "service"},
  {504, timeout, "gateway"},
  {507, other, "insufficient storage"},
  {508, other, "loop detected"},
  {511, permission, "network authentication"},
  {520, transient, "web server"},
  {521, transient, "web server"},
  {522, timeout, "connection timed"},
  {523, transient, "origin"},
  {524, timeout, "a timeout"},
  {529, transient, "overloaded"},
};

/// Words before a number that make it a status: "HTTP 503", "status code: 503".
constexpr std::string_view before_status[] = {"http", "https", "status", "code", "statuscode",
  "status_code", "http_status", "http_code", "httpstatus", "1.0", "1.1", "2.0", "2", "response",
  "responded", "answered", "error", "err", "err!", "statut", "estado", "código", "ステータス",
  "状态码", "ステータスコード"};

struct coded {
  std::string_view prefix;
  error_class kind;
};

/// The longest prefix that fits comes first.
constexpr coded sqlstates[] = {
  {"40001", transient},
  {"40P01", transient},
  {"55P03", transient},
  {"57P03", transient},
  {"53300", transient},
  {"57014", timeout},
  {"42501", permission},
  {"42P01", not_found},
  {"42703", not_found},
  {"3D000", not_found},
  {"23505", other},
  {"53100", other},
  {"25P02", other},
  {"42P07", other},
  {"42710", other},
  {"42883", not_found},
  {"53200", other},
  {"54000", invalid_input},
  {"42S02", not_found},
  {"HYT00", timeout},
  {"08", transient},
  {"28", permission},
  {"42", invalid_input},
  {"22", invalid_input},
  {"23", invalid_input},
};

/// The three parts of codes of mail servers, without the first where it does not matter.
constexpr coded mail_codes[] = {
  {"4.7.5", other}, // of certificates
  {"4.", transient},
  {"5.1.3", invalid_input},
  {"5.1.7", invalid_input},
  {"5.1.8", permission},
  {"5.1.", not_found},
  {"5.2.2", permission},
  {"5.2.1", permission},
  {"5.2.3", invalid_input},
  {"5.3.4", invalid_input},
  {"5.4.", not_found},
  {"5.5.", invalid_input},
  {"5.6.", invalid_input},
  {"5.7.", permission},
};

/// With which shells and containers tell of a command's end; 128 and more are signals.
constexpr coded exit_codes[] = {
  {"124", timeout},
  {"126", permission},
  {"127", not_found},
  {"130", other},
  {"134", other},
  {"137", other},
  {"139", other},
  {"143", other},
};

bool is_word_sign(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'
         || static_cast<unsigned char>(c) >= 0x80;
}

std::string lower_case_of(std::string_view text) {
  std::string result{text};
  for (char& c : result)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return result;
}

struct token {
  std::string_view text;
  size_t at;
};

std::vector<token> tokens_of(std::string_view text) {
  std::vector<token> result;
  for (size_t i = 0; i < text.size();) {
    auto from = i;
    while (i < text.size()
           && (is_word_sign(text[i])
               || (i > from && text[i] == '.' && i + 1 < text.size() && is_word_sign(text[i + 1]))))
      ++i;
    if (i > from)
      result.push_back({text.substr(from, i - from), from});
    else
      ++i;
  }
  return result;
}

/// The last part of a dotted name: "java.net.ConnectException".
std::string_view last_part(std::string_view name) {
  auto dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

const status* status_of(std::string_view digits) {
  if (digits.size() != 3 || !std::all_of(digits.begin(), digits.end(), [](unsigned char c) {
        return std::isdigit(c) != 0;
      }))
    return nullptr;
  auto number = (digits[0] - '0') * 100 + (digits[1] - '0') * 10 + (digits[2] - '0');
  const auto* i = std::find_if(
    std::begin(statuses), std::end(statuses), [&](const status& x) { return x.number == number; });
  return i == std::end(statuses) ? nullptr : i;
}

bool is_titled(const std::string& lower, size_t after, int number) {
  while (after < lower.size() && !is_word_sign(lower[after]))
    ++after;
  return std::any_of(std::begin(statuses), std::end(statuses), [&](const status& x) {
    return x.number == number && lower.compare(after, x.title.size(), x.title) == 0;
  });
}

/// Whether the text is a number and what it means: "503: no reason". A second number after it is
/// one of a mail server ("552 5.3.4").
bool leads(std::string_view text, const token& one) {
  if (one.at != 0)
    return false;
  auto after = text.substr(one.text.size());
  return after.empty() || after[0] == ':' || after[0] == '\n' || after.starts_with(" -");
}

std::optional<error_class> by_status(std::string_view text, const std::vector<token>& tokens) {
  auto lower = lower_case_of(text);
  for (size_t i = 0; i < tokens.size(); ++i) {
    const auto* found = status_of(tokens[i].text);
    if (found == nullptr)
      continue;
    auto previous = i > 0 ? lower_case_of(last_part(tokens[i - 1].text)) : std::string{};
    if (i > 0 && tokens[i - 1].text.find('.') != std::string_view::npos)
      previous = lower_case_of(tokens[i - 1].text);
    auto named = std::find(std::begin(before_status), std::end(before_status), previous)
                 != std::end(before_status);
    // "Error 409 of 800 rows" counts something.
    auto end = tokens[i].at + tokens[i].text.size();
    auto counts = end < text.size() && text.compare(end, 4, " of ") == 0;
    if (is_titled(lower, end, found->number) || (named && !counts) || leads(text, tokens[i]))
      return found->kind;
  }
  return std::nullopt;
}

std::optional<error_class> by_sqlstate(const std::vector<token>& tokens) {
  for (size_t i = 1; i < tokens.size(); ++i) {
    auto before = lower_case_of(tokens[i - 1].text);
    if (before != "sqlstate" || tokens[i].text.size() != 5)
      continue;
    for (const auto& one : sqlstates)
      if (tokens[i].text.starts_with(one.prefix))
        return one.kind;
  }
  return std::nullopt;
}

/// The reply of a mail server has a code of three parts: "550 5.1.1 no such user".
std::optional<error_class> by_mail_code(const std::vector<token>& tokens) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    auto text = tokens[i].text;
    auto is_code = text.size() >= 5 && (text[0] == '4' || text[0] == '5') && text[1] == '.'
                   && text[3] == '.' && text.find_first_not_of("0123456789.") == text.npos;
    auto is_reply = [&](size_t back) {
      return i >= back && tokens[i - back].text.size() == 3 && tokens[i - back].text[0] == text[0];
    };
    if (!is_code || (!is_reply(1) && !is_reply(2)))
      continue;
    for (const auto& one : mail_codes)
      if (text.starts_with(one.prefix))
        return one.kind;
  }
  return std::nullopt;
}

std::optional<error_class> by_name(const std::vector<token>& tokens) {
  for (const auto& one : tokens) {
    if (auto found = class_of_name(one.text))
      return found;
    if (auto found = class_of_name(last_part(one.text)))
      return found;
  }
  return std::nullopt;
}

/// "exited with code 137", "exit status 127"
std::optional<error_class> by_exit_code(const std::vector<token>& tokens) {
  constexpr size_t reach = 3; // words from "exit" to its number
  for (size_t i = 0; i < tokens.size(); ++i) {
    auto word = lower_case_of(tokens[i].text);
    if (word != "exit" && word != "exited" && word != "exit_code" && word != "returncode")
      continue;
    for (size_t j = i + 1; j < tokens.size() && j <= i + reach; ++j)
      for (const auto& one : exit_codes)
        if (tokens[j].text == one.prefix)
          return one.kind;
  }
  return std::nullopt;
}

} // namespace

std::optional<error_class> class_by_code(std::string_view error) {
  auto tokens = tokens_of(error);
  if (auto found = by_sqlstate(tokens))
    return found;
  if (auto found = by_status(error, tokens))
    return found;
  if (auto found = by_mail_code(tokens))
    return found;
  if (auto found = by_name(tokens))
    return found;
  return by_exit_code(tokens);
}

} // namespace scratchpage
