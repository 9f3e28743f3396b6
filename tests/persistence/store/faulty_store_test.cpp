#include <future>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/persistence/store/choices.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"
#include "scratchpage/tests/support/faulty_store.hpp"

namespace scratchpage {

using namespace test;

namespace {

/// A store with faults, and a model that does everything once.
template <class Place>
struct under_faults : placed<Place> {
  faulty_store faulty{*this->tested};
  ownership owner;

  under_faults() {
    claim(this->model);
    owner = claim(*this->tested);
    this->model.adopt("ada", owner);
    for (store* x : {static_cast<store*>(&this->model), static_cast<store*>(this->tested.get())})
      BOOST_REQUIRE(!append(*x, next(owner, 0, 3, {archived(2)})));
  }

  std::string kept() { return contents_of(*this->tested); }

  void check_agreement() { BOOST_TEST(kept() == contents_of(this->model)); }
};

using write = std::function<caf::error(store&, const ownership&)>;

/// One write of each kind, to be made in this order.
std::vector<write> every_write() {
  return {
    [](store& x, const ownership& by) {
      return append(x, next(by, 3, 2, {archived(4), archived(5)}));
    },
    [](store& x, const ownership& by) { return x.forget_journal(by, 3); },
    [](store& x, const ownership& by) {
      auto changed = row(1, "{}");
      return x.move_snapshot(by, snapshot_kind::latest, {3, 1, 0, 0}, {&changed, 1});
    },
    [](store& x, const ownership& by) { return put(x, by, doc("goals", "tea", "{}")); },
    [](store& x, const ownership& by) { return x.cut_journal(by, 3); },
  };
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_faulty_store)

BOOST_AUTO_TEST_CASE_TEMPLATE(has_nothing_of_a_write_that_fails_before, Place, every_store) {
  under_faults<Place> x;
  for (const auto& write : every_write()) {
    auto before = x.kept();
    x.faulty.fail_before(1);
    BOOST_TEST(text_of(write(x.faulty, x.owner)) == "storage_unavailable");
    BOOST_TEST(x.kept() == before);
    BOOST_TEST(!write(x.faulty, x.owner));
    BOOST_TEST(!write(x.model, x.owner));
    x.check_agreement();
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(has_all_of_a_write_that_fails_after, Place, every_store) {
  under_faults<Place> x;
  for (const auto& write : every_write()) {
    x.faulty.fail_after(1);
    BOOST_TEST(text_of(write(x.faulty, x.owner)) == "storage_unavailable");
    BOOST_TEST(!write(x.model, x.owner));
    x.check_agreement();
    BOOST_TEST(!write(x.faulty, x.owner));
    x.check_agreement();
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(takes_another_group_after_a_seeming_failure, Place, every_store) {
  under_faults<Place> x;
  x.faulty.fail_after(1);
  auto failed = append(x.faulty, next(x.owner, 3, 4, {archived(5), archived(7)}));
  BOOST_TEST(text_of(failed) == "storage_unavailable");
  for (store* one : {static_cast<store*>(&x.faulty), static_cast<store*>(&x.model)})
    BOOST_TEST(!append(*one, next(x.owner, 3, 2, {archived(4)}, "other events\n")));
  x.check_agreement();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(may_have_claimed_what_it_did_not_tell, Place, every_store) {
  under_faults<Place> x;
  x.faulty.fail_after(1);
  BOOST_TEST(!x.faulty.claim("ada"));
  BOOST_TEST(text_of(append(x.faulty, next(x.owner, 3))) == "conflict epoch");
  auto newer = claim(x.faulty);
  BOOST_TEST(newer.epoch == x.owner.epoch + 2);
  BOOST_TEST(!append(x.faulty, next(newer, 3)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(fails_at_the_write_that_was_named, Place, every_store) {
  under_faults<Place> x;
  x.faulty.fail_before(2);
  x.faulty.fail_after(3);
  std::string answers;
  for (int i = 0; i < 4; ++i)
    answers += text_of(put(x.faulty, x.owner, doc("goals", std::to_string(i), "{}"))) + ",";
  BOOST_TEST(answers == "ok,storage_unavailable,storage_unavailable,ok,");
  BOOST_TEST(x.faulty.writes() == 4u);
  BOOST_TEST(read_documents(x.faulty, x.owner.agent, "goals")
             == text_of(std::vector{
               doc("goals", "0", "{}"), doc("goals", "2", "{}"), doc("goals", "3", "{}")}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(takes_nothing_while_the_disk_is_full, Place, every_store) {
  under_faults<Place> x;
  x.faulty.set_disk_full(true);
  auto before = x.kept();
  for (const auto& write : every_write())
    BOOST_TEST(text_of(write(x.faulty, x.owner)) == "storage_unavailable");
  BOOST_TEST(!x.faulty.claim("bob"));
  BOOST_TEST(contents_of(x.faulty) == before);
  x.faulty.set_disk_full(false);
  for (const auto& write : every_write()) {
    BOOST_TEST(!write(x.faulty, x.owner));
    BOOST_TEST(!write(x.model, x.owner));
  }
  x.check_agreement();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_as_slow_as_one_wants, Place, every_store) {
  under_faults<Place> x;
  std::promise<void> is_writing;
  std::promise<void> may_go_on;
  x.faulty.before_write([&] {
    is_writing.set_value();
    may_go_on.get_future().wait();
  });
  caf::error answer;
  auto before = x.kept();
  std::thread writer{[&] { answer = append(x.faulty, next(x.owner, 3)); }};
  is_writing.get_future().wait();
  BOOST_TEST(contents_of(x.faulty) == before);
  may_go_on.set_value();
  writer.join();
  BOOST_TEST(!answer);
  BOOST_TEST(contents_of(x.faulty) != before);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(agrees_with_the_model_when_all_is_repeated, Place, every_store) {
  under_faults<Place> x;
  choices pick{20251105};
  uint64_t last = 3;
  for (int i = 0; i < 80; ++i) {
    auto appends = pick.one_in(2);
    auto group = next(x.owner, last, 1 + pick.below(3), {archived(last + 1)}, pick.text());
    auto note = doc("goals", pick.text(), pick.one_in(3) ? "" : pick.text());
    auto write = [&](store& to) { return appends ? append(to, group) : put(to, x.owner, note); };
    BOOST_TEST(!write(x.model));
    do {
      if (pick.one_in(3))
        x.faulty.fail_before(1);
      if (pick.one_in(3))
        x.faulty.fail_after(1);
    } while (write(x.faulty));
    last = appends ? group.group.last : last;
  }
  x.check_agreement();
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
