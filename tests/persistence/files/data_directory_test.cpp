#include <filesystem>
#include <fstream>
#include <memory>

#include <boost/test/unit_test.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/transfer/database_files.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

namespace {

namespace fs = std::filesystem;
using fs::perms;

constexpr auto of_everybody = perms::group_read | perms::others_read;

/// Sets the umask to 0, so that files get exactly the modes that the program requests.
struct open_umask {
  mode_t before = ::umask(0);
  open_umask() = default;
  open_umask(const open_umask&) = delete;
  open_umask& operator=(const open_umask&) = delete;
  ~open_umask() { ::umask(before); }
};

struct some_directory : temp_dir {
  fs::path where = path() / "data";

  some_directory() { fs::create_directory(where); }

  void set_mode(perms x) const { fs::permissions(where, x); }

  std::string refusal() const {
    auto opened = data_directory::open(where);
    BOOST_REQUIRE(!opened);
    BOOST_TEST((code_of(opened.error()) == errc::forbidden));
    return describe(opened.error());
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(directories)

BOOST_FIXTURE_TEST_CASE(one_that_others_may_read_becomes_private_with_its_files, some_directory) {
  set_mode(perms::owner_all | perms::group_exec | perms::others_exec | of_everybody);
  std::ofstream{where / "scratchpage.db"} << "";
  fs::permissions(where / "scratchpage.db", perms::owner_read | perms::owner_write | of_everybody);
  BOOST_REQUIRE(data_directory::open(where));
  BOOST_CHECK(fs::status(where).permissions() == perms::owner_all);
  BOOST_CHECK(
    fs::status(where / "scratchpage.db").permissions() == (perms::owner_read | perms::owner_write));
}

BOOST_FIXTURE_TEST_CASE(a_home_that_was_named_by_mistake_keeps_its_modes, some_directory) {
  auto open = perms::owner_all | perms::group_exec | perms::others_exec | of_everybody;
  std::ofstream{where / "script.sh"} << "";
  fs::permissions(where / "script.sh", open);
  set_mode(open);
  BOOST_TEST(refusal().find("chmod 700") != std::string::npos);
  BOOST_CHECK(fs::status(where).permissions() == open);
  BOOST_CHECK(fs::status(where / "script.sh").permissions() == open);
}

BOOST_FIXTURE_TEST_CASE(one_that_others_may_change_is_refused, some_directory) {
  set_mode(perms::owner_all | perms::group_all);
  BOOST_TEST(refusal().find("'chmod 700 " + where.string() + "'") != std::string::npos);
  set_mode(perms::owner_all | perms::others_all);
  refusal();
  BOOST_TEST(!fs::exists(where / "lock"));
}

BOOST_FIXTURE_TEST_CASE(one_of_another_user_is_refused, some_directory) {
  if (::geteuid() != 0)
    return; // only root can give a directory to another user
  BOOST_REQUIRE(::chown(where.c_str(), 1, 1) == 0);
  BOOST_TEST(refusal().find("another user's") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_lock_that_is_a_link_cuts_nothing_short, some_directory) {
  set_mode(perms::owner_all);
  auto precious = file("precious", "text");
  fs::create_symlink(precious, where / "lock");
  BOOST_TEST(refusal().find("'lock' in it is a link") != std::string::npos);
  fs::remove(where / "lock");
  fs::create_hard_link(precious, where / "lock");
  refusal();
  BOOST_TEST(fs::file_size(precious) == 4u);
  BOOST_TEST(!data_directory::open_to_read(where));
}

BOOST_FIXTURE_TEST_CASE(a_database_that_is_a_link_is_not_written_to, some_directory) {
  set_mode(perms::owner_all);
  fs::create_symlink(path() / "elsewhere", data_directory::database_in(where));
  BOOST_TEST(!sql_store::open(sql::sqlite(data_directory::database_in(where))));
  BOOST_TEST(!fs::exists(path() / "elsewhere"));
}

BOOST_FIXTURE_TEST_CASE(all_that_is_in_it_is_its_owners_alone, temp_dir) {
  open_umask all;
  auto home = data_directory::open(path() / "data");
  BOOST_REQUIRE(home);
  auto in =
    sql_store::open(sql::sqlite(home->database()), std::make_shared<commit_mark>(home->database()));
  BOOST_REQUIRE(in);
  BOOST_REQUIRE((**in).claim("ada"));
  BOOST_TEST(!write_checkpoint(*home, home->path() / "copy"));
  size_t count = 0;
  for (const auto& x : fs::directory_iterator{home->path()}) {
    ++count;
    BOOST_TEST((x.status().permissions() == (perms::owner_read | perms::owner_write)), x.path());
  }
  BOOST_TEST(count == 6u); // database, log, index, mark, lock, copy
}

BOOST_FIXTURE_TEST_CASE(one_process_at_a_time_uses_a_data_directory, temp_dir) {
  auto where = path() / "deep" / "data";
  auto first = data_directory::open(where);
  BOOST_REQUIRE(first);
  auto second = data_directory::open(where);
  BOOST_REQUIRE(!second);
  BOOST_TEST(describe(second.error())
             == "storage_unavailable: the data directory " + where.string()
                  + " cannot be used: process " + std::to_string(::getpid()) + " uses it");
}

BOOST_FIXTURE_TEST_CASE(it_is_free_again_when_its_user_is_done, temp_dir) {
  for (int i = 0; i < 2; ++i)
    BOOST_TEST(static_cast<bool>(data_directory::open(path() / "data")));
}

BOOST_FIXTURE_TEST_CASE(a_new_directory_is_its_owners_alone, temp_dir) {
  auto where = path() / "data";
  BOOST_REQUIRE(data_directory::open(where));
  using std::filesystem::perms;
  BOOST_CHECK(std::filesystem::status(where).permissions() == perms::owner_all);
}

BOOST_FIXTURE_TEST_CASE(a_file_is_no_directory, temp_dir) {
  auto name = file("taken", "text");
  auto opened = data_directory::open(name);
  BOOST_REQUIRE(!opened);
  BOOST_TEST(describe(opened.error()).find("cannot be used") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
