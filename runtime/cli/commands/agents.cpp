#include "scratchpage/runtime/cli/commands/agents.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <system_error>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/transfer/page_at.hpp"
#include "scratchpage/runtime/cli/commands/agent_look.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/progress_bar.hpp"
#include "scratchpage/runtime/cli/commands/server_call.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/net/http/target.hpp"

namespace scratchpage {

namespace {

namespace fs = std::filesystem;

constexpr uint32_t usual_limit = 100;
constexpr size_t max_answer_bytes = size_t{64} << 20;

/// Where agents are looked up: a directory that this process has opened, or a process that has it.
class agent_source {
public:
  virtual ~agent_source() = default;
  virtual caf::expected<std::vector<std::string>> ids() = 0;
  virtual agent_summary look_at(const std::string& id) = 0;
};

bool is_open(goal_status x) {
  return x == goal_status::pending || x == goal_status::in_progress || x == goal_status::blocked;
}

uint64_t bytes_in(const fs::path& folder) {
  uint64_t result = 0;
  std::error_code ec;
  for (fs::recursive_directory_iterator at{folder, ec}, end; !ec && at != end; at.increment(ec))
    if (std::error_code of_file; at->is_regular_file(of_file) && !at->is_symlink(of_file))
      result += at->file_size(of_file);
  return result;
}

class stored_agents : public agent_source {
public:
  explicit stored_agents(storage in)
    : in_{std::move(in)} {}

  caf::expected<std::vector<std::string>> ids() override { return in_.store->agents(); }

  agent_summary look_at(const std::string& id) override {
    agent_summary result;
    result.agent = id;
    auto found = in_.store->find_agent(id);
    if (!found || !*found)
      return with_problem(std::move(result), found ? caf::error{} : found.error());
    if (auto err = count(**found, result))
      return with_problem(std::move(result), err);
    if (in_.directory)
      result.file_bytes = bytes_in(in_.directory->files() / file_name_for(id));
    return result;
  }

  static agent_summary with_problem(agent_summary x, const caf::error& why) {
    x.problem = why ? describe_for_options(why) : "it is not there any more";
    return x;
  }

private:
  caf::error count(uint64_t agent, agent_summary& out) {
    auto end = in_.store->end_of_journal(agent);
    if (!end)
      return end.error();
    if (*end > 0)
      if (auto err = count_page(agent, *end, out))
        return err;
    return read_each<goal>(*in_.store, agent, collection::goals,
      [&](const goal& x) { out.open_goals += is_open(x.status); });
  }

  caf::error count_page(uint64_t agent, uint64_t last, agent_summary& out) {
    auto now = page_at(*in_.store, agent, moment{last});
    if (!now)
      return now.error();
    auto at = wall_clock{}.now();
    for (const auto& [number, x] : now->page.observations)
      out.live += is_live(x->status) && x->expires_at > at;
    out.changes = now->page.sequence;
    out.last_activity = now->page.last_change;
    return {};
  }

  storage in_;
};

/// A part of the answer of a server that lists its agents.
struct listed_agents {
  std::vector<std::string> agents;
  std::string next_cursor;

  static constexpr auto fields(auto all) {
    using self = listed_agents;
    return all(required("agents", &self::agents), optional("next_cursor", &self::next_cursor));
  }
};

class hosted_agents : public agent_source {
public:
  explicit hosted_agents(agent_options options)
    : options_{std::move(options)} {}

  caf::expected<std::vector<std::string>> ids() override {
    std::vector<std::string> all;
    std::string query;
    do {
      auto part = ask_for_part(query);
      if (!part)
        return part.error();
      all.insert(all.end(), part->agents.begin(), part->agents.end());
      query = part->next_cursor.empty() ? "" : "?cursor=" + http::percent_encode(part->next_cursor);
    } while (!query.empty());
    return all;
  }

  agent_summary look_at(const std::string& id) override {
    agent_summary result;
    result.agent = id;
    options_.agent = id;
    auto agent = open_agent(options_, open_mode::existing, {as_admin(login_name()), {}});
    auto err = agent ? ask(**agent, result) : agent.error();
    return err ? stored_agents::with_problem(std::move(result), err) : result;
  }

private:
  caf::expected<listed_agents> ask_for_part(const std::string& query) const {
    auto request = request_to_host(options_, "GET", "/v1/agents" + query);
    if (!request)
      return request.error();
    auto answer = ask_server(*request, max_answer_bytes);
    if (!answer)
      return answer.error();
    return from_json<listed_agents>(json::value(std::move(*answer)));
  }

