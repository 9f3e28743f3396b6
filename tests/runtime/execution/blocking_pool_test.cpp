#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/runtime/execution/blocking_pool.hpp"
#include "scratchpage/runtime/execution/job_queue.hpp"
#include "scratchpage/tests/support/few_threads_left.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

#if CAF_MAJOR_VERSION < 1

namespace scratchpage::test {

namespace {

using counting_actor = caf::typed_actor<caf::result<uint64_t>(caf::get_atom)>;

/// Notes its threads, and can be made to wait.
class counting_state {
public:
  using handle = counting_actor;
  static constexpr const char* name = "counting";

  struct shared {
    std::mutex guard;
    std::set<std::thread::id> threads;
    std::atomic<uint64_t> ended = 0;
    std::latch* all_wait = nullptr;
  };

  counting_state(handle::pointer, std::shared_ptr<shared> with)
    : with_{std::move(with)} {}

  ~counting_state() { ++with_->ended; }

  handle::behavior_type make_behavior() {
    return {[this](caf::get_atom) {
      if (with_->all_wait != nullptr)
        with_->all_wait->arrive_and_wait();
      std::lock_guard lock{with_->guard};
      with_->threads.insert(std::this_thread::get_id());
      return ++count_;
    }};
  }

private:
  std::shared_ptr<shared> with_;
  uint64_t count_ = 0;
};

/// Spawns another actor.
struct parent_state {
  using handle = counting_actor;
  static constexpr const char* name = "parent";
  parent_state(handle::pointer self, std::shared_ptr<counting_state::shared> with)
    : child_{spawn<counting_state>(self->system(), std::move(with))} {}
  handle::behavior_type make_behavior() {
    return {[](caf::get_atom) { return uint64_t{1}; }};
  }
  counting_actor child_;
};

struct system_config : caf::actor_system_config {
  system_config() { use_shared_queue(*this); }
};

struct pooled {
  std::vector<counting_actor> spawn_some(size_t count) {
    std::vector<counting_actor> result;
    for (size_t i = 0; i < count; ++i)
      result.push_back(spawn_pooled<counting_state>(pool, system, with));
    return result;
  }

  /// Asks each actor `times` times and returns the sum of the last answers.
  uint64_t ask_all(const std::vector<counting_actor>& whom, uint64_t times) {
    caf::scoped_actor self{system};
    uint64_t sum = 0;
    for (uint64_t i = 1; i <= times; ++i)
      for (const auto& x : whom)
        self->send(x, caf::get_atom_v);
    for (uint64_t i = 0; i < times * whom.size(); ++i)
      self->receive([&](uint64_t x) { sum = std::max(sum, x); });
    return sum;
  }

  std::shared_ptr<counting_state::shared> with = std::make_shared<counting_state::shared>();
  std::shared_ptr<blocking_pool> pool = std::make_shared<blocking_pool>(3);
  system_config cfg;
  caf::actor_system system{cfg};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(blocking_pools, pooled)

BOOST_AUTO_TEST_CASE(many_actors_share_a_few_threads) {
  BOOST_TEST(ask_all(spawn_some(1'000), 20) == 20u);
  BOOST_TEST(with->threads.size() <= 3u);
  BOOST_TEST(pool->threads() <= 3u);
}

BOOST_AUTO_TEST_CASE(as_many_actors_wait_at_a_time_as_there_are_threads) {
  std::latch all{3};
  with->all_wait = &all;
  BOOST_TEST(ask_all(spawn_some(3), 1) == 1u); // each waits until the others are there
  BOOST_TEST(with->threads.size() == 3u);
}

BOOST_AUTO_TEST_CASE(without_further_threads_the_first_one_runs_all_actors) {
  few_threads_left of{0};
  BOOST_TEST(ask_all(spawn_some(50), 5) == 5u);
  BOOST_TEST(pool->threads() == 1u);
}

BOOST_AUTO_TEST_CASE(a_pool_without_any_thread_is_refused) {
  few_threads_left of{0};
  BOOST_CHECK_THROW(blocking_pool{1}, std::system_error);
}

BOOST_AUTO_TEST_CASE(an_actor_that_ends_is_released) {
  auto all = spawn_some(10);
  ask_all(all, 1);
  for (auto& x : all)
    caf::anon_send_exit(caf::actor_cast<caf::actor>(x), caf::exit_reason::user_shutdown);
  all.clear();
  system.await_all_actors_done();
  BOOST_TEST(with->ended == 10u);
}

BOOST_AUTO_TEST_CASE(a_system_ends_before_a_pool_whose_actors_have_spawned_others) {
  system_config other_cfg;
  caf::actor_system other{other_cfg};
  auto parent = spawn_pooled<parent_state>(pool, other, with);
  caf::scoped_actor self{other};
  self->request(parent, std::chrono::minutes{10}, caf::get_atom_v)
    .receive([](uint64_t) {}, [](const caf::error&) { BOOST_ERROR("expected an answer"); });
}

BOOST_AUTO_TEST_CASE(a_system_ends_only_after_a_thread_has_let_go_of_its_last_actor) {
  std::promise<void> end;
  auto ended = end.get_future();
  auto was_there = false;
  auto let_go = [&](blocking_pool*) { // while the thread of the pool destroys the actor
    was_there = ended.wait_for(std::chrono::milliseconds{50}) == std::future_status::timeout;
  };
  std::latch both{2};
  with->all_wait = &both;
  auto other_cfg = std::make_unique<system_config>();
  auto other = std::make_unique<caf::actor_system>(*other_cfg);
  auto last =
    spawn_pooled<counting_state>(std::shared_ptr<blocking_pool>{pool.get(), let_go}, *other, with);
  caf::anon_send(last, caf::get_atom_v);
  caf::anon_send_exit(caf::actor_cast<caf::actor>(last), caf::exit_reason::user_shutdown);
  last = nullptr; // only its thread has the actor now
  both.arrive_and_wait();
  other.reset();
  end.set_value();
  pool.reset(); // joins the thread
  BOOST_TEST(was_there);
}

BOOST_AUTO_TEST_CASE(the_last_actor_may_take_the_pool_with_it) {
  auto all = spawn_some(2);
  pool.reset();
  BOOST_TEST(ask_all(all, 3) == 3u);
  all.clear();
  system.await_all_actors_done();
  BOOST_TEST(with->ended == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test

#endif
