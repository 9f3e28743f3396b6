// A Router policy of the embedding program, which asks a slow model.
#include <future>
#include <iostream>

#include <scratchpage/scratchpage.hpp>

using namespace scratchpage;

// --(policy begin)--
/// Stands for a slow model.
urgency_assessment ask_model(const std::string& input) {
  urgency_assessment result;
  result.level = input.find("water") != std::string::npos ? urgency::high : urgency::low;
  result.reasons = {"the model says so"};
  result.requests = {input};
  return result;
}

class asking_router : public router_policy {
public:
  explicit asking_router(std::shared_ptr<router_policy> rules)
    : rules_{std::move(rules)} {}

  void decide(const routing_case& what, answer decided) override {
    if (what.input->content.size() < 10)
      return rules_->decide(what, std::move(decided)); // the built-in policy is good enough
    asked_.push_back(std::async(std::launch::async,
      [input = what.input->content, decided = std::move(decided)] { decided(ask_model(input)); }));
  }

private:
  std::shared_ptr<router_policy> rules_;
  std::vector<std::future<void>> asked_; // their destructors wait for the model
};
// --(policy end)--

int main() {
  init_messages();
  caf::actor_system_config config;
  caf::actor_system system{config};
  // --(factory begin)--
  ensemble_setup setup;
  setup.policies.router = [](std::shared_ptr<router_policy> built_in) {
    return std::make_shared<asking_router>(std::move(built_in));
  };
  setup.policies.within = std::chrono::seconds{10};
  setup.without = {"system_analyzer"};
  ensemble team{system, std::move(setup)};
  // --(factory end)--
  auto result = team.begin_turn({.input = "There is water in the cellar"});
  if (!result) {
    std::cerr << describe(result.error()) << '\n';
    return 1;
  }
  std::cout << "urgency: " << to_string(result->urgency) << '\n';
}
