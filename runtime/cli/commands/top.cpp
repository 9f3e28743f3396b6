#include "scratchpage/runtime/cli/commands/top.hpp"

#include <optional>
#include <ostream>
#include <utility>

#include <poll.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/cli/commands/every_goal.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/option_reader.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/login_name.hpp"
#include "scratchpage/runtime/cli/terminal/live_screen.hpp"
#include "scratchpage/runtime/cli/terminal/top_frame.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t most_seconds = 3'600;
constexpr size_t rates_shown = 60;
constexpr size_t plain_height = 40; // where there is no terminal
constexpr auto some = 20;

struct top_order {
  uint32_t every = 1;
  uint32_t count = 0; ///< 0: until one asks to end
};

caf::expected<top_order> read_top(const top_options& options) {
  top_order result;
  option_reader read;
  read.whole_number("--every", options.every, result.every)
    .whole_number("-n", options.count, result.count);
  if (result.every < 1 || result.every > most_seconds)
    read.refuse("--every", "1 to " + std::to_string(most_seconds) + " seconds", options.every);
  if (result.count == 0 && !options.count.empty())
    read.refuse("-n", "a number from 1 on", options.count);
  if (read.error())
    return read.error();
  return result;
}

caf::expected<agent_snapshot> look_at(agent_client& agent, const std::string& id) {
  agent_snapshot result;
  result.agent = id;
  caf::error failed;
  auto keep = [&](auto found, auto& to) {
    if (found)
      to = std::move(*found);
    else
      failed = found.error();
  };
  auto get = [&](const char* operation, auto& to, json::object arguments = {}) {
    if (!failed)
      keep(agent.call_for<std::decay_t<decltype(to)>>(operation, std::move(arguments)), to);
  };
  get("page_stats", result.page);
  get("subscribers_list", result.subscribers);
  get("turns_list", result.turns, {{"limit", some}});
  if (!failed)
    keep(every_goal(agent, {goal_status::pending, goal_status::in_progress, goal_status::blocked}),
      result.goals);
  get("list_observations", result.newest, {{"limit", some}});
  result.at = wall_clock{}.now();
  if (failed)
    return failed;
  return result;
}

/// Pictures one after the other, until there were enough.
class pictures {
public:
  pictures(agent_client& agent, const top_options& options, const command_environment& to)
    : agent_{agent},
      options_{options},
      to_{to} {}

  /// Draws one; false if the agent does not answer.
  bool draw(live_screen* on) {
    auto now = look_at(agent_, options_.agent.agent);
    if (!now) {
      why_ = now.error();
      return false;
    }
    if (before_)
      rates_.push_back(changes_per_second(*before_, *now));
    if (rates_.size() > rates_shown)
      rates_.pop_front();
    if (options_.agent.json)
      write_json(*now);
    else if (on != nullptr)
      on->show(frame(*now, on->width(), on->height()));
    else
      for (const auto& line : frame(*now, to_.out_style.width, plain_height))
        to_.out << line << '\n';
    before_ = std::move(*now);
    return true;
  }

  const caf::error& error() const { return why_; }

private:
  std::vector<std::string> frame(const agent_snapshot& x, size_t width, size_t height) const {
    auto style = to_.out_style;
    style.width = width;
    return draw_frame(x, rates_, style, height);
  }

  void write_json(const agent_snapshot& x) const {
    json::object all{{"agent", x.agent}, {"at", to_rfc3339(x.at)}, {"page", to_json(x.page)},
      {"subscribers", to_json(x.subscribers).at("subscribers")},
      {"turns", to_json(x.turns).at("turns")}, {"goals", to_json(x.goals).at("goals")},
      {"changes_per_second", rates_.empty() ? 0.0 : rates_.back()}};
    to_.out << to_safe_text(json::value(std::move(all))) << std::endl;
  }

  agent_client& agent_;
  const top_options& options_;
  const command_environment& to_;
  std::optional<agent_snapshot> before_;
  rate_history rates_;
  caf::error why_;
};

/// Where nobody can press a key.
bool wait_plainly(timespan pause) {
  auto most = std::chrono::duration_cast<std::chrono::milliseconds>(pause).count();
  return poll(nullptr, 0, static_cast<int>(most)) == 0;
}

} // namespace

exit_code run_top(const top_options& options, const command_environment& environment) {
  auto order = read_top(options);
  if (!order)
    return complain(environment, order.error());
  auto is_watched =
    environment.out_fd >= 0 && is_terminal(environment.out_fd) && !options.agent.json;
  if (!is_watched && order->count == 0)
    order->count = 1;
  std::optional<live_screen> screen; // before the agent's threads
  if (is_watched)
    screen.emplace(environment.out, environment.out_fd, environment.in_fd);
  auto agent =
    open_or_complain(options.agent, if_missing::refuse, {as_user(login_name()), {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  pictures all{*agent, options, environment};
  timespan pause = std::chrono::seconds{order->every};
  auto* on = screen ? &*screen : nullptr;
  auto goes_on = all.draw(on);
  for (uint32_t drawn = 1; goes_on && drawn != order->count; ++drawn)
    goes_on = (on != nullptr ? on->wait(pause) : wait_plainly(pause)) && all.draw(on);
  screen.reset();
  return all.error() ? complain(environment, all.error()) : finish(environment);
}

} // namespace scratchpage
