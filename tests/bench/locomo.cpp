#include "scratchpage/tests/bench/locomo.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "scratchpage/actors/page/index/observation_index.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage::bench {

namespace {

struct note {
  std::string text;
  std::string evidence; ///< the dialog turn that it comes from; "" if several
};

/// The number in a name such as "session_12_observation".
int session_number(std::string_view name) {
  auto at = name.find_first_of("0123456789");
  int result = 0;
  if (at != name.npos)
    std::from_chars(name.data() + at, name.data() + name.size(), result);
  return result;
}

/// The notes of a conversation with their speakers, in the order of the sessions.
std::vector<note> notes_of(const json::object& conversation) {
  std::vector<const json::key_value_pair*> sessions;
  for (const auto& session : conversation.at("observation").as_object())
    sessions.push_back(&session);
  std::stable_sort(sessions.begin(), sessions.end(), [](const auto* a, const auto* b) {
    return session_number(std::string_view{a->key()}) < session_number(std::string_view{b->key()});
  });
  std::vector<note> result;
  for (const auto* session : sessions)
    for (const auto& [who, notes] : session->value().as_object())
      for (const auto& entry : notes.as_array()) {
        auto& x = result.emplace_back();
        x.text.append(who).append(" ").append(std::string_view{entry.at(0).as_string()});
        if (entry.at(1).is_string())
          x.evidence = entry.at(1).as_string();
      }
  return result;
}

void fill(observation_index& index, const std::vector<note>& notes) {
  // Among equally good notes the reference prefers the earliest, and the index the newest.
  // Therefore the first note is inserted last.
  uint64_t number = 0;
  for (auto i = notes.rbegin(); i != notes.rend(); ++i) {
    observation x;
    x.observation_id = "obs_20251105_" + std::to_string(++number);
    x.type = "observation";
    x.content = i->text;
    x.source = {source_kind::user, "locomo", "", {}};
    x.expires_at = timestamp::max();
    index.insert(number, observation_ptr{std::move(x)});
  }
}

void run(const json::object& conversation, locomo_figures& figures) {
  auto notes = notes_of(conversation);
  observation_index index;
  fill(index, notes);
  for (const auto& qa : conversation.at("qa").as_array()) {
    std::set<std::string_view> evidence;
    for (const auto& x : qa.at("evidence").as_array())
      evidence.insert(x.as_string());
    std::set<uint64_t> relevant;
    for (size_t i = 0; i < notes.size(); ++i)
      if (!notes[i].evidence.empty() && evidence.contains(notes[i].evidence))
        relevant.insert(notes.size() - i);
    if (relevant.empty())
      continue;
    observation_filter filter;
    index_query q;
    q.filter = &filter;
    q.text = std::string_view{qa.at("question").as_string()};
    size_t found = 0;
    for (auto number : index.query(q).numbers)
      found += relevant.count(number);
    ++figures.queries;
    figures.recall_at_10 += static_cast<double>(found) / static_cast<double>(relevant.size());
  }
}

} // namespace

caf::expected<locomo_figures> locomo_notes(const std::string& file) {
  std::ifstream in{file};
  std::stringstream text;
  text << in.rdbuf();
  if (!in)
    return fail(errc::invalid_request, "file", "expected a readable file, got " + file);
  auto data = parse_json(text.str(), {.max_bytes = 1u << 28, .max_depth = 64});
  if (!data)
    return data.error();
  locomo_figures result;
  try { // a wrong form of the data set throws
    for (const auto& conversation : data->as_array())
      run(conversation.as_object(), result);
  } catch (const std::exception& e) {
    return fail(
      errc::invalid_request, "file", std::string{"expected LoCoMo's format: "} + e.what());
  }
  result.recall_at_10 *= 100.0 / static_cast<double>(std::max<size_t>(result.queries, 1));
  return result;
}

} // namespace scratchpage::bench
