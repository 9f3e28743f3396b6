#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/actors/scratchbook/scratchbooks.hpp"
#include "scratchpage/actors/storage/file_keeper.hpp"
#include "scratchpage/messages/messages.hpp"
#include "scratchpage/persistence/files/memory_files.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/tests/actors/scratchbook/books.hpp"
#include "scratchpage/tests/support/stub_behavior.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

/// What large books, and many of them, take of time and memory.

namespace scratchpage::test {

namespace {

class counted_files : public memory_files {
public:
  caf::error write(std::string_view path, std::string_view bytes) override {
    ++writes;
    return memory_files::write(path, bytes);
  }

  caf::expected<std::optional<file_content>> read(
    std::string_view path, uint64_t offset, uint64_t most) override {
    ++reads;
    return memory_files::read(path, offset, most);
  }

  int writes = 0;
  int reads = 0;
};

/// Each look at it takes a while.
class slow_clock : public scratchpage::clock {
public:
  explicit slow_clock(std::shared_ptr<const scratchpage::clock> of)
    : of_{std::move(of)} {}

  timestamp now() const override { return of_->now(); }
  timespan steady() const override { return of_->steady() + (ahead_ += step); }

  timespan step{};

private:
  std::shared_ptr<const scratchpage::clock> of_;
  mutable timespan ahead_{};
};

/// A FRONTAL CORTEX that answers nothing about goals.
class busy_cortex {
public:
  using handle = frontal_cortex_actor;
  static constexpr const char* name = "busy_cortex";

  explicit busy_cortex(handle::pointer self)
    : self_{self} {}

  handle::behavior_type make_behavior() {
    return stub_behavior<handle>([this](const get_goal&) -> caf::result<goal> {
      return waiting_.emplace_back(self_->make_response_promise<goal>());
    });
  }

private:
  handle::pointer self_;
  std::vector<caf::typed_response_promise<goal>> waiting_;
};

struct book_parts {
  std::shared_ptr<counted_files> files = std::make_shared<counted_files>();
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
};

struct large_books : book_parts, virtual_time {
  using answer = std::shared_ptr<pending_answer<scratchbook_item>>;

  scratchbook_config config;
  std::shared_ptr<slow_clock> slow = std::make_shared<slow_clock>(clock);
  scratchbook_actor books;

  void begin() {
    auto keeper = make<file_keeper_state>(files);
    books = make<scratchbooks_state>(
      agent_context{"agent", slow, trace}, scratchbook_parts{keeper, make<busy_cortex>()}, config);
  }

  /// About 16 KB each.
  void fill(const std::string& thread, int items) {
    for (int i = 0; i < items; ++i)
      value(ask(books, scratch_add{as_daemon("planner"), thread,
                         draft_of(item_kind::note, "long", std::string(16'000, 'x'))}));
  }

  answer start_add(const std::string& thread, const std::string& by = "planner") {
    return start(books, scratch_add{as_daemon(by), thread, draft_of(item_kind::todo, "short")});
  }

  answer start_settled(const std::string& thread) {
    auto result = start_add(thread);
    settle();
    return result;
  }

  /// It waits for the Frontal Cortex, which does not answer.
  answer start_linked(const std::string& thread) {
    auto item = draft_of(item_kind::todo, "linked");
    item.goal_id = "goal_1";
    return start(books, scratch_add{as_daemon("planner"), thread, item});
  }

  void read(const std::string& thread) {
    value(ask(books, scratch_read{as_daemon("planner"), thread, {}}));
  }

  template <class T>
  static T value(caf::expected<T> x) {
    BOOST_REQUIRE_MESSAGE(x, (x ? "" : describe(x.error())));
    return std::move(*x);
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(large_scratchbooks, large_books)

BOOST_AUTO_TEST_CASE(changes_of_a_large_book_are_collected_while_it_rests) {
  begin();
  fill("trip", 20);
  slow->step = std::chrono::milliseconds{100};
  auto first = start_add("trip");
  settle();
  BOOST_REQUIRE(first->arrived());
  auto before = files->writes;
  auto second = start_add("trip");
  auto third = start_add("trip");
  settle();
  BOOST_TEST(!second->arrived());
  read("trip"); // nobody waits who only reads
  advance(std::chrono::seconds{1});
  BOOST_TEST(value(*second->value).id == "s22");
  BOOST_TEST(value(*third->value).id == "s23");
  BOOST_TEST(files->writes == before + 1);
}

BOOST_AUTO_TEST_CASE(a_small_book_does_not_rest) {
  begin();
  slow->step = std::chrono::milliseconds{100};
  for (int i = 0; i < 10; ++i) {
    auto added = start_add("trip");
    settle();
    BOOST_TEST(added->arrived());
  }
}

BOOST_AUTO_TEST_CASE(a_large_book_that_is_full_rests_after_what_it_refuses) {
  config.limits.max_bytes = 350'000;
  begin();
  fill("trip", 21);
  slow->step = std::chrono::milliseconds{100};
  auto large = draft_of(item_kind::note, "long", std::string(16'000, 'x'));
  auto first = start(books, scratch_add{as_daemon("planner"), "trip", large});
  settle();
  BOOST_REQUIRE(first->arrived());
  BOOST_TEST(!*first->value);
  auto second = start(books, scratch_add{as_daemon("planner"), "trip", large});
  settle();
  BOOST_TEST(!second->arrived());
  advance(std::chrono::seconds{1});
  BOOST_TEST(second->arrived());
}

BOOST_AUTO_TEST_CASE(books_that_nobody_uses_are_closed_when_they_take_too_much_memory) {
  config.limits.max_bytes = 100'000;
  config.open_bytes = 300'000; // a full one takes 200 000
  begin();
  fill("a", 4);
  fill("b", 4);
  BOOST_TEST(files->reads == 2);
  read("b");
  BOOST_TEST(files->reads == 2);
  read("a"); // it was closed when the other was opened
  BOOST_TEST(files->reads == 3);
  for (int i = 0; i < 20; ++i)
    value(*start_settled("small" + std::to_string(i))->value);
  auto before = files->reads;
  for (int i = 10; i < 20; ++i)
    read("small" + std::to_string(i)); // many small ones stay open
  BOOST_TEST(files->reads == before);
}

BOOST_AUTO_TEST_CASE(another_book_is_opened_when_there_is_memory_for_it) {
  config.open_bytes = 1;
  begin();
  auto first = start_linked("a");
  auto second = start_add("b");
  auto third = start_add("c");
  settle();
  BOOST_TEST(!first->arrived());
  BOOST_TEST(!second->arrived());
  advance(from_milliseconds(config.goal_ms));
  BOOST_TEST(first->arrived());
  BOOST_TEST(value(*second->value).id == "s1");
  BOOST_TEST(value(*third->value).id == "s1");
}

BOOST_AUTO_TEST_CASE(only_so_many_requests_of_one_principal_wait_for_memory) {
  config.open_bytes = 1;
  config.max_waiting = 2;
  begin();
  start_linked("a");
  std::vector<answer> waiting{start_add("b"), start_add("c")};
  auto refused = start_add("d");
  auto other = start_add("e", "another");
  settle();
  BOOST_REQUIRE(refused->arrived());
  BOOST_TEST(name_of(code_of(refused->value->error())) == "overloaded");
  BOOST_TEST(!other->arrived());
  advance(from_milliseconds(config.goal_ms));
  for (const auto& x : waiting)
    value(*x->value);
  value(*other->value);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
