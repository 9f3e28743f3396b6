#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/store/every_store.hpp"
#include "scratchpage/tests/store/read_all.hpp"
#include "scratchpage/tests/store/store_samples.hpp"

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

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
