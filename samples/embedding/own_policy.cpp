// A Router policy of the embedding program, which asks a slow model.
#include <condition_variable>
#include <deque>
#include <iostream>
#include <mutex>
#include <thread>

#include <scratchpage/scratchpage.hpp>

using namespace scratchpage;

// --(model begin)--
/// Stands for the client of a slow model. It answers on a thread of its own, one input after the
/// other.
class slow_model {
public:
  using answer = router_policy::answer;

  void ask(std::string input, answer decided) {
    std::lock_guard lock{guard_};
    if (waiting_.size() < 100) // above that the callback is dropped, and the rules decide
      waiting_.emplace_back(std::move(input), std::move(decided));
    changed_.notify_one();
  }

private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock{guard_};
    auto has_work = [this] { return !waiting_.empty(); };
    while (changed_.wait(lock, stop, has_work) && !stop.stop_requested()) {
      auto [input, decided] = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      auto level = input.find("water") != std::string::npos ? urgency::high : urgency::low;
      decided({.level = level, .reasons = {"the model says so"}, .requests = {input}});
      lock.lock();
    }
  }

  std::mutex guard_;
  std::condition_variable_any changed_;
  std::deque<std::pair<std::string, answer>> waiting_;
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }}; // it ends first
};
// --(model end)--

// --(policy begin)--
class asking_router : public router_policy {
public:
  asking_router(slow_model& model, std::shared_ptr<router_policy> rules)
    : model_{model},
      rules_{std::move(rules)} {}

  void decide(const routing_case& what, answer decided) override {
    if (what.input->content.size() < 10)
      return rules_->decide(what, std::move(decided)); // the built-in policy is good enough
    model_.ask(what.input->content, std::move(decided));
  }

private:
  slow_model& model_;
  std::shared_ptr<router_policy> rules_;
};
// --(policy end)--

int main() {
  init_messages();
  slow_model model;
  caf::actor_system_config config;
  caf::actor_system system{config};
  // --(factory begin)--
  ensemble_setup setup;
  setup.policies.router = [&model](std::shared_ptr<router_policy> built_in) {
    return std::make_shared<asking_router>(model, std::move(built_in));
  };
  setup.policies.within = std::chrono::seconds{10};
  setup.without = {"system_analyzer"};
  ensemble team{system, std::move(setup)};
  // --(factory end)--
  auto result = team.run_turn({.input = "There is water in the cellar"});
  if (!result) {
    std::cerr << describe(result.error()) << '\n';
    return 1;
  }
  std::cout << "urgency: " << to_string(result->urgency) << '\n';
}
