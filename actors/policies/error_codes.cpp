#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "scratchpage/actors/policies/error_reading.hpp"

namespace scratchpage {

namespace {

using enum error_class;

struct code {
  std::string_view name;
  error_class kind;
};

/// Names that stand alone in a text, as they are written.
constexpr code names[] = {
  // errno
  {"ETIMEDOUT", timeout},
  {"ESOCKETTIMEDOUT", timeout},
  {"ETIME", timeout},
  {"ECONNRESET", transient},
  {"ECONNREFUSED", transient},
  {"EPIPE", transient},
  {"EHOSTUNREACH", transient},
  {"ENETUNREACH", transient},
  {"ENETDOWN", transient},
  {"EHOSTDOWN", transient},
  {"ENETRESET", transient},
  {"EAGAIN", transient},
  {"EBUSY", transient},
  {"EWOULDBLOCK", transient},
  {"EAI_AGAIN", transient},
  {"EMFILE", transient},
  {"ENFILE", transient},
  {"EINTR", transient},
  {"ETXTBSY", transient},
  {"EACCES", permission},
  {"EPERM", permission},
  {"EROFS", permission},
  {"EDQUOT", permission},
  {"EAUTH", permission},
  {"ENEEDAUTH", permission},
  {"EOTP", permission},
  {"E401", permission},
  {"E403", permission},
  {"ENOENT", not_found},
  {"ENOTFOUND", not_found},
  {"ENODEV", not_found},
  {"ENXIO", not_found},
  {"ESRCH", not_found},
  {"E404", not_found},
  {"ETARGET", not_found},
  {"EINVAL", invalid_input},
  {"ERANGE", invalid_input},
  {"EDOM", invalid_input},
  {"EISDIR", invalid_input},
  {"ENOTDIR", invalid_input},
  {"ENAMETOOLONG", invalid_input},
  {"E2BIG", invalid_input},
  {"EFBIG", invalid_input},
  {"EMSGSIZE", invalid_input},
  {"EILSEQ", invalid_input},
  {"EJSONPARSE", invalid_input},
  {"EUSAGE", invalid_input},
  {"EEXIST", other},
  {"ENOSPC", other},
  {"ENOMEM", other},
  {"EIO", other},
  {"ENOTEMPTY", other},
  {"EADDRINUSE", other},
  {"ERESOLVE", other},
  {"EINTEGRITY", other},
  {"ECANCELED", other},
  {"EXDEV", other},
  // gRPC
  {"DEADLINE_EXCEEDED", timeout},
  {"UNAVAILABLE", transient},
  {"ABORTED", transient},
  {"RESOURCE_EXHAUSTED", transient},
  {"INTERNAL", transient},
  {"INVALID_ARGUMENT", invalid_input},
  {"OUT_OF_RANGE", invalid_input},
  {"PERMISSION_DENIED", permission},
  {"UNAUTHENTICATED", permission},
  {"NOT_FOUND", not_found},
  {"ALREADY_EXISTS", other},
  {"FAILED_PRECONDITION", other},
  {"DATA_LOSS", other},
  {"UNIMPLEMENTED", other},
  {"DeadlineExceeded", timeout},
  {"InvalidArgument", invalid_input},
  {"PermissionDenied", permission},
  {"Unauthenticated", permission},
  {"AlreadyExists", other},
  // exceptions of languages
  {"TimeoutError", timeout},
  {"ReadTimeout", timeout},
  {"ConnectTimeout", timeout},
  {"ReadTimeoutError", timeout},
  {"ConnectTimeoutError", timeout},
  {"TimeoutException", timeout},
  {"SocketTimeoutException", timeout},
  {"ConnectionResetError", transient},
  {"ConnectionRefusedError", transient},
  {"ConnectionAbortedError", transient},
  {"BrokenPipeError", transient},
  {"ConnectException", transient},
  {"NoRouteToHostException", transient},
  {"BlockingIOError", transient},
  {"TransientError", transient},
  {"PermissionError", permission},
  {"AccessDeniedException", permission},
  {"SecurityException", permission},
  {"UnauthorizedAccessException", permission},
  {"AuthenticationError", permission},
  {"FileNotFoundError", not_found},
  {"FileNotFoundException", not_found},
  {"NoSuchFileException", not_found},
  {"ModuleNotFoundError", not_found},
  {"DirectoryNotFoundException", not_found},
  {"UnknownHostException", not_found},
  {"DoesNotExist", not_found},
  {"RecordNotFound", not_found},
  {"ValueError", invalid_input},
  {"IllegalArgumentException", invalid_input},
  {"ArgumentException", invalid_input},
  {"ArgumentError", invalid_input},
  {"JSONDecodeError", invalid_input},
  {"NumberFormatException", invalid_input},
  {"DateTimeParseException", invalid_input},
  {"FormatException", invalid_input},
  {"UnicodeDecodeError", invalid_input},
  {"SyntaxError", invalid_input},
  {"ValidationError", invalid_input},
  {"InvalidParameterError", invalid_input},
  {"IsADirectoryError", invalid_input},
  {"NotADirectoryError", invalid_input},
  {"KeyError", other},
  {"IndexError", other},
  {"AttributeError", other},
  {"NameError", other},
  {"TypeError", other},
  {"ReferenceError", other},
  {"NullPointerException", other},
  {"NullReferenceException", other},
  {"ZeroDivisionError", other},
  {"ArithmeticException", other},
  {"RecursionError", other},
  {"MemoryError", other},
  {"OutOfMemoryError", other},
  {"StackOverflowError", other},
  {"AssertionError", other},
  {"RuntimeError", other},
  {"ClassCastException", other},
  {"IllegalStateException", other},
  {"FileExistsError", other},
  {"NotImplementedError", other},
  {"IndexOutOfBoundsException", other},
  {"ArrayIndexOutOfBoundsException", other},
  {"ConcurrentModificationException", other},
  {"NoMethodError", other},
  {"OOMKilled", other},
  {"CrashLoopBackOff", other},
  // clouds
  {"RequestTimeout", timeout},
  {"RequestTimeoutException", timeout},
  {"GatewayTimeout", timeout},
  {"ThrottlingException", transient},
  {"Throttling", transient},
  {"ThrottledException", transient},
  {"RequestLimitExceeded", transient},
  {"TooManyRequestsException", transient},
  {"TooManyRequests", transient},
  {"SlowDown", transient},
  {"ServiceUnavailable", transient},
  {"ServiceUnavailableException", transient},
  {"InternalServerError", transient},
  {"InternalFailure", transient},
  {"InternalError", transient},
  {"ServerBusy", transient},
  {"ProvisionedThroughputExceededException", transient},
  {"TransactionConflict", transient},
  {"InsufficientInstanceCapacity", transient},
  {"AccessDenied", permission},
  {"UnauthorizedOperation", permission},
  {"AuthFailure", permission},
  {"ExpiredToken", permission},
  {"ExpiredTokenException", permission},
  {"InvalidClientTokenId", permission},
  {"SignatureDoesNotMatch", permission},
  {"UnrecognizedClientException", permission},
  {"AuthorizationFailed", permission},
  {"AuthenticationFailed", permission},
  {"QuotaExceeded", permission},
  {"LimitExceededException", permission},
  {"ServiceQuotaExceededException", permission},
  {"NoSuchKey", not_found},
  {"NoSuchBucket", not_found},
  {"NoSuchEntity", not_found},
  {"BlobNotFound", not_found},
  {"ContainerNotFound", not_found},
  {"ResourceNotFound", not_found},
  {"ResourceNotFoundException", not_found},
  {"NotFoundException", not_found},
  {"ValidationException", invalid_input},
  {"InvalidParameterValue", invalid_input},
  {"InvalidParameterException", invalid_input},
  {"MissingParameter", invalid_input},
  {"MalformedPolicyDocument", invalid_input},
  {"BadRequestException", invalid_input},
  {"InvalidRequestException", invalid_input},
  {"ConditionalCheckFailedException", other},
  {"BucketAlreadyExists", other},
  {"BucketNotEmpty", other},
  {"ResourceInUseException", other},
  {"ConflictException", other},
  // databases
  {"SQLITE_BUSY", transient},
  {"SQLITE_LOCKED", transient},
  {"SQLITE_FULL", other},
  {"SQLITE_READONLY", permission},
  {"SQLITE_AUTH", permission},
  {"SQLITE_CONSTRAINT", other},
  {"ER_LOCK_DEADLOCK", transient},
  {"ER_LOCK_WAIT_TIMEOUT", timeout},
  {"ER_ACCESS_DENIED_ERROR", permission},
  {"ER_NO_SUCH_TABLE", not_found},
  {"ER_DUP_ENTRY", other},
  {"ER_PARSE_ERROR", invalid_input},
  {"ORA-00054", transient},
  {"ORA-00060", transient},
  {"ORA-12170", timeout},
  {"ORA-01013", timeout},
  {"ORA-01017", permission},
  {"ORA-01031", permission},
  {"ORA-00942", not_found},
  {"ORA-00904", not_found},
  {"ORA-01722", invalid_input},
  {"ORA-00001", other},
  {"WRONGTYPE", invalid_input},
  {"NOAUTH", permission},
  {"NOPERM", permission},
  {"WRONGPASS", permission},
  {"LOADING", transient},
  {"CLUSTERDOWN", transient},
  {"TRYAGAIN", transient},
};

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

struct sqlstate {
  std::string_view prefix;
  error_class kind;
};

/// The longest prefix that fits comes first.
constexpr sqlstate sqlstates[] = {
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
  {"42S02", not_found},
  {"HYT00", timeout},
  {"08", transient},
  {"28", permission},
  {"42", invalid_input},
  {"22", invalid_input},
  {"23", invalid_input},
};

bool is_word_sign(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'
         || static_cast<unsigned char>(c) >= 0x80;
}

std::string in_lower_case(std::string_view text) {
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
  auto lower = in_lower_case(text);
  for (size_t i = 0; i < tokens.size(); ++i) {
    const auto* found = status_of(tokens[i].text);
    if (found == nullptr)
      continue;
    auto previous = i > 0 ? in_lower_case(last_part(tokens[i - 1].text)) : std::string{};
    if (i > 0 && tokens[i - 1].text.find('.') != std::string_view::npos)
      previous = in_lower_case(tokens[i - 1].text);
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
    auto before = in_lower_case(tokens[i - 1].text);
    if (before != "sqlstate" || tokens[i].text.size() != 5)
      continue;
    for (const auto& one : sqlstates)
      if (tokens[i].text.starts_with(one.prefix))
        return one.kind;
  }
  return std::nullopt;
}

std::optional<error_class> by_name(const std::vector<token>& tokens) {
  for (const auto& one : tokens) {
    auto name = last_part(one.text);
    for (const auto& known : names)
      if (name == known.name || one.text == known.name)
        return known.kind;
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
  return by_name(tokens);
}

} // namespace scratchpage
