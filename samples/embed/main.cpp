// Runs the whole team in one process, with a tool and a daemon of the embedding program.
#include <iostream>

#include <scratchpage/scratchpage.hpp>

using namespace scratchpage;

// A tool is a function with a manifest. The page stores what it returns in `scratch_page_writes`.
tool_response measure(const tool_request& request) {
  tool_response response;
  response.request_id = request.request_id;
  response.outputs["celsius"] = 31;
  response.scratch_page_writes.push_back({{"type", "risk_alert"},
    {"content", "The server room is too warm"}, {"confidence", 0.8}, {"tags", {"temperature"}}});
  return response;
}

// A daemon selects observations with filters, and reacts to them.
class fan_control : public daemon {
public:
  static constexpr const char* name = "fan_control";

  fan_control(handle::pointer self, const daemon_setup& setup)
    : daemon{self, setup, name} {}

private:
  std::vector<observation_filter> interests() const override { return {{.tags = {"temperature"}}}; }

  void react(const page_event& event, const ack_guard& done) override {
    if (event.kind == event_kind::added)
      publish(as_me(event),
        {.type = "action_suggestion", .content = "Turn up the fans: " + event.observation->content},
        done);
  }
};

int give_up(const caf::error& err) {
  std::cerr << describe(err) << '\n';
  return 1;
}

int main() {
  init_messages();
  caf::actor_system_config config;
  caf::actor_system system{config};
  ensemble team{
    system, {.tools = {{{.tool_id = "thermometer", .idempotent = true}, function_tool{measure}}}}};
  team.add_daemon<fan_control>();
  if (auto err = team.ready())
    return give_up(err);
  auto result = team.run_turn({.input = "Is it warm?", .plan = {{.tool_id = "thermometer"}}});
  if (!result)
    return give_up(result.error());
  std::cout << to_string(result->status) << ": " << result->response << '\n';
  for (const auto& x : result->observations)
    std::cout << "  " << x->source.name << " (" << x->type << "): " << x->content << '\n';
}
