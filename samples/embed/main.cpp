// Hosts the whole team in one process, with a tool and a daemon of one's own.
#include <iostream>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"

using namespace scratchpage;

// A tool is a function with a manifest. What it noticed goes on the page.
tool_definition thermometer() {
  tool_definition tool;
  tool.manifest.tool_id = "thermometer";
  tool.manifest.idempotent = true;
  tool.kind = function_tool{[](const tool_request& request) {
    tool_response response;
    response.outputs["celsius"] = 31;
    response.scratch_page_writes.push_back({{"type", "risk_alert"},
      {"content", "The server room is too warm"}, {"confidence", 0.8}, {"tags", {"temperature"}}});
    response.request_id = request.request_id;
    return response;
  }};
  return tool;
}

// A daemon says what it wants to hear of, and what it does about it.
class fan_control : public daemon {
public:
  static constexpr const char* name = "fan_control";

  fan_control(handle::pointer self, daemon_setup setup)
    : daemon{self, std::move(setup), name, static_cast<uint32_t>(component::first_custom)} {}

private:
  std::vector<observation_filter> interests() const override {
    observation_filter filter;
    filter.tags = {"temperature"};
    return {filter};
  }

  void react(const page_event& event, const token& done) override {
    if (event.kind != event_kind::added)
      return;
    observation_draft draft;
    draft.type = "action_suggestion";
    draft.content = "Turn up the fans: " + event.observation->content;
    publish(as_me(event), std::move(draft), done);
  }
};

int main() {
  init_messages();
  caf::actor_system_config cfg;
  caf::actor_system system{cfg};
  ensemble_setup setup;
  setup.tools.push_back(thermometer());
  ensemble team{system, std::move(setup)};
  team.add_daemon<fan_control>();

  // Turns wait for the team alone: one's own daemon has to have subscribed.
  caf::scoped_actor me{system};
  uint64_t there = 0;
  for (int tries = 0; there <= team.subscribers() && tries < 100'000; ++tries)
    ask(me.ptr(), team.page(), std::chrono::seconds{30}, caf::get_atom_v)
      .receive([&](const page_stats& x) { there = x.subscribers; },
        [](const caf::error& err) { std::cerr << describe(err) << '\n'; });

  begin_turn turn;
  turn.input = "Is it warm in the server room?";
  turn.plan.push_back({.tool_id = "thermometer"});
  ask(me.ptr(), team.turns(), std::chrono::seconds{30}, turn)
    .receive(
      [](const turn_result& result) {
        std::cout << to_string(result.status) << ": " << result.response << '\n';
        for (const auto& x : result.observations)
          std::cout << "  " << x->source.name << " (" << x->type << "): " << x->content << '\n';
      },
      [](const caf::error& err) { std::cerr << describe(err) << '\n'; });
}