  static caf::error ask(agent_client& agent, agent_summary& out) {
    auto now = scratchpage::look_at(agent, out.agent);
    if (!now)
      return now.error();
    out.live = now->page.live;
    out.open_turns = now->page.open_turns;
    out.changes = now->page.sequence;
    out.open_goals = now->goals.goals.size();
    auto note = [&](timestamp at) {
      out.last_activity = std::max(out.last_activity.value_or(at), at);
    };
    for (const auto& x : now->turns.turns)
      note(x.ended_at.value_or(x.started_at));
    for (const auto& x : now->newest.observations)
      note(x->updated_at);
    return {};
  }

  agent_options options_;
};

/// The source that the options name.
caf::expected<std::unique_ptr<agent_source>> open_source(const agent_options& options) {
  if (!options.server.empty())
    return std::unique_ptr<agent_source>{std::make_unique<hosted_agents>(options)};
  auto data = existing_data(options.data);
  if (!data)
    return data.error();
  auto directory = data_directory::try_open(*data);
  if (!directory)
    return directory.error();
  if (!*directory)
    return std::unique_ptr<agent_source>{std::make_unique<hosted_agents>(options)};
  auto opened = storage::open_in(std::move(**directory));
  if (!opened)
    return opened.error();
  return std::unique_ptr<agent_source>{std::make_unique<stored_agents>(std::move(*opened))};
}

/// "3 min ago".
std::string ago(const std::optional<timestamp>& at, timestamp now) {
  return at ? human_time(std::max(0.0, in_milliseconds(now - *at))) + " ago" : "never";
}

std::string human_bytes(const std::optional<uint64_t>& x) {
  constexpr uint64_t kibi = 1'024;
  if (!x)
    return "";
  if (*x < kibi)
    return std::to_string(*x) + " B";
  return *x < kibi * kibi ? std::to_string(*x / kibi) + " KiB"
                          : std::to_string(*x / kibi / kibi) + " MiB";
}

void print(
  const std::vector<agent_summary>& all, size_t total, const command_environment& environment) {
  const auto& style = environment.out_style;
  auto now = wall_clock{}.now();
  table rows{{{"LIVE", true}, {"OPEN TURNS", true}, {"OPEN GOALS", true}, {"CHANGES", true, true},
    {"FILES", true, true}, {"LAST ACTIVITY"}, {"AGENT"}}};
  for (const auto& x : all) {
    std::vector<table_cell> notes;
    if (!x.problem.empty())
      notes.push_back({x.problem, ink::bad});
    rows.add(
      {{std::to_string(x.live)}, {std::to_string(x.open_turns)}, {std::to_string(x.open_goals)},
        {std::to_string(x.changes)}, {human_bytes(x.file_bytes)},
        {ago(x.last_activity, now), ink::faint}, {x.agent, ink::accent}},
      notes);
  }
  if (!all.empty()) {
    rows.print(environment.out, style);
    environment.out << '\n';
  }
  auto sum = all.size() < total ? std::to_string(all.size()) + " of " + count_of(total, "agent")
                                    + "; --limit shows more, and --ids all ids"
             : total == 0 ? "no agents; `scratchpage add` creates one"
                          : count_of(total, "agent");
  environment.out << paint(style, ink::faint, sum) << '\n';
}

} // namespace

exit_code run_agents(const agents_options& options, const command_environment& environment) {
  auto limit = usual_limit;
  option_reader read;
  read.whole_number("--limit", options.limit, limit);
  if (limit < 1)
    read.refuse("--limit", "a number of at least 1", options.limit);
  if (read.error())
    return complain(environment, read.error());
  auto source = open_source(options.agent);
  if (!source)
    return complain_of_input(environment, source.error());
  auto ids = (*source)->ids();
  if (!ids)
    return complain_of_input(environment, ids.error());
  if (options.ids) {
    for (const auto& id : *ids)
      environment.out << (options.agent.json ? to_safe_text(json::value(id)) : escaped(id)) << '\n';
    return finish(environment);
  }
  auto total = ids->size();
  ids->resize(std::min<size_t>(total, limit));
  std::vector<agent_summary> all;
  {
    slow_progress bar{environment, "agents", "agents"};
    for (const auto& id : *ids) {
      all.push_back((*source)->look_at(id));
      bar(all.size(), ids->size());
    }
  }
  if (!options.agent.json)
    print(all, total, environment);
  else
    for (const auto& x : all)
      environment.out << to_safe_text(to_json(x)) << '\n';
  auto is_whole =
    std::all_of(all.begin(), all.end(), [](const auto& x) { return x.problem.empty(); });
  return finish(environment, is_whole ? exit_code::ok : exit_code::unmet);
}

} // namespace scratchpage
