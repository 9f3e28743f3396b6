#include "scratchpage/runtime/evaluation/labels.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/messages/waiting.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t max_count = 1'000; // of goals in one turn

constexpr std::array<std::string_view, 10> member_names{"urgency", "assessment", "goals_opened",
  "goals_completed", "goals_abandoned", "waiting", "answered", "asks_user", "error_class",
  "recovery_action"};

std::string listed_members() {
  std::string result;
  for (auto name : member_names)
    result.append(result.empty() ? "" : ", ").append(name);
  return result;
}

/// Reads the labels of one conversation, and keeps the first error.
class label_reader {
public:
  label_reader(const conversation& of, std::string_view file, size_t line)
    : of_{of},
      file_{file},
      line_{line} {}

  bool read(const json::object& in, std::vector<turn_label>& out) {
    auto turns = count_turns(of_);
    auto expected =
      "a list with one object for each of the " + std::to_string(turns) + " user messages";
    const auto* labels = in.if_contains("labels");
    if (labels == nullptr || !labels->is_array())
      return refuse("labels", expected);
    const auto& list = labels->get_array();
    if (list.size() != turns)
      return refuse("labels", expected + ", but it has " + std::to_string(list.size()));
    for (turn_ = 0; turn_ < turns; ++turn_)
      if (!read_turn(list[turn_], "labels[" + std::to_string(turn_) + "]", out.emplace_back()))
        return false;
    return true;
  }

  caf::error take_error() { return std::move(error_); }

private:
  bool read_turn(const json::value& in, const std::string& path, turn_label& out) {
    if (!in.is_object())
      return refuse(path, "an object; without members nothing of the turn is counted");
    for (const auto& [key, value] : in.get_object()) {
      std::string_view name{key.data(), key.size()};
      auto here = path + "." + utf8::shortened(one_line(name), 80);
      if (std::find(member_names.begin(), member_names.end(), name) == member_names.end())
        return refuse(here, "one of the members " + listed_members());
      if (!read_decision(name, value, here, out) || !read_goals(name, value, here, out)
          || !read_questions(name, value, here, out) || !read_errors(name, value, here, out))
        return false;
    }
    return true;
  }

  bool read_decision(
    std::string_view name, const json::value& in, const std::string& path, turn_label& out) {
    if (name == "urgency")
      return in.is_null() || read_names<urgency>(in, path, false, out.urgency);
    if (name == "assessment")
      return in.is_null() || read_names<evaluation_outcome>(in, path, false, out.assessment);
    return true;
  }

  bool read_goals(
    std::string_view name, const json::value& in, const std::string& path, turn_label& out) {
    if (name == "goals_opened")
      return read_count(in, path, out.goals_opened);
    if (name == "goals_completed")
      return read_count(in, path, out.goals_completed);
    if (name == "goals_abandoned")
      return read_count(in, path, out.goals_abandoned);
    return true;
  }

  bool read_questions(
    std::string_view name, const json::value& in, const std::string& path, turn_label& out) {
    if (name == "waiting")
      return read_names<waiting_kind>(in, path, true, out.waiting);
    if (name == "answered")
      return read_names<answer_kind>(in, path, true, out.answered);
    if (name != "asks_user" || in.is_null())
      return true;
    if (!in.is_bool())
      return refuse(path, "true or false");
    out.asks_user = in.get_bool();
    return true;
  }

  bool read_errors(
    std::string_view name, const json::value& in, const std::string& path, turn_label& out) {
    if (name == "error_class")
      return read_calls<error_class>(in, path, out.error_class);
    if (name == "recovery_action")
      return read_calls<recovery_action>(in, path, out.recovery_action);
    return true;
  }

  /// Reads how many, from 0.
  bool read_count(const json::value& in, const std::string& path, std::optional<uint32_t>& out) {
    if (in.is_null())
      return true;
    boost::json::error_code ec;
    auto count = in.is_number() ? in.to_number<uint32_t>(ec) : 0;
    if (!in.is_number() || ec || count > max_count)
      return refuse(path, "a whole number from 0 to " + std::to_string(max_count));
    out = count;
    return true;
  }

