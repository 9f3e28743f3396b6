#include "scratchpage/actors/conversation/conversations.hpp"

#include <algorithm>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/conversation/read_back.hpp"
#include "scratchpage/actors/conversation/rule_compactor.hpp"
#include "scratchpage/actors/conversation/thread_conversation.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// Questions that are read for a prompt. If there are more, no todo is closed.
constexpr uint32_t max_pending = 100;

/// Size limit of a conversation's log, far above what a model's window can have.
constexpr uint64_t max_log_bytes = 64u << 20;

caf::error check(const make_prompt&) {
  return {};
}

caf::error check(const append_messages& x) {
  constexpr size_t max_messages = 1'000;
  if (x.messages.empty() || x.messages.size() > max_messages)
    return fail(errc::invalid_request, "messages", "expected 1 to 1000 messages");
  for (size_t i = 0; i < x.messages.size(); ++i) {
    const auto& message = x.messages[i];
    auto path = "messages[" + std::to_string(i) + "]";
    auto is_text = utf8::is_valid(message.content) && utf8::is_valid(message.name)
                   && utf8::is_valid(message.call_id);
    for (const auto& call : message.calls)
      is_text = is_text && utf8::is_valid(call.id) && utf8::is_valid(call.name)
                && utf8::is_valid(call.arguments);
    if (!is_text)
      return fail(errc::invalid_request, path, "expected valid UTF-8");
    if (message.role != chat_role::assistant && !message.calls.empty())
      return fail(errc::invalid_request, path + ".calls",
        "expected none: only messages of the assistant have calls");
  }
  return {};
}

uint32_t tokens_of(const item_draft& x, const token_counter& count) {
  return count(x.title) + count(x.body);
}

} // namespace

conversations_state::conversations_state(handle::pointer self, const agent_context& agent,
  conversation_parts parts, system_prompt_builder prompts, manifest_list tools,
  prompt_config window, profile_config profile, conversation_config config, token_counter count)
  : self_{self},
    parts_{std::move(parts)},
    prompts_{std::move(prompts)},
    tools_{std::move(tools)},
    window_{window},
    profile_{profile},
    config_{std::move(config)},
    count_{std::move(count)},
    trace_{agent, name, static_cast<uint32_t>(component::conversations)},
    work_{agent.work()} {}

conversations_state::handle::behavior_type conversations_state::make_behavior() {
  if (auto err = validate(config_))
    self_->quit(err);
  return {
    [this](append_messages& x) { return enqueue<conversation_stats>(x); },
    [this](make_prompt& x) { return enqueue<model_prompt>(x); },
  };
}

// -- requests of a thread, one after the other ---------------------------------------

template <class Answer, class Request>
caf::result<Answer> conversations_state::enqueue(Request& x) {
  if (auto err = check_thread_id(x.thread_id))
    return err;
  if (auto err = check(x))
    return err;
  auto found = threads_.find(x.thread_id);
  if (found == threads_.end()) {
    if (!make_room())
      return fail(errc::overloaded, "thread_id",
        "at most " + std::to_string(config_.max_threads) + " threads at a time");
    found = threads_.try_emplace(x.thread_id, count_, work_).first;
  }
  found->second.last_use = ++uses_;
  auto& jobs = found->second.jobs;
  if (jobs.size() >= config_.max_waiting)
    return fail(errc::overloaded, "thread_id",
      std::to_string(config_.max_waiting) + " requests of this thread wait already");
  auto answer = self_->make_response_promise<Answer>();
  auto next = std::make_shared<job>();
  next->answer = answer;
  next->by = x.by;
  next->thread_id = x.thread_id;
  next->of = &found->second;
  next->works = work_.begin();
  next->request = std::move(x);
  jobs.push_back(next);
  if (jobs.size() == 1)
    begin(next);
  return answer;
}

/// Makes room for a thread: drops the least recently used one that is stored completely and has no
/// requests. Returns false if there is none.
bool conversations_state::make_room() {
  if (threads_.size() < config_.max_threads)
    return true;
  auto oldest = threads_.end();
  for (auto i = threads_.begin(); i != threads_.end(); ++i) {
    auto can_drop = i->second.jobs.empty() && !i->second.conversation.is_stale();
    if (can_drop && (oldest == threads_.end() || i->second.last_use < oldest->second.last_use))
      oldest = i;
  }
  if (oldest == threads_.end())
    return false;
  threads_.erase(oldest);
  return true;
}

/// Reads the log of a thread that is not in memory.
void conversations_state::open(const job_ptr& x) {
  auto path = log_path(x->thread_id);
  ask(self_, parts_.files, from_milliseconds(config_.save_ms), read_file{path, 0, max_log_bytes})
    .then([this, x, path](const file_part& found) { on_opened(x, path, found); },
      [this, x](const caf::error& err) {
        if (code_of(err) != errc::not_found)
          return refuse(x, fail(errc::storage_unavailable, "", describe(err)));
        conversation_of(x).open({}); // a new one
        begin(x);
      });
}

