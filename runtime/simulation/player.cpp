#include "scratchpage/runtime/simulation/player.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "scratchpage/actors/turns/outside_work.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/host/hosted_setup.hpp"
#include "scratchpage/runtime/mcp/client/server_config.hpp"
#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/stage.hpp"

namespace scratchpage {

run_summary& operator+=(run_summary& x, const run_summary& y) {
  run_summary::fields([&](const auto&... m) { ((x.*(m.member) += y.*(m.member)), ...); });
  return x;
}

std::string to_summary_text(const run_summary& x) {
  return to_pretty_text(to_json(x)) + "\n";
}

namespace {

/// The texts of the assistant in a turn that calls follow. Those after the last call are its
/// response.
std::vector<std::string> texts_before_response(const std::vector<chat_message>& messages) {
  std::vector<std::string> result;
  std::vector<std::string> pending;
  for (const auto& x : messages) {
    if (x.role == chat_role::user)
      pending.clear();
    if (x.role != chat_role::assistant)
      continue;
    if (!utf8::is_blank(x.content))
      pending.push_back(x.content);
    if (x.calls.empty())
      continue;
    std::move(pending.begin(), pending.end(), std::back_inserter(result));
    pending.clear();
  }
  return result;
}

constexpr uint32_t page_size = 1000;

/// One agent of a conversation. Its actors end before the members that they use.
struct cast_member {
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
  std::shared_ptr<page_recorder> saw = std::make_shared<page_recorder>();
  std::unique_ptr<ensemble> team;
  caf::actor listener;

  ~cast_member() {
    if (listener)
      caf::anon_send_exit(listener, caf::exit_reason::user_shutdown);
  }
};

/// One conversation while it is played.
class conversation_run {
public:
  conversation_run(const conversation& x, const play_options& options, const config& with)
    : script_{x},
      options_{options},
      stage_{options, x.start.value_or(default_virtual_origin())},
      started_{stage_.clock()->now()} {
    for (const auto& agent : x.agents)
      add_agent(agent, with);
    stage_.settle();
  }

  conversation_run(const conversation_run&) = delete;
  conversation_run& operator=(const conversation_run&) = delete;

  ~conversation_run() {
    cast_.clear();
    stage_.settle();
  }

  caf::expected<play_result> run() {
    for (const auto& step : script_.steps)
      if (auto err = std::visit([&](const auto& x) { return play(x, step.where); }, step.what))
        return err;
    return finish();
  }

private:
  class world;

  void add_agent(const std::string& agent, const config& with) {
    auto& member = cast_[agent];
    hosted_setup setup;
    setup.agent_id = agent;
    setup.config = with;
    if (options_.window > 0) {
      setup.config.profile.name = profile_name::on_device;
      setup.config.prompt.window = options_.window;
      setup.config.conversation.instructions = script_.instructions;
    }
    setup.tools = script_.tools;
    setup.clock = stage_.clock();
    setup.trace = member.trace;
    setup.seed = options_.seed;
    setup.allow_threads = options_.real_time;
    setup.models = options_.models;
    member.team = std::make_unique<ensemble>(stage_.system(), std::move(setup));
    member.listener = spawn_page_recorder(stage_.system(), member.team->page(), member.saw);
  }

  caf::error play(const turns_step& step, const std::string&) {
    using answer = std::shared_ptr<stage::pending<turn_result>>;
    std::vector<answer> answers;
    for (const auto& turn : step.turns) {
      last_agent_ = turn.request.agent_id;
      answers.push_back(
        stage_.start<turn_result>(cast_.at(last_agent_).team->turns(), request_of(turn)));
    }
    auto all = [&] {
      return std::all_of(
        answers.begin(), answers.end(), [](const answer& x) { return x->value.has_value(); });
    };
    if (auto err = stage_.wait_until(all))
      return err;
    for (size_t i = 0; i < answers.size(); ++i) {
      auto& result = *answers[i]->value;
      if (!result)
        return result.error();
      const auto& request = step.turns[i].request;
      if (auto err = respond(step.turns[i], *result))
        return err;
      auto calls = calls_in(request.agent_id, *result);
      turns_.push_back({request, std::move(*result), std::move(calls), {}, 0, {}});
      if (auto err = tell_model(step.turns[i], turns_.back()))
        return err;
      if (options_.on_turn)
        options_.on_turn();
    }
    return {};
  }

  std::vector<played_call> calls_in(const std::string& agent, const turn_result& turn) {
    auto entries = cast_.at(agent).trace->entries_of(turn.turn_id);
    return calls_of(turn, entries);
  }

  /// Waits for the ends of turns that were answered early, so that their results are known.
  caf::error end_background() {
    for (auto& turn : turns_) {
      if (turn.result.status != turn_status::background)
        continue;
      const auto& agent = turn.request.agent_id;
      auto ended = stage_.request<turn_result>(
        cast_.at(agent).team->turns(), await_turn{turn.result.turn_id, {}});
      if (ended)
        turn.result = std::move(*ended);
      else if (code_of(ended.error()) != errc::not_found)
        return ended.error();
      turn.calls = calls_in(agent, turn.result);
    }
    return {};
  }

