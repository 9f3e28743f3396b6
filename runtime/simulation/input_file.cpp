#include "scratchpage/runtime/simulation/input_file.hpp"

#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/simulation/scenario.hpp"

namespace scratchpage {

namespace {

std::string_view first_line(std::string_view text) {
  auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos)
    return {};
  text.remove_prefix(begin);
  return text.substr(0, text.find('\n'));
}

void replace(std::string& agent_id, const std::string& from, const std::string& to) {
  if (agent_id == from)
    agent_id = to;
}

/// Gives `x` another id, also as the name of its agent if that had the old one.
void rename(conversation& x, const std::string& id) {
  auto old = std::exchange(x.id, id);
  for (auto& agent : x.agents)
    replace(agent, old, id);
  for (auto& step : x.steps) {
    if (auto* add = std::get_if<add_step>(&step.what))
      replace(add->agent_id, old, id);
    else if (auto* expect = std::get_if<expect_step>(&step.what))
      replace(expect->agent_id, old, id);
    else if (auto* begun = std::get_if<turns_step>(&step.what))
      for (auto& turn : begun->turns)
        replace(turn.request.agent_id, old, id);
  }
}

/// What the first bytes of a file that is no UTF-8 show.
struct file_form {
  std::string_view begin;
  std::string_view name;
};

using namespace std::string_view_literals;

constexpr std::array<file_form, 7> other_forms{{{"\x1f\x8b"sv, "gzip"},
  {"\x28\xb5\x2f\xfd"sv, "Zstandard"}, {"PK\x03\x04"sv, "ZIP"}, {"BZh"sv, "bzip2"},
  {"\xfd"
   "7zXZ"sv,
    "xz"},
  {"\xff\xfe"sv, "UTF-16"}, {"\xfe\xff"sv, "UTF-16"}}};

caf::error check_form(std::string_view text, const std::string& file) {
  for (const auto& x : other_forms)
    if (text.starts_with(x.begin))
      return bad_input(file, 0, "",
        x.name == "UTF-16"
          ? "expected UTF-8, but the file is UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)"
          : "expected text, but the file is compressed (" + std::string{x.name}
              + "): decompress it first");
  return {};
}

} // namespace

caf::expected<std::string> read_text_file(const std::filesystem::path& path) {
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec))
    return bad_input(path.string(), 0, "", "expected a file, but it is a directory");
  std::ifstream in{path, std::ios::binary};
  if (!in)
    return bad_input(path.string(), 0, "", "expected a file that can be read");
  std::string result{std::istreambuf_iterator<char>{in}, {}};
  if (in.bad())
    return bad_input(path.string(), 0, "", "expected a file that can be read to its end");
  if (auto err = check_form(result, path.string()))
    return err;
  return result;
}

input_kind kind_of_input(std::string_view text, std::string_view file) {
  text = skip_bom(text);
  if (auto line = parse_input(first_line(text), file, 1); line) {
    if (is_of_transcript(*line))
      return input_kind::transcript;
    if (line->is_object() && line->get_object().contains("steps"))
      return input_kind::scenario;
  }
  if (first_line(text).starts_with('['))
    return input_kind::transcript;
  if (auto whole = parse_input(text, file, 1, {.comments = true}))
    return is_of_transcript(*whole) ? input_kind::transcript : input_kind::scenario;
  return file.ends_with(".jsonl") || file.ends_with(".ndjson") ? input_kind::transcript
                                                               : input_kind::scenario;
}

caf::expected<conversations_read> read_input(const std::filesystem::path& path) {
  auto text = read_text_file(path);
  if (!text)
    return text.error();
  auto file = path.string();
  if (utf8::is_blank(skip_bom(*text)))
    return bad_input(file, 0, "", "expected a scenario or a transcript, but the file is empty");
  if (kind_of_input(*text, file) == input_kind::transcript)
    return read_transcript(*text, file);
  auto scenario = read_scenario(*text, file);
  if (!scenario)
    return scenario.error();
  conversations_read result;
  result.conversations.push_back(std::move(*scenario));
  return result;
}

caf::expected<conversations_read> read_inputs(
  const std::vector<std::filesystem::path>& paths, bool is_strict) {
  conversations_read result;
  std::set<std::string> ids;
  for (const auto& path : paths) {
    auto some = read_input(path);
    if (!some)
      return some.error();
    if (is_strict && some->notices.count() > 0)
      return some->notices.first();
    result.notices.append(some->notices);
    for (auto& x : some->conversations) {
      auto id = x.id;
      for (size_t n = 2; !ids.insert(id).second; ++n)
        id = x.id + "#" + std::to_string(n);
      if (id != x.id)
        rename(x, id);
      result.conversations.push_back(std::move(x));
    }
  }
  return result;
}

caf::expected<json::object> read_config_file(const std::filesystem::path& path) {
  auto text = read_text_file(path);
  if (!text)
    return text.error();
  auto value = parse_input(skip_bom(*text), path.string(), 1, {.comments = true});
  if (!value)
    return value.error();
  if (!value->is_object())
    return bad_input(path.string(), 1, "", "expected an object");
  return std::move(value->get_object());
}

} // namespace scratchpage