void conversations_state::on_opened(
  const job_ptr& x, const std::string& path, const file_part& found) {
  auto log = from_lines(found.bytes);
  if (!log || found.size > max_log_bytes)
    return refuse(
      x, fail(errc::internal, "",
           path + " is not a conversation (" + (log ? "it is too long" : describe(log.error()))
             + "); it was not changed: repair it, or move it away to begin a new conversation"));
  conversation_of(x).open(std::move(*log));
  begin(x);
}

void conversations_state::begin(const job_ptr& x) {
  if (!conversation_of(x).is_open())
    return open(x);
  auto* said = std::get_if<append_messages>(&x->request);
  if (said == nullptr)
    return gather(x, [this, x] { finish(x); });
  conversation_of(x).begin_request();
  if (parts_.masker)
    for (auto& message : said->messages)
      parts_.masker->mask(message);
  evict(x, 0);
}

/// Stores the new messages, and answers. If that fails, they are in prompts all the same, and the
/// next request stores them.
void conversations_state::store(const job_ptr& x) {
  auto& of = conversation_of(x);
  auto stored = [this, x] {
    conversation_of(x).note_stored();
    x->of->lacks.set(false);
    finish(x);
  };
  auto not_stored = [this, x](const caf::error& err) {
    conversation_of(x).note_not_stored(err);
    x->of->lacks.set(conversation_of(x).is_stale());
    trace_.write_error("store", x->by, err, {{"thread_id", x->thread_id}});
    finish(x);
  };
  auto timeout = from_milliseconds(config_.save_ms);
  auto path = log_path(x->thread_id);
  if (of.is_stale())
    ask(self_, parts_.files, timeout, write_file{path, of.lines()}).then(stored, not_stored);
  else
    ask(self_, parts_.files, timeout, append_file{path, std::move(x->lines)})
      .then(stored, not_stored);
}

/// Answers the request, and begins the thread's next one.
void conversations_state::finish(const job_ptr& x) {
  if (auto* answer = std::get_if<caf::typed_response_promise<conversation_stats>>(&x->answer))
    answer->deliver(conversation_of(x).stats());
  else if (auto err = answer_prompt(x))
    return refuse(x, err);
  go_on(*x->of);
}

caf::error conversations_state::answer_prompt(const job_ptr& x) {
  auto system = prompts_.build(x->material);
  if (!system)
    return system.error();
  auto room = room_for_history(*system);
  auto result = conversation_of(x).prompt(std::move(*system), room);
  trace_.write("make_prompt", x->by,
    {{"thread_id", x->thread_id}, {"tokens", result.tokens}, {"hidden", result.hidden}});
  std::get<caf::typed_response_promise<model_prompt>>(x->answer).deliver(std::move(result));
  return {};
}

void conversations_state::refuse(const job_ptr& x, const caf::error& why) {
  trace_.write_error("conversation", x->by, why, {{"thread_id", x->thread_id}});
  std::visit([&](auto& answer) { answer.deliver(why); }, x->answer);
  go_on(*x->of);
}

/// Begins the thread's next request.
void conversations_state::go_on(thread& of) {
  of.jobs.pop_front();
  if (!of.jobs.empty())
    begin(of.jobs.front());
}

// -- long texts ------------------------------------------------------------------------

/// Moves texts over their limits to files, one after the other from message `from` on. Then all
/// messages are added to the history; if a file cannot be written, none is.
void conversations_state::evict(const job_ptr& x, size_t from) {
  auto& messages = std::get<append_messages>(x->request).messages;
  auto limit_of = [this](const chat_message& m) {
    return m.role == chat_role::tool ? limit_of_result(config_, window_)
                                     : limit_of_message(config_, window_);
  };
  while (from < messages.size() && count_(messages[from].content) <= limit_of(messages[from]))
    ++from;
  if (from == messages.size()) {
    x->lines = conversation_of(x).add(std::exchange(messages, {}));
    fit(x);
    return;
  }
  auto& content = messages[from].content;
  auto path = result_path(x->thread_id, content);
  ask(self_, parts_.files, from_milliseconds(config_.save_ms), write_file{path, content})
    .then(
      [this, x, from, path, limit = limit_of(messages[from])] {
        auto& text = std::get<append_messages>(x->request).messages[from].content;
        trace_.write(
          "evict", x->by, {{"thread_id", x->thread_id}, {"path", path}, {"bytes", text.size()}});
        text = preview_of(text, path, limit, count_);
        conversation_of(x).note_evicted();
        evict(x, from + 1);
      },
      [this, x](
        const caf::error& err) { refuse(x, fail(errc::storage_unavailable, "", describe(err))); });
}

