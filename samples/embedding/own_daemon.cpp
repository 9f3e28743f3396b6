// A daemon of the embedding program, and a function that is called for what the daemon adds.
#include <atomic>
#include <future>
#include <iostream>

#include <scratchpage/scratchpage.hpp>

using namespace scratchpage;

// --(daemon begin)--
class window_keeper : public daemon {
public:
  static constexpr const char* name = "window_keeper";

  window_keeper(handle::pointer self, const daemon_setup& setup)
    : daemon{self, setup, name} {}

private:
  std::vector<observation_filter> interests() const override { return {{.tags = {"rain"}}}; }

  void react(const page_event& event, const ack_guard& done) override {
    if (event.kind != event_kind::added)
      return;
    observation_draft draft;
    draft.type = "action_suggestion";
    draft.content = "Close the windows: " + event.observation->content;
    publish(as_me(event), std::move(draft), done);
  }
};
// --(daemon end)--

int give_up(const caf::error& err) {
  std::cerr << describe(err) << '\n';
  return 1;
}

int main() {
  init_messages();
  caf::actor_system_config config;
  caf::actor_system system{config};
  ensemble team{system};
  // --(add begin)--
  team.add_daemon<window_keeper>();
  if (auto err = team.ready())
    return give_up(err);
  // --(add end)--
  // --(event begin)--
  std::promise<std::string> heard; // before the subscription, so that it lives longer
  std::atomic_flag is_set;
  auto suggestions = team.on_event({.type = {"action_suggestion"}}, [&](const page_event& x) {
    if (x.kind == event_kind::added && !is_set.test_and_set())
      heard.set_value(x.observation->content);
  });
  if (!suggestions)
    return give_up(suggestions.error());
  auto added = team.add({.type = "observation", .content = "It begins to rain", .tags = {"rain"}});
  if (!added)
    return give_up(added.error());
  auto suggestion = heard.get_future();
  if (suggestion.wait_for(std::chrono::seconds{30}) != std::future_status::ready)
    return give_up(fail(errc::deadline_exceeded, "", "expected a suggestion"));
  std::cout << "heard: " << suggestion.get() << '\n';
  // --(event end)--
}
