#include "scratchpage/runtime/simulation/scenario.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/main_thread.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr double max_wait_ms = 100.0 * 365 * 24 * 3600 * 1000;

std::string at(std::string_view path, size_t index) {
  return std::string{path} + "[" + std::to_string(index) + "]";
}

std::string list_of(const std::vector<std::string>& names) {
  std::string result;
  for (const auto& name : names)
    result.append(result.empty() ? "" : ", ").append(name);
  return result.empty() ? "none" : result;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<timespan> to_wait(const json::value& in) {
  if (in.is_string())
    return parse_duration({in.get_string().data(), in.get_string().size()});
  if (!in.is_number())
    return {};
  auto milliseconds = in.to_number<double>();
  if (!(milliseconds >= 0 && milliseconds <= max_wait_ms))
    return {};
  return from_milliseconds(milliseconds);
}

/// Makes a conversation of a scenario file, and checks what its types do not express.
class scenario_reader {
public:
  scenario_reader(std::string_view text, std::string_view file)
    : text_{text},
      file_{file} {}

  bool read(scenario_file& in, conversation& out) {
    if (utf8::is_blank(in.scenario))
      return refuse("scenario", "a name");
    if (in.steps.empty())
      return refuse("steps", "a list that is not empty");
    out.id = in.scenario;
    out.file = file_;
    out.start = in.start;
    out.config = std::move(in.config);
    out.servers = servers_ = std::move(in.servers);
    if (out.config.contains("mcpServers"))
      return refuse(
        "config.mcpServers", "none, since only the configuration of the run may name programs");
    return read_agents(in.agents, out) && read_tools(in.tools, out.tools)
           && read_steps(in.steps, out.steps);
  }

  bool refuse(const std::string& path, const std::string& expected) {
    error_ = bad_input(file_, line_of(text_, path), path, "expected " + expected);
    return false;
  }

  caf::error take_error() { return std::move(error_); }

private:
  bool read_agents(std::vector<std::string>& in, conversation& result) {
    auto& out = result.agents;
    for (size_t i = 0; i < in.size(); ++i) {
      if (utf8::is_blank(in[i]))
        return refuse(at("agents", i), "a name");
      if (contains(out, in[i]))
        return refuse(at("agents", i), "a name of its own");
      out.push_back(in[i]);
    }
    if (out.empty())
      out.push_back(result.id);
    agents_ = out;
    return true;
  }

  bool resolve_agent(std::string& agent, const std::string& path) {
    if (agent.empty())
      agent = agents_.front();
    return contains(agents_, agent) || refuse(path, "one of the agents: " + list_of(agents_));
  }

  // -- tools ---------------------------------------------------------------------------

  bool read_tools(std::vector<scenario_tool>& in, std::vector<tool_definition>& out) {
    for (size_t i = 0; i < in.size(); ++i) {
      if (utf8::is_blank(in[i].tool_id))
        return refuse(at("tools", i) + ".tool_id", "a name");
      if (contains(tools_, in[i].tool_id))
        return refuse(at("tools", i) + ".tool_id", "a name of its own");
      tools_.push_back(in[i].tool_id);
    }
    for (size_t i = 0; i < in.size(); ++i)
      if (!read_tool(in[i], at("tools", i), out))
        return false;
    return true;
  }

  bool read_tool(scenario_tool& in, const std::string& path, std::vector<tool_definition>& out) {
    for (size_t i = 0; i < in.alternatives.size(); ++i)
      if (!contains(tools_, in.alternatives[i]) || in.alternatives[i] == in.tool_id)
        return refuse(at(path + ".alternatives", i), "another of the tools: " + list_of(tools_));
    tool_config config;
    static_cast<tool_manifest&>(config) = std::move(in);
    config.responses = std::move(in.responses);
    config.after_last = in.after_last;
    config.latency_ms = in.latency_ms;
    config.latency = in.latency;
    config.faults = std::move(in.faults);
    auto definition = to_definition(std::move(config));
    if (definition) {
      out.push_back(std::move(*definition));
      return true;
    }
    auto err = definition.error();
    auto field = path + "." + field_of(err);
    error_ = bad_input(file_, line_of(text_, field), field, expectation_of(err));
    return false;
  }

  // -- steps ---------------------------------------------------------------------------

  bool read_steps(std::vector<scenario_step>& in, std::vector<replay_step>& out) {
    for (size_t i = 0; i < in.size(); ++i) {
      auto path = at("steps", i);
      auto& step = out.emplace_back();
      step.where = std::string{file_} + ":" + std::to_string(line_of(text_, path));
      if (!read_step(in[i], path, step))
        return false;
    }
    return true;
  }

  bool read_step(scenario_step& in, const std::string& path, replay_step& out) {
    std::array parts{in.turn.has_value(), !in.turns.empty(), !in.wait.is_null(), in.add.has_value(),
      in.expect.has_value()};
    if (std::count(parts.begin(), parts.end(), true) != 1)
      return refuse(path, "exactly one of turn, turns, wait, add, expect");
    if (!in.add && in.as)
      return refuse(path + ".as", "none without add");
    if (!in.add && !in.agent.empty())
      return refuse(path + ".agent", "none without add");
    if (in.turn)
      return read_turn(*in.turn, path + ".turn", out.what.emplace<turns_step>());
    if (!in.turns.empty())
      return read_turns(in.turns, path + ".turns", out.what.emplace<turns_step>());
    if (in.add)
      return read_add(in, path, out.what.emplace<add_step>());
    if (in.expect)
      return read_expect(*in.expect, path + ".expect", out.what.emplace<expect_step>());
    auto duration = to_wait(in.wait);
    if (!duration)
      return refuse(path + ".wait", "a duration such as \"61s\" (ms, s, m, h, d), or milliseconds");
    out.what = wait_step{*duration};
    return true;
  }

  bool read_turns(std::vector<scenario_turn>& in, const std::string& path, turns_step& out) {
    for (size_t i = 0; i < in.size(); ++i)
      if (!read_turn(in[i], at(path, i), out))
        return false;
    return true;
  }

  bool read_turn(scenario_turn& in, const std::string& path, turns_step& out) {
    if (utf8::is_blank(in.input))
      return refuse(path + ".input", "a text that is not blank");
    if (in.deadline_ms < 0)
      return refuse(path + ".deadline_ms", "milliseconds, not negative");
    if (!resolve_agent(in.agent, path + ".agent") || !check_plan(in.plan, path + ".plan"))
      return false;
    last_agent_ = in.agent;
    begin_turn request;
    request.agent_id = std::move(in.agent);
    request.thread_id = in.thread.empty() ? main_thread : std::move(in.thread);
    request.user_id = in.user.empty() ? "user" : std::move(in.user);
    request.input = std::move(in.input);
    request.plan = std::move(in.plan);
    request.mode = in.mode;
    request.deadline_ms = in.deadline_ms;
    request.context = std::move(in.context);
    out.turns.push_back({std::move(request), {}});
    return true;
  }

  /// Gives ids to calls that have none, and refuses a plan that cannot be finished.
  bool check_plan(std::vector<planned_call>& plan, const std::string& path) {
    std::vector<std::string> ids;
    for (size_t i = 0; i < plan.size(); ++i) {
      auto& call = plan[i];
      if (call.call_id.empty())
        call.call_id = "call_" + std::to_string(i + 1);
      if (contains(ids, call.call_id))
        return refuse(at(path, i) + ".call_id", "an id that no other call of the turn has");
      if (!contains(tools_, call.tool_id) && !is_of_server(call.tool_id))
        return refuse(at(path, i) + ".tool_id", "one of the tools: " + list_of(tools_));
      ids.push_back(call.call_id);
    }
    for (size_t i = 0; i < plan.size(); ++i)
      if (!check_links(plan[i].depends_on, ids, at(path, i) + ".depends_on")
          || !check_links(plan[i].after, ids, at(path, i) + ".after"))
        return false;
    return can_finish(plan) || refuse(path, "calls that do not wait for each other in a cycle");
  }

  bool is_of_server(const std::string& tool_id) const {
    return std::any_of(servers_.begin(), servers_.end(),
      [&](const std::string& name) { return tool_id.starts_with(name + "."); });
  }

  bool check_links(const std::vector<std::string>& links, const std::vector<std::string>& ids,
    const std::string& path) {
    for (size_t i = 0; i < links.size(); ++i)
      if (!contains(ids, links[i]))
        return refuse(at(path, i), "one of the turn's calls: " + list_of(ids));
    return true;
  }

  /// Removes calls that wait for nothing until none can be removed.
  static bool can_finish(const std::vector<planned_call>& plan) {
    std::set<std::string> done;
    for (auto moved = true; moved;) {
      moved = false;
      auto is_done = [&done](const std::string& id) { return done.contains(id); };
      for (const auto& call : plan)
        if (std::all_of(call.depends_on.begin(), call.depends_on.end(), is_done)
            && std::all_of(call.after.begin(), call.after.end(), is_done))
          moved |= done.insert(call.call_id).second;
    }
    return done.size() == plan.size();
  }

  bool read_add(scenario_step& in, const std::string& path, add_step& out) {
    if (!resolve_agent(in.agent, path + ".agent"))
      return false;
    out.agent_id = std::move(in.agent);
    out.by = as_user("user");
    if (in.as) {
      auto name = in.as->name;
      auto turn = in.as->turn_id;
      out.by = in.as->kind == source_kind::tool     ? as_tool(name, turn)
               : in.as->kind == source_kind::daemon ? as_daemon(name, turn)
                                                    : as_user(name, turn);
    }
    out.draft = std::move(*in.add);
    return true;
  }

  bool read_expect(expectation& in, const std::string& path, expect_step& out) {
    auto all = to_json(run_summary{}).get_object();
    for (const auto& [name, bounds] : in.summary)
      if (!all.contains(name))
        return refuse(path + ".summary." + name, "one of the summary's figures: " + keys_of(all));
    if (in.turn && in.turn->status && !is_of_answer(*in.turn->status))
      return refuse(path + ".turn.status", "one of: " + list_of(statuses_of_answers()));
    if (in.agent.empty())
      in.agent = last_agent_;
    if (!resolve_agent(in.agent, path + ".agent"))
      return false;
    out.agent_id = in.agent;
    out.expected = std::move(in);
    return true;
  }

  /// A scenario waits for the answer of each turn and cannot hold one, so it never sees other
  /// statuses.
  static bool is_of_answer(turn_status x) {
    return x != turn_status::held && x != turn_status::running;
  }

  static std::vector<std::string> statuses_of_answers() {
    std::vector<std::string> result;
    for (size_t i = 0; i < enum_names<turn_status>.size(); ++i)
      if (is_of_answer(static_cast<turn_status>(i)))
        result.emplace_back(enum_names<turn_status>[i]);
    return result;
  }

  static std::string keys_of(const json::object& in) {
    std::vector<std::string> names;
    for (const auto& [key, value] : in)
      names.emplace_back(key);
    return list_of(names);
  }

  std::string_view text_;
  std::string_view file_;
  caf::error error_;
  std::vector<std::string> agents_;
  std::vector<std::string> tools_;
  std::vector<std::string> servers_;
  std::string last_agent_; ///< of the latest turn
};

} // namespace

std::optional<timespan> parse_duration(std::string_view text) {
  struct unit {
    std::string_view name;
    double milliseconds;
  };
  constexpr std::array<unit, 5> units{
    {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
  double number = 0;
  auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc{} || !std::isfinite(number) || number < 0)
    return {};
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  for (const auto& one : units)
    if (text == one.name && number * one.milliseconds <= max_wait_ms)
      return from_milliseconds(number * one.milliseconds);
  return {};
}

caf::expected<conversation> read_scenario(std::string_view text, std::string_view file) {
  text = skip_bom(text);
  auto value = parse_input(text, file, 1, {.comments = true});
  if (!value)
    return value.error();
  auto scenario = from_json<scenario_file>(*value);
  if (!scenario) {
    auto path = field_of(scenario.error());
    return bad_input(file, line_of(text, path), path, expectation_of(scenario.error()));
  }
  scenario_reader reader{text, file};
  conversation result;
  if (!reader.read(*scenario, result))
    return reader.take_error();
  return result;
}

} // namespace scratchpage
