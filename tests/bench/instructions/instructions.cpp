// Runs the hot paths, each a fixed number of times with fixed inputs, on one thread and on virtual
// time. Under `valgrind --tool=callgrind` the instructions of each path are counted:
// instructions.py reads them and compares them with instructions.json. Without valgrind it only
// runs them.
//
// usage: instructions SCENARIO…      files of samples/scenarios

#include <sys/random.h>

#include <cstring>
#include <deque>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <valgrind/callgrind.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/virtual_time.hpp"
#include "scratchpage/tests/bench/observation_source.hpp"
#include "scratchpage/tests/bench/told_turns.hpp"

/// Takes the place of the C library's function: with it, the seed of the hashes of texts is the
/// same in each run, and so are the collisions in tables.
extern "C" ssize_t getrandom(void* to, size_t size, unsigned) {
  std::memset(to, 0x5A, size);
  return static_cast<ssize_t>(size);
}

namespace {

using namespace scratchpage;

/// What is counted. `work` is called once before, so that nothing is counted that is made at the
/// first use.
struct path {
  const char* name;
  size_t times; ///< how often `work` does what is counted
  std::function<void()> work;
};

void count(const path& x) {
  x.work();
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_TOGGLE_COLLECT;
  x.work();
  CALLGRIND_TOGGLE_COLLECT;
  auto label = std::string{x.name} + " " + std::to_string(x.times);
  CALLGRIND_DUMP_STATS_AT(label.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
  std::cout << label << '\n';
}

observation_draft as_draft(const observation& x) {
  observation_draft result;
  result.type = x.type;
  result.content = x.content;
  result.confidence = x.confidence;
  result.tags = x.tags;
  result.context = x.context;
  return result;
}

/// A page on virtual time, and one who asks it.
class counted_page {
public:
  explicit counted_page(std::shared_ptr<trace_sink> trace) {
    const auto& with = default_config();
    page_setup setup{with.page, with.weights, with.text, with.promotion};
    setup.limits.max_observations = 100'000;
    page_ = spawn<scratch_page_state>(
      system_, agent_context{"counted", driver_.clock(), std::move(trace)}, std::move(setup));
    driver_.settle();
  }
  counted_page(const counted_page&) = delete;
  counted_page& operator=(const counted_page&) = delete;

  ~counted_page() {
    for (const auto& x : listeners_)
      caf::anon_send_exit(x, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(page_, caf::exit_reason::user_shutdown);
    driver_.settle();
  }

  /// Draws what `add` then adds.
  void draw(size_t count, double ttl_minutes = 1'000) {
    for (; count > 0; --count) {
      drawn_.push_back({as_tool("sensor"), as_draft(source_.make(++made_))});
      drawn_.back().draft.ttl_minutes = ttl_minutes;
    }
  }

  void add(size_t count) {
    for (; count > 0; --count) {
      anon_tell(page_, std::move(drawn_.front()));
      drawn_.pop_front();
      driver_.settle();
    }
  }

  void subscribe(observation_filter filter) {
    auto listener = system_.spawn(
      []() -> subscriber_actor::behavior_type { return {[](const event_batch&) {}}; });
    listeners_.push_back(listener);
    anon_tell(page_, scratchpage::subscribe{
                       as_daemon("listener"), std::move(listener), std::move(filter), {}, true});
    driver_.settle();
  }

  void query(query_observations what) {
    what.by = as_daemon("asker");
    what.deadline = std::chrono::hours{1};
    auto answer = ask(self_.ptr(), page_, caf::infinite, std::move(what));
    driver_.settle();
    answer.receive([](const query_result&) {},
      [](const caf::error& err) { throw std::runtime_error{describe(err)}; });
  }

  void advance(timespan by) { driver_.advance(by); }
  const bench::observation_source& source() const { return source_; }

private:
  static caf::actor_system_config& prepared(caf::actor_system_config& cfg) {
    use_virtual_time(cfg);
    return cfg;
  }

  caf::actor_system_config cfg_;
  caf::actor_system system_{prepared(cfg_)};
  virtual_time_driver driver_{system_};
  caf::scoped_actor self_{system_};
  bench::observation_source source_;
  size_t made_ = 0;
  std::deque<add_observation> drawn_;
  scratch_page_actor page_;
  std::vector<subscriber_actor> listeners_;
};

/// Six filters, each of which selects everything that is added.
void subscribe_six(counted_page& page) {
  page.subscribe({.min_confidence = 0});
  page.subscribe({.source = {"sensor"}});
  page.subscribe({.owner = {"agent"}});
  page.subscribe({.status = {status::active}});
  page.subscribe({.source = {"sensor", "other"}});
  page.subscribe({});
}

void count_additions(const char* name, bool with_subscribers, std::shared_ptr<trace_sink> trace) {
  constexpr size_t before = 2'000;
  constexpr size_t additions = 256;
  counted_page page{std::move(trace)};
  if (with_subscribers)
    subscribe_six(page);
  page.draw(before + 2 * additions);
  page.add(before);
  count({name, additions, [&] { page.add(additions); }});
}

void count_queries() {
  constexpr size_t observations = 20'000;
  constexpr size_t queries = 32;
  counted_page page{nullptr};
  page.draw(observations);
  page.add(observations);
  const auto& tags = page.source().tags();
  const auto& words = page.source().words();
  count({"query_by_two_tags", queries, [&] {
           for (size_t i = 0; i < queries; ++i)
             page.query({.filter = {.tags = {tags[i], tags[i + 1]}}});
         }});
  count({"query_by_common_words", queries, [&] {
           for (size_t i = 0; i < queries; ++i)
             page.query({.text = words[i % 7] + " " + words[i % 7 + 1] + " " + words[i % 7 + 2]});
         }});
  count({"query_by_rare_words", queries, [&] {
           for (size_t i = 0; i < queries; ++i)
             page.query({.text = words[9'000 + i] + " " + words[9'100 + i]});
         }});
}

/// Twice as many as are counted: the first half expires before.
void count_expiry() {
  constexpr size_t ends = 1'024;
  counted_page page{nullptr};
  page.draw(ends, 10);
  page.draw(ends, 20);
  page.add(2 * ends);
  count({"expiry", ends, [&] { page.advance(std::chrono::minutes{11}); }});
}

void count_policies(const std::vector<std::filesystem::path>& files) {
  auto turns = bench::read_told_turns(files);
  if (!turns)
    throw std::runtime_error{describe(turns.error())};
  bench::deciding policies;
  count({"policies_of_a_turn", turns->size(), [&] {
           for (const auto& x : *turns)
             policies.decide(x);
         }});
}

void count_masking() {
  const std::vector<std::string> texts{
    "The search for flight 4711 to Paris found three seats left, the cheapest for 129.50 euros",
    "Write to jane.doe@mail.example.com, or call +49 30 901820 before nine",
    "Paid with 4111 1111 1111 1111 on 2026-02-03; the receipt went to 192.0.2.17",
    "Nothing to hide: 3 of 12 ships are late, and pier seven is closed until 18:30"};
  pii_masker masker;
  count({"masking_of_a_text", texts.size(), [&] {
           for (const auto& x : texts)
             masker.mask(x);
         }});
}

void count_texts() {
  constexpr size_t events = 64;
  bench::observation_source source;
  std::vector<page_event> made;
  std::vector<std::string> drafts;
  for (size_t n = 1; n <= events; ++n) {
    page_event event;
    event.sequence = n;
    event.at = timestamp{std::chrono::milliseconds{n}};
    auto x = source.make(n);
    drafts.push_back(to_text(to_json(as_draft(x))));
    event.observation = observation_ptr{std::move(x)};
    made.push_back(std::move(event));
  }
  event_list group{std::move(made)};
  count({"journal_of_an_event", events, [&] { to_group(group); }});
  count({"json_of_a_draft_read", events, [&] {
           for (const auto& x : drafts)
             if (!from_json<observation_draft>(*parse_json(x)))
               throw std::runtime_error{"expected a draft"};
         }});
  trace_entry entry;
  entry.component = "scratch_page";
  entry.operation = "add_observation";
  entry.status = "success";
  entry.observation = group.begin()->observation;
  count({"trace_entry_written", events, [&] {
           std::string text;
           for (size_t i = 0; i < events; ++i)
             append_complete(text, entry);
         }});
}

} // namespace

int main(int argc, char** argv) {
  init_messages();
  std::cout << "compiler: g++ " << __VERSION__ << ", " << SCRATCHPAGE_PROCESSOR << '\n';
  try { // a scenario that cannot be read throws
    count_additions("addition_delivered_to_six", true, nullptr);
    count_additions("addition_traced", false, std::make_shared<memory_trace>());
    count_queries();
    count_expiry();
    count_policies({argv + 1, argv + argc});
    count_masking();
    count_texts();
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
