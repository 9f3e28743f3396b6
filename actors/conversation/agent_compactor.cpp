#include "scratchpage/actors/conversation/agent_compactor.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/conversation/read_back.hpp"
#include "scratchpage/actors/scratchbook/scratch_tools.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/actors/scratchbook/thread_scratchbook.hpp"
#include "scratchpage/actors/storage/file_keeper.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/actors/tools/toolbox.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/files/file_store.hpp"

namespace scratchpage {

namespace {

constexpr auto the_task =
  "The messages in `offloaded` have left a conversation; they are in the file `path`. Keep what "
  "it needs to go on without them. Add what is to be done, open questions, what failed and what "
  "was tried with scratch_add, unless `view` has it already. Answer {\"calls\": [{\"id\", "
  "\"name\", "
  "\"arguments\"}]} to use tools; their results come in `steps`. Answer {\"summary\": text} when "
  "you "
  "have finished: what happened, in a few sentences.";

caf::error broken(const std::string& text) {
  return fail(errc::internal, "compactor", text);
}

std::vector<tool_manifest> manifests_of(const std::vector<tool_definition>& tools) {
  std::vector<tool_manifest> result;
  result.reserve(tools.size());
  for (const auto& tool : tools)
    result.push_back(tool.manifest);
  return result;
}

/// Whether a call names an item that existed before the compaction.
bool names_existing_item(const compactor_call& call, const scratchbook& before) {
  const auto* id = call.arguments.if_contains("id");
  return id != nullptr && id->is_string()
         && std::any_of(before.items.begin(), before.items.end(),
           [&](const auto& item) { return item.id == std::string_view{id->get_string()}; });
}

item_draft draft_of(const scratchbook_item& x) {
  return {x.kind, x.title, x.body, x.tags, x.status, x.phase, x.progress, x.goal_id, x.action_id,
    x.observation_id};
}

} // namespace

/// One compaction, from the request to its answer. Its helper actors end with it.
struct agent_compactor_state::session {
  session() = default;
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() {
    for (const auto& helper : helpers)
      caf::anon_send_exit(helper, caf::exit_reason::user_shutdown);
  }

