#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(documents)

BOOST_AUTO_TEST_CASE_TEMPLATE(take_the_place_of_the_one_of_the_same_name, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  BOOST_TEST(!put(pages, owner, doc("goals", "tea", "1")));
  BOOST_TEST(!put(pages, owner, doc("facts", "tea", "2")));
  BOOST_TEST(!put(pages, owner, doc("goals", "tea", "3")));
  BOOST_TEST(
    read_documents(pages, owner.agent, "goals") == text_of(std::vector{doc("goals", "tea", "3")}));
  BOOST_TEST(
    read_documents(pages, owner.agent, "facts") == text_of(std::vector{doc("facts", "tea", "2")}));
  BOOST_TEST(read_documents(pages, owner.agent, "types") == "");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_put_together_in_their_order, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  std::vector xs{doc("goals", "a", "1"), doc("goals", "b", "1"), doc("goals", "a", ""),
    doc("goals", "b", "2"), doc("goals", "c", ""), doc("goals", "c", "3")};
  BOOST_TEST(!pages.put(owner, xs));
  BOOST_TEST(!pages.put(owner, {}));
  BOOST_TEST(read_documents(pages, owner.agent, "goals")
             == text_of(std::vector{doc("goals", "b", "2"), doc("goals", "c", "3")}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(go_when_their_body_is_empty, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  BOOST_TEST(!put(pages, owner, doc("goals", "tea", "{}")));
  BOOST_TEST(!put(pages, owner, doc("goals", "tea", "")));
  BOOST_TEST(!put(pages, owner, doc("goals", "wine", "")));
  BOOST_TEST(read_documents(pages, owner.agent, "goals") == "");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_read_in_the_order_of_their_bytes, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  for (const auto* key : {"b", "A", "a", "\u00e9", "", "_", "B", "a b", "ab", "a-b", "10", "9"})
    BOOST_TEST(!put(pages, owner, doc("goals", key, "{}")));
  std::string keys;
  BOOST_TEST(!pages.read_documents(owner.agent, "goals", [&](document&& x) {
    keys += x.key + ",";
    return true;
  }));
  BOOST_TEST(keys == ",10,9,A,B,_,a,a b,a-b,ab,b,\u00e9,");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_read_until_the_reader_has_enough, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(!put(pages, owner, doc("goals", std::to_string(i), "{}")));
  int seen = 0;
  BOOST_TEST(
    !pages.tested->read_documents(owner.agent, "goals", [&](document&&) { return ++seen < 2; }));
  BOOST_TEST(seen == 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_found_by_time_and_terms, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  auto indexed = [](std::string key, int64_t at, std::vector<std::string> terms) {
    auto x = doc("stories", std::move(key), "{}");
    x.index = {at_millisecond(at), std::move(terms)};
    return x;
  };
  for (const auto& x : {indexed("a", 5, {"tea", "two"}), indexed("b", 9, {"tea"}),
         indexed("c", 5, {}), indexed("d", 7, {"two", "tea"}), doc("stories", "e", "{}")})
    BOOST_TEST(!put(pages, owner, x));
  auto names = [&](const document_range& range) {
    std::string result;
    BOOST_TEST(!pages.find_documents(owner.agent, "stories", range, [&](document&& x) {
      result += x.key;
      return true;
    }));
    return result;
  };
  BOOST_TEST(names({}) == "bdca");
  BOOST_TEST(names({.terms = {"tea"}}) == "bda");
  BOOST_TEST(names({.terms = {"tea", "two"}}) == "da");
  BOOST_TEST(names({.terms = {"none"}}) == "");
  BOOST_TEST(names({.key = "a"}) == "a");
  BOOST_TEST(names({.after = at_millisecond(5), .before = at_millisecond(9)}) == "d");
  BOOST_TEST(!put(pages, owner, indexed("b", 1, {"wine"}))); // replaces "b" and its terms
  BOOST_TEST(names({.terms = {"tea"}}) == "da");
  BOOST_TEST(names({}) == "dcab");
  BOOST_TEST(!put(pages, owner, doc("stories", "d", "")));
  BOOST_TEST(!put(pages, owner, doc("stories", "a", "{}")));
  BOOST_TEST(names({}) == "cb");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(keys_are_found_without_bodies, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  for (int i = 0; i < 40; ++i) {
    auto x = doc("stories", std::to_string(i), "{}");
    x.index = {at_millisecond(i), {}};
    BOOST_TEST(!put(pages, owner, x));
  }
  document_range keys;
  keys.without_bodies = true;
  int found = 40;
  BOOST_TEST(!pages.find_documents(owner.agent, "stories", keys, [&](document&& x) {
    BOOST_TEST(x.key == std::to_string(--found));
    BOOST_TEST(x.body == "");
    return true;
  }));
  BOOST_TEST(found == 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(more_than_are_found_at_once_are_all_found, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  for (int i = 0; i < 40; ++i) {
    auto x = doc("stories", std::to_string(i), "{}");
    x.index = {at_millisecond(i / 3), {"tea"}};
    BOOST_TEST(!put(pages, owner, x));
  }
  int found = 40;
  BOOST_TEST(!pages.find_documents(owner.agent, "stories", {.terms = {"tea"}}, [&](document&& x) {
    BOOST_TEST(x.key == std::to_string(--found));
    return true;
  }));
  BOOST_TEST(found == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
