#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/access_list.hpp"
#include "scratchpage/runtime/auth/host_check.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/net/http/message.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

namespace {

void read_file(std::string_view bytes) {
  auto read = auth::read_tokens(bytes);
  if (!read)
    return;
  auto text = auth::to_text(*read);
  auto again = auth::read_tokens(text);
  promise(again && auth::to_text(*again) == text, "a written file can be read");
  auth::access_list list{*read};
  promise(!list.check(bytes, {}), "the bytes of a file of tokens are no valid token");
}

void read_token(std::string_view bytes) {
  auto token = http::bearer_in(bytes);
  auto read = auth::read_token(token.value_or(bytes));
  if (read)
    promise(auth::to_text(*read) == token.value_or(bytes), "a token is written as it was read");
}

/// The lines of the input are the headers `Host` and `Origin`, and a configured name.
void read_headers(std::string_view bytes) {
  http::request asked;
  asked.headers.push_back({"host", std::string{take_line(bytes)}});
  asked.headers.push_back({"origin", std::string{take_line(bytes)}});
  auto by = auth::host_check::make({std::string{take_line(bytes)}});
  if (by)
    promise(!by->check(asked) || auth::host_check{}.check(asked), "another name refuses nothing");
  auto is_foreign = asked.headers[0].value.find("evil") != std::string::npos;
  promise(!is_foreign || auth::host_check{}.check(asked), "only this machine's names are allowed");
}

} // namespace

void access(std::string_view bytes) {
  read_file(bytes);
  read_token(bytes);
  read_headers(bytes);
  auto rest = bytes;
  auto pattern = take_line(rest);
  auth::matches(pattern, rest);
}

} // namespace scratchpage::fuzz
