#include "scratchpage/tests/bench/page_expiry.hpp"

#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/virtual_time.hpp"
#include "scratchpage/tests/bench/median.hpp"
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

  /// Advances from deadline to deadline until everything has expired. Returns for how long, in ms,
  /// the page worked at each deadline.
  std::vector<double> run_out() {
    std::vector<double> slices;
    for (auto before = processor_ms(); driver_.advance_to_next_deadline();) {
      auto after = processor_ms();
      slices.push_back(after - before);
      before = processor_ms(); // without the growth of `slices`
    }
    return slices;
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

constexpr size_t rounds = 5;

/// The time of each slice in each round.
using slices_of_rounds = std::vector<std::vector<double>>;

/// The longest slice by the median of its rounds.
double longest_of(const slices_of_rounds& all) {
  double longest = 0;
  std::vector<double> times(all.size());
  for (size_t slice = 0; slice < all.front().size(); ++slice) {
    for (size_t round = 0; round < all.size(); ++round)
      times[round] = slice < all[round].size() ? all[round][slice] : 0;
    longest = std::max(longest, median(times));
  }
  return longest;
}

} // namespace

page_expiry_figures page_expiry(size_t observations) {
  page_expiry_figures result;
  slices_of_rounds one_by_one, overdue;
  std::vector<double> rates;
  for (size_t round = 0; round < rounds; ++round)
    for (auto* slices : {&one_by_one, &overdue}) {
      full_page page{observations};
      if (slices == &overdue)
        page.oversleep();
      auto started = processor_ms();
      slices->push_back(page.run_out());
      if (slices == &one_by_one)
        rates.push_back(static_cast<double>(observations) / (processor_ms() - started) * 1e3);
      const auto& times = slices->back();
      result.worst_ms = std::max(result.worst_ms, *std::max_element(times.begin(), times.end()));
    }
  result.max_pause_ms = longest_of(one_by_one);
  result.max_pause_overdue_ms = longest_of(overdue);
  result.per_second = median(std::move(rates));
  return result;
}

} // namespace scratchpage::bench
