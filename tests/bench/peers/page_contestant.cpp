// The page in this process, as one of the programs that `./dev bench peers` compares: it reads one
// order in JSON a line, and answers each with one line. contestant.py has the other side.
//   {"do": "load", "file": "…", "count": 1000}        adds the first drafts of a file
//   {"do": "text"|"tags"|"goal", "questions": […]}    asks until the time is over
//   {"do": "turns", "count": 200, "at_once": 1}       runs turns of a team with six daemons

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/runtime/cli/process.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/job_queue.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/tests/bench/turn_figures.hpp"

namespace {

using namespace scratchpage;
using steady = std::chrono::steady_clock;

double seconds_since(steady::time_point begin) {
  return std::chrono::duration<double>(steady::now() - begin).count();
}

template <class T>
T value_of(caf::expected<T> x) {
  if (!x)
    throw std::runtime_error{describe(x.error())};
  return std::move(*x);
}

/// A page without storage and trace, and a client that waits for each answer.
class asked_page {
public:
  asked_page() {
    const auto& with = default_config();
    page_setup setup{with.page, with.weights, with.text, with.promotion};
    setup.limits.max_observations = 10'000'000;
    setup.limits.query_deadline_ms = 60'000; // an answer in parts would not be comparable
    setup.limits.max_bytes = setup.limits.max_bytes_per_source = uint64_t{16} << 30;
    page_ = spawn<scratch_page_state>(
      system_, agent_context{"bench", std::make_shared<wall_clock>(), nullptr}, std::move(setup));
  }
  asked_page(const asked_page&) = delete;
  asked_page& operator=(const asked_page&) = delete;

  ~asked_page() { caf::anon_send_exit(page_, caf::exit_reason::user_shutdown); }

  /// Adds the first `count` drafts of the file, a batch at a time, and lets the page index their
  /// texts. Answers the seconds that the additions took, without the reading of the file.
  json::object load(const std::string& file, size_t count) {
    constexpr size_t batch = 1'000;
    std::ifstream in{file};
    double took = 0;
    for (size_t done = 0; done < count;) {
      add_observations next{as_tool("bench"), {}};
      std::string line;
      while (next.drafts.size() < std::min(batch, count - done) && std::getline(in, line))
        next.drafts.push_back(value_of(from_json<observation_draft>(value_of(parse_json(line)))));
      if (next.drafts.empty())
        throw std::runtime_error{file + " has fewer than " + std::to_string(count) + " drafts"};
      done += next.drafts.size();
      auto begin = steady::now();
      for (const auto& x : ask<add_outcomes>(std::move(next)).outcomes)
        if (x.error)
          throw std::runtime_error{describe(x.error)};
      took += seconds_since(begin);
    }
    auto begin = steady::now();
    query_observations first;
    first.text = "anything";
    first.deadline = std::chrono::minutes{10};
    query(std::move(first));
    return {{"seconds", took}, {"seconds_of_texts", seconds_since(begin)}};
  }

  query_result query(query_observations x) {
    x.by = as_daemon("bench");
    return ask<query_result>(std::move(x));
  }

private:
  template <class T, class Request>
  T ask(Request&& x) {
    T result;
    scratchpage::ask(self_.ptr(), page_, caf::infinite, std::forward<Request>(x))
      .receive([&](T& answer) { result = std::move(answer); },
        [](const caf::error& err) { throw std::runtime_error{describe(err)}; });
    return result;
  }

  struct queue_config : caf::actor_system_config {
    queue_config() { use_shared_queue(*this); }
  };

  queue_config cfg_;
  caf::actor_system system_{cfg_};
  caf::scoped_actor self_{system_};
  scratch_page_actor page_;
};

std::string text_of(const json::value& x) {
  return std::string{x.as_string()};
}

query_observations as_query(std::string_view kind, const json::value& question) {
  query_observations result;
  if (kind == "text")
    result.text = text_of(question);
  else if (kind == "goal")
    result.filter.context["goal_id"] = question;
  else
    for (const auto& tag : question.as_array())
      result.filter.tags.push_back(text_of(tag));
  return result;
}

/// Asks one question after the other until all are answered or the time is over, at least one.
json::object ask_all(asked_page& page, std::string_view kind, const json::object& order) {
  json::array times;
  json::array totals;
  auto begin = steady::now();
  for (const auto& question : order.at("questions").as_array()) {
    auto query = as_query(kind, question);
    auto started = steady::now();
    auto answer = page.query(std::move(query));
    times.push_back(seconds_since(started) * 1e6);
    totals.push_back(answer.total_count);
    if (answer.partial)
      throw std::runtime_error{"the page ran out of time in a query"};
    if (seconds_since(begin) > order.at("seconds").to_number<double>())
      break;
  }
  return {{"us", std::move(times)}, {"totals", std::move(totals)}};
}

/// The turns that `./dev bench turns` runs, on threads as the program's.
json::object turns_of(const json::object& order) {
  auto x = bench::run_turns(
    order.at("count").to_number<size_t>(), order.at("at_once").to_number<size_t>());
  return {{"per_second", x.per_second}, {"trace_entries", x.trace_entries}};
}

json::object obey(std::unique_ptr<asked_page>& page, const json::object& order) {
  auto what = text_of(order.at("do"));
  if (what == "turns")
    return turns_of(order);
  if (what == "load") {
    page = std::make_unique<asked_page>();
    return page->load(text_of(order.at("file")), order.at("count").to_number<size_t>());
  }
  if (!page)
    throw std::runtime_error{"expected the order load first"};
  return ask_all(*page, what, order);
}

} // namespace

int main() {
  init_messages();
  calm_allocator();
  std::unique_ptr<asked_page> page;
  for (std::string line; std::getline(std::cin, line);) {
    json::object answer;
    try { // a wrong order throws
      answer = obey(page, boost::json::parse(line).as_object());
    } catch (const std::exception& e) {
      answer = {{"error", e.what()}};
    }
    std::cout << boost::json::serialize(answer) << std::endl;
  }
}
