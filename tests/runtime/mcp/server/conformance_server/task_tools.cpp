#include <chrono>

#include "scratchpage/tests/runtime/mcp/server/conformance_server/content.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixture.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/questions.hpp"

namespace scratchpage::test {

namespace {

constexpr timespan short_while = std::chrono::milliseconds{100};

void greet(const json::object& arguments, const call_ptr& by) {
  by->give(says("Hello, " + argument(arguments, "name") + "!"));
}

void compute_slowly(const json::object& arguments, const call_ptr& by) {
  const auto* seconds = mcp::member(arguments, "seconds");
  auto count = seconds != nullptr && seconds->is_number() ? seconds->to_number<int>() : 0;
  auto result = says("computed " + argument(arguments, "label"));
  if (count == 0)
    return by->give(std::move(result));
  by->become_task("It computes");
  by->on()->after(std::chrono::seconds{count}, [by, result] { by->give(result); });
}

void fail_as_task(const json::object&, const call_ptr& by) {
  if (!by->require_task() || !by->become_task())
    return;
  by->on()->after(short_while, [by] {
    auto result = says("the job failed");
    result["isError"] = true;
    by->give(std::move(result));
  });
}

void break_as_task(const json::object&, const call_ptr& by) {
  by->become_task();
  by->on()->after(short_while, [by] { by->refuse(mcp::internal_error("the job broke")); });
}

mcp::question confirmation_of(const std::string& what) {
  return form(what, {{"confirm", {{"type", "boolean"}}}}, {"confirm"});
}

void confirm_first(const json::object& arguments, const call_ptr& by) {
  auto name = argument(arguments, "filename");
  by->become_task();
  by->ask({{"confirm", confirmation_of("Delete " + name + "?")}},
    [by, name](const mcp::answers&) { by->give(says("deleted " + name)); });
}

void ask_two(const json::object&, const call_ptr& by) {
  by->become_task();
  by->ask({{"first", text_form("Who?", "name")}, {"second", text_form("And who?", "name")}},
    [by](const mcp::answers& got) {
      by->give(says(filled_in(got.at("first"), "name") + filled_in(got.at("second"), "name")));
    });
}

/// Asks twice at once, under one name.
void ask_again(const json::object&, const call_ptr& by) {
  by->become_task();
  for (const auto* which : {"one", "two"})
    by->ask({{"name", text_form(which, "name")}}, [by, which](const mcp::answers& got) {
      if (std::string_view{which} == "two")
        by->give(says("two is " + filled_in(got.at("name"), "name")));
    });
}

/// Asks before it becomes a task.
void ask_and_compute(const json::object&, const call_ptr& by) {
  by->ask({{"user_name", text_form("What is your name?", "name")}}, [by](const mcp::answers& got) {
    auto result = says("Hello, " + filled_in(got.at("user_name"), "name"));
    by->become_task();
    by->on()->after(short_while, [by, result] { by->give(result); });
  });
}

/// Its result is longer than a task may keep.
void tell_too_much(const json::object&, const call_ptr& by) {
  by->become_task();
  by->on()->after(
    short_while, [by] { by->give(says(std::string(mcp::task_limits::result_bytes, 'x'))); });
}

} // namespace

tool_fixtures task_tools() {
  return {
    {"greet", "Greets at once", greet},
    {"slow_compute", "Takes as many seconds as it is told", compute_slowly},
    {"failing_job", "Fails, and needs a client with tasks", fail_as_task},
    {"protocol_error_job", "Ends with an error of the protocol", break_as_task},
    {"confirm_delete", "Asks whether it may", confirm_first},
    {"multi_input", "Asks two questions at once", ask_two},
    {"asks_under_one_name", "Asks two questions under one name", ask_again},
    {"long_result", "Has a result that is too long", tell_too_much},
    {"test_tool_with_task", "Asks, and then takes a while", ask_and_compute},
  };
}

} // namespace scratchpage::test
