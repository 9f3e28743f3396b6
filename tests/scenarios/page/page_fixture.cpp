#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

#include "scratchpage/messages/codec.hpp"

namespace scratchpage::test {

page_fixture::page_fixture() {
  setup.journal = own(spawn_journal(sys, journal));
}

page_fixture::~page_fixture() = default;

void page_fixture::start() {
  page = start_page("tester", setup);
}

scratch_page_actor page_fixture::start_page(std::string agent_id, page_setup with) {
  return make<scratch_page_state>(
    agent_context{std::move(agent_id), page_clock, trace}, std::move(with));
}

observation_ptr page_fixture::add(observation_draft draft, const caller& by) {
  return value(ask(page, add_observation{by, std::move(draft)})).observation;
}

observation_ptr page_fixture::get(const std::string& observation_id) {
  return value(ask(page, get_observation{as_daemon("reader"), observation_id}));
}

query_result page_fixture::query(query_observations request) {
  return value(ask(page, std::move(request)));
}

observation_ptr page_fixture::update(
  const std::string& observation_id, observation_changes changes, const caller& by) {
  return value(try_update(observation_id, std::move(changes), by)).observation;
}

observation_ptr page_fixture::set_status(const std::string& observation_id, status to) {
  return update(observation_id, {.status = to});
}

void page_fixture::archive(const std::string& observation_id) {
  value(ask(page, archive_observation{as_daemon("planner"), observation_id}));
}

void page_fixture::link(const std::string& goal_id, std::vector<std::string> ids) {
  value(ask(page, link_observations{as_daemon("frontal_cortex"), goal_id, std::move(ids)}));
}

query_result page_fixture::archive_list(observation_filter filter) {
  return value(ask(page, list_archive{as_daemon("reader"), std::move(filter), 1000, {}}));
}

page_stats page_fixture::stats() {
  return value(ask(page, caf::get_atom_v));
}

caf::expected<receipt> page_fixture::try_add(observation_draft draft, const caller& by) {
  return ask(page, add_observation{by, std::move(draft)});
}

caf::expected<receipt> page_fixture::try_update(
  const std::string& observation_id, observation_changes changes, const caller& by) {
  update_observation request;
  request.by = by;
  request.observation_id = observation_id;
  request.changes = std::move(changes);
  return ask(page, std::move(request));
}

caf::expected<void> page_fixture::try_clear(std::vector<std::string> ids) {
  return ask(page, clear_resolved{as_daemon("reflector"), std::move(ids)});
}

subscribe page_fixture::order_of(const probe& x, observation_filter filter,
  std::optional<uint64_t> from, bool part_of_turns) const {
  return {as_daemon("probe"), x.handle, std::move(filter), {from}, part_of_turns};
}

probe page_fixture::new_probe(manner with) {
  auto log = std::make_shared<probe_log>();
  log->with = with;
  return {log, make<probe_state>(log)};
}

probe page_fixture::watch_page(
  observation_filter filter, std::optional<uint64_t> from, manner with) {
  auto x = new_probe(with);
  value(ask(page, order_of(x, std::move(filter), from)));
  return x;
}

void page_fixture::acknowledge(const probe& x) {
  value(ask(x.handle, caf::tick_atom_v));
}

void page_fixture::end(const probe& x) {
  caf::anon_send_exit(x.handle, caf::exit_reason::kill);
  settle();
}

std::vector<trace_entry> page_fixture::traced(
  std::string_view operation, std::string_view status) const {
  std::vector<trace_entry> result;
  for (auto& x : trace->entries())
    if (x.operation == operation && (status.empty() || x.status == status))
      result.push_back(std::move(x));
  return result;
}

observation_draft draft(std::string type, std::string content, std::vector<std::string> tags) {
  observation_draft x;
  x.type = std::move(type);
  x.content = std::move(content);
  x.tags = std::move(tags);
  return x;
}

observation_draft note(std::string content, std::vector<std::string> tags) {
  return draft("observation", std::move(content), std::move(tags));
}

observation_draft lasting(double minutes, observation_draft x) {
  x.ttl_minutes = minutes;
  return x;
}

query_observations asking(observation_filter filter, std::string text, uint32_t limit) {
  query_observations x;
  x.by = as_daemon("reader");
  x.filter = std::move(filter);
  x.text = std::move(text);
  x.limit = limit;
  return x;
}

observation_filter with_status(std::vector<status> any_of) {
  observation_filter x;
  x.status = std::move(any_of);
  return x;
}

observation_filter anything() {
  return with_status({status::active, status::pending_review, status::resolved});
}

observation_filter with_tags(std::vector<std::string> all_of) {
  observation_filter x;
  x.tags = std::move(all_of);
  return x;
}

observation_filter with_types(std::vector<std::string> any_of) {
  observation_filter x;
  x.type = std::move(any_of);
  return x;
}

std::string numbers(std::span<const observation_ptr> list) {
  std::string result;
  for (const auto& x : list)
    result.append(result.empty() ? "" : " ").append(number_of(*x));
  return result;
}

std::string numbers(const query_result& x) {
  return numbers(x.observations);
}

std::string id(unsigned number) {
  auto digits = std::to_string(number);
  return "obs_20251105_" + std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
}

std::string text_of(const observation& x) {
  return to_text(to_json(x));
}

} // namespace scratchpage::test
