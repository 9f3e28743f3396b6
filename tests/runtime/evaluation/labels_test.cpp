#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/runtime/evaluation/labels.hpp"

namespace scratchpage {

namespace {

std::string line_with(const std::string& labels) {
  return R"({"id":"a","messages":[{"role":"user","content":"Hi"}],"labels":)" + labels + "}\n";
}

std::string error_of(const std::string& labels) {
  auto x = read_labelled(line_with(labels), "t.jsonl");
  BOOST_REQUIRE(!x);
  return describe_input(x.error());
}

} // namespace

BOOST_AUTO_TEST_SUITE(labels_of_conversations)

BOOST_AUTO_TEST_CASE(null_is_nothing_and_an_absent_member_is_not_counted) {
  auto x = read_labelled(line_with(R"([{"waiting":null,"urgency":["low","high"]}])"), "t.jsonl");
  BOOST_REQUIRE(x);
  const auto& label = x->conversations.at(0).labels.at(0);
  BOOST_TEST(label.waiting == accepted_names{""}, boost::test_tools::per_element());
  BOOST_TEST(label.urgency.size() == 2u);
  BOOST_TEST(label.answered.empty());
  BOOST_TEST(!label.goals_opened);
}

BOOST_AUTO_TEST_CASE(bad_labels_name_the_field_and_what_was_expected) {
  BOOST_TEST(error_of(R"([{"urgency":"loud"}])")
             == "t.jsonl:1: labels[0].urgency: expected one of low, medium, high");
  BOOST_TEST(
    error_of(R"([{"goals_opened":-1}])").find("labels[0].goals_opened") != std::string::npos);
  BOOST_TEST(error_of(R"([{"wating":null}])").find("labels[0].wating") != std::string::npos);
  BOOST_TEST(
    error_of(R"([{"error_class":{"c9":"timeout"}}])").find("error_class.c9") != std::string::npos);
  BOOST_TEST(error_of("[]").find("but it has 0") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
