#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scratchpage/actors/scratchbook/scratchbooks.hpp"
#include "scratchpage/actors/storage/file_keeper.hpp"
#include "scratchpage/messages/messages.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"
#include "scratchpage/tests/actors/scratchbook/books.hpp"
#include "scratchpage/tests/disk/seeds.hpp"
#include "scratchpage/tests/support/chance.hpp"
#include "scratchpage/tests/support/faulty_store.hpp"
#include "scratchpage/tests/support/memory_store.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

/// A scratchbook whose file is missing or an older copy is refused.

namespace scratchpage::test {

namespace {

namespace fs = std::filesystem;

/// Scratchbooks in a directory, with their versions in a store.
struct kept_books : temp_dir, virtual_time {
  memory_store pages;
  std::shared_ptr<faulty_store> in = std::make_shared<faulty_store>(pages);
  ownership by = *pages.claim("agent");
  scratchbook_actor books;

  kept_books() { begin(); }

  /// Opens the books again, as another process does.
  void begin() {
    begin(std::make_shared<versioned_files>(std::make_unique<directory_files>(path()), in, by));
  }

  void begin(std::shared_ptr<file_store> files) {
    auto keeper = make<file_keeper_state>(std::move(files));
    books =
      make<scratchbooks_state>(agent_context{"agent", clock, nullptr}, scratchbook_parts{keeper});
  }

  caf::expected<scratchbook_item> try_to_add(std::string thread, std::string title) {
    return ask(books, scratch_add{as_daemon("planner"), std::move(thread),
                        draft_of(item_kind::todo, std::move(title))});
  }

  std::string add(std::string thread, std::string title) {
    auto added = try_to_add(std::move(thread), std::move(title));
    return added ? added->id : describe(added.error());
  }

  caf::expected<scratchbook> list(std::string thread) {
    return ask(books, scratch_list{as_daemon("planner"), std::move(thread)});
  }

  /// The titles of the thread's items, or the error.
  std::string titles(std::string thread) {
    auto all = list(std::move(thread));
    if (!all)
      return describe(all.error());
    std::string result;
    for (const auto& x : all->items)
      result += (result.empty() ? "" : " ") + x.title;
    return result;
  }

  fs::path where(const std::string& thread) const {
    return path() / "scratchbook" / (thread + ".json");
  }

  std::string text(const std::string& thread) const {
    return read("scratchbook/" + thread + ".json");
  }

  void set_text(const std::string& thread, const std::string& bytes) const {
    std::ofstream{where(thread), std::ios::binary | std::ios::trunc} << bytes;
  }

  /// The file's text without its checksum, as it is after editing by hand.
  std::string text_by_hand(const std::string& thread) const {
    auto book = parse_json(text(thread));
    BOOST_REQUIRE(book);
    book->as_object().erase("checksum");
    return to_text(*book);
  }

