#include <memory>
#include <string>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/mcp/server/agent_provider.hpp"
#include "scratchpage/runtime/mcp/server/stdio_session.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"
#include "scratchpage/tests/runtime/mcp/server/manual_strand.hpp"

namespace scratchpage::fuzz {

namespace {

/// Operations that return their arguments, answer null, or refuse.
void run(const principal&, const std::string& operation, const json::object& arguments,
  const on_answer& then) {
  switch (operation.size() % 3) {
  case 0:
    return then(to_text(arguments));
  case 1:
    return then("null");
  default:
    return then(fail(errc::not_found, "id", operation));
  }
}

void check_message(const std::string& line) {
  promise(line.find('\n') == std::string::npos, "a message is a line");
  auto read = parse_json(line, {size_t{16} << 20, 64});
  promise(read && read->is_object(), "a message is a JSON object");
  const auto& x = read->get_object();
  auto is_answer = x.contains("result") != x.contains("error");
  promise(is_answer != x.contains("method"), "a message is an answer or a request");
}

} // namespace

/// A complete session; each line is a message.
void mcp(std::string_view bytes) {
  auto strand = std::make_shared<test::manual_strand>();
  static const auto offers = std::make_shared<mcp::agent_provider>(run);
  auto server = std::make_shared<mcp::server>(strand, offers);
  auto session = std::make_shared<mcp::stdio_session>(
    server, principal{as_daemon("fuzz"), "main", true}, check_message);
  size_t lines = 0, done = 0;
  while (!bytes.empty()) {
    session->receive(std::string{take_line(bytes)}, [&done] { ++done; });
    strand->run();
    ++lines;
  }
  session->close();
  strand->run();
  strand->advance(std::chrono::hours{1});
  promise(done == lines, "each line is completed exactly once");
}

} // namespace scratchpage::fuzz
