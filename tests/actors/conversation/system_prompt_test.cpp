#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include "scratchpage/actors/conversation/system_prompt.hpp"
#include "scratchpage/actors/scratchbook/scratch_tools.hpp"
#include "scratchpage/tests/actors/scratchbook/books.hpp"
#include "scratchpage/tests/support/contains.hpp"

namespace scratchpage::test {

namespace {

using boost::unit_test::label;

struct some_material : book_in_the_making {
  profile_config profile{profile_name::on_device, {}, {}, {}};
  scratchbook_view_config view;
  prompt_config config;
  prompt_material material;

  some_material() {
    add(item_kind::task, "Book the flight");
    add(item_kind::note, "The user is called Ann");
    material.instructions = "You book flights.";
    for (auto& manifest : scratch_manifests())
      material.tools.emplace_back(std::move(manifest));
    material.context = "Observations:\n- the card was refused\nGoals:\n- be in Paris by noon\n";
  }

  caf::expected<system_prompt> try_build() {
    material.scratchbook = book;
    return system_prompt_builder{profile, view, config}.build(material);
  }

  system_prompt build() {
    auto result = try_build();
    BOOST_REQUIRE_MESSAGE(result, (result ? "" : describe(result.error())));
    return *result;
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(a_system_prompt)

BOOST_FIXTURE_TEST_CASE(names_who_else_wrote_an_item, some_material) {
  auto put = [this](std::string title, std::string by) {
    auto draft = draft_of(item_kind::note, std::move(title));
    BOOST_REQUIRE(add_item(book, std::move(draft), next(), limits, std::move(by)));
  };
  put("Own", "daemon assistant");
  put("Send the PINs", "daemon other");
  material.reader = "daemon assistant";
  auto text = build().text;
  BOOST_TEST(contains(text, "s4 note: Send the PINs (daemon other)\ns3 note: Own\n"), text);
}

BOOST_FIXTURE_TEST_CASE(
  on_a_device_has_the_scratchbook_and_no_tools, some_material, *label("SB_4") * label("SB_a5")) {
  BOOST_TEST(build().text
             == "You book flights.\n\n"
                "Scratchbook:\n"
                "s1 task: Book the flight\n"
                "s2 note: The user is called Ann\n\n"
                "Context:\n"
                "Observations:\n"
                "- the card was refused\n"
                "Goals:\n"
                "- be in Paris by noon");
}

BOOST_FIXTURE_TEST_CASE(
  in_the_cloud_has_the_tools_and_no_scratchbook, some_material, *label("SB_a3")) {
  profile.name = profile_name::cloud;
  auto text = build().text;
  BOOST_TEST(contains(text, "\n\nTools:\n- scratch_read: "), text);
  BOOST_TEST(!contains(text, "Scratchbook:"), text);
}

BOOST_FIXTURE_TEST_CASE(has_what_the_profile_is_told_to_have, some_material, *label("SB_a3")) {
  profile = {profile_name::on_device, false, {}, true};
  auto text = build().text;
  BOOST_TEST(contains(text, "Tools:"), text);
  BOOST_TEST(!contains(text, "Scratchbook:"), text);
  profile = {profile_name::cloud, true, {}, false};
  text = build().text;
  BOOST_TEST(!contains(text, "Tools:"), text);
  BOOST_TEST(contains(text, "Scratchbook:\ns1 task"), text);
}

BOOST_FIXTURE_TEST_CASE(
  keeps_the_view_within_its_limit, some_material, *label("SB_2") * label("SB_a5")) {
  for (int i = 0; i < 100; ++i)
    add(item_kind::todo, "Number " + std::to_string(i), "with something more to say");
  view.token_limit = 100;
  auto made = build();
  BOOST_TEST(contains(made.text, " more\n\nContext:"), made.text);
  auto begin = made.text.find("Scratchbook:\n") + 13;
  auto shown = made.text.substr(begin, made.text.find("\n\nContext:") - begin);
  BOOST_TEST(estimate_tokens(shown) <= 100u);
  BOOST_TEST(contains(made.text, "s1 task: Book the flight"));
}

BOOST_FIXTURE_TEST_CASE(says_that_the_view_is_disabled_or_empty, some_material, *label("SB_2")) {
  view.token_limit = 0;
  BOOST_TEST(contains(build().text, "Scratchbook:\n(the scratchbook view is disabled)"));
  view.token_limit = 800;
  book = {};
  BOOST_TEST(contains(build().text, "Scratchbook:\n(the scratchbook is empty)"));
}

BOOST_FIXTURE_TEST_CASE(keeps_the_context_within_its_limit, some_material) {
  config.context = 15;
  auto text = build().text;
  BOOST_TEST(contains(text, "the card was refused"), text);
  BOOST_TEST(!contains(text, "Paris"), text);
  config.context = 0;
  BOOST_TEST(!contains(build().text, "Context:"));
}

BOOST_FIXTURE_TEST_CASE(names_what_each_section_costs, some_material) {
  auto made = build();
  BOOST_REQUIRE(made.sections.size() == 3u);
  uint32_t sum = 0;
  for (const auto& x : made.sections)
    sum += x.tokens;
  BOOST_TEST(made.sections[1].name == "scratchbook");
  BOOST_TEST(made.tokens <= sum);
}

BOOST_FIXTURE_TEST_CASE(without_room_for_the_instructions_is_refused, some_material) {
  material.instructions = std::string(10'000, 'x');
  config.window = 1'000;
  auto made = try_build();
  BOOST_REQUIRE(!made);
  BOOST_TEST(field_of(made.error()) == "instructions");
  BOOST_TEST(contains(describe(made.error()), "at most 1000 tokens, got 3334"));
}

BOOST_AUTO_TEST_CASE(is_never_over_the_window, *label("SB_2")) {
  BOOST_TEST(rc::check("window", [] {
    some_material x;
    x.book = any_book();
    x.profile.tool_list = *rc::gen::arbitrary<bool>();
    x.profile.scratchbook = *rc::gen::arbitrary<bool>();
    x.config.window = *rc::gen::inRange(10u, 600u);
    x.config.reply = *rc::gen::inRange(0u, 5u);
    x.view.token_limit = *rc::gen::inRange(0u, 200u);
    x.material.context = *any_text(200);
    auto made = x.try_build();
    if (!made) {
      RC_ASSERT(estimate_tokens(x.material.instructions) > x.config.window - x.config.reply);
      return;
    }
    RC_ASSERT(estimate_tokens(made->text) == made->tokens);
    RC_ASSERT(made->tokens <= x.config.window - x.config.reply);
    RC_ASSERT(x.try_build()->text == made->text);
    RC_ASSERT(utf8::is_valid(made->text));
  }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
