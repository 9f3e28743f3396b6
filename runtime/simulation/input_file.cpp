#include "scratchpage/runtime/simulation/input_file.hpp"

#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "scratchpage/messages/input_text.hpp"
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
  return result;
}

input_kind kind_of_input(std::string_view text, std::string_view file) {
  text = skip_bom(text);
  if (auto line = parse_input(first_line(text), file, 1); line && line->is_object()) {
    const auto& object = line->get_object();
    if (object.contains("messages"))
      return input_kind::transcript;
    if (object.contains("steps"))
      return input_kind::scenario;
  }
  if (parse_input(text, file, 1, {.comments = true}))
    return input_kind::scenario;
  return file.ends_with(".jsonl") || file.ends_with(".ndjson") ? input_kind::transcript
                                                               : input_kind::scenario;
}

caf::expected<std::vector<conversation>> read_input(const std::filesystem::path& path) {
  auto text = read_text_file(path);
  if (!text)
    return text.error();
  auto file = path.string();
  if (text->find_first_not_of(" \t\r\n") == std::string::npos)
    return bad_input(file, 0, "", "expected a scenario or a transcript, but the file is empty");
  if (kind_of_input(*text, file) == input_kind::transcript)
    return read_transcript(*text, file);
  auto scenario = read_scenario(*text, file);
  if (!scenario)
    return scenario.error();
  std::vector<conversation> result;
  result.push_back(std::move(*scenario));
  return result;
}

caf::expected<std::vector<conversation>> read_inputs(
  const std::vector<std::filesystem::path>& paths) {
  std::vector<conversation> result;
  std::set<std::string> ids;
  for (const auto& path : paths) {
    auto some = read_input(path);
    if (!some)
      return some.error();
    for (auto& x : *some) {
      auto id = x.id;
      for (size_t n = 2; !ids.insert(id).second; ++n)
        id = x.id + "#" + std::to_string(n);
      if (id != x.id)
        rename(x, id);
      result.push_back(std::move(x));
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
