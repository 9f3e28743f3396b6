#include <algorithm>
#include <tuple>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/persistence/store/choices.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"

/// Random histories of valid and invalid calls. The store must answer each call as the
/// model does.

namespace scratchpage {

using namespace test;

namespace {

struct known_agent {
  std::string agent_id;
  std::vector<ownership> claims; // the last one is valid
  uint64_t last = 0;             // last sequence
};

/// Makes random calls. `pages` compares the answers.
class history {
public:
  history(lockstep_store& pages, store& model, uint64_t seed)
    : pages_{pages},
      model_{model},
      pick_{seed} {
    for (const auto* name : {"ada", "bob", "eve"})
      agents_.push_back({name, {claim(pages, name)}});
  }

  void step() {
    switch (pick_.below(24)) {
    case 0:
      claim_one();
      break;
    case 1:
      cut();
      break;
    case 2:
      forget();
      break;
    case 3:
    case 4:
      move_snapshot();
      break;
    case 5:
    case 6:
      put_some();
      break;
    case 7:
    case 8:
    case 9:
      read();
      break;
    case 10:
    case 11:
      pack();
      break;
    case 12:
      remove_some();
      break;
    case 13:
      rewrite();
      break;
    default:
      append_some();
    }
  }

private:
  known_agent& any() { return agents_[pick_.below(agents_.size())]; }

  ownership claim_of(const known_agent& x) {
    if (pick_.one_in(12))
      return {x.claims.back().agent + pick_.below(2), pick_.below(4), x.claims.back().claim};
    return pick_.one_in(8) ? x.claims[pick_.below(x.claims.size())] : x.claims.back();
  }

  uint64_t some_sequence(const known_agent& x) { return pick_.below(x.last + 2); }

  void claim_one() {
    auto& x = any();
    x.claims.push_back(claim(pages_, x.agent_id));
  }

  journal_append draw_append(const known_agent& x) {
    auto after = pick_.one_in(5) ? some_sequence(x) : x.last;
    auto result = next(claim_of(x), after, 1 + pick_.below(4), {}, pick_.text());
    if (pick_.one_in(20))
      result.group.first = some_sequence(x);
    for (auto i = after + 1; i <= result.group.last; ++i)
      if (pick_.one_in(2))
        result.archived.push_back(draw_archived(i));
    return result;
  }

  archive_row draw_archived(uint64_t sequence) {
    auto x = archived(sequence, "obs_" + std::to_string(pick_.below(9)), pick_.text());
    x.status = pick_.any_of({"archived", "expired", "evicted"});
    x.source = pick_.any_of({"router", "executor", ""});
    x.owner = pick_.any_of({"agent", "user"});
    x.turn_id = pick_.any_of({"t1", "t2", ""});
    x.created_at = at_millisecond(static_cast<int64_t>(pick_.below(50)));
    return x;
  }

  void append_some() {
    std::vector<journal_append> xs;
    for (auto& x : agents_) {
      if (!pick_.one_in(2))
        continue;
      auto one = draw_append(x);
      auto is_same = [&](const journal_append& other) { return other.by.agent == one.by.agent; };
      if (std::any_of(xs.begin(), xs.end(), is_same))
        continue; // a wrong claim can be another agent's claim
      xs.insert(pick_.one_in(2) ? xs.begin() : xs.end(), std::move(one));
    }
    auto verdicts = pages_.append(xs);
    for (size_t i = 0; i < xs.size(); ++i)
      for (auto& x : agents_)
        if (!verdicts[i] && xs[i].by.agent == x.claims.back().agent)
          x.last = xs[i].group.last;
  }

  void cut() {
    auto& x = any();
    auto by = claim_of(x);
    auto after = some_sequence(x);
    if (pages_.cut_journal(by, after) || by.agent != x.claims.back().agent)
      return;
    x.last = std::min(x.last, after);
    auto err = model_.read_journal(by.agent, 0, [&](journal_group&& one) {
      x.last = one.last;
      return true;
    });
    BOOST_TEST(!err);
  }

  void forget() {
    auto& x = any();
    std::ignore = pages_.forget_journal(claim_of(x), some_sequence(x));
  }

  void pack() {
    auto before = pick_.one_in(2) ? INT64_MAX / 1'000'000 : 2'000 + pick_.below(60);
    std::ignore = pages_.pack_archive(
      claim_of(any()), at_millisecond(static_cast<int64_t>(before)), 1 + pick_.below(20));
  }

  void remove_some() {
    auto& x = any();
    std::vector<uint64_t> sequences;
    for (auto n = pick_.below(4); n > 0; --n)
      sequences.push_back(some_sequence(x));
    std::ignore = pages_.remove_archived(claim_of(x), sequences);
    std::ignore = pages_.scrub();
  }

