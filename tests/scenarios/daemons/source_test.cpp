#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/daemons/trace_checks.hpp"
#include "scratchpage/tests/support/source_dir.hpp"

namespace scratchpage::test {

namespace {

/// The text without its comments.
std::string source_of(const std::filesystem::path& file) {
  std::ifstream in{file};
  std::string result;
  for (std::string line; std::getline(in, line);)
    result += line.substr(0, line.find("//")) + "\n";
  return result;
}

/// Names, in code and within texts.
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

} // namespace

BOOST_AUTO_TEST_CASE(no_daemon_names_another, *label("DS_3")) {
  std::map<std::string, std::string> sources; // by daemon: its files together
  std::set<std::string> daemons;
  for (const auto& entry :
    std::filesystem::directory_iterator{test::source_file("actors/daemons")}) {
    auto code = source_of(entry.path());
    auto stem = entry.path().stem().string();
    sources[stem] += code;
    if (code.find(": public daemon") != std::string::npos)
      daemons.insert(stem);
  }
  BOOST_TEST(daemons
               == (std::set<std::string>{"clarifier", "error_handler", "evaluator", "executor",
                 "reflector", "router", "system_analyzer"}),
    boost::test_tools::per_element());
  for (const auto& one : daemons) {
    auto names = names_in(sources[one]);
    BOOST_TEST(names.contains(one)); // the search does find names
    for (const auto& other : daemons)
      if (other != one)
        BOOST_TEST(
          (!names.contains(other) && !names.contains(other + "_state")), one << " names " << other);
  }
}

} // namespace scratchpage::test
