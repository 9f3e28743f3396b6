#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

#include <sstream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/runtime/cli/process.hpp"

namespace scratchpage::test {

int shell::run(std::vector<std::string> words) {
  words.insert(words.begin() + 1, {"--data", data()});
  return run_plain(words);
}

int shell::run_plain(const std::vector<std::string>& words) {
  std::vector<const char*> argv{"scratchpage"};
  for (const auto& word : words)
    argv.push_back(word.c_str());
  std::ostringstream out_stream, err_stream;
  std::istringstream in_stream{input};
  command_environment environment{out_stream, err_stream, style, {}, false, {}, {}, &in_stream};
  environment.out_fd = out_fd;
  auto result = run_command_line(static_cast<int>(argv.size()), argv.data(), environment);
  out = out_stream.str();
  err = err_stream.str();
  return result;
}

std::string shell::add(
  const std::string& type, const std::string& content, std::vector<std::string> options) {
  std::vector<std::string> words{"add", "--type", type};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(content);
  BOOST_REQUIRE_MESSAGE(run(words) == 0, err);
  return out.substr(0, out.find('\n'));
}

std::string shell::numbers(std::vector<std::string> words) {
  words.insert(words.begin(), "query");
  words.insert(words.end(), "--json");
  BOOST_REQUIRE_MESSAGE(run(words) == 0, err);
  std::string result;
  for (const auto& x : answer().at("observations").as_array()) {
    auto id = std::string{x.at("observation_id").as_string()};
    result += (result.empty() ? "" : " ") + std::to_string(number_of(id).value_or(0));
  }
  return result;
}

std::vector<json::value> shell::answers() const {
  std::vector<json::value> result;
  std::istringstream lines{out};
  for (std::string line; std::getline(lines, line);) {
    auto value = parse_json(line);
    BOOST_REQUIRE_MESSAGE(value, line);
    result.push_back(std::move(*value));
  }
  return result;
}

const json::object& shell::answer() {
  auto all = answers();
  BOOST_REQUIRE(all.size() == 1u);
  answer_ = std::move(all.front().as_object());
  return answer_;
}

std::vector<std::string> names_in(const json::object& x) {
  std::vector<std::string> result;
  for (const auto& member : x)
    result.emplace_back(member.key());
  return result;
}

} // namespace scratchpage::test
