#include "scratchpage/persistence/store/page_state.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/journal_text.hpp"
#include "scratchpage/persistence/store/row_sums.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

caf::expected<observation_ptr> observation_of(const snapshot_row& row) {
  auto damaged =
    needs_repair("the snapshot's observation " + std::to_string(row.number) + " is damaged");
  if (checksum_of(row.event) != row.checksum)
    return damaged;
  auto event = event_of(row.event);
  if (!event || !event->observation || number_of(event->observation->observation_id) != row.number)
    return damaged;
  return std::move(event->observation);
}

} // namespace

void page_state::take(const page_event& x) {
  auto number = number_of(x.observation->observation_id).value_or(0);
  sequence = x.sequence;
  last_change = x.at;
  last_number = std::max(last_number, number);
  expired += x.kind == event_kind::expired ? 1 : 0;
  evicted += x.kind == event_kind::evicted ? 1 : 0;
  if (is_end(x.kind))
    observations.erase(number);
  else
    observations.insert_or_assign(number, x.observation);
}

caf::expected<page_state> read_page(store& from, uint64_t agent, snapshot_kind kind) {
  auto head = from.find_snapshot(agent, kind);
  if (!head)
    return head.error();
  page_state page{head->sequence, head->last_number, head->expired, head->evicted, head->at};
  caf::error damage;
  snapshot_rows_check rows;
  auto err = from.read_snapshot(agent, kind, [&](snapshot_row&& row) {
    rows.add(row);
    auto x = observation_of(row);
    if (x)
      page.observations.emplace_hint(page.observations.end(), row.number, std::move(*x));
    else
      damage = x.error();
    return !damage;
  });
  if (!err)
    err = damage;
  if (!err)
    err = rows.check(from, agent, kind, *head);
  if (err)
    return err;
  return page;
}

} // namespace scratchpage
