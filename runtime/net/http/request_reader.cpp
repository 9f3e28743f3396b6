#include "scratchpage/runtime/net/http/request_reader.hpp"

#include <algorithm>
#include <utility>

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/rfc7230.hpp>

namespace scratchpage::http {

namespace beast = boost::beast;
using beast_error = boost::beast::http::error;

namespace {

constexpr size_t first_body_room = 65'536;
constexpr std::string_view last_chunk = "0\r\n\r\n"; // the shortest form

refusal malformed(std::string field, std::string expected) {
  return {400, errc::invalid_request, std::move(field), std::move(expected)};
}

std::string lower_case(std::string_view x) {
  std::string result{x};
  for (auto& c : result)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool has_word(std::string_view list, std::string_view word) {
  return beast::http::token_list{list}.exists(word);
}

/// Reads path and query from a target in origin form, absolute form, or "*" (RFC 9112, 3.2), and
/// `authority` from the absolute form. False if the target has another form.
bool split_target(std::string_view target, http::request& to, std::string& authority) {
  for (std::string_view scheme : {"http://", "https://"}) {
    if (beast::iequals(target.substr(0, scheme.size()), scheme)) {
      target.remove_prefix(scheme.size());
      auto end = std::min(target.find_first_of("/?"), target.size());
      if (end == 0)
        return false;
      authority = target.substr(0, end);
      target.remove_prefix(end);
      if (target.empty() || target.front() == '?')
        to.path = "/";
      break;
    }
  }
  auto is_path = to.path == "/" || (!target.empty() && target.front() == '/');
  if (!is_path && !(target == "*" && to.method == "OPTIONS"))
    return false;
  if (target.find('#') != std::string_view::npos)
    return false;
  auto mark = std::min(target.find('?'), target.size());
  if (to.path.empty())
    to.path = target.substr(0, mark);
  if (mark < target.size())
    to.query = target.substr(mark + 1);
  return true;
}

bool is_name_char(char x) { // "tchar" of RFC 9110, 5.6.2
  return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || (x >= '0' && x <= '9')
         || std::string_view{"!#$%&'*+-.^_`|~"}.find(x) != std::string_view::npos;
}

bool is_value_char(char x) {
  auto code = static_cast<unsigned char>(x);
  return code == '\t' || (code >= 0x20 && code != 0x7F);
}

bool is_header_line(std::string_view x) {
  auto name = x.substr(0, x.find(':'));
  auto value = x.substr(name.size());
  return !name.empty() && !value.empty() && std::all_of(name.begin(), name.end(), is_name_char)
         && std::all_of(value.begin(), value.end(), is_value_char);
}

bool is_websocket_key(std::string_view x) { // 16 bytes in base64
  return x.size() == 24 && x.substr(22) == "==";
}

/// The refusal for an error of Beast's parser.
refusal refusal_of(const beast::error_code& ec, const server_config& limits) {
  if (ec == beast_error::body_limit)
    return {413, errc::invalid_request, "body",
      "expected at most " + std::to_string(limits.max_body_bytes) + " bytes"};
  if (ec == beast_error::bad_content_length || ec == beast_error::multiple_content_length)
    return malformed("content-length", "expected one length, and no transfer-encoding beside it");
  if (ec == beast_error::bad_transfer_encoding)
    return malformed("transfer-encoding", "expected chunked, and no content-length beside it");
  if (ec == beast_error::bad_version)
    return malformed("", "expected HTTP/1.0 or HTTP/1.1");
  if (ec == beast_error::bad_method)
    return malformed("", "expected a method and a target");
  if (ec == beast_error::bad_target)
    return malformed("target", "expected a path");
  if (ec == beast_error::bad_chunk || ec == beast_error::bad_chunk_extension)
    return malformed("body", "expected chunks of which each begins with its length");
  return malformed("", "expected headers, each a name, a colon and a value in a line");
}

} // namespace

/// Collects the parts of a request from Beast's parser, and adds the checks that Beast does not
/// make.
class request_reader::parser {
public:
  explicit parser(const server_config& x)
    : limits_{x} {
    begin();
  }