  /// Reads one name, or a list of accepted ones. Null is one of them if it `may_be_nothing`.
  template <named_enum E>
  bool read_names(
    const json::value& in, const std::string& path, bool may_be_nothing, accepted_names& out) {
    if (!in.is_array())
      return read_name<E>(in, path, may_be_nothing, out);
    const auto& list = in.get_array();
    if (list.empty())
      return refuse(path, "a name, or a list of accepted names that is not empty");
    for (size_t i = 0; i < list.size(); ++i)
      if (!read_name<E>(list[i], path + "[" + std::to_string(i) + "]", may_be_nothing, out))
        return false;
    return true;
  }

  template <named_enum E>
  bool read_name(
    const json::value& in, const std::string& path, bool may_be_nothing, accepted_names& out) {
    E value{};
    if (in.is_string() && from_string(in.get_string(), value))
      return accept(std::string{name_of(value)}, out);
    if (in.is_null() && may_be_nothing)
      return accept({}, out);
    return refuse(path, "one of " + all_names<E>() + (may_be_nothing ? ", or null" : ""));
  }

  static bool accept(std::string name, accepted_names& out) {
    if (std::find(out.begin(), out.end(), name) == out.end())
      out.push_back(std::move(name));
    return true;
  }

  /// Reads an object with names by the ids of calls of this turn.
  template <named_enum E>
  bool read_calls(
    const json::value& in, const std::string& path, std::map<std::string, accepted_names>& out) {
    if (in.is_null())
      return true;
    if (!in.is_object())
      return refuse(path, "an object with the ids of calls");
    for (const auto& [key, value] : in.get_object()) {
      std::string id{key.data(), key.size()};
      auto here = path + "." + utf8::shortened(one_line(id), 80);
      if (!has_call(id))
        return refuse(here, "the id of a call of this turn");
      if (!read_names<E>(value, here, false, out[id]))
        return false;
    }
    return true;
  }

  bool has_call(const std::string& id) const {
    const auto& plan = turn_of(of_, turn_).request.plan;
    return std::any_of(plan.begin(), plan.end(), [&](const auto& x) { return x.call_id == id; });
  }

  bool refuse(std::string_view field, const std::string& expected) {
    error_ = bad_input(file_, line_, field, "expected " + expected);
    return false;
  }

  const conversation& of_;
  std::string_view file_;
  size_t line_;
  size_t turn_ = 0;
  caf::error error_;
};

} // namespace

const replay_turn& turn_of(const conversation& x, size_t number) {
  return std::get<turns_step>(x.steps.at(number).what).turns.front();
}

caf::expected<std::vector<turn_label>> read_labels(
  const json::object& line_value, const conversation& of, std::string_view file, size_t line) {
  label_reader reader{of, file, line};
  std::vector<turn_label> result;
  if (!reader.read(line_value, result))
    return reader.take_error();
  return result;
}

caf::expected<labelled_read> read_labelled(std::string_view text, std::string_view file) {
  labelled_read result;
  auto keep = [&](conversation x, size_t line, const json::value& value) -> caf::error {
    static const json::object nothing;
    auto labels = read_labels(value.is_object() ? value.get_object() : nothing, x, file, line);
    if (!labels)
      return labels.error();
    result.conversations.push_back({std::move(x), std::move(*labels)});
    return {};
  };
  auto notices = read_transcript(text, file, keep);
  if (!notices)
    return notices.error();
  result.notices = std::move(*notices);
  return result;
}

caf::expected<labelled_read> read_labelled_files(
  const std::vector<std::filesystem::path>& paths, bool is_strict) {
  labelled_read result;
  for (const auto& path : paths) {
    auto text = read_text_file(path);
    if (!text)
      return text.error();
    auto some = read_labelled(*text, path.string());
    if (!some)
      return some.error();
    if (is_strict && some->notices.count() > 0)
      return some->notices.first();
    result.notices.append(some->notices);
    std::move(some->conversations.begin(), some->conversations.end(),
      std::back_inserter(result.conversations));
  }
  return result;
}

} // namespace scratchpage
