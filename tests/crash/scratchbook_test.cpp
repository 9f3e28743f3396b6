#include <boost/test/unit_test.hpp>

#include <map>
#include <random>
#include <sstream>
#include <string>

#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/crash/victim.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// A process that saves a scratchbook is killed at random moments, many times: the file is
/// the complete old or new one, and has everything that was acknowledged.

namespace scratchpage::test {

namespace {

/// The titles of acknowledged items, by number.
using kept_items = std::map<uint64_t, std::string>;

void note_line(const std::string& line, kept_items& so_far) {
  std::istringstream words{line};
  std::string what, title;
  uint64_t number = 0;
  if (words >> what >> number >> title && what == "kept")
    so_far.emplace(number, title);
}

void run_and_kill(const std::string& folder, int run, size_t kept, kept_items& so_far) {
  victim process{{program_to_kill(2), folder, "run" + std::to_string(run)}};
  std::string line;
  BOOST_REQUIRE(process.read_line(line));
  BOOST_REQUIRE(line == "started");
  for (auto before = so_far.size(); so_far.size() - before < kept;) {
    BOOST_REQUIRE_MESSAGE(process.read_line(line), "the process has ended by itself");
    note_line(line, so_far);
  }
  process.kill();
  while (process.read_line(line))
    note_line(line, so_far);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_scratchbook_is_whole_whenever_its_process_is_killed) {
  BOOST_REQUIRE_MESSAGE(!program_to_kill(2).empty(), "the program to kill is the second argument");
  temp_dir folder;
  std::mt19937 random{20251108};
  kept_items so_far;
  for (int run = 0; run < crashes(); ++run) {
    run_and_kill(folder.path().string(), run, random() % 20, so_far);
    auto text = folder.read("scratchbook/trip.json");
    if (so_far.empty() && text.empty())
      continue; // killed before the first save
    auto book = from_stored_text(text, {});
    BOOST_REQUIRE_MESSAGE(book, (book ? "" : describe(book.error())));
    // One more item may have been saved without being acknowledged.
    BOOST_TEST(book->items.size() >= so_far.size());
    BOOST_TEST(book->items.size() <= so_far.size() + 1);
    for (const auto& [number, title] : so_far)
      BOOST_REQUIRE(book->items.at(number - 1).title == title);
    for (size_t i = so_far.size(); i < book->items.size(); ++i)
      so_far.emplace(i + 1, book->items[i].title);
  }
  BOOST_TEST_MESSAGE(so_far.size() << " items, " << crashes() << " times killed");
  BOOST_TEST(so_far.size() > 5u * static_cast<size_t>(crashes()));
}

} // namespace scratchpage::test
