#include "scratchpage/runtime/cli/commands/page_commands.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/persistence/trace/trace_store.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

namespace {

/// Makes a tree of entries.
class tree_builder {
public:
  explicit tree_builder(std::span<const trace_entry> entries)
    : entries_{entries},
      children_(entries.size()),
      is_shown_(entries.size(), false) {
    for (size_t i = 0; i < entries.size(); ++i)
      by_id_[entries[i].id].push_back(i);
  }

  std::vector<trace_node> build() {
    std::vector<size_t> roots;
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (auto cause = cause_of(i))
        children_[*cause].push_back(i);
      else
        roots.push_back(i);
    }
    for (auto root : roots)
      show(root);
    for (size_t i = 0; i < entries_.size(); ++i)
      show(i); // the entries whose causes form a cycle
    return std::move(nodes_);
  }

private:
  /// Each process begins its ids anew, so several entries may have the same id.
  std::optional<size_t> cause_of(size_t i) const {
    auto known = by_id_.find(entries_[i].parent);
    if (entries_[i].parent == 0 || known == by_id_.end())
      return std::nullopt;
    std::optional<size_t> nearest;
    auto distance = [i](size_t other) { return other < i ? i - other : other - i; };
    for (auto other : known->second)
      if (other != i && (!nearest || distance(other) < distance(*nearest)))
        nearest = other;
    return nearest;
  }

  /// Appends an entry and all that it caused. Without recursion, since the tree may be deep.
  void show(size_t root) {
    std::vector<std::pair<size_t, size_t>> open{{root, 0}};
    while (!open.empty()) {
      auto [i, depth] = open.back();
      open.pop_back();
      if (is_shown_[i])
        continue;
      is_shown_[i] = true;
      nodes_.push_back({&entries_[i], depth});
      for (auto child = children_[i].rbegin(); child != children_[i].rend(); ++child)
        open.emplace_back(*child, depth + 1);
    }
  }

  std::span<const trace_entry> entries_;
  std::unordered_map<span_id, std::vector<size_t>> by_id_;
  std::vector<std::vector<size_t>> children_;
  std::vector<bool> is_shown_;
  std::vector<trace_node> nodes_;
};

constexpr size_t max_entries = 10'000; // of a turn, in a table
constexpr size_t deepest = 12;         // deeper entries are shown there
constexpr uint64_t max_listed = 10'000;

struct listed_turns {
  std::vector<traced_turn> turns;

  static constexpr auto fields(auto all) { return all(required("turns", &listed_turns::turns)); }
};

ink ink_of(const trace_entry& x) {
  if (x.status == "success")
    return ink::good;
  return is_error_status(x.status) ? ink::bad : ink::warn;
}

/// The scalar members, as "name=value".
std::string brief(const json::object& detail) {
  std::string result;
  for (const auto& [name, value] : detail) {
    if (value.is_structured())
      continue;
    result.append(result.empty() ? "" : " ").append(name.data(), name.size()).append("=");
    if (const auto* text = value.if_string())
      result.append(text->data(), text->size());
    else
      result += to_text(value);
  }
  return result;
}

/// The time of the day, such as "10:30:00.250".
std::string time_of_day(timestamp at) {
  constexpr size_t date = 11; // "2025-11-05T"
  auto text = to_rfc3339(at);
  return text.substr(date, text.size() - date - 1);
}

std::string milliseconds(double x) {
  return x == 0 ? "" : human_time(x);
}

/// The branches of the tree in front of each entry; spaces if the terminal has no symbols.
std::vector<std::string> branches_of(
  const std::vector<trace_node>& nodes, const terminal_style& style) {
  std::vector<std::string> result(nodes.size());
  std::array<bool, deepest + 1> goes_on{}; // whether something follows at that depth
  for (size_t i = nodes.size(); i-- > 0;) {
    auto depth = std::min(nodes[i].depth, deepest);
    for (size_t at = 1; at <= depth; ++at) {
      if (!style.symbols)
        result[i] += "  ";
      else if (at == depth)
        result[i] += goes_on[at] ? "├─" : "└─";
      else
        result[i] += goes_on[at] ? "│ " : "  ";
    }
    goes_on[depth] = true;
    std::fill(goes_on.begin() + static_cast<std::ptrdiff_t>(depth) + 1, goes_on.end(), false);
  }
  return result;
}