  /// A turn with a recorded response is held until the agent has given it.
  static begin_turn request_of(const replay_turn& turn) {
    auto result = turn.request;
    result.hold = result.hold || !turn.recorded_response.empty();
    return result;
  }

  /// Ends a held turn with the recorded response of its agent, after what it said before that.
  caf::error respond(const replay_turn& turn, turn_result& result) {
    if (turn.recorded_response.empty() || result.status != turn_status::held)
      return {};
    for (auto& text : texts_before_response(turn.messages))
      if (auto err = add_progress(turn.request, result.turn_id, std::move(text)))
        return err;
    auto ended = stage_.request<turn_result>(cast_.at(turn.request.agent_id).team->turns(),
      end_turn{result.turn_id, {}, turn.recorded_response});
    if (!ended)
      return ended.error();
    result = std::move(*ended);
    return {};
  }

  caf::error add_progress(
    const begin_turn& request, const std::string& turn_id, const std::string& text) {
    observation_draft draft;
    draft.type = "progress";
    draft.content = utf8::shortened(text, outside_work_limits::response_bytes);
    draft.confidence = 1.0;
    draft.context["thread_id"] = request.thread_id;
    const auto& page = cast_.at(request.agent_id).team->page();
    auto added =
      stage_.request<receipt>(page, add_observation{as_daemon("agent", turn_id), std::move(draft)});
    return added ? caf::error{} : added.error();
  }

  /// Passes the turn to the agent's model. Does nothing without a window.
  caf::error tell_model(const replay_turn& turn, played_turn& played) {
    if (options_.window == 0)
      return {};
    const auto& agent = turn.request.agent_id;
    auto& model = models_
                    .try_emplace({agent, turn.request.thread_id}, stage_, *cast_.at(agent).team,
                      options_.window, turn.request.thread_id)
                    .first->second;
    auto messages = turn.messages;
    if (messages.empty())
      messages = {{chat_role::user, turn.request.input, {}, {}, {}}};
    auto before = model.counters().compactions;
    auto moments = model.tell(messages);
    if (!moments)
      return moments.error();
    played.model = std::move(*moments);
    auto view = model.view();
    if (!view)
      return view.error();
    played.scratchbook = std::move(*view);
    played.compactions = model.counters().compactions - before;
    return {};
  }

  caf::error play(const wait_step& step, const std::string&) {
    stage_.pass(step.duration);
    return {};
  }

  caf::error play(const add_step& step, const std::string&) {
    const auto& page = cast_.at(step.agent_id).team->page();
    auto added = stage_.request<receipt>(page, add_observation{step.by, step.draft});
    return added ? caf::error{} : added.error();
  }

  caf::error play(const expect_step& step, const std::string& where);

  run_summary count();
  caf::expected<play_result> finish();

  const conversation& script_;
  const play_options& options_;
  stage stage_;
  timestamp started_;
  std::map<std::string, cast_member> cast_;
  std::map<std::pair<std::string, std::string>, window_play> models_; // by agent and thread
  std::string last_agent_;
  std::vector<played_turn> turns_;
  std::vector<std::string> unmet_;
  uint64_t expectations_ = 0;
};

/// The state of one agent, for expectations.
class conversation_run::world : public replay_world {
public:
  world(conversation_run& whole, cast_member& member)
    : whole_{whole},
      member_{member} {}

  const played_turn* last_turn() const override {
    return whole_.turns_.empty() ? nullptr : &whole_.turns_.back();
  }

  caf::expected<std::vector<observation_ptr>> observations(
    const observation_filter& filter, const std::string& text) override {
    query_observations request;
    request.by = as_daemon("player");
    request.filter = filter;
    request.text = text;
    request.limit = page_size;
    return all_pages(std::move(request));
  }

  caf::expected<std::vector<observation_ptr>> archive(const observation_filter& filter) override {
    list_archive request;
    request.by = as_daemon("player");
    request.filter = filter;
    request.limit = page_size;
    return all_pages(std::move(request));
  }

  caf::expected<std::vector<goal>> goals() override {
    auto all =
      whole_.stage_.request<goal_list>(member_.team->cortex(), list_goals{as_daemon("player"), {}});
    if (!all)
      return all.error();
    return std::move(all->goals);
  }

  caf::expected<std::vector<fact>> facts() override {
    query_facts request;
    request.by = as_daemon("player");
    request.limit = page_size;
    auto all = whole_.stage_.request<fact_list>(member_.team->facts(), std::move(request));
    if (!all)
      return all.error();
    return std::move(all->facts);
  }