// -- the window ------------------------------------------------------------------------

/// Compacts until the history fits. A few rounds are enough, since the view of the scratchbook,
/// which grows meanwhile, has a limit.
void conversations_state::fit(const job_ptr& x) {
  if (!profile_.compacts())
    return store(x);
  gather(x, [this, x] {
    constexpr uint32_t max_rounds = 4;
    close_todos(x);
    auto system = prompts_.build(x->material);
    if (!system) { // prompts fail with the same error
      conversation_of(x).note_failure(system.error());
      return store(x);
    }
    auto room = room_for_history(*system);
    if (conversation_of(x).tokens() <= room || x->rounds++ == max_rounds)
      store(x);
    else
      compact(x, room);
  });
}

uint64_t conversations_state::room_for_history(const system_prompt& x) const {
  return window_.window - window_.reply - x.tokens;
}

/// Reads everything that a prompt and a compaction need, with parallel requests.
void conversations_state::gather(const job_ptr& x, const step& then) {
  x->missing = 5;
  x->material.instructions = config_.instructions;
  x->material.reader = said_by(x->by);
  x->material.tools = tools_;
  read_part<tool_list>(
    x, parts_.tools, list_tools{x->by}, "tools",
    [x](tool_list& found) { x->material.tools = std::move(found.tools); }, then);
  read_part<scratchbook>(
    x, parts_.scratchbooks, scratch_list{x->by, x->thread_id}, "scratchbook",
    [x](scratchbook& found) { x->material.scratchbook = std::move(found); }, then);
  read_part<assembled_context>(
    x, parts_.memory, assemble_context{x->by, conversation_of(x).last_words(), window_.context},
    "context", [x](assembled_context& found) { x->material.context = std::move(found.text); },
    then);
  read_part<goal_list>(
    x, parts_.goals, list_goals{x->by, {}}, "goals",
    [x](goal_list& found) { x->goals = std::move(found.goals); }, then);
  query_observations pending{.by = x->by};
  pending.filter.type = {"pending_confirmation"};
  pending.limit = max_pending;
  read_part<query_result>(
    x, parts_.page, std::move(pending), "pending",
    [x](query_result& found) {
      x->knows_pending = found.observations.size() < max_pending;
      x->pending = std::move(found.observations);
    },
    then);
}

template <class Answer, class Handle, class Request, class Take>
void conversations_state::read_part(const job_ptr& x, const Handle& from, Request request,
  const char* part, Take take, const step& then) {
  auto done = [x, then] {
    if (--x->missing == 0)
      then();
  };
  if (!from)
    return done();
  ask(self_, from, from_milliseconds(config_.part_ms), std::move(request))
    .then(
      [take, done](Answer& found) {
        take(found);
        done();
      },
      [this, x, part, done](const caf::error& err) {
        trace_.write_error("read_part", x->by, err, {{"part", part}});
        done();
      });
}

// -- compaction ------------------------------------------------------------------------

/// Completes the todos of earlier compactions that the conversation, or the end of a goal, has
/// closed. Unless all questions could be read, the next request tries it again.
void conversations_state::close_todos(const job_ptr& x) {
  auto& items = x->material.scratchbook.items;
  if (!x->knows_pending || !parts_.scratchbooks
      || std::none_of(items.begin(), items.end(), may_be_closed))
    return;
  const auto& messages = conversation_of(x).messages();
  compact_messages about;
  about.kept.assign(messages.begin(), messages.end());
  about.scratchbook = x->material.scratchbook;
  about.goals = x->goals;
  about.pending = x->pending;
  for (const auto& id : closed_todos(about, config_.rules)) {
    for (auto& item : items)
      if (item.id == id)
        item.status = item_status::done;
    ask(self_, parts_.scratchbooks, from_milliseconds(config_.save_ms),
      scratch_mark{x->by, x->thread_id, id, item_mark::complete})
      .then([](const scratchbook_item&) {},
        [this, x, id](const caf::error& err) {
          trace_.write_error("close_todo", x->by, err, {{"thread_id", x->thread_id}, {"id", id}});
        });
  }
}

void conversations_state::compact(const job_ptr& x, uint64_t room) {
  auto max_kept = static_cast<uint64_t>(static_cast<double>(room) * config_.keep_share);
  auto offloaded =
    std::make_shared<std::vector<chat_message>>(conversation_of(x).take_oldest(max_kept));
  append_file request{history_path(x->thread_id), to_markdown(*offloaded)};
  ask(self_, parts_.files, from_milliseconds(config_.save_ms), std::move(request))
    .then(
      [this, x, offloaded] {
        conversation_of(x).note_offloaded(*offloaded);
        ask_compactor(x, std::move(*offloaded));
      },
      [this, x, offloaded](const caf::error& err) {
        conversation_of(x).put_back(std::move(*offloaded), err);
        trace_.write_error("offload", x->by, err, {{"thread_id", x->thread_id}});
        store(x);
      });
}

