#include "scratchpage/runtime/models/prompts.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/runtime/models/answers.hpp"
#include "scratchpage/runtime/models/chat.hpp"
#include "scratchpage/runtime/models/schema.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// Prompts, and the schemas of answers.

namespace scratchpage::test {

using namespace models;

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream{file, std::ios::binary} << text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(the_prompts_of_models)

BOOST_AUTO_TEST_CASE(begin_alike_for_all_daemons) {
  auto built_in = read_prompts("");
  BOOST_REQUIRE(built_in);
  auto beginning = built_in->router.substr(0, built_in->router.find("# The Router"));
  BOOST_TEST(beginning.size() > 500u);
  for (const auto* one :
    {&built_in->clarifier, &built_in->error_handler, &built_in->evaluator, &built_in->reflector})
    BOOST_TEST(one->starts_with(beginning));
}

BOOST_AUTO_TEST_CASE(are_replaced_by_files_of_a_folder) {
  temp_dir dir;
  write(dir.path() / "router.md", "Be brief.");
  auto own = read_prompts(dir.path().string());
  BOOST_REQUIRE(own);
  BOOST_TEST(own->router == "Be brief.");
  BOOST_TEST(own->clarifier == read_prompts("")->clarifier);
}

BOOST_AUTO_TEST_CASE(have_a_text_of_a_limited_size) {
  temp_dir dir;
  for (const auto& text :
    {std::string{" \n"}, std::string{"\xff"}, std::string(model_limits::prompt_bytes + 1, 'a')}) {
    write(dir.path() / "evaluator.md", text);
    auto own = read_prompts(dir.path().string());
    BOOST_REQUIRE(!own);
    BOOST_TEST(field_of(own.error()) == "models.prompts");
  }
  BOOST_TEST(!read_prompts((dir.path() / "nothing").string()));
}

BOOST_AUTO_TEST_CASE(ask_for_answers_whose_every_member_is_required) {
  BOOST_TEST(
    to_text(schema_of<asked_question>())
    == R"({"type":"object","properties":{"text":{"type":"string"},"reason":{"type":"string"}},)"
       R"("required":["text","reason"],"additionalProperties":false})");
  auto schema = schema_of<router_answer>();
  BOOST_TEST(to_text(schema.at("properties").at("level"))
             == R"({"type":"string","enum":["low","medium","high"]})");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