  void rewrite() {
    auto& x = any();
    std::vector<journal_group> groups;
    auto err = model_.read_journal(x.claims.back().agent, some_sequence(x), [&](auto&& one) {
      groups.push_back(std::move(one));
      return groups.size() < 3;
    });
    BOOST_TEST(!err);
    for (auto& one : groups) {
      one.last += pick_.one_in(6) ? 1 : 0; // no such group
      one = group(one.first, one.last, "others\n" + pick_.text());
    }
    std::ignore = pages_.rewrite_journal(claim_of(x), groups);
  }

  snapshot_kind any_kind() {
    return pick_.one_in(2) ? snapshot_kind::latest : snapshot_kind::oldest;
  }

  void move_snapshot() {
    auto& x = any();
    std::vector<snapshot_row> rows;
    for (auto n = pick_.below(6); n > 0; --n)
      rows.push_back(row(pick_.below(12), pick_.one_in(3) ? "" : pick_.text()));
    snapshot_head head{x.last, pick_.below(100), pick_.below(9), pick_.below(9),
      at_millisecond(static_cast<int64_t>(pick_.below(1'000'000)))};
    std::ignore = pages_.move_snapshot(claim_of(x), any_kind(), head, rows);
  }

  void put_some() {
    std::vector<document> xs;
    for (auto n = pick_.below(4); n > 0; --n) {
      xs.push_back(doc(
        pick_.any_of({"goals", "facts", ""}), pick_.text(), pick_.one_in(3) ? "" : pick_.text()));
      if (pick_.one_in(2))
        xs.back().index = {at_millisecond(static_cast<int64_t>(pick_.below(20))), some_terms()};
    }
    std::ignore = pages_.put(claim_of(any()), xs);
  }

  std::vector<std::string> some_terms() {
    std::vector<std::string> result;
    for (const auto* term : {"tea", "wine", ""})
      if (pick_.one_in(2))
        result.emplace_back(term);
    return result;
  }

  document_range draw_document_range() {
    document_range range;
    range.terms = some_terms();
    if (pick_.one_in(6))
      range.key = pick_.text();
    if (pick_.one_in(4))
      range.after = at_millisecond(static_cast<int64_t>(pick_.below(20)));
    if (pick_.one_in(4))
      range.before = at_millisecond(static_cast<int64_t>(pick_.below(20)));
    return range;
  }

  void read() {
    auto& x = any();
    auto agent = claim_of(x).agent;
    switch (pick_.below(6)) {
    case 0:
      read_journal(pages_, agent, some_sequence(x));
      break;
    case 1:
      read_snapshot(pages_, agent, any_kind());
      break;
    case 2:
      read_documents(pages_, agent, pick_.any_of({"goals", "facts", ""}));
      break;
    case 3:
      pages_.find_snapshot(agent, any_kind());
      break;
    case 4:
      find_documents(pages_, agent, pick_.any_of({"goals", "facts", ""}), draw_document_range());
      break;
    default:
      read_archive(pages_, agent, draw_range(x));
    }
  }

  archive_range draw_range(const known_agent& x) {
    archive_range range;
    for (auto n = pick_.one_in(4) ? pick_.below(4) : 0; n > 0; --n)
      range.type.push_back(pick_.text());
    if (pick_.one_in(4))
      range.status = {"expired", "evicted"};
    if (pick_.one_in(4))
      range.source = {pick_.any_of({"router", ""})};
    if (pick_.one_in(4))
      range.owner = {"user"};
    if (pick_.one_in(6))
      range.turn_id = pick_.any_of({"t1", "t2"});
    if (pick_.one_in(6))
      range.observation_id = "obs_" + std::to_string(pick_.below(9));
    if (pick_.one_in(4))
      range.created_after = at_millisecond(static_cast<int64_t>(pick_.below(50)));
    if (pick_.one_in(4))
      range.created_before = at_millisecond(static_cast<int64_t>(pick_.below(50)));
    if (pick_.one_in(3))
      range.before = some_sequence(x);
    if (pick_.one_in(4))
      range.after = some_sequence(x);
    if (pick_.one_in(4))
      range.left_before = at_millisecond(2'000 + static_cast<int64_t>(pick_.below(60)));
    range.oldest_first = pick_.one_in(2);
    return range;
  }

  lockstep_store& pages_;
  store& model_;
  choices pick_;
  std::vector<known_agent> agents_;
};

constexpr int steps = 300;
constexpr int steps_until_reopened = 100;
constexpr int steps_until_compared = 20;

} // namespace

BOOST_AUTO_TEST_SUITE(random_histories)

BOOST_AUTO_TEST_CASE_TEMPLATE(are_answered_as_the_model_does, Place, every_store) {
  for (uint64_t seed : {1, 2, 3}) {
    in_step<Place> pages;
    history h{pages, pages.model, seed};
    for (int step = 1; step <= steps; ++step) {
      BOOST_TEST_CONTEXT("seed " << seed << ", step " << step) {
        h.step();
        if (step % steps_until_reopened == 0)
          pages.reopen();
        if (step % steps_until_compared == 0)
          pages.check_contents();
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