  compact_messages about;
  caf::typed_response_promise<compaction_plan> answer;
  caller by;
  timespan deadline{}; // steady time
  std::string id;
  compactor_task task;
  scratchbook_actor book; ///< a copy of the thread's
  toolbox_actor tools;
  std::vector<caf::actor> helpers;
  uint32_t rounds = 0;
  size_t calls = 0; ///< calls of the current reply that were made
};

tool_definition tool_of(const compactor_program& program) {
  tool_definition result;
  result.manifest.tool_id = "compactor";
  result.manifest.description = "Says what of a conversation is worth keeping";
  result.manifest.idempotent = true; // each request has all that it needs
  process_tool process;
  process.command = program.command;
  process.env = program.env;
  process.working_directory = program.working_directory;
  result.kind = std::move(process);
  return result;
}

agent_compactor_state::agent_compactor_state(
  handle::pointer self, const agent_context& agent, agent_compactor_setup setup)
  : self_{self},
    agent_{agent},
    setup_{std::move(setup)},
    trace_{agent, name, static_cast<uint32_t>(component::compactor)},
    program_{spawn_tool(self->system(), setup_.program, {.allow_threads = setup_.allow_threads})} {}

agent_compactor_state::~agent_compactor_state() {
  caf::anon_send_exit(program_, caf::exit_reason::user_shutdown);
}

agent_compactor_state::handle::behavior_type agent_compactor_state::make_behavior() {
  return {[this](compact_messages& x) { return compact(x); }};
}

caf::result<compaction_plan> agent_compactor_state::compact(compact_messages& x) {
  auto next = std::make_shared<session>();
  next->answer = self_->make_response_promise<compaction_plan>();
  next->about = std::move(x);
  next->deadline = agent_.clock->steady() + from_milliseconds(setup_.timeout_ms);
  next->id = "compaction_" + std::to_string(++sessions_);
  next->by = as_daemon(name, next->about.by.turn_id, next->about.by.cause);
  furnish(*next);
  begin_round(next);
  return next->answer;
}

/// Makes the tools of one compaction: those of a scratchbook, on a copy of it, and `read_back`.
void agent_compactor_state::furnish(session& x) {
  auto& sys = self_->system();
  auto agent = agent_;
  agent.trace = nullptr; // its calls are traced here
  auto copy = std::make_shared<memory_files>();
  std::ignore = copy->write(
    scratchbook_path(setup_.scratchbook, x.about.thread_id), to_stored_text(x.about.scratchbook));
  auto keeper = spawn<file_keeper_state>(sys, copy);
  x.book = spawn<thread_scratchbook_state>(sys, x.about.thread_id,
    thread_scratchbook_setup{agent, static_cast<uint32_t>(component::compactor), keeper, {},
      setup_.scratchbook, setup_.count});
  auto tools = scratch_tools(x.book, x.by);
  tools.push_back(read_back_tool({setup_.files, setup_.page_tokens, setup_.count}));
  x.task = {the_task, x.about.path, x.about.offloaded, x.about.kept, {}, x.about.goals,
    x.about.pending, manifests_of(tools), {}};
  x.tools = spawn<toolbox_state>(
    sys, agent, static_cast<uint32_t>(component::compactor), std::move(tools), toolbox_config{});
  x.helpers = {caf::actor_cast<caf::actor>(x.tools), caf::actor_cast<caf::actor>(x.book),
    caf::actor_cast<caf::actor>(keeper)};
}

double agent_compactor_state::milliseconds_left(const session& x) const {
  return in_milliseconds(x.deadline - agent_.clock->steady());
}

void agent_compactor_state::begin_round(const session_ptr& x) {
  if (x->rounds++ == setup_.limits.max_rounds)
    return give_up(
      x, broken("has not finished after " + std::to_string(setup_.limits.max_rounds) + " rounds"));
  if (milliseconds_left(*x) <= 0)
    return give_up(x, fail(errc::deadline_exceeded, "compactor", "has not finished in time"));
  auto failed = [this, x](const caf::error& err) { give_up(x, err); };
  scratch_read look{x->about.by, x->about.thread_id, {}};
  ask(self_, x->book, from_milliseconds(milliseconds_left(*x)), std::move(look))
    .then(
      [this, x, failed](scratch_view& seen) {
        x->task.view = std::move(seen.view);
        tool_request request;
        request.request_id = x->id + "/" + std::to_string(x->rounds);
        request.tool_id = setup_.program.manifest.tool_id;
        request.inputs = to_json(x->task).get_object();
        request.timeout_ms = std::max(1.0, milliseconds_left(*x));
        ask(self_, program_, from_milliseconds(request.timeout_ms), std::move(request))
          .then([this, x](const tool_response& reply) { on_reply(x, reply); }, failed);
      },
      failed);
}

void agent_compactor_state::on_reply(const session_ptr& x, const tool_response& reply) {
  if (reply.status != tool_status::ok)
    return give_up(x, broken("failed: " + printable(to_text(reply.outputs), 1'000)));
  auto said = from_json<compactor_reply>(json::value(reply.outputs));
  if (!said)
    return give_up(x, broken("gave an answer that is not a reply: " + describe(said.error())));
  if (said->calls.empty() && !said->summary)
    return give_up(x, broken("answered neither calls nor a summary"));
  if (said->calls.size() > setup_.limits.max_calls)
    return give_up(
      x, broken("called more than " + std::to_string(setup_.limits.max_calls) + " tools at once"));
  x->calls = 0;
  make_calls(x, std::move(*said));
}

/// Makes the calls of a reply one after the other, then begins the next round or finishes.
void agent_compactor_state::make_calls(const session_ptr& x, compactor_reply reply) {
  if (x->calls == reply.calls.size())
    return reply.summary ? finish(x, *reply.summary) : begin_round(x);
  const auto& call = reply.calls[x->calls];
  tool_request request;
  request.request_id = x->id + "/" + std::to_string(x->rounds) + "_" + std::to_string(x->calls);
  request.tool_id = call.name;
  request.inputs = call.arguments;
  request.thread_id = x->about.thread_id;
  request.timeout_ms = std::max(1.0, milliseconds_left(*x));
  if (names_existing_item(call, x->about.scratchbook))
    return on_called(x, std::move(reply),
      failed_call(request, tool_failure::permission,
        "id: expected an item that you added; earlier items cannot be changed"));
  auto timeout = from_milliseconds(request.timeout_ms);
  ask(self_, x->tools, timeout, std::move(request))
    .then([this, x, reply = std::move(reply)](
            const tool_response& result) { on_called(x, reply, result); },
      [this, x](const caf::error& err) { give_up(x, err); });
}

void agent_compactor_state::on_called(
  const session_ptr& x, compactor_reply reply, const tool_response& result) {
  const auto& call = reply.calls[x->calls];
  trace_.write("call", x->by, {{"tool_id", call.name}, {"round", x->rounds}},
    result.status == tool_status::ok ? "success" : "error");
  x->task.steps.push_back({call, result.status, result.outputs});
  ++x->calls;
  make_calls(x, std::move(reply));
}

/// Delivers the plan: the items that the program added, and its summary. The rules make the
/// summary's title, which has the file and the number of messages in it.
void agent_compactor_state::finish(const session_ptr& x, const std::string& summary) {
  auto plan = std::make_shared<compaction_plan>(compact_by_rules(x->about, setup_.rules));
  plan->next_actions.clear();
  plan->summary.body = utf8::shortened(summary, setup_.scratchbook.limits.max_body_bytes);
  auto add = [plan, x](const scratchbook& copy) {
    for (auto i = x->about.scratchbook.items.size(); i < copy.items.size(); ++i) {
      const auto& item = copy.items[i];
      if (std::find(copy.pins.begin(), copy.pins.end(), item.id) != copy.pins.end())
        plan->pins.push_back(static_cast<uint32_t>(plan->next_actions.size()));
      plan->next_actions.push_back(draft_of(item));
    }
  };
  ask(self_, x->book, from_milliseconds(std::max(1.0, milliseconds_left(*x))),
    scratch_list{x->by, x->about.thread_id})
    .then(
      [this, x, plan, add](const scratchbook& copy) {
        add(copy);
        trace_.write(
          "compacted", x->by, {{"rounds", x->rounds}, {"added", plan->next_actions.size()}});
        x->answer.deliver(std::move(*plan));
      },
      [this, x](const caf::error& err) { give_up(x, err); });
}

void agent_compactor_state::give_up(const session_ptr& x, const caf::error& why) {
  trace_.write_error("compact", x->by, why, {{"rounds", x->rounds}});
  x->answer.deliver(why);
}

} // namespace scratchpage
