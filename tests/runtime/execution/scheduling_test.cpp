#define BOOST_TEST_MODULE scheduling
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <ctime>
#include <functional>
#include <future>
#include <thread>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/resumable.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/execution/job_queue.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

namespace scratchpage::test {

namespace {

/// A time that no test reaches, even on a slow machine.
constexpr std::chrono::minutes any_time{10};

/// A job with messages, as an actor has. It notes the thread that ran it.
class job final : public caf::resumable {
public:
  explicit job(size_t messages = 1)
    : left_{messages} {}

  resume_result resume(running_on*, size_t most_messages) override {
    for (size_t i = 0; i < most_messages; ++i) {
      ++runs_;
      if (then)
        then();
      if (--left_ == 0)
        return done;
    }
    return resume_later;
  }

  // The release tells that the scheduler no longer uses the job.
#if CAF_MAJOR_VERSION >= 1
  void ref_resumable() const noexcept override {}
  void deref_resumable() const noexcept override {
    ran_.set_value(std::this_thread::get_id());
  }
#else
  void intrusive_ptr_add_ref_impl() override {}
  void intrusive_ptr_release_impl() override {
    ran_.set_value(std::this_thread::get_id());
  }
#endif

  /// Waits until the job has run. Returns the thread.
  std::thread::id ran_on() {
    return ran_.get_future().get();
  }
  /// Number of handled messages.
  size_t runs() const {
    return runs_;
  }

  std::function<void()> then; ///< called with each message

private:
  size_t left_;
  size_t runs_ = 0;
  mutable std::promise<std::thread::id> ran_; ///< CAF 1.x releases constant jobs
};

/// Uses that much processor time.
void use_a_processor(std::chrono::nanoseconds time) {
  auto used = [] {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
  };
  auto until = used() + time;
  while (used() < until)
    continue;
}

/// The program's queue, with workers of the test.
struct fixture {
  fixture() = default;

  ~fixture() {
    queue.end(lane::quick);
    queue.end(lane::slow);
    queue.end(lane::blocking);
    for (auto& x : workers)
      x.join();
  }

  /// Starts a worker that waits for work.
  std::thread::id begin_worker(lane of) {
    auto before = queue.idle(of);
    workers.emplace_back([this, of] {
      while (auto* x = queue.take(of))
        run_job(queue, x, 100);
    });
    auto id = workers.back().get_id();
    while (queue.idle(of) == before)
      std::this_thread::yield();
    return id;
  }

