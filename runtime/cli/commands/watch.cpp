#include "scratchpage/runtime/cli/commands/page_commands.hpp"

#include <functional>
#include <optional>
#include <ostream>
#include <utility>

#include <poll.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/runtime/cli/commands/agent_look.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/io/shutdown.hpp"
#include "scratchpage/runtime/cli/terminal/observation_view.hpp"
#include "scratchpage/runtime/cli/terminal/top_frame.hpp"
#include "scratchpage/runtime/cli/terminal/top_screen.hpp"
#include "scratchpage/runtime/events/event_order.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace scratchpage {

// -- tail -----------------------------------------------------------------------------

namespace {

constexpr auto before_the_first = "0-0";
constexpr uint32_t longest_wait = 86'400;

struct tail_order {
  follow_order what;
  uint32_t count = 0; ///< 0: all
};

caf::expected<tail_order> read_tail(const tail_options& options) {
  auto filter = read_filter(options.filter);
  if (!filter)
    return filter.error();
  tail_order result{{std::move(*filter), options.from}};
  option_reader read;
  uint32_t wait = 0;
  read.whole_number("-n", options.count, result.count).whole_number("--wait", options.wait, wait);
  if (result.count == 0 && !options.count.empty())
    read.refuse("-n", "a number of at least 1", options.count);
  if (wait > longest_wait)
    read.refuse("--wait", "up to " + std::to_string(longest_wait) + " seconds", options.wait);
  if (options.from == "start")
    result.what.from = before_the_first;
  else if (options.from != "now" && !events::read_event_id(options.from))
    read.refuse("--from", "the id of an event, now, or start", options.from);
  if (read.error())
    return read.error();
  result.what.timeout = std::chrono::seconds{wait};
  return result;
}

/// Prints events until there were enough or an error occurs, then calls `done` once.
class event_writer {
public:
  event_writer(const command_environment& to, bool json, uint32_t count, std::function<void()> done)
    : to_{to},
      lines_{to.out, to.out_style},
      json_{json},
      left_{count},
      is_limited_{count > 0},
      done_{std::move(done)} {}

  void take(json::object event) {
    if (is_done_)
      return;
    if (json_)
      to_.out << to_safe_text(json::value(std::move(event))) << '\n';
    else
      write_for_people(std::move(event));
    if (!to_.out.flush() || (is_limited_ && --left_ == 0))
      end();
  }

  void fail(const caf::error& why) {
    why_ = why;
    end();
  }

  /// The exit code, after the last event. An output that is closed is no error.
  exit_code result() const { return why_ ? complain(to_, why_) : exit_code::ok; }

private:
  void write_for_people(json::object event) {
    event.erase("id");
    auto read = from_json<page_event>(json::value(std::move(event)));
    if (read)
      lines_.print(*read);
    else
      warn(to_, "an event that this version does not know: " + describe_for_options(read.error()));
  }

  void end() {
    is_done_ = true;
    if (done_)
      done_();
  }

  const command_environment& to_;
  event_printer lines_;
  const bool json_;
  uint32_t left_;
  const bool is_limited_;
  const std::function<void()> done_;
  bool is_done_ = false;
  caf::error why_;
};

} // namespace

exit_code run_tail(const tail_options& options, const command_environment& environment) {
  auto order = read_tail(options);
  if (!order)
    return complain(environment, order.error());
  std::optional<end_signals> signals;
  if (!environment.await_end)
    signals.emplace(end_signals::and_of_pipes{});
  auto agent =
    open_or_complain(options.agent, open_mode::existing, {as_user(login_name()), {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  event_writer writer{environment, options.agent.json, order->count, [&] {
                        if (signals)
                          signals->ask();
                      }};
  auto following =
    agent->follow(std::move(order->what), {[&](json::object x) { writer.take(std::move(x)); },
                                            [&](const caf::error& why) { writer.fail(why); }});
  if (!following)
    return complain(environment, following.error());
  if (signals) {
    signals->await(environment.out_fd);
    signals->let_through(); // so that a signal ends it even if its output is not read
  } else {
    environment.await_end();
  }
  following->reset();
  return writer.result();
}

// -- top ------------------------------------------------------------------------------

namespace {

constexpr uint32_t max_seconds = 3'600;
constexpr size_t rates_shown = 60;
constexpr size_t plain_height = 10'000; // where there is no terminal: everything is shown

struct top_order {
  uint32_t every = 1;
  uint32_t count = 0; ///< 0: no limit
};

caf::expected<top_order> read_top(const top_options& options) {
  top_order result;
  option_reader read;
  read.whole_number("--every", options.every, result.every)
    .whole_number("-n", options.count, result.count);
  if (result.every < 1 || result.every > max_seconds)
    read.refuse("--every", "1 to " + std::to_string(max_seconds) + " seconds", options.every);
  if (result.count == 0 && !options.count.empty())
    read.refuse("-n", "a number of at least 1", options.count);
  if (read.error())
    return read.error();
  return result;
}

/// Draws pictures of an agent, one after the other.
class pictures {
public:
  pictures(agent_client& agent, const top_options& options, const command_environment& to)
    : agent_{agent},
      options_{options},
      to_{to} {}

  /// Waits for the next one, and lets keys change what is shown. False if it is to end.
  bool wait(live_screen& on, timespan pause) {
    wall_clock clock;
    auto until = clock.steady() + pause;
    while (true) {
      auto keys = on.wait(until - clock.steady());
      if (!keys || !view_.take(*keys, on.height(), *before_))
        return false;
      if (clock.steady() >= until)
        return true;
      on.show(frame(*before_, on.width(), on.height()));
    }
  }

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
    return draw_frame(x, rates_, style, height, view_);
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
  top_view view_;
  rate_history rates_;
  caf::error why_;
};

/// Waits where there is no terminal, and so no key to end it.
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
    open_or_complain(options.agent, open_mode::existing, {as_user(login_name()), {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  pictures all{*agent, options, environment};
  timespan pause = std::chrono::seconds{order->every};
  auto* on = screen ? &*screen : nullptr;
  auto goes_on = all.draw(on);
  for (uint32_t drawn = 1; goes_on && drawn != order->count; ++drawn)
    goes_on = (on != nullptr ? all.wait(*on, pause) : wait_plainly(pause)) && all.draw(on);
  screen.reset();
  return all.error() ? complain(environment, all.error()) : finish(environment);
}

} // namespace scratchpage