  void check_refused(const std::string& thread, const std::string& because) {
    for (const auto& told : {titles(thread), add(thread, "new")}) {
      BOOST_TEST(told.starts_with("internal: scratchbook/" + thread
                                  + ".json is not the latest version of the scratchbook"),
        told);
      BOOST_TEST(told.find(because) != std::string::npos, told);
    }
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(versioned_books, kept_books)

BOOST_AUTO_TEST_CASE(a_missing_file_is_no_new_book) {
  add("trip", "one");
  add("trip", "two");
  fs::remove(where("trip"));
  begin();
  check_refused("trip", "it is missing, but revision 2 was acknowledged");
  BOOST_TEST(!fs::exists(where("trip")));
  BOOST_TEST(add("other", "one") == "s1"); // other threads are not affected
}

BOOST_AUTO_TEST_CASE(an_older_copy_is_refused_and_left_as_it_is) {
  std::vector<std::string> copies;
  for (const auto* title : {"one", "two", "three"}) {
    add("trip", title);
    copies.push_back(text("trip"));
  }
  for (int i = 0; i < 2; ++i) { // also the copy just before the last
    set_text("trip", copies[static_cast<size_t>(i)]);
    begin();
    check_refused("trip", "it is revision " + std::to_string(i + 1)
                            + ", but revision 3 was acknowledged: an older copy");
    BOOST_TEST(text("trip") == copies[static_cast<size_t>(i)]);
  }
  set_text("trip", copies[2]);
  BOOST_TEST(titles("trip") == "one two three"); // the next request reads the file again
  BOOST_TEST(add("trip", "four") == "s4");
}

BOOST_AUTO_TEST_CASE(another_file_of_the_same_revision_is_refused) {
  add("trip", "one");
  auto copy = text("trip");
  fs::remove(where("trip"));
  BOOST_REQUIRE(
    !pages.put(by, std::vector{make_document(collection::versions, "scratchbook/trip.json", "")}));
  begin();
  add("trip", "another");
  set_text("trip", copy);
  begin();
  check_refused("trip", "it differs from the revision 1 that was acknowledged");
}

BOOST_AUTO_TEST_CASE(what_was_written_when_its_process_died_before_it_was_kept_is_read) {
  add("trip", "one");
  auto first = text("trip");
  in->fail_before(1);
  BOOST_TEST(add("trip", "two").starts_with("storage_unavailable"));
  begin();
  BOOST_TEST(titles("trip") == "one two"); // "two" may be there, as it was not acknowledged
  BOOST_TEST(add("trip", "three") == "s3");
  set_text("trip", first);
  begin();
  check_refused("trip", "it is revision 1, but revision 3 was acknowledged");
}

BOOST_AUTO_TEST_CASE(whatever_failed_before_a_process_dies_its_book_is_read) {
  add("trip", "one");
  in->fail_after(1); // stored, although an error is reported
  BOOST_TEST(add("trip", "two").starts_with("storage_unavailable"));
  in->fail_before(1);
  BOOST_TEST(add("trip", "three").starts_with("storage_unavailable"));
  begin();
  BOOST_TEST(titles("trip") == "one three");
  BOOST_TEST(add("trip", "four") == "s3");
  begin();
  BOOST_TEST(titles("trip") == "one three four");
}

BOOST_AUTO_TEST_CASE(what_was_changed_by_hand_is_read_as_it_is) {
  add("trip", "one");
  add("trip", "two");
  auto edited = text_by_hand("trip");
  edited.replace(edited.find("two"), 3, "TWO");
  set_text("trip", edited);
  begin();
  BOOST_TEST(titles("trip") == "one TWO");
  BOOST_TEST(add("trip", "three") == "s3");
  begin();
  BOOST_TEST(titles("trip") == "one TWO three");
  set_text("trip", edited); // older, but edited by hand: without a checksum
  begin();
  BOOST_TEST(titles("trip") == "one TWO");
}

BOOST_AUTO_TEST_CASE(a_new_book_begins_as_the_refusal_says) {
  add("trip", "one");
  fs::remove(where("trip"));
  begin();
  auto told = titles("trip");
  auto begin_of_text = told.find(R"({"items")");
  BOOST_REQUIRE(begin_of_text != std::string::npos);
  set_text("trip", told.substr(begin_of_text, told.find('}') + 1 - begin_of_text));
  BOOST_TEST(titles("trip") == "");
  BOOST_TEST(add("trip", "new") == "s1");
  begin();
  BOOST_TEST(titles("trip") == "new");
}

BOOST_AUTO_TEST_CASE(a_file_of_an_earlier_version_is_read_and_kept_from_then_on) {
  book_in_the_making old;
  old.book.thread_id = "trip";
  old.add(item_kind::todo, "old");
  fs::create_directory(path() / "scratchbook");
  set_text("trip", to_stored_text(old.book));
  BOOST_TEST(titles("trip") == "old");
  BOOST_TEST(add("trip", "new") == "s2");
  set_text("trip", to_stored_text(old.book));
  begin();
  check_refused("trip", "it is revision 0, but revision 1 was acknowledged");
}

BOOST_AUTO_TEST_CASE(a_book_that_is_a_document_of_the_store_is_missed_there) {
  auto in_store = [this] { return std::make_shared<document_files>(in, by); };
  begin(in_store());
  add("trip", "one");
  auto before = in->writes();
  add("trip", "two");
  BOOST_TEST(in->writes() == before + 1); // the file and its version are one commit
  BOOST_REQUIRE(
    !pages.put(by, std::vector{make_document(collection::files, "scratchbook/trip.json", "")}));
  begin(in_store());
  check_refused("trip", "it is missing, but revision 2 was acknowledged");
}

BOOST_AUTO_TEST_CASE(a_save_is_one_file_and_one_commit) {
  add("trip", "one");
  auto before = in->writes();
  add("trip", "two");
  BOOST_TEST(in->writes() == before + 1);
  titles("trip");
  BOOST_TEST(in->writes() == before + 1);
}

/// A file is removed or replaced by an older copy: each book is complete, or requests for its
/// thread are refused.
BOOST_AUTO_TEST_CASE(whatever_becomes_of_files_each_book_is_complete_or_refused) {
  constexpr uint64_t as_many_as_fit = 20; // uses one in 20 of the seeds
  constexpr int threads = 3;
  auto seeds = seeds_of_one_in(as_many_as_fit);
  for (auto seed = seeds.first; seed <= seeds.last; ++seed) {
    chance random{seed};
    std::map<std::string, std::vector<std::string>> copies;
    std::map<std::string, std::string> acknowledged;
    auto name = [&](uint64_t n) { return "s" + std::to_string(seed) + "-" + std::to_string(n); };
    for (int i = 0; i < 12; ++i) {
      auto thread = name(random.below(threads));
      if (random.one_in(6))
        in->fail_before(1);
      if (try_to_add(thread, std::to_string(i)))
        acknowledged[thread] = titles(thread);
      copies[thread].push_back(text(thread));
      if (random.one_in(5))
        begin();
    }
    auto hurt = name(random.below(threads));
    if (auto i = copies.find(hurt); i != copies.end()) {
      auto older = random.below(i->second.size() + 1);
      if (older == i->second.size())
        fs::remove(where(hurt));
      else
        set_text(hurt, i->second[older]);
    }
    begin();
    BOOST_TEST(!acknowledged.empty());
    for (const auto& [thread, wanted] : acknowledged) {
      auto got = titles(thread);
      BOOST_TEST((got.starts_with(wanted) || got.starts_with("internal: ")),
        "SCRATCHPAGE_SEED=" << seed << " (this damage alone): " << thread << " has '" << got
                            << "' instead of '" << wanted << "'");
      BOOST_TEST((thread == hurt || !got.starts_with("internal: ")), got);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
