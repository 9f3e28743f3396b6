#include "scratchpage/tests/support/trace_replay.hpp"

#include <optional>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/event.hpp"

namespace scratchpage {

namespace {

/// A change of the page, read from its trace entry.
struct page_change {
  uint64_t sequence = 0;
  event_kind event = event_kind::added;
  scratchpage::observation observation;
};

bool is_change(const trace_entry& entry) {
  return entry.component == "scratch_page"
         && (entry.status == "success" || entry.status == "warning")
         && entry.detail.if_contains("sequence") != nullptr;
}

caf::error refuse(uint64_t sequence, std::string_view expected) {
  return fail(errc::invalid_request, "sequence " + std::to_string(sequence), expected);
}

/// Reads one member of a detail, which may have other members too.
template <class T>
caf::error read_member(const json::object& detail, const char* name, T& out) {
  const auto* value = detail.if_contains(name);
  if (value == nullptr)
    return fail(errc::invalid_request, name, "expected a value; it is required");
  json_reader reader{errc::invalid_request};
  return reader.read(*value, out) ? caf::error{} : reader.error();
}

caf::expected<page_change> read_change(const json::object& detail, uint64_t expected) {
  page_change result;
  auto err = read_member(detail, "sequence", result.sequence);
  if (!err)
    err = read_member(detail, "event", result.event);
  if (!err)
    err = read_member(detail, "observation", result.observation);
  if (err)
    return refuse(expected, describe(err));
  return result;
}

/// The page after the entries that were read so far.
class follower {
public:
  caf::error apply(const trace_entry& entry) {
    auto expected = last_ + 1;
    auto change = read_change(entry.detail, expected);
    if (!change)
      return change.error();
    if (change->sequence != expected)
      return refuse(expected, "this change, but " + std::to_string(change->sequence) + " follows");
    if (agent_id_.value_or(entry.agent_id) != entry.agent_id)
      return refuse(expected, "changes of one agent only, but there is " + entry.agent_id);
    agent_id_ = entry.agent_id;
    last_ = expected;
    return apply(std::move(*change));
  }

  std::map<std::string, observation> take() { return std::move(page_); }

private:
  caf::error apply(page_change change) {
    auto id = change.observation.observation_id;
    auto known = page_.find(id);
    auto is_new = change.event == event_kind::added;
    if (is_new == (known != page_.end()))
      return refuse(change.sequence, is_new ? "a new observation, but " + id + " is there already"
                                            : "an observation of the page, but not " + id);
    switch (change.event) {
    case event_kind::added:
    case event_kind::updated:
    case event_kind::linked:
      page_.insert_or_assign(id, std::move(change.observation));
      return {};
    case event_kind::archived:
    case event_kind::expired:
    case event_kind::evicted:
      page_.erase(known);
      return {};
    default: // these exist only in event streams
      return refuse(change.sequence, "a change, but not " + to_string(change.event));
    }
  }

  std::optional<std::string> agent_id_;
  uint64_t last_ = 0;
  std::map<std::string, observation> page_;
};

} // namespace

caf::expected<std::map<std::string, observation>> replay(std::span<const trace_entry> entries) {
  follower page;
  for (const auto& entry : entries)
    if (is_change(entry))
      if (auto err = page.apply(entry))
        return err;
  return page.take();
}

} // namespace scratchpage
