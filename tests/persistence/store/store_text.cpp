#include "scratchpage/tests/persistence/store/store_text.hpp"

#include <optional>
#include <sstream>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"

namespace scratchpage::test {

namespace {

template <class... Ts>
std::string line(const Ts&... xs) {
  std::ostringstream out;
  ((out << xs << '|'), ...);
  return out.str();
}

int64_t nanoseconds(timestamp x) {
  return x.time_since_epoch().count();
}

std::string number_text(const caf::expected<uint64_t>& x) {
  return x ? std::to_string(*x) : text_of(x.error());
}

std::string contents_of_agent(
  store& x, uint64_t agent, const std::vector<std::string>& collections) {
  auto end = x.end_of_journal(agent);
  auto text = "journal up to " + number_text(end) + ":\n" + read_journal(x, agent) + "archive:\n"
              + read_archive(x, agent);
  for (auto kind : {snapshot_kind::latest, snapshot_kind::oldest}) {
    auto head = x.find_snapshot(agent, kind);
    text += "snapshot:\n" + (head ? text_of(*head) : text_of(head.error())) + '\n'
            + read_snapshot(x, agent, kind);
  }
  text += "sums: " + number_text(x.sum_of_archive(agent));
  for (const auto& collection : collections)
    text += " " + number_text(x.sum_of_documents(agent, collection));
  for (const auto& collection : collections)
    text += "\ndocuments:\n" + read_documents(x, agent, collection) + "found:\n"
            + find_documents(x, agent, collection);
  return text;
}

} // namespace

std::string text_of(const caf::error& x) {
  if (!x)
    return "ok";
  auto field = field_of(x);
  return to_string(code_of(x)) + (field.empty() ? "" : " " + field);
}

std::string texts_of(const std::vector<caf::error>& xs) {
  std::string result;
  for (const auto& x : xs)
    result += text_of(x) + ",";
  return result;
}

std::string text_of(const ownership& x) {
  return line(x.agent, x.epoch);
}

std::string text_of(const journal_group& x) {
  return line(x.first, x.last, nanoseconds(x.at), x.events, x.checksum);
}

std::string text_of(const archive_row& x) {
  return line(x.sequence, x.observation_id, x.type, x.status, x.source, x.owner, x.turn_id,
    nanoseconds(x.created_at), nanoseconds(x.left_at), x.body, x.checksum);
}

std::string text_of(const snapshot_head& x) {
  return line(x.sequence, x.last_number, x.expired, x.evicted, nanoseconds(x.at), x.rows);
}

std::string text_of(const snapshot_row& x) {
  return line(x.number, x.event, x.checksum);
}

std::string text_of(const document& x) {
  return line(x.collection, x.key, x.body, x.checksum);
}

std::string contents_of(store& x, const std::vector<std::string>& in) {
  auto agents = x.agents();
  if (!agents)
    return text_of(agents.error());
  std::string text;
  for (const auto& agent_id : *agents) {
    auto agent = x.find_agent(agent_id);
    if (!agent || !*agent)
      text += agent_id + " is not found\n";
    else
      text += agent_id + "=" + std::to_string(**agent) + "\n" + contents_of_agent(x, **agent, in);
  }
  return text;
}

} // namespace scratchpage::test