void print_tree(const std::vector<trace_entry>& entries, const command_environment& environment) {
  table rows{
    {{"AT (UTC)"}, {"WHAT"}, {"STATUS"}, {"TOOK", true, true}, {"BY", false, true}, {"DETAIL"}}};
  auto nodes = tree_of(entries);
  auto branches = branches_of(nodes, environment.out_style);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto& x = nodes[i];
    rows.add({{time_of_day(x.entry->at), ink::faint},
      {branches[i] + x.entry->component + " " + x.entry->operation, ink::accent},
      {x.entry->status, ink_of(*x.entry)}, {milliseconds(x.entry->duration_ms)}, {x.entry->source},
      {brief(x.entry->detail), ink::faint}});
  }
  rows.print(environment.out, environment.out_style);
}

void print_turns(const listed_turns& found, const command_environment& environment) {
  table rows{{{"TURN"}, {"BEGAN (UTC)"}, {"TOOK", true}, {"ENTRIES", true}, {"FAILURES", true}}};
  for (const auto& x : found.turns)
    rows.add({{x.turn_id, ink::accent}, {to_rfc3339(x.began), ink::faint},
      {human_time(in_milliseconds(x.ended - x.began))}, {std::to_string(x.entries)},
      {std::to_string(x.failures), x.failures > 0 ? ink::bad : ink::faint}});
  rows.print(environment.out, environment.out_style);
}

void print_total(size_t count, std::string_view one, std::string_view many,
  const command_environment& environment) {
  std::string total = count == 0 ? "no" : std::to_string(count);
  total.append(" ").append(count == 1 ? one : many);
  if (count > 0)
    environment.out << '\n';
  environment.out << paint(environment.out_style, ink::faint, total) << '\n';
}

/// Where a trace is read.
class trace_source {
public:
  virtual ~trace_source() = default;
  virtual caf::expected<std::vector<traced_turn>> turns(uint64_t count) = 0;
  virtual caf::expected<std::vector<trace_entry>> latest(uint64_t count) = 0;
  /// Passes on the entries of a turn.
  virtual caf::error read(const std::string& turn_id, const trace_store::visitor& f) = 0;
};

/// The database of traces in a directory.
class trace_in_directory : public trace_source {
public:
  trace_in_directory(std::unique_ptr<trace_store> in, std::string agent_id)
    : in_{std::move(in)},
      agent_id_{std::move(agent_id)} {}

  caf::expected<std::vector<traced_turn>> turns(uint64_t count) override {
    return in_->turns(agent_id_, count);
  }
  caf::expected<std::vector<trace_entry>> latest(uint64_t count) override {
    return in_->latest(agent_id_, count);
  }
  caf::error read(const std::string& turn_id, const trace_store::visitor& f) override {
    return in_->read(agent_id_, turn_id, f);
  }

private:
  std::unique_ptr<trace_store> in_;
  std::string agent_id_;
};

/// The agent in another process.
class trace_of_agent : public trace_source {
public:
  explicit trace_of_agent(std::unique_ptr<agent_client> agent)
    : agent_{std::move(agent)} {}

  caf::expected<std::vector<traced_turn>> turns(uint64_t count) override {
    auto found =
      agent_->call_for<traced_turn_list>(std::string{traced_turns_query::name}, {{"limit", count}});
    if (!found)
      return found.error();
    return std::move(found->turns);
  }

  caf::expected<std::vector<trace_entry>> latest(uint64_t count) override {
    auto found =
      agent_->call_for<latest_entries>(std::string{latest_entries_query::name}, {{"limit", count}});
    if (!found)
      return found.error();
    return std::move(found->entries);
  }

