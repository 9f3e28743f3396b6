#include "scratchpage/runtime/cli/commands/page.hpp"

#include <chrono>
#include <ostream>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/caller_claim.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/login_name.hpp"
#include "scratchpage/runtime/host/storage.hpp"
#include "scratchpage/runtime/net/json_rpc/read_error.hpp"

namespace scratchpage {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::chrono::seconds patience{5};

using local_stream = beast::basic_stream<asio::local::stream_protocol>;

http::request<http::empty_body> key_request() {
  http::request<http::empty_body> result{http::verb::post, "/v1/session/keys", 11};
  result.set(http::field::host, "localhost");
  result.set("Scratchpage-Caller", access::claim_of(as_admin(login_name())));
  result.prepare_payload();
  return result;
}

/// One exchange over the local socket, which has to be over in time.
caf::expected<http::response<http::string_body>> ask(const std::string& socket) {
  asio::io_context context;
  local_stream stream{context};
  auto request = key_request();
  beast::flat_buffer buffer;
  http::response<http::string_body> answer;
  beast::error_code failed;
  auto read = [&](beast::error_code ec, size_t) { failed = ec; };
  auto wrote = [&](beast::error_code ec, size_t) {
    failed = ec;
    if (!ec)
      http::async_read(stream, buffer, answer, read);
  };
  stream.expires_after(patience);
  stream.async_connect(asio::local::stream_protocol::endpoint{socket}, [&](beast::error_code ec) {
    failed = ec;
    if (!ec)
      http::async_write(stream, request, wrote);
  });
  context.run();
  if (failed)
    return fail(errc::storage_unavailable, "--data",
      "expected a server on this data directory: " + failed.message());
  return answer;
}

caf::expected<std::string> address_in(const http::response<http::string_body>& x) {
  auto body = parse_json(x.body());
  const auto* object = body ? body->if_object() : nullptr;
  const auto* address = object != nullptr ? object->if_contains("address") : nullptr;
  if (address != nullptr && address->is_string())
    return std::string{address->get_string()};
  if (const auto* error = object != nullptr ? object->if_contains("error") : nullptr)
    return read_error(*error);
  return fail(errc::internal, "", "expected an address from the server");
}

} // namespace

exit_code run_page(const page_options& options, const command_environment& environment) {
  auto where =
    options.data.empty() ? default_data_directory() : std::filesystem::path{options.data};
  auto answer = ask(data_directory::socket_in(where).string());
  if (!answer)
    return complain_of_input(environment, answer.error());
  auto address = address_in(*answer);
  if (!address)
    return complain_of_input(environment, address.error());
  environment.out << *address << std::endl;
  return finish(environment);
}

} // namespace scratchpage
