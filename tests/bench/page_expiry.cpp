#include "scratchpage/tests/bench/page_expiry.hpp"

#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/virtual_time.hpp"
#include "scratchpage/tests/bench/observation_source.hpp"

namespace scratchpage::bench {

namespace {

double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// A clock on virtual time that can jump ahead without firing timers, as after a laptop's sleep.
class leaping_clock : public clock {
public:
  explicit leaping_clock(std::shared_ptr<const clock> under)
    : under_{std::move(under)} {}

  timestamp now() const override { return under_->now() + leap_; }
  void leap(timespan span) { leap_ += span; }

private:
  std::shared_ptr<const clock> under_;
  timespan leap_{0};
};

/// A page of observations whose deadlines are a millisecond apart.
class full_page {
public:
  explicit full_page(size_t observations) {
    const auto& with = default_config();
    page_setup setup{with.page, with.weights, with.text, with.promotion};
    setup.limits.max_observations = observations;
    agent_context agent{"bench", clock_, nullptr};
    page_ = spawn<scratch_page_state>(system_, agent, std::move(setup));
    constexpr double millisecond = 1.0 / 60'000;
    observation_source source;
    for (size_t n = 1; n <= observations; ++n) {
      auto x = source.make(n);
      observation_draft draft;
      draft.type = x.type;
      draft.content = x.content;
      draft.tags = x.tags;
      draft.context = x.context;
      draft.ttl_minutes = 60 + static_cast<double>(n) * millisecond;
      anon_tell(page_, add_observation{as_tool("bench"), std::move(draft)});
      driver_.settle();
    }
  }

  full_page(const full_page&) = delete;
  full_page& operator=(const full_page&) = delete;

  ~full_page() {
    caf::anon_send_exit(page_, caf::exit_reason::user_shutdown);
    driver_.settle();
  }

  /// Advances from deadline to deadline until everything has expired. Returns the longest time, in
  /// ms, that the page worked at one deadline.
  double run_out() {
    double longest = 0;
    for (auto before = processor_ms(); driver_.advance_to_next_deadline();) {
      auto after = processor_ms();
      longest = std::max(longest, after - before);
      before = after;
    }
    return longest;
  }

  /// Makes all observations overdue at once.
  void oversleep() { clock_->leap(std::chrono::hours{24}); }

private:
  static caf::actor_system_config& prepared(caf::actor_system_config& cfg) {
    use_virtual_time(cfg);
    return cfg;
  }

  caf::actor_system_config cfg_;
  caf::actor_system system_{prepared(cfg_)};
  virtual_time_driver driver_{system_};
  std::shared_ptr<leaping_clock> clock_ = std::make_shared<leaping_clock>(driver_.clock());
  scratch_page_actor page_;
};

} // namespace

page_expiry_figures page_expiry(size_t observations) {
  page_expiry_figures result;
  {
    full_page page{observations};
    auto started = processor_ms();
    result.max_pause_ms = page.run_out();
    result.per_second = static_cast<double>(observations) / (processor_ms() - started) * 1e3;
  }
  full_page page{observations};
  page.oversleep();
  result.max_pause_overdue_ms = page.run_out();
  return result;
}

} // namespace scratchpage::bench
