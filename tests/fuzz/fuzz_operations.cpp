#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/messages.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

namespace {

template <class T>
void read_and_write(const json::value& in) {
  auto read = from_json<T>(in);
  if (!read)
    return;
  if constexpr (requires { read->by; })
    promise(read->by.name.empty() && read->by.role == role::daemon, "input sets no caller");
  auto text = to_text(to_json(*read));
  auto again = from_json_text<T>(text);
  promise(static_cast<bool>(again), "what was written can be read");
  promise(to_text(to_json(*again)) == text, "writing it again gives the same");
}

template <class... Requests>
void read_as_each(const json::value& in) {
  (read_and_write<arguments_of<Requests>>(in), ...);
}

} // namespace

void operations(std::string_view bytes) {
  auto value = parse_json(bytes);
  if (!value)
    return;
  read_and_write<query_arguments>(*value);
  read_and_write<listing_arguments>(*value);
  read_as_each<get_observation, get_active_observations, update_observation, archive_observation,
    clear_resolved, register_type, list_goals, get_goal, update_goal, complete_action,
    refuse_action, list_turns, list_subscribers, assemble_context>(*value);
}

} // namespace scratchpage::fuzz