  caf::error read(const std::string& turn_id, const trace_store::visitor& f) override {
    std::string cursor;
    do {
      auto part =
        agent_->call_for<turn_trace>("turn_trace", {{"turn_id", turn_id}, {"cursor", cursor}});
      if (!part) // a turn without entries is none
        return code_of(part.error()) == errc::not_found && field_of(part.error()) == "turn_id"
                 ? caf::error{}
                 : part.error();
      for (auto& x : part->entries)
        if (!f(std::move(x)))
          return {};
      cursor = part->entries.empty() ? "" : std::move(part->next_cursor);
    } while (!cursor.empty());
    return {};
  }

private:
  std::unique_ptr<agent_client> agent_;
};

/// Prints what the options ask for.
class answer {
public:
  answer(const trace_options& options, const command_environment& environment, trace_source& in)
    : options_{options},
      environment_{environment},
      in_{in} {}

  exit_code give() {
    if (options_.turns)
      return list_turns();
    return options_.turn_id.empty() ? show_latest() : show_turn();
  }

private:
  exit_code list_turns() {
    auto found = in_.turns(options_.limit);
    if (!found)
      return complain(environment_, found.error());
    listed_turns all{std::move(*found)};
    if (options_.agent.json) {
      environment_.out << to_safe_text(to_json(all)) << '\n';
    } else {
      if (!all.turns.empty())
        print_turns(all, environment_);
      print_total(all.turns.size(), "turn", "turns", environment_);
    }
    return finish(environment_);
  }

  exit_code show_latest() {
    auto found = in_.latest(options_.limit);
    if (!found)
      return complain(environment_, found.error());
    show(*found, found->size());
    return finish(environment_);
  }

  exit_code show_turn() {
    std::vector<trace_entry> entries;
    size_t count = 0;
    auto err = in_.read(options_.turn_id, [&](trace_entry&& x) {
      ++count;
      if (options_.agent.json)
        print_line(x);
      else if (entries.size() < max_entries)
        entries.push_back(std::move(x));
      return true;
    });
    if (err)
      return complain(environment_, err);
    if (count == 0)
      return complain(
        environment_, fail(errc::not_found, "",
                        "there is no trace of a turn '" + options_.turn_id + "' of "
                          + options_.agent.agent + "; `scratchpage trace --turns` lists them"));
    if (!options_.agent.json)
      show(entries, count);
    return finish(environment_);
  }

  void show(const std::vector<trace_entry>& entries, size_t count) {
    if (options_.agent.json) {
      for (const auto& x : entries)
        print_line(x);
      return;
    }
    if (!entries.empty())
      print_tree(entries, environment_);
    print_total(count, "entry", "entries", environment_);
    if (count > entries.size())
      warn(environment_, "only the first " + std::to_string(entries.size())
                           + " are shown; --json gives all of them");
  }

  void print_line(const trace_entry& x) { environment_.out << to_safe_text(to_json(x)) << '\n'; }

  const trace_options& options_;
  const command_environment& environment_;
  trace_source& in_;
};

caf::error check(const trace_options& x) {
  if (x.turns && !x.turn_id.empty())
    return fail(errc::invalid_request, "--turns", "expected either this option or a turn's id");
  if (x.limit < 1 || x.limit > max_listed)
    return fail(errc::invalid_request, "--limit",
      "expected a number from 1 to " + std::to_string(max_listed));
  return check_agent_id(x.agent.agent);
}

} // namespace

std::vector<trace_node> tree_of(std::span<const trace_entry> entries) {
  return tree_builder{entries}.build();
}

exit_code run_trace(const trace_options& options, const command_environment& environment) {
  if (auto err = check(options))
    return complain(environment, err);
  auto stored = find_stored(options.agent.data, options.agent.server, options.agent.ca_file);
  if (!stored)
    return complain_of_input(environment, stored.error());
  if (!stored->here) {
    auto agent = open_or_complain(
      options.agent, open_mode::existing, {as_admin(login_name()), {}}, environment);
    if (!agent)
      return exit_code::bad_input;
    trace_of_agent in{std::move(agent)};
    return answer{options, environment, in}.give();
  }
  if (auto err = check_is_known(*stored->here->store, options.agent.agent))
    return complain(environment, err);
  auto traces = stored->here->open_trace();
  if (!traces)
    return complain(environment, traces.error());
  trace_in_directory in{std::move(*traces), options.agent.agent};
  return answer{options, environment, in}.give();
}

} // namespace scratchpage
