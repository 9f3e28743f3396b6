// A daemon of the embedding program, and a function that is called for what the daemon adds.
#include <future>
#include <iostream>

#include <scratchpage/scratchpage.hpp>

using namespace scratchpage;

// --(daemon begin)--
class window_keeper : public daemon {
public:
  static constexpr const char* name = "window_keeper";

  window_keeper(handle::pointer self, daemon_setup setup)
    : daemon{self, std::move(setup), name, static_cast<uint32_t>(component::first_custom)} {}

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
  std::promise<std::string> heard;
  auto suggestions = team.on_event({.type = {"action_suggestion"}},
    [&](const page_event& x) { heard.set_value(x.observation->content); });
  if (!suggestions)
    return give_up(suggestions.error());
  auto added = team.add({.type = "observation", .content = "It begins to rain", .tags = {"rain"}});
  if (!added)
    return give_up(added.error());
  std::cout << "heard: " << heard.get_future().get() << '\n';
  suggestions->end(); // before `heard` ends
  // --(event end)--
}
