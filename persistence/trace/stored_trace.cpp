#include "scratchpage/persistence/trace/stored_trace.hpp"

#include <iterator>
#include <utility>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

constexpr timespan reading_timeout = std::chrono::seconds{1};

caf::error check_trace_limit(uint64_t limit, uint64_t most) {
  if (limit >= 1 && limit <= most)
    return {};
  return fail(errc::invalid_request, "limit",
    "expected 1 to " + std::to_string(most) + ", got " + std::to_string(limit));
}

} // namespace

stored_trace::stored_trace(std::shared_ptr<trace_writer> by, std::string agent_id, uint64_t epoch,
  std::shared_ptr<const clock> clock, trace_config config)
  : writer_{std::move(by)},
    agent_id_{std::move(agent_id)},
    line_{writer_->begin(agent_id_, epoch, std::move(clock), config)} {}

stored_trace::stored_trace(std::shared_ptr<trace_store> in, std::string agent_id, uint64_t epoch,
  std::shared_ptr<const clock> clock, trace_config config)
  : stored_trace{std::make_shared<trace_writer>(std::move(in)), std::move(agent_id), epoch,
    std::move(clock), config} {}

void stored_trace::write(trace_entry entry) {
  writer_->write(line_, std::move(entry));
}

bool stored_trace::mask_with(const std::shared_ptr<const pii_masker>& masker) {
  writer_->mask_with(*line_, masker);
  return true;
}

void stored_trace::flush(timespan within) {
  writer_->flush(*line_, within);
}

caf::expected<turn_trace> stored_trace::read_turn(const trace_query& which) {
  flush(reading_timeout);
  return writer_->store().turn(agent_id_, which);
}

caf::expected<traced_turn_list> stored_trace::read_turns(const traced_turns_query& which) {
  if (auto err = check_trace_limit(which.limit, traced_turns_query::most))
    return err;
  flush(reading_timeout);
  auto found = writer_->store().turns(agent_id_, which.limit);
  if (!found)
    return found.error();
  return traced_turn_list{std::move(*found)};
}

caf::expected<latest_entries> stored_trace::read_latest(const latest_entries_query& which) {
  if (auto err = check_trace_limit(which.limit, latest_entries_query::most))
    return err;
  flush(reading_timeout);
  auto found = writer_->store().latest(agent_id_, which.limit);
  if (!found)
    return found.error();
  size_t bytes = 0;
  auto first = found->end();
  while (first != found->begin()) {
    bytes += memory_of(*std::prev(first));
    if (bytes > most_bytes && first != found->end())
      break;
    --first;
  }
  found->erase(found->begin(), first);
  return latest_entries{std::move(*found)};
}

} // namespace scratchpage
