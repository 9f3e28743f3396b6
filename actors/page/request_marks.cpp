#include "scratchpage/actors/page/request_marks.hpp"

#include <string>

#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/store/checksum.hpp"

namespace scratchpage {

namespace {

/// `ask` makes the text of what is asked for; only requests with keys need it.
template <class Ask>
request_mark marked(const caller& by, uint32_t part, Ask ask) {
  request_mark result;
  if (by.request_key.empty())
    return result;
  result.key = by.request_key.text();
  result.by = said_by(by);
  result.digest = checksum_of(ask());
  result.part = part;
  return result;
}

} // namespace

request_mark mark_of(const add_observation& x, uint32_t part) {
  return marked(x.by, part, [&] { return "add " + to_json_text(x.draft); });
}

request_mark mark_of(const update_observation& x) {
  return marked(x.by, 0, [&] {
    auto result = "update " + x.observation_id + ' ' + to_json_text(x.changes);
    if (x.expected_revision)
      result += ' ' + std::to_string(*x.expected_revision);
    return result + ' ' + to_string(x.on_conflict);
  });
}

request_mark mark_of(const archive_observation& x) {
  return marked(x.by, 0, [&] { return "archive " + x.observation_id; });
}

request_mark mark_of(const clear_resolved& x) {
  return marked(x.by, 0, [&] {
    std::string result = "clear";
    for (const auto& id : x.observation_ids)
      result.append(1, ' ').append(id);
    return result;
  });
}

} // namespace scratchpage
