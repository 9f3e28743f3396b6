#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/actors/storage/archive_reader.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/support/memory_store.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

/// Many listings of the archive by one caller do not block other callers.

namespace scratchpage::test {

namespace {

/// An archive that notes the order of the sources that are searched.
class watched_archive : public memory_store {
public:
  caf::error read_archive(
    uint64_t agent, const archive_range& range, const visitor<archive_row>& f) override {
    if (!range.without_bodies)
      order += range.source.front() + " ";
    return memory_store::read_archive(agent, range, f);
  }

  std::string order;
};

/// A clock that stands still until a test sets it.
class set_clock : public scratchpage::clock {
public:
  timestamp now() const override { return timestamp{at}; }
  timespan steady() const override { return at; }

  timespan at{};
};

/// Objects that the actor refers to; in a base class, so that they outlive the actor.
struct archive_parts {
  std::shared_ptr<watched_archive> in = std::make_shared<watched_archive>();
  std::shared_ptr<set_clock> time = std::make_shared<set_clock>();
};

struct listed_archive : archive_parts, virtual_time {
  using answer = std::shared_ptr<pending_answer<query_result>>;

  archive_actor archive = make<archive_reader>(in, in->claim("tester")->agent, time);

  /// Begins a listing of the observations of that source.
  answer list(const caller& by, const std::string& source) {
    list_archive request;
    request.by = by;
    request.filter.source = {source};
    return send(archive, std::move(request));
  }

  answer list_from_outside(const std::string& name) {
    auto by = as_tool(name);
    by.outside = true;
    return list(by, name);
  }

  std::vector<answer> flood(size_t count) {
    std::vector<answer> result;
    for (size_t i = 0; i < count; ++i)
      result.push_back(list_from_outside("flood"));
    return result;
  }

  static errc code(const answer& x) {
    BOOST_REQUIRE(x->arrived());
    BOOST_REQUIRE(!*x->value);
    return code_of(x->value->error());
  }

  static bool is_answered(const answer& x) { return x->arrived() && *x->value; }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(the_archive_reader, listed_archive)

BOOST_AUTO_TEST_CASE(looks_for_the_ensemble_before_those_outside_who_wait) {
  auto flooding = flood(10);
  auto own = list(as_daemon("executor"), "own");
  settle();
  BOOST_TEST(is_answered(own));
  BOOST_TEST(!flooding.back()->arrived());
  // At most one listing came before the ensemble's.
  BOOST_TEST(in->order.find("own") <= std::string_view{"flood "}.size());
  advance(std::chrono::milliseconds{1});
  for (const auto& x : flooding)
    BOOST_TEST(is_answered(x));
}

BOOST_AUTO_TEST_CASE(serves_one_principal_after_another) {
  flood(10);
  auto other = list_from_outside("other");
  advance(std::chrono::milliseconds{1});
  BOOST_TEST(is_answered(other));
  BOOST_TEST(in->order.find("other") <= std::string_view{"flood flood "}.size());
}

BOOST_AUTO_TEST_CASE(lets_only_so_many_listings_of_one_principal_wait) {
  auto flooding = flood(query_limits::waiting_to_read + 2);
  auto other = list_from_outside("other");
  settle();
  BOOST_CHECK(code(flooding.back()) == errc::overloaded);
  advance(std::chrono::milliseconds{1});
  BOOST_TEST(is_answered(flooding[query_limits::waiting_to_read - 1]));
  BOOST_TEST(is_answered(other));
}

BOOST_AUTO_TEST_CASE(reads_nothing_for_what_has_waited_too_long) {
  auto flooding = flood(10);
  settle();
  auto read = in->order;
  time->at += from_milliseconds(query_limits::waiting_ms + 1);
  advance(std::chrono::milliseconds{1});
  BOOST_CHECK(code(flooding.back()) == errc::deadline_exceeded);
  BOOST_TEST(in->order == read);
}

BOOST_AUTO_TEST_CASE(lists_at_once_for_somebody_outside_if_nobody_else_waits) {
  auto alone = list_from_outside("alone");
  settle();
  BOOST_TEST(is_answered(alone));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