void conversations_state::ask_compactor(const job_ptr& x, std::vector<chat_message> offloaded) {
  const auto& kept = conversation_of(x).messages();
  auto count = offloaded.size();
  auto request = std::make_shared<compact_messages>();
  request->by = x->by;
  request->thread_id = x->thread_id;
  request->path = history_path(x->thread_id);
  request->offloaded = std::move(offloaded);
  request->kept.assign(kept.begin(), kept.end());
  request->scratchbook = x->material.scratchbook;
  request->goals = x->goals;
  request->pending = x->pending;
  if (!parts_.compactor)
    return apply(x, compact_by_rules(*request, config_.rules), count);
  ask(self_, parts_.compactor, from_milliseconds(config_.compactor_ms), *request)
    .then(
      [this, x, count](compaction_plan& plan) {
        apply(x, sanitize_plan(std::move(plan), x->material.scratchbook, config_.rules.max_actions),
          count);
      },
      [this, x, request, count](const caf::error& err) {
        trace_.write_error("compact", x->by, err, {{"thread_id", x->thread_id}});
        apply(x, compact_by_rules(*request, config_.rules), count);
      });
}

/// Writes the plan into the scratchbook. An item that is refused is traced and left out; the file
/// has all messages in any case.
void conversations_state::apply(const job_ptr& x, const compaction_plan& plan, uint64_t offloaded) {
  tell(x, plan, offloaded);
  x->missing = 1 + plan.next_actions.size();
  auto keep = [&](auto request, const item_draft& what, bool pins = false) {
    auto done = [this, x] {
      if (--x->missing == 0)
        fit(x);
    };
    auto not_kept = [this, x, done](const caf::error& err) {
      conversation_of(x).note_failure(err);
      trace_.write_error("keep", x->by, err, {{"thread_id", x->thread_id}});
      done();
    };
    auto tokens = tokens_of(what, count_);
    auto timeout = from_milliseconds(config_.save_ms);
    ask(self_, parts_.scratchbooks, timeout, std::move(request))
      .then(
        [this, x, tokens, pins, timeout, done, not_kept](const scratchbook_item& item) {
          conversation_of(x).note_kept(tokens);
          if (!pins)
            return done();
          ask(self_, parts_.scratchbooks, timeout,
            scratch_mark{x->by, x->thread_id, item.id, item_mark::pin})
            .then([done](const scratchbook_item&) { done(); }, not_kept);
        },
        not_kept);
  };
  auto by = x->by;
  if (plan.summary_id.empty()) {
    keep(scratch_add{by, x->thread_id, plan.summary}, plan.summary);
  } else {
    item_changes changes;
    changes.title = plan.summary.title;
    changes.body = plan.summary.body;
    keep(scratch_update{by, x->thread_id, plan.summary_id, std::move(changes)}, plan.summary);
  }
  for (uint32_t i = 0; i < plan.next_actions.size(); ++i) {
    const auto& action = plan.next_actions[i];
    auto pins = std::find(plan.pins.begin(), plan.pins.end(), i) != plan.pins.end();
    keep(scratch_add{by, x->thread_id, action}, action, pins);
  }
}

/// Reports the compaction in the trace and as an observation.
void conversations_state::tell(const job_ptr& x, const compaction_plan& plan, uint64_t offloaded) {
  const auto& of = conversation_of(x);
  const auto& items = x->material.scratchbook.items;
  auto open = std::count_if(
    items.begin(), items.end(), [](const auto& item) { return is_open(item.status); });
  json::object told{{"thread_id", x->thread_id}, {"path", history_path(x->thread_id)},
    {"offloaded_messages", offloaded}, {"kept_messages", of.messages().size()},
    {"kept_tokens", of.tokens()}, {"open_items", open},
    {"pinned_items", x->material.scratchbook.pins.size()},
    {"next_actions", plan.next_actions.size()}};
  trace_.write("compact", x->by, told);
  if (!parts_.page)
    return;
  observation_draft draft;
  draft.type = "compaction";
  draft.content =
    plan.summary.title + "; " + std::to_string(of.messages().size()) + " stay in sight";
  draft.confidence = 1;
  draft.tags = {"compaction"};
  draft.context["thread_id"] = x->thread_id;
  draft.metadata = std::move(told);
  ask(self_, parts_.page, from_milliseconds(config_.save_ms),
    add_observation{as_daemon(name, x->by.turn_id, x->by.cause), std::move(draft)})
    .then([](const receipt&) {},
      [this, x](const caf::error& err) { trace_.write_error("tell_compaction", x->by, err); });
}

} // namespace scratchpage
