#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/mcp/server.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

namespace {

/// Operations that answer, refuse, or give back what they were given.
void run(const std::string& operation, json::object arguments, const mcp::server::on_result& then) {
  switch (operation.size() % 3) {
  case 0:
    return then(operation_answer{std::move(arguments)});
  case 1:
    return then(operation_answer{json::value{nullptr}});
  default:
    return then(fail(errc::not_found, "id", operation));
  }
}

} // namespace

void mcp(std::string_view bytes) {
  size_t answers = 0;
  mcp::server server{run};
  server.answer(bytes, [&answers](const json::object& x) {
    ++answers;
    const auto* id = x.if_contains("id"); // none, if nobody knows it
    promise(id == nullptr || id->is_string() || id->is_number(), "an id is one");
    promise(x.contains("result") != x.contains("error"), "an answer is a result or an error");
    promise(static_cast<bool>(parse_json(to_text(x))), "an answer is JSON");
  });
  promise(answers <= 1, "a request has one answer");
}

} // namespace scratchpage::fuzz
