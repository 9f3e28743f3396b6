#include <boost/test/unit_test.hpp>

#include "scratchpage/persistence/stored_files/stored_file.hpp"
#include "scratchpage/persistence/transfer/export.hpp"
#include "scratchpage/persistence/transfer/import.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"

/// Writing an imported history into an agent that has none.

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(moved_histories)

BOOST_AUTO_TEST_CASE_TEMPLATE(a_journal_may_begin_late, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  BOOST_TEST(!pages.begin_journal(owner, 40));
  BOOST_TEST(text_of(append(pages, next(owner, 41))) == "internal sequence");
  BOOST_TEST(!append(pages, next(owner, 40, 3)));
  BOOST_TEST(read_journal(pages, owner.agent) == text_of(std::vector{group(41, 43)}));
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_that_has_begun_does_not_begin_again, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  BOOST_TEST(!append(pages, next(owner, 0)));
  BOOST_TEST(text_of(pages.begin_journal(owner, 7)) == "internal sequence");
  auto later = claim(pages);
  BOOST_TEST(text_of(pages.begin_journal(owner, 7)) == "conflict epoch");
  BOOST_TEST(!append(pages, next(later, 1)));
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_archive_takes_what_left_before, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  std::vector rows{archived(9, "obs_3"), archived(4, "obs_1")};
  BOOST_TEST(!pages.begin_journal(owner, 10));
  BOOST_TEST(!pages.add_archived(owner, rows));
  BOOST_TEST(!append(pages, next(owner, 10, 1, {archived(11, "obs_4")})));
  BOOST_TEST(read_archive(pages, owner.agent)
             == text_of(std::vector{archived(11, "obs_4"), archived(9, "obs_3"), rows[1]}));
  claim(pages);
  BOOST_TEST(text_of(pages.add_archived(owner, rows)) == "conflict epoch");
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(collections_are_told_in_order, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  BOOST_TEST(pages.collections(owner.agent)->empty());
  for (const auto* name : {"goals", "facts", "Zoo", "goals"})
    BOOST_TEST(!put(pages, owner, doc(name, "a", "{}")));
  BOOST_TEST(!put(pages, owner, doc("facts", "a", "")));
  BOOST_CHECK((*pages.collections(owner.agent) == std::vector<std::string>{"Zoo", "goals"}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(files_are_found_by_those_who_read_them, Place, every_store) {
  Place from, to;
  {
    std::shared_ptr<store> kept = open(from.connector());
    document_files files{kept, claim(*kept)};
    BOOST_REQUIRE(!files.write("scratchbook/trip.json", "{}\n"));
    BOOST_REQUIRE(!files.append("conversation_history/trip.md", "half \xc3"));
  }
  std::shared_ptr<store> kept = open(to.connector());
  importer in{*kept};
  exporter lines{[&](std::string_view line) { return in.take(line.substr(0, line.size() - 1)); }};
  BOOST_REQUIRE(!lines.add(*open(from.connector()), "ada"));
  BOOST_REQUIRE(!lines.finish());
  BOOST_REQUIRE(!in.finish());
  BOOST_TEST(in.counts().files == 2u);
  document_files files{kept, claim(*kept)};
  BOOST_TEST((*files.read("scratchbook/trip.json", 0, 9))->bytes == "{}\n");
  BOOST_TEST((*files.read("conversation_history/trip.md", 0, 9))->bytes == "half \xc3");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