  void begin() {
    request = {};
    facts = {};
    refused.reset();
    head_bytes = 0;
    hosts = 0;
    lengths = 0;
    other_coding = false;
    has_ended = false;
    authority.clear();
    events.emplace(*this);
    events->header_limit(static_cast<uint32_t>(limits_.max_header_bytes));
    events->body_limit(limits_.max_body_bytes);
    events->eager(true);
  }

  size_t feed(std::string_view bytes) {
    if (refused || is_done())
      return 0;
    size_t blank = 0; // empty lines before a request are ignored (RFC 9112, 2.2)
    if (!events->got_some())
      while (bytes.substr(blank).starts_with("\r\n"))
        blank += 2;
    bytes.remove_prefix(blank);
    if (bytes.empty() || (bytes == "\r" && !events->got_some()))
      return blank;
    auto had_head = events->is_header_done();
    // Beast needs all of the last chunk at once.
    if (had_head && events->chunked() && bytes.size() < last_chunk.size())
      return blank;
    beast::error_code ec;
    auto used = events->put({bytes.data(), bytes.size()}, ec);
    if (!had_head)
      check_head(bytes, used, ec);
    if (!refused && ec == beast_error::end_of_stream)
      used += end_with_trailers(bytes.substr(used));
    else if (!refused && ec && ec != beast_error::need_more)
      refused = refusal_of(ec, limits_);
    if (!refused && bytes.size() - used > limits_.max_header_bytes && !is_done())
      refuse(malformed("body", "expected shorter lines between chunks"));
    return blank + used;
  }

  bool has_begun() const { return events->got_some(); }
  bool has_head() const { return events->is_header_done(); }
  bool is_done() const { return !refused && (has_ended || events->is_done()); }

  http::request request;
  traits facts;
  std::optional<refusal> refused;

private:
  class event_reader final : public beast::http::basic_parser<true> {
  public:
    explicit event_reader(parser& to)
      : to_{to} {}

  private:
    using verb = beast::http::verb;
    using known_field = beast::http::field;
    using code = beast::error_code;
    using text = beast::string_view;

    void on_request_impl(verb, text method, text target, int version, code&) override {
      to_.on_line(method, target, version);
    }
    void on_field_impl(known_field known, text name, text value, code&) override {
      to_.on_field(known, name, value);
    }
    void on_header_impl(code&) override {
      to_.on_head(keep_alive(), chunked(), content_length().get_value_or(0));
    }
    void on_body_init_impl(const boost::optional<uint64_t>&, code&) override {}
    size_t on_body_impl(text body, code&) override {
      to_.request.body.append(body);
      return body.size();
    }
    void on_chunk_header_impl(uint64_t size, text, code& error) override {
      if (size == 0) // Beast must not read the trailers: it would treat them as headers
        error = beast_error::end_of_stream;
    }
    size_t on_chunk_body_impl(uint64_t, text body, code&) override {
      to_.request.body.append(body);
      return body.size();
    }
    void on_finish_impl(code&) override {}
    void on_response_impl(int, text, int, code&) override {}

    parser& to_;
  };

  void refuse(refusal x) {
    if (!refused)
      refused = std::move(x);
  }

  void on_line(std::string_view method, std::string_view target, int version) {
    request.method = method;
    facts.is_1_1 = version == 11;
    if (target.size() > limits_.max_target_bytes)
      refuse(long_target());
    else if (!split_target(target, request, authority))
      refuse(malformed("target", "expected a path that begins with /"));
  }

  void on_field(beast::http::field known, std::string_view name, std::string_view value) {
    using beast::http::field;
    if (known == field::host) {
      ++hosts;
      if (!authority.empty()) // the authority in the target counts (RFC 9112, 3.2.2)
        value = authority;
    } else if (known == field::content_length) {
      lengths += value.find(',') == std::string_view::npos ? 1 : 2;
    } else if (known == field::transfer_encoding && !beast::iequals(value, "chunked")) {
      other_coding = true;
    } else if (known == field::expect && beast::iequals(value, "100-continue")) {
      facts.expects_continue = facts.is_1_1;
    }
    request.headers.push_back({lower_case(name), std::string{value}});
  }