  caf::actor_system_config cfg;
  caf::actor_system system{cfg};
  job_queue queue{system};
  job_queue patient{system, any_time}; ///< its visits end after a number of messages, not by time
  std::vector<std::thread> workers;
  std::thread::id me = std::this_thread::get_id();
};

BOOST_FIXTURE_TEST_SUITE(scheduling, fixture)

BOOST_AUTO_TEST_CASE(who_is_no_guest_has_a_worker_run_what_it_makes_ready) {
  auto worker = begin_worker(lane::quick);
  job x;
  queue.add(&x);
  BOOST_TEST((x.ran_on() == worker));
}

BOOST_AUTO_TEST_CASE(no_worker_is_woken_for_what_one_that_runs_comes_back_for) {
  begin_worker(lane::quick);
  begin_worker(lane::quick);
  queue.expect_workers(lane::quick, 2);
  std::promise<void> first_runs, rest_is_there;
  job first, second;
  first.then = [&] {
    first_runs.set_value();
    rest_is_there.get_future().wait();
  };
  queue.add(&first);
  first_runs.get_future().wait();
  queue.add(&second);
  for (int i = 0; i < 1'000; ++i)
    std::this_thread::yield(); // the other worker would have time to take it
  rest_is_there.set_value();
  BOOST_TEST((second.ran_on() == first.ran_on()));
  queue.expect_workers(lane::quick, 0);
}

BOOST_AUTO_TEST_CASE(a_second_worker_is_woken_when_more_wait_than_run) {
  begin_worker(lane::quick);
  begin_worker(lane::quick);
  queue.expect_workers(lane::quick, 2);
  std::promise<void> first_runs, others_have_run;
  job first, second, third;
  first.then = [&] {
    first_runs.set_value();
    others_have_run.get_future().wait();
  };
  queue.add(&first);
  first_runs.get_future().wait();
  queue.add(&second);
  queue.add(&third);
  auto other = second.ran_on();
  BOOST_TEST((third.ran_on() == other));
  others_have_run.set_value();
  BOOST_TEST((first.ran_on() != other));
  queue.expect_workers(lane::quick, 0);
}

BOOST_AUTO_TEST_CASE(a_guest_is_told_once_and_runs_what_it_makes_ready_and_what_follows_from_it) {
  begin_worker(lane::quick);
  auto told = 0;
  inline_executor guest{[&] { ++told; }};
  job second;
  job first;
  first.then = [&] { queue.add(&second); };
  queue.add(&first);
  BOOST_TEST(told == 1);
  BOOST_TEST(first.runs() == 0u); // not during the current job
  guest.run({.within = any_time});
  BOOST_TEST((first.ran_on() == me));
  BOOST_TEST((second.ran_on() == me));
  BOOST_TEST(told == 1);
}

BOOST_AUTO_TEST_CASE(a_worker_is_woken_for_what_is_more_than_one_job_of_a_guest) {
  auto worker = begin_worker(lane::quick);
  inline_executor guest{[] {}};
  job first;
  job second;
  queue.add(&first);
  queue.add(&second);
  BOOST_TEST((first.ran_on() == worker)); // while the guest runs another job
  guest.run({.within = any_time});
  second.ran_on();
}

BOOST_AUTO_TEST_CASE(what_a_guest_has_not_run_when_it_goes_is_left_to_a_worker) {
  auto worker = begin_worker(lane::quick);
  job x;
  {
    inline_executor guest{[] {}};
    queue.add(&x);
  }
  BOOST_TEST((x.ran_on() == worker));
}

BOOST_AUTO_TEST_CASE(a_guest_has_its_own_work_between_and_is_told_that_there_is_more) {
  auto told = 0;
  inline_executor guest{[&] { ++told; }};
  job x{80}; // handles 16 in each visit
  patient.add(&x);
  guest.run({.most = 3, .within = any_time});
  BOOST_TEST(x.runs() == 48u);
  BOOST_TEST(told == 2);
  guest.run({.most = 3, .within = any_time});
  BOOST_TEST(x.runs() == 80u);
  BOOST_TEST(told == 2);
}

BOOST_AUTO_TEST_CASE(
  a_guest_whose_time_is_over_lets_its_thread_go_on_and_leaves_what_waits_to_a_worker) {
  auto worker = begin_worker(lane::quick);
  auto told = 0;
  inline_executor guest{[&] { ++told; }};
  job second;
  job third{2};
  job first;
  first.then = [&] {
    queue.add(&second);
    queue.add(&third);
  };
  queue.add(&first);
  guest.run({.within = {}});
  BOOST_TEST((first.ran_on() == me));
  BOOST_TEST(told == 2);
  BOOST_TEST((second.ran_on() == worker));
  BOOST_TEST((third.ran_on() == worker));
}

BOOST_AUTO_TEST_CASE(after_a_visit_that_took_too_long_a_guest_runs_actors_for_a_message_each) {
  inline_executor guest{[] {}};
  job x{33};
  patient.add(&x);
  guest.run({.most = 1, .within = {}});
  BOOST_TEST(x.runs() == 16u);
  guest.run({.most = 1, .within = any_time});
  BOOST_TEST(x.runs() == 17u);
  guest.run({.most = 1, .within = any_time});
  BOOST_TEST(x.runs() == 33u);
}

BOOST_AUTO_TEST_CASE(a_visit_that_has_become_long_ends_whatever_else_the_actor_has_to_do) {
  inline_executor guest{[] {}};
  job x{16};
  x.then = [] { use_a_processor(2 * slow_jobs::longest_visit); };
  job other;
  size_t before = 0;
  other.then = [&] { before = x.runs(); };
  queue.add(&x);
  queue.add(&other);
  guest.run({.most = 2, .within = any_time});
  BOOST_TEST(before == 1u);
}

BOOST_AUTO_TEST_CASE(what_takes_long_twice_runs_on_a_thread_for_that_from_then_on) {
  auto slow = begin_worker(lane::slow);
  auto quick = begin_worker(lane::quick);
  job x{3};
  std::vector<std::thread::id> ran_on;
  x.then = [&] {
    ran_on.push_back(std::this_thread::get_id());
    use_a_processor(2 * slow_jobs::longest_visit);
  };
  queue.add(&x);
  x.ran_on();
  BOOST_TEST((ran_on == std::vector{quick, quick, slow}));
}

BOOST_AUTO_TEST_CASE(a_guest_leaves_what_takes_long_to_others_until_it_was_quick_for_a_while) {
  auto slow = begin_worker(lane::slow);
  job x;
  auto visit = [&](bool is_long) {
    auto begun = queue.slow().begin(&x);
    if (is_long)
      use_a_processor(2 * slow_jobs::longest_visit);
    queue.slow().end(begun);
  };
  visit(true);
  BOOST_TEST(!queue.slow().is_slow(&x)); // its thread was waiting, not computing
  visit(true);
  BOOST_TEST(queue.slow().is_slow(&x));
  {
    inline_executor guest{[] {}};
    queue.add(&x);
    guest.run({.within = any_time});
    BOOST_TEST((x.ran_on() == slow));
  }
  for (uint32_t i = 0; i < slow_jobs::quick_visits; ++i)
    visit(false);
  BOOST_TEST(!queue.slow().is_slow(&x));
}

BOOST_AUTO_TEST_CASE(what_only_waited_is_not_slow) {
  slow_jobs all;
  job x;
  all.end({&x, std::chrono::steady_clock::now() - 2 * slow_jobs::longest_visit});
  all.end(all.begin(&x));
  BOOST_TEST(!all.is_slow(&x));
}

BOOST_AUTO_TEST_CASE(what_blocks_runs_on_a_thread_of_its_own_beside_a_guest_who_has_other_work) {
  auto worker = begin_worker(lane::blocking);
  begin_worker(lane::quick);
  inline_executor guest{[] {}, [] { return false; }};
  job x;
  queue.set_apart(&x);
  queue.add(&x);
  BOOST_TEST((x.ran_on() == worker));
}

BOOST_AUTO_TEST_CASE(what_blocks_runs_on_a_guest_who_has_nothing_else_to_do_for_a_few_messages) {
  inline_executor guest{[] {}, [] { return true; }};
  job x{5};
  patient.set_apart(&x);
  patient.add(&x);
  guest.run({.most = 1, .within = any_time});
  BOOST_TEST(x.runs() == 4u);
  guest.run({.most = 1, .within = any_time});
  BOOST_TEST((x.ran_on() == me));
}

BOOST_AUTO_TEST_CASE(what_blocks_runs_on_a_guest_beside_a_thread_of_its_own_that_waits) {
  begin_worker(lane::blocking);
  inline_executor guest{[] {}, [] { return true; }};
  job x;
  queue.set_apart(&x);
  queue.add(&x);
  guest.run({.within = any_time});
  BOOST_TEST((x.ran_on() == me));
}

BOOST_AUTO_TEST_CASE(a_guest_who_has_got_other_work_meanwhile_leaves_what_blocks_to_its_thread) {
  auto worker = begin_worker(lane::blocking);
  auto has_time = true;
  inline_executor guest{[] {}, [&] { return has_time; }};
  job x;
  queue.set_apart(&x);
  queue.add(&x);
  has_time = false;
  guest.run({.within = any_time});
  BOOST_TEST((x.ran_on() == worker));
}

BOOST_AUTO_TEST_SUITE_END()

/// An actor that answers with the thread that runs it.
struct place_state {
  using handle = caf::typed_actor<caf::result<uint64_t>(uint64_t)>;
  static constexpr const char* name = "place";

  explicit place_state(handle::pointer) {}

  handle::behavior_type make_behavior() {
    return {[](uint64_t) -> uint64_t {
      return std::hash<std::thread::id>{}(std::this_thread::get_id());
    }};
  }
};

// CAF 1.x has no place for a scheduler of ours (`use_shared_queue`).
#if CAF_MAJOR_VERSION < 1
struct prepared : caf::actor_system_config {
  prepared() { use_shared_queue(*this); }
};

BOOST_AUTO_TEST_CASE(actors_that_block_have_one_thread_to_themselves_in_a_system_that_is_prepared) {
  prepared cfg;
  caf::actor_system system{cfg};
  BOOST_REQUIRE(job_queue::of(system));
  auto quick = spawn<place_state>(system);
  auto blocking = spawn_blocking<place_state>(system);
  auto place_of = [&](const auto& x) {
    caf::scoped_actor self{system};
    uint64_t result = 0;
    ask(self.ptr(), x, std::chrono::minutes{1}, uint64_t{0})
      .receive([&](uint64_t at) { result = at; }, [](const caf::error&) {});
    return result;
  };
  auto once = place_of(blocking);
  BOOST_TEST(once != 0u);
  for (int i = 0; i < 20; ++i) {
    BOOST_TEST(place_of(blocking) == once);
    BOOST_TEST(place_of(quick) != once);
  }
}
#endif

BOOST_AUTO_TEST_CASE(actors_that_block_are_detached_in_a_system_that_is_not_prepared) {
  caf::actor_system_config cfg;
  caf::actor_system system{cfg};
  BOOST_TEST(!job_queue::of(system));
  auto made = spawn_blocking<place_state>(system);
  auto* self = caf::actor_cast<caf::abstract_actor*>(made);
  BOOST_TEST(self->getf(caf::abstract_actor::is_detached_flag));
}

} // namespace

} // namespace scratchpage::test
