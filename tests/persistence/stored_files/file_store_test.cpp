#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include <sys/stat.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"
#include "scratchpage/runtime/host/storage.hpp"
#include "scratchpage/tests/support/memory_store.hpp"
#include "scratchpage/tests/support/private_postgres.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// The same tests for every kind of file store.

namespace scratchpage::test {

namespace {

struct kind_of_files {
  const char* name;
  std::function<std::unique_ptr<file_store>(const temp_dir&)> open;
};

std::ostream& operator<<(std::ostream& out, const kind_of_files& x) {
  return out << x.name;
}

std::unique_ptr<file_store> in_a_store(std::shared_ptr<store> in) {
  auto by = *in->claim("agent");
  return std::make_unique<document_files>(std::move(in), by);
}

const kind_of_files kinds[]{
  {"memory", [](const temp_dir&) { return std::make_unique<memory_files>(); }},
  {"directory",
    [](const temp_dir& in) {
      return std::make_unique<directory_files>(in.path() / "files" / "agent");
    }},
  {"directory beside a store",
    [](const temp_dir& in) {
      auto pages = std::make_shared<memory_store>();
      auto by = *pages->claim("agent");
      return std::make_unique<versioned_files>(
        std::make_unique<directory_files>(in.path() / "files"), pages, by);
    }},
  {"documents", [](const temp_dir&) { return in_a_store(std::make_shared<memory_store>()); }},
  {"PostgreSQL",
    [](const temp_dir&) {
      auto opened = storage::open(private_postgres::shared().new_schema());
      BOOST_REQUIRE(opened);
      return in_a_store(opened->store);
    }},
};

std::string text(file_store& from, std::string_view path, uint64_t offset = 0, uint64_t most = 99) {
  auto found = from.read(path, offset, most);
  BOOST_REQUIRE_MESSAGE(found, (found ? "" : describe(found.error())));
  return *found ? (*found)->bytes + " of " + std::to_string((*found)->size) : "none";
}

} // namespace

BOOST_AUTO_TEST_SUITE(files)

BOOST_DATA_TEST_CASE(are_read_as_they_were_written, boost::unit_test::data::make(kinds), kind) {
  temp_dir folder;
  auto in = kind.open(folder);
  BOOST_TEST(text(*in, "a/b.json") == "none");
  BOOST_REQUIRE(!in->write("a/b.json", "first"));
  BOOST_REQUIRE(!in->write("a/c.json", "é \"other\"\n"));
  BOOST_REQUIRE(!in->write("a/b.json", "2nd"));
  BOOST_TEST(text(*in, "a/b.json") == "2nd of 3");
  BOOST_TEST(text(*in, "a/c.json") == "é \"other\"\n of 11");
  BOOST_TEST(text(*in, "a/b.json", 1, 1) == "n of 3");
  BOOST_TEST(text(*in, "a/b.json", 2) == "d of 3");
  BOOST_TEST(text(*in, "a/b.json", 7) == " of 3");
  BOOST_REQUIRE(!in->write("a/b.json", "no \xff text"));
  BOOST_TEST(text(*in, "a/b.json") == "no \xff text of 9");
  BOOST_TEST(text(*in, "a/b.json", 3, 1) == "\xff of 9");
  BOOST_REQUIRE(!in->write("a/b.json", ""));
  BOOST_TEST(text(*in, "a/b.json") == " of 0");
}

BOOST_DATA_TEST_CASE(
  know_their_latest_version_where_history_is_kept, boost::unit_test::data::make(kinds), kind) {
  temp_dir folder;
  auto in = kind.open(folder);
  auto revision = [&](std::string_view path) {
    auto known = in->version_of(path);
    BOOST_REQUIRE_MESSAGE(known, (known ? "" : describe(known.error())));
    return *known ? std::to_string((*known)->revision) + " " + (*known)->checksum : "none";
  };
  BOOST_TEST(revision("a.json") == "none");
  BOOST_REQUIRE(!in->write_version("a.json", "first", {1, "x"}));
  BOOST_REQUIRE(!in->write_version("b.json", "other", {7, "y"}));
  BOOST_REQUIRE(!in->write_version("a.json", "second", {2, "z"}));
  BOOST_TEST(text(*in, "a.json") == "second of 6");
  auto keeps =
    std::string_view{kind.name} != "memory" && std::string_view{kind.name} != "directory";
  BOOST_TEST(revision("a.json") == (keeps ? "2 z" : "none"));
  BOOST_TEST(revision("b.json") == (keeps ? "7 y" : "none"));
  BOOST_TEST(field_of(in->write_version("../x", "x", {1, "x"})) == "path");
}

BOOST_DATA_TEST_CASE(grow_at_their_end, boost::unit_test::data::make(kinds), kind) {
  temp_dir folder;
  auto in = kind.open(folder);
  BOOST_REQUIRE(!in->append("x.md", "one "));
  BOOST_REQUIRE(!in->append("x.md", "two"));
  BOOST_TEST(text(*in, "x.md") == "one two of 7");
}

BOOST_DATA_TEST_CASE(are_nowhere_else, boost::unit_test::data::make(kinds), kind) {
  temp_dir folder;
  auto in = kind.open(folder);
  for (auto* path : {"../x", "/etc/passwd", ".hidden", "a/../../x", ""}) {
    for (const auto& err : {in->write(path, "x"), in->append(path, "x")})
      BOOST_TEST(field_of(err) == "path", path);
    auto found = in->read(path, 0, 1);
    BOOST_REQUIRE(!found);
    BOOST_TEST(field_of(found.error()) == "path");
  }
}

BOOST_DATA_TEST_CASE(
  may_have_the_longest_name_that_is_allowed, boost::unit_test::data::make(kinds), kind) {
  temp_dir folder;
  auto in = kind.open(folder);
  std::string longest(250, 'n');
  BOOST_REQUIRE(!in->write(longest, "x"));
  BOOST_TEST(text(*in, longest) == "x of 1");
  BOOST_TEST(field_of(in->write(longest + "n", "x")) == "path");
}

BOOST_AUTO_TEST_CASE(in_a_directory_are_their_owners_alone) {
  temp_dir folder;
  directory_files in{folder.path() / "files"};
  BOOST_REQUIRE(!in.write("a/b.json", "x"));
  auto mode = [&](const std::filesystem::path& x) {
    struct stat found {};
    ::stat(x.c_str(), &found);
    return found.st_mode & 0777;
  };
  BOOST_TEST(mode(folder.path() / "files" / "a") == 0700u);
  BOOST_TEST(mode(folder.path() / "files" / "a" / "b.json") == 0600u);
}

BOOST_AUTO_TEST_CASE(in_a_directory_survive_what_a_crash_left) {
  temp_dir folder;
  directory_files in{folder.path()};
  BOOST_REQUIRE(!in.write("b.json", "whole"));
  folder.file(".b.json.new", "a longer text of which only a part was writ");
  BOOST_TEST(text(in, "b.json") == "whole of 5");
  BOOST_REQUIRE(!in.write("b.json", "next"));
  BOOST_TEST(text(in, "b.json") == "next of 4");
  BOOST_TEST(!std::filesystem::exists(folder.path() / ".b.json.new"));
}

BOOST_AUTO_TEST_CASE(in_a_directory_follow_no_links) {
  temp_dir folder;
  auto elsewhere = folder.file("secret", "secret");
  directory_files in{folder.path() / "files"};
  BOOST_REQUIRE(!in.write("a.json", "x"));
  std::filesystem::create_symlink(elsewhere, folder.path() / "files" / "link");
  BOOST_TEST(!in.read("link", 0, 9));
  BOOST_TEST(!!in.append("link", "x"));
  BOOST_TEST(folder.read("secret") == "secret");
  BOOST_REQUIRE(!in.write("link", "mine")); // replaces the link, not its target
  BOOST_TEST(folder.read("secret") == "secret");
}

BOOST_AUTO_TEST_CASE(that_cannot_be_written_say_why_and_stay) {
  temp_dir folder;
  folder.file("files", "not a folder");
  directory_files in{folder.path() / "files"};
  auto err = in.write("a.json", "x");
  BOOST_TEST(name_of(code_of(err)) == "storage_unavailable");
  BOOST_TEST(describe(err).find("files") != std::string::npos);
  BOOST_TEST(folder.read("files") == "not a folder");
  BOOST_TEST(text(in, "a.json") == "none");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