  void on_head(bool keep_alive, bool chunked, uint64_t length) {
    facts.keep_alive = keep_alive;
    if (facts.is_1_1 ? hosts != 1 : hosts > 1)
      refuse(malformed("host", "expected one host"));
    if (lengths > 1) // also equal ones: another program might read them in another way
      refuse(malformed("content-length", "expected one length"));
    if (other_coding || (chunked && !facts.is_1_1))
      refuse(malformed("transfer-encoding", "expected chunked or none"));
    if (!chunked && length == 0)
      facts.expects_continue = false;
    facts.asks_websocket = asks_websocket() && !chunked && length == 0;
    request.body.reserve(std::min<size_t>(length, first_body_room));
  }

  bool asks_websocket() const {
    if (request.method != "GET" || !facts.is_1_1)
      return false;
    auto* upgrade = request.header("upgrade");
    auto* connection = request.header("connection");
    auto* key = request.header("sec-websocket-key");
    auto* version = request.header("sec-websocket-version");
    return upgrade && has_word(*upgrade, "websocket") && connection
           && has_word(*connection, "upgrade") && key && is_websocket_key(*key) && version
           && *version == "13";
  }

  /// Refuses a head that is too long, even if a part of it has not arrived yet.
  void check_head(std::string_view bytes, size_t used, const beast::error_code& ec) {
    auto end = end_of_head(bytes);
    auto too_long = ec == beast_error::header_limit || head_bytes + end > limits_.max_header_bytes;
    head_bytes += used;
    if (!too_long)
      return check_lines(bytes.substr(0, std::min(used, end)));
    if (request.method.empty() && bytes.find("\r\n") > limits_.max_target_bytes)
      refuse(long_target());
    refuse({431, errc::invalid_request, "headers",
      "expected at most " + std::to_string(limits_.max_header_bytes) + " bytes"});
  }

  /// How many of the bytes belong to the head. The bytes that were used before ended with a
  /// complete line.
  size_t end_of_head(std::string_view bytes) const {
    if (!events->is_header_done())
      return bytes.size();
    return bytes.starts_with("\r\n") ? 0 : std::min(bytes.find("\r\n\r\n"), bytes.size());
  }

  /// Refuses a header that continues in the next line (obs-fold; RFC 9112, 5.2), which Beast
  /// accepts. `head` has complete lines only.
  void check_lines(std::string_view head) {
    if (head.find("\r\n ") != std::string_view::npos
        || head.find("\r\n\t") != std::string_view::npos)
      refuse(malformed("headers", "expected each header in one line"));
  }

  /// Reads the end of a body in chunks: the line end of the chunk before, the line of the last
  /// chunk, the trailers, and an empty line. Gives the number of bytes.
  size_t end_with_trailers(std::string_view bytes) {
    auto end = bytes.find("\r\n\r\n") + 2;
    auto own = bytes.substr(0, end).find("\r\n", bytes.starts_with("\r\n") ? 2 : 0) + 2;
    for (auto rest = bytes.substr(own, end - own); !rest.empty();) {
      auto line = rest.substr(0, rest.find("\r\n"));
      if (!is_header_line(line))
        refuse(malformed("trailers", "expected each a name, a colon and a value in a line"));
      rest.remove_prefix(line.size() + 2);
    }
    has_ended = true;
    return end + 2;
  }

  refusal long_target() const {
    return {414, errc::invalid_request, "target",
      "expected at most " + std::to_string(limits_.max_target_bytes) + " bytes"};
  }

  const server_config& limits_;
  std::optional<event_reader> events;
  size_t head_bytes = 0;
  size_t hosts = 0;
  size_t lengths = 0;
  bool other_coding = false;
  bool has_ended = false; ///< the last chunk was read
  std::string authority;
};

request_reader::request_reader(const server_config& limits)
  : parser_{std::make_unique<parser>(limits)} {}

request_reader::~request_reader() = default;

size_t request_reader::feed(std::string_view bytes) {
  return parser_->feed(bytes);
}

bool request_reader::has_begun() const {
  return parser_->has_begun();
}

bool request_reader::has_head() const {
  return parser_->has_head();
}

bool request_reader::is_done() const {
  return parser_->is_done();
}

const std::optional<refusal>& request_reader::refused() const {
  return parser_->refused;
}

const http::request& request_reader::request() const {
  return parser_->request;
}

const request_reader::traits& request_reader::facts() const {
  return parser_->facts;
}

http::request request_reader::take() {
  auto result = std::move(parser_->request);
  parser_->begin();
  return result;
}

} // namespace scratchpage::http