  std::vector<trace_entry> trace() const override { return member_.trace->entries(); }
  run_summary summary() const override { return whole_.count(); }

private:
  template <class Request>
  caf::expected<std::vector<observation_ptr>> all_pages(Request request) {
    std::vector<observation_ptr> result;
    do {
      auto page = whole_.stage_.request<query_result>(member_.team->page(), request);
      if (!page)
        return page.error();
      result.insert(result.end(), page->observations.begin(), page->observations.end());
      request.cursor = page->next_cursor;
    } while (!request.cursor.empty());
    return result;
  }

  conversation_run& whole_;
  cast_member& member_;
};

caf::error conversation_run::play(const expect_step& step, const std::string& where) {
  ++expectations_;
  auto agent = !step.agent_id.empty() ? step.agent_id
               : !last_agent_.empty() ? last_agent_
                                      : script_.agents.front();
  world seen{*this, cast_.at(agent)};
  for (auto& sentence : find_unmet(step.expected, seen))
    unmet_.push_back(sentence.insert(0, where + ": "));
  return {};
}

/// The figures so far. Changes of a page that the recorder has not seen are lost.
run_summary conversation_run::count() {
  run_summary sum;
  for (auto& [name, model] : models_) {
    sum += model.counters();
    auto [all, open] = model.todos();
    sum.todos += all;
    sum.open_todos += open;
  }
  sum.conversations = 1;
  sum.turns = turns_.size();
  sum.expectations = expectations_;
  sum.unmet = unmet_.size();
  sum.virtual_seconds = in_milliseconds(stage_.clock()->now() - started_) / 1000;
  for (const auto& turn : turns_) {
    sum.tool_calls += turn.calls.size();
    sum.tool_errors += static_cast<uint64_t>(std::count_if(
      turn.calls.begin(), turn.calls.end(), [](const auto& x) { return !x.error.empty(); }));
    sum.unanswered_calls += static_cast<uint64_t>(std::count_if(
      turn.calls.begin(), turn.calls.end(), [](const auto& x) { return !x.has_answer; }));
    sum.questions += turn.result.questions.size();
    sum.timed_out_turns += turn.result.status == turn_status::timed_out ? 1 : 0;
  }
  for (auto& [agent, member] : cast_) {
    world seen{*this, member};
    if (auto goals = seen.goals())
      sum.goals += goals->size();
    if (auto facts = seen.facts())
      sum.facts += facts->size();
    auto stats = stage_.request<page_stats>(member.team->page(), caf::get_atom_v);
    auto account = member.saw->read();
    sum.observations_added += account.changes[event_kind::added];
    sum.error_alerts += account.added_by_type["error_alert"];
    sum.recovery_plans += account.added_by_type["recovery_plan"];
    sum.confirmations += account.added_by_type["pending_confirmation"];
    sum.expired += account.changes[event_kind::expired];
    sum.evicted += account.changes[event_kind::evicted];
    sum.lost += stats ? stats->sequence - account.seen : 0;
    sum.trace_entries += member.trace->size();
  }
  return sum;
}

caf::expected<play_result> conversation_run::finish() {
  if (auto err = end_background())
    return err;
  play_result result;
  result.counters = count();
  result.unmet = std::move(unmet_);
  result.turns = std::move(turns_);
  for (auto& [agent, member] : cast_) {
    world seen{*this, member};
    auto goals = seen.goals();
    if (!goals)
      return goals.error();
    auto facts = seen.facts();
    if (!facts)
      return facts.error();
    auto account = member.saw->read();
    auto append = [](auto& to, auto&& from) {
      to.insert(
        to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    append(result.goals, std::move(*goals));
    append(result.facts, std::move(*facts));
    append(result.observations, std::move(account.observations));
    append(result.trace, member.trace->take());
  }
  return result;
}

/// Removes the servers that the conversation does not need, so that no other program runs.
caf::error keep_servers(mcp_client::server_configs& all, const conversation& x, bool real_time) {
  if (!x.servers.empty() && !real_time)
    return fail(errc::invalid_request, "servers",
      "expected a run in real time (--real-time), since programs do not run in virtual time");
  mcp_client::server_configs kept;
  for (const auto& name : x.servers) {
    auto found = all.find(name);
    if (found == all.end())
      return fail(errc::invalid_request, "servers",
        "expected names of the configuration's mcpServers, got '" + name + "'");
    kept.insert(*found);
  }
  all = std::move(kept);
  return mcp_client::check_variables(all, "mcpServers");
}

} // namespace

caf::error ensemble_player::configure(const json::object& config) {
  auto merged = load_config(std::vector<json::object>{config});
  if (!merged)
    return merged.error();
  config_ = config;
  return {};
}

caf::expected<play_result> ensemble_player::play(
  const conversation& x, const play_options& options) {
  auto with = load_config(std::vector<json::object>{config_, x.config});
  if (!with)
    return with.error();
  if (auto err = keep_servers(with->mcp_servers, x, options.real_time))
    return err;
  auto access = options.models;
  if (auto err = models::complete(access, with->models, models::variables_of_process()))
    return err;
  conversation_run on_stage{x, options, *with};
  return on_stage.run();
}

} // namespace scratchpage
