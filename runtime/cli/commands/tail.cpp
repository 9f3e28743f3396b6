#include "scratchpage/runtime/cli/commands/tail.hpp"

#include <functional>
#include <optional>
#include <ostream>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/option_reader.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/end_signals.hpp"
#include "scratchpage/runtime/cli/io/login_name.hpp"
#include "scratchpage/runtime/cli/terminal/event_view.hpp"
#include "scratchpage/runtime/events/event_order.hpp"

namespace scratchpage {

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
    read.refuse("-n", "a number from 1 on", options.count);
  if (wait > longest_wait)
    read.refuse("--wait", "up to " + std::to_string(longest_wait) + " seconds", options.wait);
  if (options.from == "start")
    result.what.from = before_the_first;
  else if (options.from != "now" && !serve::read_event_id(options.from))
    read.refuse("--from", "the id of an event, now, or start", options.from);
  if (read.error())
    return read.error();
  result.what.patience = std::chrono::seconds{wait};
  return result;
}

/// Writes events until it has had enough; that, or an error, it tells once.
class event_writer {
public:
  event_writer(const command_environment& to, bool json, uint32_t count, std::function<void()> done)
    : to_{to},
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

  /// When nothing is taken any more. Who closes the output has seen enough, too.
  exit_code result() const { return why_ ? complain(to_, why_) : exit_code::ok; }

private:
  void write_for_people(json::object event) {
    event.erase("id");
    auto read = from_json<page_event>(json::value(std::move(event)));
    if (read)
      print_event(to_.out, to_.out_style, *read);
    else
      warn(to_, "an event that this program does not know: " + describe_for_options(read.error()));
  }

  void end() {
    is_done_ = true;
    if (done_)
      done_();
  }

  const command_environment& to_;
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
    open_or_complain(options.agent, if_missing::refuse, {as_user(login_name()), {}}, environment);
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
    signals->let_through(); // whoever does not read its output may have to be killed
  } else {
    environment.await_end();
  }
  following->reset();
  return writer.result();
}

} // namespace scratchpage
