#include "scratchpage/tests/bench/locomo.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "scratchpage/actors/page/index/observation_index.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage::bench {

namespace {

/// A text of a conversation.
struct document {
  std::string text;
  std::string speaker;
  std::string evidence; ///< the dialog turn that it is or comes from; "" if several
  timestamp at;
};

using documents_of = std::vector<document> (*)(const json::object& conversation);

/// The number in a name such as "session_12_observation".
int session_number(std::string_view name) {
  auto at = name.find_first_of("0123456789");
  int result = 0;
  if (at != name.npos)
    std::from_chars(name.data() + at, name.data() + name.size(), result);
  return result;
}

/// Reads "1:56 pm on 8 May, 2023", as far as the day.
timestamp day_in(std::string_view text) {
  constexpr std::array<std::string_view, 12> months{"January", "February", "March", "April", "May",
    "June", "July", "August", "September", "October", "November", "December"};
  std::istringstream in{std::string{text.substr(text.find(" on ") + 4)}};
  int day = 0;
  int year = 0;
  std::string month;
  in >> day >> month >> year;
  if (!in || !month.ends_with(','))
    throw std::runtime_error{"a session without a date"};
  month.pop_back();
  auto index = std::find(months.begin(), months.end(), month) - months.begin();
  std::chrono::year_month_day date{std::chrono::year{year},
    std::chrono::month{static_cast<unsigned>(index + 1)},
    std::chrono::day{static_cast<unsigned>(day)}};
  return std::chrono::sys_days{date};
}

timestamp time_of(const json::object& conversation, int session) {
  auto name = "session_" + std::to_string(session) + "_date_time";
  return day_in(conversation.at("conversation").at(name).as_string());
}

/// The lists or objects of the sessions, in order.
std::vector<std::pair<int, const json::value*>> sessions_of(const json::object& in) {
  std::vector<std::pair<int, const json::value*>> result;
  for (const auto& [name, value] : in)
    if (std::string_view{name}.starts_with("session_") && !value.is_string())
      result.emplace_back(session_number(name), &value);
  std::ranges::stable_sort(result, {}, [](const auto& x) { return x.first; });
  return result;
}

/// The notes with their speakers.
std::vector<document> notes_of(const json::object& conversation) {
  std::vector<document> result;
  for (const auto& [number, session] : sessions_of(conversation.at("observation").as_object()))
    for (const auto& [who, notes] : session->as_object())
      for (const auto& entry : notes.as_array()) {
        auto& x = result.emplace_back();
        x.speaker = who;
        x.text.append(who).append(" ").append(std::string_view{entry.at(0).as_string()});
        if (entry.at(1).is_string())
          x.evidence = entry.at(1).as_string();
        x.at = time_of(conversation, number);
      }
  return result;
}

/// The turns with their speakers.
std::vector<document> turns_of(const json::object& conversation) {
  std::vector<document> result;
  for (const auto& [number, session] : sessions_of(conversation.at("conversation").as_object()))
    for (const auto& entry : session->as_array()) {
      auto& x = result.emplace_back();
      x.speaker = entry.at("speaker").as_string();
      x.text = x.speaker + ": " + std::string{entry.at("text").as_string()};
      x.evidence = entry.at("dia_id").as_string();
      x.at = time_of(conversation, number);
    }
  return result;
}

/// A page with all conversations, and which of its observations are evidence of what.
class page_of_conversations {
public:
  page_of_conversations(const json::array& conversations, documents_of read) {
    for (const auto& conversation : conversations)
      add(conversation.as_object(), read);
  }

  void ask(const json::object& conversation, locomo_recall& figures) {
    for (const auto& qa : conversation.at("qa").as_array()) {
      std::set<uint64_t> relevant;
      for (const auto& x : qa.at("evidence").as_array()) {
        auto known = evidence_.find(name_of(conversation, x.as_string()));
        if (known != evidence_.end())
          relevant.insert(known->second.begin(), known->second.end());
      }
      if (relevant.empty())
        continue;
      observation_filter filter;
      index_query q;
      q.filter = &filter;
      q.text = std::string_view{qa.at("question").as_string()};
      size_t found = 0;
      for (auto number : index_.query(q).numbers)
        found += relevant.count(number);
      ++figures.queries;
      figures.recall_at_10 += static_cast<double>(found) / static_cast<double>(relevant.size());
    }
  }

private:
  static std::string name_of(const json::object& conversation, std::string_view evidence) {
    return std::string{conversation.at("sample_id").as_string()}.append(" ").append(evidence);
  }

  void add(const json::object& conversation, documents_of read) {
    for (auto& document : read(conversation)) {
      observation x;
      auto number = ++last_;
      x.observation_id = "obs_20251105_" + std::to_string(number);
      x.type = "observation";
      x.content = std::move(document.text);
      x.source = {source_kind::user, document.speaker, "", document.at};
      x.context["thread_id"] = conversation.at("sample_id");
      x.created_at = x.updated_at = document.at;
      x.expires_at = timestamp::max();
      if (!document.evidence.empty())
        evidence_[name_of(conversation, document.evidence)].insert(number);
      index_.insert(number, observation_ptr{std::move(x)});
    }
  }

  observation_index index_;
  uint64_t last_ = 0;
  std::map<std::string, std::set<uint64_t>> evidence_;
};

locomo_recall measure(const json::array& conversations, documents_of read) {
  page_of_conversations page{conversations, read};
  locomo_recall result;
  for (const auto& conversation : conversations)
    page.ask(conversation.as_object(), result);
  result.recall_at_10 *= 100.0 / static_cast<double>(std::max<size_t>(result.queries, 1));
  return result;
}

} // namespace

caf::expected<locomo_figures> measure_locomo(const std::string& file) {
  std::ifstream in{file};
  std::stringstream text;
  text << in.rdbuf();
  if (!in)
    return fail(errc::invalid_request, "file", "expected a readable file, got " + file);
  auto data = parse_json(text.str(), {.max_bytes = 1u << 28, .max_depth = 64});
  if (!data)
    return data.error();
  try { // a wrong form of the data set throws
    const auto& conversations = data->as_array();
    return locomo_figures{measure(conversations, notes_of), measure(conversations, turns_of)};
  } catch (const std::exception& e) {
    return fail(
      errc::invalid_request, "file", std::string{"expected LoCoMo's format: "} + e.what());
  }
}

} // namespace scratchpage::bench
