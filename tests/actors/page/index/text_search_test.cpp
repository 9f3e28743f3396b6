#define BOOST_TEST_MODULE text_search
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "scratchpage/tests/actors/page/index/text_fixture.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

/// The search looks at few observations. It must find what a look at all of them finds.

namespace scratchpage {

namespace {

using test::text_fixture;

std::vector<std::string> words_in(const std::string& text) {
  std::istringstream in{text};
  std::vector<std::string> result;
  for (std::string word; in >> word;)
    result.push_back(word);
  return result;
}

/// BM25 of every observation, with the same operations in the same order.
std::vector<text_search::match> look_at_all(const text_fixture& in, const std::string& query) {
  std::map<uint32_t, std::vector<std::string>> documents;
  double total = 0;
  for (const auto& [slot, x] : in.all) {
    documents[slot] = words_in(x.content);
    total += static_cast<double>(documents[slot].size() + 3); // with the day
  }
  auto n = static_cast<double>(documents.size());
  auto average = total / n;
  std::map<uint32_t, double> scores;
  auto asked = words_in(query);
  std::set<std::string> done;
  for (const auto& word : asked) {
    if (!done.insert(word).second)
      continue;
    std::map<uint32_t, double> frequencies;
    for (const auto& [slot, words] : documents)
      if (auto count = std::count(words.begin(), words.end(), word); count > 0)
        frequencies[slot] = static_cast<double>(count);
    auto df = static_cast<double>(frequencies.size());
    auto times = static_cast<double>(std::count(asked.begin(), asked.end(), word));
    auto idf = times * std::log(1 + (n - df + 0.5) / (df + 0.5));
    for (auto [slot, tf] : frequencies) {
      auto length = static_cast<double>(documents[slot].size() + 3);
      scores[slot] += idf * tf * 2.2 / (tf + 1.2 * (1 - 0.75 + 0.75 * length / average));
    }
  }
  std::vector<text_search::match> result;
  for (auto i = scores.rbegin(); i != scores.rend(); ++i)
    result.push_back({i->first, i->second});
  std::stable_sort(
    result.begin(), result.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  return result;
}

/// Draws texts of words that are their own stems. The first words are in most texts.
class text_source {
public:
  explicit text_source(uint32_t seed)
    : random_{seed} {}

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

  std::string word() {
    auto uniform = static_cast<double>(random_()) / 4294967296.0;
    auto rank = static_cast<uint32_t>(std::pow(300.0, uniform)) - 1;
    return "w" + std::to_string(rank) + "x";
  }

  std::string text(uint32_t most) {
    std::string result;
    for (auto n = 1 + below(most); n > 0; --n)
      result += word() + " ";
    return result;
  }

private:
  std::mt19937 random_;
};

void require_same(text_fixture& in, const std::string& query, size_t limit) {
  auto expected = look_at_all(in, query);
  auto search = in.search(query, limit);
  BOOST_REQUIRE(search.found() == expected.size());
  expected.resize(std::min(expected.size(), limit));
  auto got = search.best();
  BOOST_REQUIRE(got.size() == expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    BOOST_REQUIRE(got[i].slot == expected[i].slot);
    BOOST_REQUIRE(got[i].score == expected[i].score);
  }
}

/// Adds, changes and erases until there are so many, in three chunks of slots.
void fill(text_fixture& to, text_source& texts, size_t count) {
  uint32_t next = 65'536 - static_cast<uint32_t>(count) / 2;
  while (to.all.size() < count) {
    to.add(next, texts.text(texts.below(20) == 0 ? 200 : 12));
    if (texts.below(4) == 0)
      to.index.catch_up(to.lookup(), {}, 1 + texts.below(100));
    auto one = to.all.lower_bound(texts.below(next + 1));
    if (one != to.all.end() && texts.below(6) == 0)
      to.add(one->first, texts.text(8));
    else if (one != to.all.end() && texts.below(6) == 0)
      to.erase(one->first);
    next += texts.below(200) == 0 ? 1 + texts.below(3'000) : 1;
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(a_search_finds_what_a_look_at_all_observations_finds) {
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    text_source texts{seed};
    text_fixture in;
    fill(in, texts, 1 + texts.below(seed % 3 == 0 ? 9'000 : 700));
    for (int i = 0; i < 6; ++i)
      require_same(in, texts.text(6), 1 + texts.below(60));
    require_same(in, "w0x w1x w2x w3x", 10);
    require_same(in, "w0x w0x w9x", 10);
    require_same(in, texts.text(60), 50);
    require_same(in, "w0x", 100'000);
  }
}

BOOST_FIXTURE_TEST_CASE(equal_observations_are_found_the_newest_first, text_fixture) {
  for (uint32_t slot = 0; slot < 20'000; ++slot)
    add(slot, slot % 3 == 0 ? "red wine" : "wine and tea");
  auto best = matches("red wine", 5);
  BOOST_REQUIRE(best.size() == 5u);
  for (uint32_t i = 0; i < 5; ++i)
    BOOST_TEST(best[i].slot == 19'998 - 3 * i);
}

BOOST_FIXTURE_TEST_CASE(only_observations_that_are_looked_at_are_found_and_counted, text_fixture) {
  text_source texts{3};
  for (uint32_t slot = 0; slot < 12'000; ++slot)
    add(slot, texts.text(12));
  auto all = look_at_all(*this, "w0x w5x w30x");
  for (uint32_t each : {2u, 7u, 400u}) {
    slot_set wanted;
    for (uint32_t slot = 0; slot < 12'000; slot += each)
      wanted.add(slot);
    index.catch_up(lookup(), {});
    text_search search{index, "w0x w5x w30x", 10};
    slot_set::scratch room;
    slot_chunk rows;
    rows.assign(wanted.chunk(0, room));
    BOOST_REQUIRE(search.enter(0));
    search.look_at(rows);
    auto expected = all;
    std::erase_if(expected, [&](const auto& x) { return !wanted.contains(x.slot); });
    BOOST_TEST(search.found() == expected.size());
    auto best = search.best();
    BOOST_REQUIRE(best.size() == 10u);
    for (size_t i = 0; i < 10; ++i)
      BOOST_TEST(best[i].slot == expected[i].slot);
  }
}

BOOST_FIXTURE_TEST_CASE(a_text_without_a_known_word_finds_nothing, text_fixture) {
  add(1, "wine");
  BOOST_TEST(matches("tea").empty());
  erase(1);
  BOOST_TEST(matches("wine").empty());
}

} // namespace scratchpage
