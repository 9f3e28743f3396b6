#include "scratchpage/runtime/api/first_change.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/page/write_rules.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/draft_batch.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/api/principal_rules.hpp"

namespace scratchpage {

namespace {

template <class T>
caf::expected<T> read(const call_operation& x) {
  return from_json<T>(json::value(x.arguments));
}

caf::error check_draft(observation_draft draft, const caller& by, const page_config& with) {
  type_registry types{with.types};
  if (types.knows(draft.type))
    if (auto err = write_rules{with.tool_types}.check(draft, by))
      return err;
  auto accepted = accept(std::move(draft), by, types, with.default_ttl_minutes, timestamp{});
  return accepted ? caf::error{} : accepted.error();
}

caf::error check_addition(const call_operation& x, const config& with) {
  auto given = read<draft_arguments>(x);
  if (!given)
    return given.error();
  if (!given->turn_id.empty())
    return fail(errc::not_found, "turn_id", "expected an open turn, got '" + given->turn_id + "'");
  return check_draft(std::move(*given), x.by, with.page);
}

/// One draft that is accepted is enough.
caf::error check_additions(const call_operation& x, const config& with) {
  auto given = read<unread_drafts_arguments>(x);
  if (!given)
    return given.error();
  auto all = read_drafts(given->drafts);
  for (auto& draft : all.readable)
    if (!check_draft(std::move(draft), x.by, with.page))
      return {};
  return fail(errc::invalid_request, "drafts", "expected one that can be stored");
}

caf::error check_turn(const call_operation& x, const config&) {
  auto given = read<arguments_of<begin_turn>>(x);
  if (!given)
    return given.error();
  given->by = x.by;
  return check_request(*given);
}

caf::error check_item(const call_operation& x, const config& with) {
  auto item = read<item_draft>(x);
  if (!item)
    return item.error();
  if (auto err = check_thread_id(x.thread_id))
    return err;
  scratchbook empty;
  auto added = add_item(empty, std::move(*item), 0, with.scratchbook.limits);
  return added ? caf::error{} : added.error();
}

caf::error check_type(const call_operation& x, const config&) {
  auto given = read<arguments_of<register_type>>(x);
  return given ? type_registry::check(given->type) : given.error();
}

} // namespace

std::optional<caf::error> check_first_change(const call_operation& x, const config& with) {
  using checker = caf::error (*)(const call_operation&, const config&);
  static constexpr std::pair<std::string_view, checker> all[] = {
    {"add_observation", check_addition},
    {"add_observations", check_additions},
    {"begin_turn", check_turn},
    {"scratch_add", check_item},
    {"register_type", check_type},
  };
  auto found = std::find_if(
    std::begin(all), std::end(all), [&](const auto& one) { return one.first == x.operation; });
  if (found == std::end(all))
    return std::nullopt;
  auto outside = x;
  outside.by = as_outside(x.by);
  if (auto err = check_principal(x.operation, outside.by))
    return err;
  return found->second(outside, with);
}

} // namespace scratchpage
