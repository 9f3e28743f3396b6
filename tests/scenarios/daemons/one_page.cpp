#include "scratchpage/tests/scenarios/daemons/one_page.hpp"

namespace scratchpage::test {

one_page::one_page() {
  const auto& with = default_config();
  setup = {with.page, with.weights, with.text, with.promotion};
  open();
}

one_page::~one_page() = default;

void one_page::open(std::shared_ptr<const scratchpage::clock> on) {
  agent_context agent{"tester", on ? std::move(on) : driver.clock(), trace};
  page = make<scratch_page_state>(std::move(agent), setup);
  settle();
}

receipt one_page::add(const caller& by, observation_draft draft) {
  return team::value(ask(page, add_observation{by, std::move(draft)}));
}

query_result one_page::query(
  const caller& by, observation_filter filter, std::string text, uint32_t limit) {
  return team::value(ask(page, query_by(by, std::move(filter), std::move(text), limit)));
}

observation_ptr one_page::get(const std::string& observation_id) {
  return team::value(ask(page, get_observation{as_daemon("probe"), observation_id}));
}

std::vector<observation_ptr> one_page::in_archive() {
  list_archive request;
  request.by = as_daemon("probe");
  request.limit = 1000;
  return team::value(ask(page, std::move(request))).observations;
}

page_stats one_page::stats() {
  return team::value(ask(page, caf::get_atom_v));
}

caller executor_in(std::string turn_id) {
  return as_daemon("executor", std::move(turn_id));
}

caller error_handler_in(std::string turn_id) {
  return as_daemon("error_handler", std::move(turn_id));
}

caller router_in(std::string turn_id) {
  return as_daemon("router", std::move(turn_id));
}

caller reflector_in(std::string turn_id) {
  return as_daemon("reflector", std::move(turn_id));
}

std::set<std::string> ids_of(const std::vector<observation_ptr>& xs) {
  std::set<std::string> result;
  for (const auto& x : xs)
    result.insert(x->observation_id);
  return result;
}

} // namespace scratchpage::test
