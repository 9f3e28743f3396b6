#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/daemons/trace_checks.hpp"
#include "scratchpage/tests/support/source_dir.hpp"

namespace scratchpage::test {

namespace {

/// The file's text without `//` comments.
std::string source_of(const std::filesystem::path& file) {
  std::ifstream in{file};
  std::string result;
  for (std::string line; std::getline(in, line);)
    result += line.substr(0, line.find("//")) + "\n";
  return result;
}

/// All words in `code`: identifiers, and the words of string literals.
std::set<std::string> names_in(const std::string& code) {
  std::set<std::string> result;
  std::string name;
  for (char x : code) {
    if (std::isalnum(static_cast<unsigned char>(x)) != 0 || x == '_') {
      name += x;
    } else {
      result.insert(std::exchange(name, {}));
    }
  }
  return result;
}

/// The classes of daemons in `code`, by the names of the daemons.
std::map<std::string, std::string> classes_in(const std::string& code) {
  constexpr std::string_view start = "\nclass ";
  std::map<std::string, std::string> result;
  for (auto at = code.find(start); at != std::string::npos; at = code.find(start, at + 1)) {
    auto line = code.substr(at + start.size(), code.find('\n', at + 1) - at - start.size());
    auto name = line.substr(0, line.find("_state : public "));
    if (line.ends_with("daemon {") && name != line)
      result[name] = code.substr(at, code.find("\n};", at) - at);
  }
  return result;
}

} // namespace

BOOST_AUTO_TEST_CASE(no_daemon_names_another, *label("DS_3")) {
  std::map<std::string, std::string> sources; // by stem, and with the class of the daemon
  std::set<std::string> daemons;
  for (const auto& entry :
    std::filesystem::directory_iterator{test::source_file("actors/daemons")}) {
    auto code = source_of(entry.path());
    sources[entry.path().stem().string()] += code;
    for (const auto& [name, text] : classes_in(code)) {
      sources[name] += text;
      daemons.insert(name);
    }
  }
  BOOST_TEST(daemons
               == (std::set<std::string>{"clarifier", "error_handler", "evaluator", "executor",
                 "reflector", "router", "system_analyzer"}),
    boost::test_tools::per_element());
  for (const auto& one : daemons) {
    auto names = names_in(sources[one]);
    BOOST_TEST(names.contains(one)); // the search works
    for (const auto& other : daemons)
      if (other != one)
        BOOST_TEST(
          (!names.contains(other) && !names.contains(other + "_state")), one << " names " << other);
  }
}

} // namespace scratchpage::test
